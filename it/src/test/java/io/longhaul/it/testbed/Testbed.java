package io.longhaul.it.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The directory, the ports and the processes of one test; on close every process is dead. */
public final class Testbed implements AutoCloseable {
    /** What a broken-off test run must not leave behind. */
    private static final Set<Child> ALIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> ALIVE.forEach(child -> destroy(child.pid())), "it-undertaker"));
    }

    private final Path directory;
    private final List<Child> children = new ArrayList<>();
    private final List<Runnable> others = new ArrayList<>();
    private boolean kept;

    private Testbed(Path directory) {
        this.directory = directory;
    }

    /** Opens an empty testbed in a directory, whose earlier contents are removed. */
    public static Testbed open(Path directory) {
        Trees.delete(directory);
        try {
            Files.createDirectories(directory.resolve("logs"));
            return new Testbed(directory.toRealPath());
        } catch (IOException e) {
            throw new UncheckedIOException(directory + ": cannot be created", e);
        }
    }

    public Path directory() {
        return directory;
    }

    /** Returns a directory below the testbed's, created. */
    public Path directory(String name) {
        try {
            return Files.createDirectories(directory.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(name + ": cannot be created", e);
        }
    }

    /** Returns a file name below the testbed's directory. */
    public Path file(String name) {
        directory("files");
        return directory.resolve("files").resolve(name);
    }

    /**
     * Returns a port of the loopback interface that nobody listens on; none of those that the system gives to connections, so that
     * nobody else is likely to have it before it is used.
     */
    public int freePort() {
        return Ports.free();
    }

    /** Starts a process; its output goes to logs/LABEL-N.out and .err. */
    public Child start(String label, List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().keySet().removeIf(key -> key.startsWith("LONGHAUL_") || key.equals("JAVA_TOOL_OPTIONS"));
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().put("HOME", directory.toString());
        builder.environment().putAll(environment);
        String unique = label + "-" + children.size();
        try {
            Child child = Child.start(unique, builder, directory.resolve("logs"));
            children.add(child);
            ALIVE.add(child);
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException(unique + ": cannot be started: " + command, e);
        }
    }

    /** Has something undone with the testbed, after the processes are dead. */
    public void atClose(Runnable undo) {
        others.add(undo);
    }

    /** Has the directory stay after the end. */
    void keep() {
        kept = true;
    }

    boolean isKept() {
        return kept;
    }

    /** Returns what every process printed last. */
    public String story() {
        StringBuilder text = new StringBuilder();
        children.forEach(child ->
                text.append(child.label()).append(":\n").append(child.story()).append('\n'));
        return text.toString();
    }

    @Override
    public void close() {
        children.forEach(child -> destroy(child.pid()));
        children.forEach(child -> {
            child.awaitExit(Child.PATIENCE);
            ALIVE.remove(child);
        });
        others.forEach(Runnable::run);
    }

    private static void destroy(long pid) {
        ProcessHandle.of(pid).ifPresent(handle -> {
            handle.descendants().forEach(ProcessHandle::destroyForcibly);
            handle.destroyForcibly();
        });
    }
}
