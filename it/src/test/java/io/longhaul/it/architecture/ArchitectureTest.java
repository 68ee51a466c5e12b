package io.longhaul.it.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The arrows between modules and packages, who may see which library, and names. */
final class ArchitectureTest {
    private static final String ROOT = "io.longhaul.";
    private static final Set<String> MODULES =
            Set.of("wire", "storage", "ptcp", "agent", "broker-ext", "gridftp-bridge", "cli", "examples", "it");
    private static final List<String> SUFFIXES = List.of("Impl", "Util", "Utils", "Helper", "Manager", "Info", "Base");

    private static JavaClasses product;
    private static JavaClasses tests;

    @BeforeAll
    static void read() {
        // Only packages are compared, so the classes of libraries need not be read.
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        product = new ClassFileImporter().importPaths(folders("target/classes"));
        tests = new ClassFileImporter().importPaths(folders("target/test-classes"));
    }

    private static List<Path> folders(String below) {
        return MODULES.stream()
                .map(module -> Path.of("..", module).resolve(below))
                .filter(Files::isDirectory)
                .toList();
    }

    @Test
    void shouldKnowEveryModuleOfTheBuild() throws IOException {
        try (Stream<Path> top = Files.list(Path.of(".."))) {
            assertThat(top.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                            .map(folder -> folder.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(MODULES);
        }
        assertThat(product).hasSizeGreaterThan(100);
    }

    @Test
    void shouldPointDownwardWhenModulesDependOnEachOther() {
        assertDependsOnlyOn("wire");
        assertDependsOnlyOn("storage");
        assertDependsOnlyOn("ptcp");
        assertDependsOnlyOn("agent", "storage", "ptcp", "wire");
        assertDependsOnlyOn("broker", "ptcp", "wire");
        assertDependsOnlyOn("gridftp", "agent", "storage", "wire");
        assertDependsOnlyOn("examples", "agent", "wire");
        assertDependsOnlyOn("cli", "agent", "broker", "gridftp", "storage", "ptcp", "wire");
    }

    private static void assertDependsOnlyOn(String module, String... below) {
        String[] allowed = Stream.concat(Stream.of(module), Stream.of(below))
                .map(name -> ROOT + name + "..")
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(ROOT + module + "..")
                .should()
                .dependOnClassesThat(
                        are(resideInAnyPackage(ROOT + ".").and(DescribedPredicate.not(resideInAnyPackage(allowed)))))
                .check(product);
    }

    @Test
    void shouldUseOnlyThePublicApiWhenAnExampleOrACommandUsesTheAgent() {
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + "examples..", ROOT + "cli..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ROOT + "agent.publish..", ROOT + "agent.receive..", ROOT + "agent.artemis..")
                .check(product);
    }

    @Test
    void shouldStayInItsAdapterWhenALibraryIsUsed() {
        assertOnlyIn(
                "the broker's library",
                List.of("org.apache.activemq.."),
                "agent.artemis",
                "broker.artemis",
                "ptcp.artemis");
        assertOnlyIn(
                "the network's library",
                List.of("io.netty.."),
                "ptcp..",
                "agent.artemis",
                "broker.artemis",
                "broker.link",
                "broker.witness",
                "broker.http",
                "gridftp..");
        assertOnlyIn("the library of meters", List.of("io.micrometer..", "io.prometheus.."), "broker.metrics");
        assertOnlyIn("the database", List.of("java.sql..", "javax.sql..", "org.h2.."), "storage.ledger");
        assertOnlyIn("picocli", List.of("picocli.."), "cli..");
        assertOnlyIn("the logging back end", List.of("ch.qos.logback.."), "cli");
        assertOnlyIn(
                "Jackson",
                List.of("com.fasterxml.jackson.."),
                "wire",
                "agent.control",
                "agent.publish",
                "agent.receive",
                "broker.metrics",
                "broker.users",
                "gridftp.call",
                "cli..");
    }

    private static void assertOnlyIn(String what, List<String> library, String... packages) {
        String[] allowed = Stream.of(packages).map(name -> ROOT + name).toArray(String[]::new);
        noClasses()
                .that()
                .resideOutsideOfPackages(allowed)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(library.toArray(String[]::new))
                .as(what + " should be known only in " + List.of(packages))
                .check(product);
    }

    /** A module's root is its API, which its parts see; the one class there that puts the parts together sees them. */
    @Test
    void shouldHaveNoCyclesWhenPackagesDependOnEachOther() {
        slices().matching("io.longhaul.(**)")
                .should()
                .beFreeOfCycles()
                .ignoreDependency(nameMatching(ROOT + "agent\\.LocalAgent(\\$.*)?"), DescribedPredicate.alwaysTrue())
                .check(product);
    }

    @Test
    void shouldBeNullMarkedWhenAPackageIsPartOfTheProduct() {
        assertThat(product.stream().map(JavaClass::getPackage).distinct())
                .allSatisfy(found -> assertThat(found.isAnnotatedWith(NullMarked.class))
                        .as(found.getName())
                        .isTrue());
    }

    @Test
    void shouldSayWhatItIsWhenAClassIsNamed() {
        classes()
                .should()
                .haveNameNotMatching(".*(" + String.join("|", SUFFIXES) + ")(\\$.*)?")
                .check(product);
    }

    @Test
    void shouldNotSleepWhenItWaits() {
        DescribedPredicate<JavaClass> sleepers = describe("sleep", owner -> owner.isEquivalentTo(Thread.class));
        noClasses()
                .should()
                .callMethodWhere(describe(
                        "sleep",
                        call -> sleepers.test(call.getTargetOwner())
                                && call.getTarget().getName().equals("sleep")))
                .check(tests);
    }

    @Test
    void shouldTakeTimeAndChanceFromOutsideWhenItNeedsThem() {
        noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callConstructor(java.util.Random.class)
                .check(product);
    }
}
