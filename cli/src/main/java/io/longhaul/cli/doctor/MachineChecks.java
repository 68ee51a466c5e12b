package io.longhaul.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Java, locale, memory, limits and clock of this machine. */
public final class MachineChecks {
    private static final int LEAST_JAVA = 17;
    private static final long LEAST_FILES = 4096;
    private static final long LEAST_HEAP = 200L << 20;
    private static final Instant EARLIEST = Instant.parse("2025-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("2100-01-01T00:00:00Z");

    private MachineChecks() {}

    /** Looks at everything; the limits are the text of {@code /proc/self/limits}, where there is one. */
    public static List<Finding> all(Instant now) {
        return List.of(
                java(Runtime.version().feature()),
                locale(System.getProperty("sun.jnu.encoding", "")),
                memory(Runtime.getRuntime().maxMemory()),
                files(limits()),
                clock(now));
    }

    static Finding java(int feature) {
        return feature >= LEAST_JAVA
                ? Finding.ok("java", "Java " + Runtime.version())
                : Finding.failed("java", "Java " + feature, "install Java " + LEAST_JAVA + " or newer");
    }

    static Finding locale(String encoding) {
        boolean utf8 = encoding.equalsIgnoreCase("UTF-8") || encoding.equalsIgnoreCase("UTF8");
        return utf8
                ? Finding.ok("locale", "file names are UTF-8")
                : Finding.failed(
                        "locale",
                        "file names are " + encoding,
                        "set a UTF-8 locale (export LC_ALL=C.UTF-8); the script longhaul does it by itself");
    }

    static Finding memory(long maxHeap) {
        String found = "heap up to " + (maxHeap >> 20) + " MiB";
        return maxHeap >= LEAST_HEAP
                ? Finding.ok("memory", found)
                : Finding.warning("memory", found, "give 256 MiB or more (LONGHAUL_OPTS=-Xmx256m)");
    }

    static Finding files(Optional<Long> limit) {
        if (limit.isEmpty()) {
            return Finding.ok("open-files", "no limit known");
        }
        return limit.get() >= LEAST_FILES
                ? Finding.ok("open-files", "limit " + limit.get())
                : Finding.warning(
                        "open-files",
                        "limit " + limit.get(),
                        "raise it to " + LEAST_FILES + " or more (ulimit -n, LimitNOFILE=) where many clients connect");
    }

    static Finding clock(Instant now) {
        return now.isAfter(EARLIEST) && now.isBefore(LATEST)
                ? Finding.ok("clock", now.toString())
                : Finding.failed("clock", now.toString(), "set the clock; run a time service such as chrony");
    }

    private static Optional<Long> limits() {
        try {
            return openFiles(Files.readString(Path.of("/proc/self/limits")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Reads the soft limit of open files from the text of {@code /proc/self/limits}. */
    static Optional<Long> openFiles(String limits) {
        return limits.lines()
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> line.substring("Max open files".length()).strip().split("\\s+")[0])
                .map(value -> value.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(value))
                .findFirst();
    }
}
