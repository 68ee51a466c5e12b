package io.longhaul.cli;

import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code longhaul version}. */
@Command(
        name = "version",
        header = "Print the versions of Longhaul, of what it is made of, and of Java.",
        footer = {"", "Example:", "  longhaul version --json"})
final class VersionCommand implements Callable<Integer> {
    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    VersionCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Console console = common.console(environment);
        Properties versions = versions();
        String java = Runtime.version().toString();
        console.result(
                "longhaul " + versions.getProperty("longhaul") + " (Artemis " + versions.getProperty("artemis")
                        + ", H2 " + versions.getProperty("h2") + ", Java " + java + ")",
                JsonLine.of("version")
                        .with("longhaul", versions.getProperty("longhaul"))
                        .with("artemis", versions.getProperty("artemis"))
                        .with("h2", versions.getProperty("h2"))
                        .with("java", java));
        return ExitCodes.OK;
    }

    private static Properties versions() {
        Properties versions = new Properties();
        try (InputStream in = VersionCommand.class.getResourceAsStream("version.properties")) {
            if (in != null) {
                versions.load(in);
            }
            return versions;
        } catch (IOException e) {
            throw new UncheckedIOException("version.properties: cannot be read", e);
        }
    }
}
