package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.option.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The examples in {@code deploy} against the options that there are.
 *
 * <p>A line that begins with {@code #key:}, without a blank, is a setting that is left out; what begins with {@code # } is
 * words.
 */
final class DeployedConfigTest {
    private static final Path DEPLOY = Path.of("../deploy");

    @TempDir
    private Path home;

    private static Path example(String command) {
        return DEPLOY.resolve(command + ".yaml");
    }

    private Path withNothingLeftOut(String command) throws IOException {
        String all = Files.readString(example(command)).replaceAll("(?m)^#(?! |$)", "");
        return Files.writeString(home.resolve("all.yaml"), all.replace(": false", ": true"));
    }

    /** Returns the keys of a file that the command takes, every value in its option's form. */
    private static Set<String> keys(CommandLine longhaul, String command, Path file) {
        List<String> arguments = ConfigFile.arguments(file, spec(longhaul, command), List.of());
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(arguments);
        assertThat(longhaul.parseArgs(words.toArray(String[]::new)).unmatched()).isEmpty();
        return arguments.stream()
                .map(argument -> argument.substring("--".length()).split("=", 2)[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static CommandSpec spec(CommandLine longhaul, String command) {
        return longhaul.getSubcommands().get(command).getCommandSpec();
    }

    @ParameterizedTest
    @ValueSource(strings = {"broker", "agent"})
    void shouldBeAcceptedAsItIsAndWithNothingLeftOut(String command) throws IOException {
        try (TestEnvironment world = new TestEnvironment(home)) {
            // given
            CommandLine longhaul = Longhaul.commandLine(world.environment(), List.of(command));

            // then
            assertThat(keys(longhaul, command, example(command))).contains("name", "data");
            assertThat(keys(longhaul, command, withNothingLeftOut(command))).hasSizeGreaterThan(6);
        }
    }

    @Test
    void shouldNameEveryOptionWhenItIsTheBrokers() throws IOException {
        try (TestEnvironment world = new TestEnvironment(home)) {
            // given
            CommandLine longhaul = Longhaul.commandLine(world.environment(), List.of("broker"));

            // then
            assertThat(keys(longhaul, "broker", withNothingLeftOut("broker")))
                    .isEqualTo(spec(longhaul, "broker").options().stream()
                            .map(option -> option.longestName().substring("--".length()))
                            .filter(name -> !List.of("config", "help").contains(name))
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
    }

    @Test
    void shouldExplainEveryKeyInTheLineAboveWhenItIsTheBrokers() throws IOException {
        // given
        List<String> lines = Files.readAllLines(example("broker"));

        // then
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).matches("#?[a-z-]+:.*")) {
                assertThat(lines.get(i - 1)).as(lines.get(i)).startsWith("# ").endsWith(".");
            }
        }
    }
}
