package io.longhaul.it.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How the command longhaul is run: as its script does, without the script's look at the build.
 *
 * <p>The system property {@code longhaul.collector} may choose another collector for processes that do not name the
 * script's.
 */
public final class JavaCommand {
    /** The script's choice. */
    public static final String COLLECTOR = "-XX:+UseParallelGC";

    private static final String MAIN = "io.longhaul.cli.Main";
    private static boolean asked; // guarded by the class

    private JavaCommand() {}

    static List<String> of(List<String> machine, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        String name = arguments.isEmpty() ? "" : arguments.get(0);
        command.addAll(common(name.equals("ptcp-perf")));
        archive().ifPresent(file -> command.addAll(List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds=off")));
        if (!machine.contains(COLLECTOR)) {
            command.add(System.getProperty("longhaul.collector", COLLECTOR));
        }
        command.addAll(machine);
        command.add("-cp");
        command.add(application().resolve("lib") + "/*");
        command.add(MAIN);
        command.addAll(arguments);
        return command;
    }

    /** Returns the options that the script gives to commands which carry bytes: also for programs that it is compared with. */
    public static List<String> options() {
        List<String> options = common(false);
        options.add(COLLECTOR);
        return options;
    }

    private static List<String> common(boolean measures) {
        List<String> options = new ArrayList<>(List.of("@" + application().resolve("java.options")));
        if (!measures) {
            options.add("@" + application().resolve("transfer.options"));
        }
        return options;
    }

    /** Returns the archive of classes that the script makes for faster starts; it is made when there is none. */
    private static synchronized Optional<Path> archive() {
        Path application = application();
        Optional<Path> known = anyArchive(application);
        if (known.isPresent() || asked) {
            return known;
        }
        asked = true;
        try {
            new ProcessBuilder("../longhaul", "version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return anyArchive(application);
    }

    private static Optional<Path> anyArchive(Path application) {
        try (Stream<Path> files = Files.list(application)) {
            List<Path> archives =
                    files.filter(file -> file.toString().endsWith(".jsa")).toList();
            // with more than one, some are of another Java
            return archives.size() == 1 ? Optional.of(archives.get(0)) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(application + ": cannot be listed", e);
        }
    }

    private static Path application() {
        String given = System.getProperty("longhaul.app", "../cli/target/longhaul");
        Path application = Path.of(given).toAbsolutePath().normalize();
        if (!Files.isDirectory(application.resolve("lib"))) {
            throw new AssertionError(application + ": the command is not built; package the module cli first");
        }
        return application;
    }
}
