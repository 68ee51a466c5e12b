package io.longhaul.it.bench.contender;

import static org.awaitility.Awaitility.await;

import io.longhaul.it.bench.measure.Meter;
import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.Testbed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Where one round is played: a directory, processes that are counted, and programs of other people. */
public final class Stage implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Testbed testbed;
    private final Meter meter;
    private final Path programs;

    private Stage(Testbed testbed, Meter meter, Path programs) {
        this.testbed = testbed;
        this.meter = meter;
        this.programs = programs;
    }

    /**
     * Opens an empty stage.
     *
     * @param programs a directory of programs that are not installed
     */
    public static Stage open(Path directory, Path programs) {
        return new Stage(Testbed.open(directory), Meter.open(), programs);
    }

    public Testbed testbed() {
        return testbed;
    }

    public Meter meter() {
        return meter;
    }

    /** Has a node of Longhaul counted. */
    Node counted(Node node) {
        return node.at(meter::counted);
    }

    /** Starts a node of Longhaul, and tells its memory under its own name. */
    Child start(Node node) {
        Child child = node.start();
        meter.name(child.pid(), node.label().replaceAll("[0-9]+$", ""));
        return child;
    }

    /** Starts a node of Longhaul that is counted. */
    public Child startCounted(Node node) {
        return start(counted(node));
    }

    /** Starts a program that is counted. */
    Child start(String label, List<String> command) {
        return start(label, command, Map.of());
    }

    Child start(String label, List<String> command, Map<String, String> variables) {
        List<String> found = new ArrayList<>(command);
        found.set(0, find(command.get(0), programs));
        Map<String, String> environment = new TreeMap<>(variables);
        environment.put("PATH", System.getenv("PATH") + ":/usr/sbin");
        Child child = testbed.start(label, meter.counted(found), environment);
        meter.name(child.pid(), label);
        return child;
    }

    /** Runs a program to its good end. */
    Child run(String label, List<String> command) {
        return finish(start(label, command));
    }

    /** Waits for a good end. */
    Child finish(Child child) {
        int code = child.awaitExit(PATIENCE);
        if (code != 0) {
            throw new AssertionError(child.label() + ": exit code " + code + '\n' + child.story());
        }
        return child;
    }

    /** Forces files and directories to disk, for those that do not do so themselves. */
    void sync(Path... paths) {
        List<String> command = new ArrayList<>(List.of("sync"));
        Stream.of(paths).map(Path::toString).forEach(command::add);
        run("sync", command);
    }

    /** Forces all of the file system to disk: much cheaper than a force for each of many files. */
    void syncAll(Path directory) {
        run("sync", List.of("sync", "-f", directory.toString()));
    }

    /** Waits until something listens on a port of the loopback interface. */
    void awaitPort(int port) {
        await().atMost(Child.PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> listens(port));
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns a directory that servers may write to whoever they run as. */
    Path publicDirectory(String name) {
        Path directory = testbed.directory(name);
        try {
            Files.setPosixFilePermissions(directory, Set.of(PosixFilePermission.values()));
            return directory;
        } catch (IOException e) {
            throw new AssertionError(directory + ": cannot be opened to all", e);
        }
    }

    /** Shows a file under another name, too. */
    void link(Path existing, Path name) {
        try {
            Files.deleteIfExists(name);
            Files.createSymbolicLink(name, existing);
        } catch (IOException e) {
            throw new AssertionError(name + ": cannot be linked", e);
        }
    }

    /** Writes a file for a program to read. */
    Path write(String name, String text) {
        Path file = testbed.file(name);
        try {
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new AssertionError(file + ": cannot be written", e);
        }
    }

    /** Waits until receivers have said that they have so many files; returns when the last of them did, by its clock. */
    static long lastDelivered(List<Child> receivers, int files) {
        return receivers.stream()
                .mapToLong(receiver -> receiver.awaitEvents("delivered", files, PATIENCE)
                        .get(files - 1)
                        .atNanos())
                .max()
                .orElseThrow();
    }

    static double seconds(long fromNanos, long toNanos) {
        return (toNanos - fromNanos) / 1e9;
    }

    /** Whether a program is here. */
    public static boolean has(String program, Path programs) {
        return Files.isExecutable(Path.of(find(program, programs)));
    }

    private static String find(String program, Path programs) {
        if (program.startsWith("/")) {
            return program;
        }
        return Stream.concat(
                        Stream.of(programs.toString()),
                        Stream.concat(Stream.of(System.getenv("PATH").split(":")), Stream.of("/usr/sbin")))
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Path::toString)
                .orElse(program);
    }

    @Override
    public void close() {
        try {
            testbed.close();
        } finally {
            meter.close();
        }
    }
}
