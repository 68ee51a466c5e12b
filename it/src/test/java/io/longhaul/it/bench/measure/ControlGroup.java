package io.longhaul.it.bench.measure;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A control group of Linux, of version 2 or 1, that counts the CPU of all that ever ran in it. */
final class ControlGroup implements AutoCloseable {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Path folder;
    private final boolean second;

    private ControlGroup(Path folder, boolean second) {
        this.folder = folder;
        this.second = second;
    }

    /** Makes a new group; empty where this machine lets us have none. */
    static Optional<ControlGroup> make() {
        boolean second = Files.exists(ROOT.resolve("cgroup.controllers"));
        String name = "longhaul-bench-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
        return Stream.of(second ? "." : "cpuacct", "cpu,cpuacct")
                .map(ROOT::resolve)
                .filter(Files::isWritable)
                .findFirst()
                .flatMap(parent -> make(parent.normalize().resolve(name), second));
    }

    private static Optional<ControlGroup> make(Path folder, boolean second) {
        try {
            return Optional.of(new ControlGroup(Files.createDirectory(folder), second));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns the file that a process writes its id to, to be counted here with all that it starts. */
    Path door() {
        return folder.resolve("cgroup.procs");
    }

    double cpuSeconds() {
        if (!second) {
            return Long.parseLong(lines("cpuacct.usage").get(0)) / 1e9;
        }
        return lines("cpu.stat").stream()
                        .filter(line -> line.startsWith("usage_usec "))
                        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
                        .sum()
                / 1e6;
    }

    List<Long> processes() {
        return lines("cgroup.procs").stream().map(Long::valueOf).toList();
    }

    private List<String> lines(String name) {
        try {
            return Files.readAllLines(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(folder.resolve(name) + ": cannot be read", e);
        }
    }

    /** Ends what is still in the group, all of it started by this benchmark, and removes the group. */
    @Override
    public void close() {
        await().pollInterval(Duration.ofMillis(20)).atMost(PATIENCE).until(this::isRemoved);
    }

    private boolean isRemoved() {
        processes().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        try {
            Files.delete(folder);
            return true;
        } catch (IOException e) {
            return false; // the kernel keeps the group until the last process is gone for good
        }
    }
}
