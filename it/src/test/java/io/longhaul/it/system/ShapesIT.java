package io.longhaul.it.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.CountedWire;
import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.PartFiles;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.it.testbed.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Files and trees of every shape arrive as they were. */
@ExtendWith(TestbedExtension.class)
final class ShapesIT {
    private static Network shared;

    private static final List<String> ODD_NAMES = List.of(
            " blank ",
            "line\nbreak",
            "tab\there",
            "\u00e9\u4e2d\u6587\ud83d\ude80",
            "-rf",
            "a%b\\c\"d'e",
            "n".repeat(255));

    private Network network;
    private String topic = "";

    @BeforeAll
    static void startBroker(Testbed testbed) {
        shared = Network.of(testbed);
        shared.broker().startReady();
    }

    @Test
    void shouldDeliverFilesOfEverySizeAroundThePiece(Testbed testbed) {
        // given
        Node subscriber = started(testbed, "sizes");
        Map<String, Long> lengths = new TreeMap<>(Map.of(
                "empty",
                0L,
                "one",
                1L,
                "below",
                TestFile.MIB - 1,
                "piece",
                TestFile.MIB,
                "above",
                TestFile.MIB + 1,
                "many",
                5 * TestFile.MIB + 4097));
        Path folder = testbed.directory("files");
        lengths.forEach((name, length) -> TestFile.random(folder.resolve(name), length, length));

        // when
        Node publisher = publisher(folder.resolve("empty"));
        lengths.keySet().stream()
                .filter(name -> !name.equals("empty"))
                .forEach(name -> publisher.with(folder.resolve(name).toString()));
        publisher.start().expectExit(0);

        // then
        Delivery.await(subscriber, lengths.size());
        lengths.keySet().forEach(name -> Delivery.assertSame(subscriber, folder.resolve(name), name));
        assertThat(Trees.visible(subscriber.into())).hasSize(lengths.size());
    }

    @Test
    void shouldKeepModeAndTime(Testbed testbed) throws IOException {
        // given
        Node subscriber = started(testbed, "attributes");
        Path source = TestFile.random(testbed.file("attributes"), 1, 3 * TestFile.MIB);
        Files.setPosixFilePermissions(source, PosixFilePermissions.fromString("rwxr-x--x"));
        Files.setLastModifiedTime(source, FileTime.from(Instant.parse("2001-02-03T04:05:06.789012345Z")));

        // when
        publisher(source).start().expectExit(0);

        // then
        Delivery.await(subscriber, 1);
        Path copy = subscriber.into().resolve("attributes");
        assertThat(Files.getPosixFilePermissions(copy)).isEqualTo(Files.getPosixFilePermissions(source));
        assertThat(Files.getLastModifiedTime(copy)).isEqualTo(Files.getLastModifiedTime(source));
    }

    @Test
    void shouldKeepHolesWhenFileIsSparse(Testbed testbed) throws IOException {
        keepHoles(testbed, TestFile.GIB);
    }

    @Test
    @Tag("slow")
    void shouldKeepHolesWhenFileIsSparseAndLong(Testbed testbed) throws IOException {
        keepHoles(testbed, 5 * TestFile.GIB);
    }

    private void keepHoles(Testbed testbed, long length) throws IOException {
        // given
        Node subscriber = started(testbed, "holes-" + length);
        Path source = TestFile.sparse(testbed.file("sparse"), 5, length, 5, 100_000);

        // when
        publisher(source).start().expectExit(0);

        // then
        Delivery.await(subscriber, 1, Duration.ofMinutes(5));
        Path copy = subscriber.into().resolve("sparse");
        assertThat(Files.size(copy)).isEqualTo(length);
        assertThat(Trees.allocated(copy)).as("bytes on disk").isLessThan(16 * TestFile.MIB);
        assertThat(TestFile.digest(copy)).isEqualTo(TestFile.digest(source));
    }

    @Test
    void shouldDeliverTreeOfTenThousandSmallFiles(Testbed testbed) {
        // given
        Node subscriber = started(testbed, "many");
        Path tree = testbed.directory("many");
        for (int i = 0; i < 10_000; i++) {
            TestFile.random(tree.resolve("d" + i % 100).resolve("f" + i), i, 4 * TestFile.KIB);
        }

        // when
        Child publisher = publisher(tree, "--wait", "1").start();
        publisher.expectExit(0);

        // then
        System.out.printf(
                "10,000 files of 4 KiB: published %s%n",
                publisher.awaitEvent("published").text());
        assertThat(Trees.fingerprint(subscriber.into().resolve("many"))).isEqualTo(Trees.fingerprint(tree));
    }

