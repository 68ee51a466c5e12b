package io.longhaul.cli;

import io.longhaul.cli.option.ConfigFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * The options that a command takes from its configuration file; whoever has one wrong looks for it there.
 *
 * @param file empty when there is none
 * @param arguments what it comes to on the command line
 */
record ConfiguredOptions(Optional<Path> file, List<String> arguments) {
    static final ConfiguredOptions NONE = new ConfiguredOptions(Optional.empty(), List.of());
    private static final String VALUE = "^Invalid value for option '[^']*'(?: \\([^)]*\\))?: ";

    /** Reads a file; throws {@link IllegalArgumentException} that names file and key. */
    static ConfiguredOptions of(Path file, CommandSpec command, List<String> given) {
        return new ConfiguredOptions(Optional.of(file), ConfigFile.arguments(file, command, given));
    }

    /** Returns what is wrong with a value of the file, with file and key; empty when the failure is about something else. */
    Optional<String> fault(ParameterException failure) {
        if (file.isPresent() && failure.getArgSpec() instanceof OptionSpec option && has(option.longestName())) {
            String key = option.longestName().substring(2);
            return Optional.of(file.get() + ": key '" + key + "': "
                    + String.valueOf(failure.getMessage()).replaceFirst(VALUE, ""));
        }
        return Optional.empty();
    }

    private boolean has(String option) {
        return arguments.stream().anyMatch(each -> each.equals(option) || each.startsWith(option + "="));
    }

    /** Returns where else to look when a message does not say so. */
    String hint(String message) {
        return arguments.isEmpty() || message.contains(file.orElseThrow().toString())
                ? ""
                : "configuration " + file.orElseThrow() + "; ";
    }
}
