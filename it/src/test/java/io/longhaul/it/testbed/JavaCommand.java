package io.longhaul.it.testbed;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How the command longhaul is run: as its script does, without the script's look at the build. */
final class JavaCommand {
    private static final String MAIN = "io.longhaul.cli.Main";
    private static final List<String> OPTIONS = List.of(
            "-Xshare:auto",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+UseParallelGC",
            "-Dfile.encoding=UTF-8",
            "-Dsun.jnu.encoding=UTF-8",
            "-Dstdout.encoding=UTF-8",
            "-Dstderr.encoding=UTF-8");

    private JavaCommand() {}

    static List<String> of(List<String> machine, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(OPTIONS);
        command.addAll(machine);
        command.add("-cp");
        command.add(library() + "/*");
        command.add(MAIN);
        command.addAll(arguments);
        return command;
    }

    private static Path library() {
        String given = System.getProperty("longhaul.app", "../cli/target/longhaul");
        Path library = Path.of(given).toAbsolutePath().normalize().resolve("lib");
        if (!Files.isDirectory(library)) {
            throw new AssertionError(library + ": the command is not built; package the module cli first");
        }
        return library;
    }
}