    @Test
    void shouldDeliverTreeWithDepthLinksAndOddNames(Testbed testbed) throws IOException {
        // given
        Node subscriber = started(testbed, "odd");
        Path tree = testbed.directory("odd");
        Path deep = tree;
        for (int i = 0; i < 40; i++) {
            deep = deep.resolve("level " + i);
        }
        TestFile.random(deep.resolve("bottom"), 1, 100);
        for (String name : ODD_NAMES) {
            TestFile.random(tree.resolve(name), name.hashCode(), 5000);
        }
        TestFile.random(tree.resolve("large"), 3, 3 * TestFile.MIB + 5);
        Files.createDirectory(tree.resolve("empty directory"));
        Files.createSymbolicLink(tree.resolve("link"), Path.of("level 0", "level 1"));
        Files.createSymbolicLink(tree.resolve("level 0").resolve("up"), Path.of("..", "large"));
        Files.setPosixFilePermissions(tree.resolve("large"), PosixFilePermissions.fromString("r--r--r--"));

        // when
        publisher(tree).start().expectExit(0);

        // then
        Delivery.await(subscriber, 1);
        assertThat(Trees.fingerprint(subscriber.into().resolve("odd"))).isEqualTo(Trees.fingerprint(tree));
    }

    @Test
    void shouldRefuseTreeWithLinkThatLeadsOut(Testbed testbed) throws IOException {
        // given
        Node subscriber = started(testbed, "escaping");
        Path tree = testbed.directory("escaping");
        Files.createSymbolicLink(tree.resolve("out"), Path.of("..", "..", "etc", "passwd"));

        // when
        Child publisher = publisher(tree).start();

        // then
        assertThat(publisher.awaitExit(Child.PATIENCE)).isIn(2, 4, 7);
        assertThat(publisher.story()).contains("out").contains("passwd");
        Delivery.assertNothingVisible(subscriber);
    }

    @Test
    void shouldRefuseNameThatIsNotUtf8AndShowItEscaped(Testbed testbed) throws IOException, InterruptedException {
        // given
        Node subscriber = started(testbed, "latin");
        Path tree = testbed.directory("latin");
        new ProcessBuilder("sh", "-c", "printf x > \"$(printf 'caf\\351')\"")
                .directory(tree.toFile())
                .start()
                .waitFor();

        // when
        Child publisher = publisher(tree).start();

        // then
        assertThat(publisher.awaitExit(Child.PATIENCE)).isIn(2, 4, 7);
        assertThat(publisher.story()).contains("UTF-8");
        Delivery.assertNothingVisible(subscriber);
    }

    @Test
    void shouldKeepOrRenameWhenNameExistsAndPolicySaysSo(Testbed testbed) throws IOException {
        // given
        join(testbed, "existing");
        Node keeper = network.subscriber("keeper", topic, "--existing", "keep");
        Node renamer = network.subscriber("renamer", topic, "--existing", "rename");
        Node replacer = network.subscriber("replacer", topic);
        for (Node subscriber : List.of(keeper, renamer, replacer)) {
            Files.writeString(subscriber.into().resolve("name"), "earlier");
            subscriber.start();
        }
        List.of(keeper, renamer, replacer)
                .forEach(subscriber -> subscriber.child().awaitReady());
        Path source = TestFile.random(testbed.file("name"), 9, TestFile.MIB + 9);

        // when
        network.publisher("publisher", source, topic, "--wait", "3").start().expectExit(0);

        // then
        assertThat(keeper.into().resolve("name")).hasContent("earlier");
        assertThat(Trees.visible(keeper.into())).containsExactly("name");
        assertThat(renamer.into().resolve("name")).hasContent("earlier");
        assertThat(Trees.visible(renamer.into())).hasSize(2).contains("name");
        Delivery.assertSame(replacer, source, "name");
        assertThat(Files.exists(replacer.into().resolve("name"), LinkOption.NOFOLLOW_LINKS))
                .isTrue();
    }

    @Test
    void shouldFailWhenSourceChangesWhileItIsRead(Testbed testbed) throws IOException {
        // given: so much is held back that the end is not read yet when it changes
        Node subscriber = started(testbed, "changing");
        CountedWire wire = CountedWire.open(testbed, network.address());
        Path source = TestFile.random(testbed.file("changing"), 10, 128 * TestFile.MIB);

        // when
        Node publisher = network.behind(wire).publisher("publisher", source, topic, "--wait", "1");
        wire.holdBehind(32 * TestFile.MIB);
        publisher.start();
        PartFiles.awaitFirst(subscriber);
        publisher.child().pause();
        TestFile.flip(source, 127 * TestFile.MIB);
        wire.goOn();
        publisher.child().resume();

        // then
        publisher.child().expectExit(4);
        assertThat(publisher.child().story()).contains("changed");
        Delivery.assertNothingVisible(subscriber);
    }

    private void join(Testbed testbed, String shape) {
        network = shared.in(testbed);
        topic = "shapes." + shape;
    }

    private Node started(Testbed testbed, String shape) {
        join(testbed, shape);
        Node subscriber = network.subscriber("at-" + shape, topic);
        subscriber.startReady();
        return subscriber;
    }

    private Node publisher(Path source, String... more) {
        return network.publisher("publisher", source, topic, more);
    }
}
