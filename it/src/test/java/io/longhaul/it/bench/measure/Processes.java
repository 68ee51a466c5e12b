package io.longhaul.it.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What /proc tells of a process; nothing of one that is over. */
final class Processes {
    private static final double TICKS_PER_SECOND = 100; // the kernel's USER_HZ on every platform that Debian has
    private static final long KIB = 1024;

    private Processes() {}

    /** Returns the bytes that it, and those of its children that it has waited for, caused to be written to disk. */
    static long written(String pid) {
        long written = 0;
        for (String line : lines(pid, "io")) {
            if (line.startsWith("write_bytes: ")) {
                written += number(line);
            } else if (line.startsWith("cancelled_write_bytes: ")) {
                written -= number(line);
            }
        }
        return written;
    }

    /** Returns the greatest resident memory that it had, in bytes. */
    static long peakMemory(String pid) {
        return lines(pid, "status").stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> number(line) * KIB)
                .sum();
    }

    /** Returns the name of its program. */
    static String name(String pid) {
        return String.join("", lines(pid, "comm"));
    }

    /** Returns the CPU of a process and of the children it has waited for, without its own if so asked. */
    static double cpuSeconds(String pid, boolean childrenAlone) {
        String line = String.join(" ", lines(pid, "stat"));
        if (line.isEmpty()) {
            return 0;
        }
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
        double ticks = Long.parseLong(fields[13]) + Long.parseLong(fields[14]);
        if (!childrenAlone) {
            ticks += Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        }
        return ticks / TICKS_PER_SECOND;
    }

    /** Returns how many bytes the loopback interface has carried. */
    static long sentOverLoopback() {
        return lines("self", "net/dev").stream()
                .filter(line -> line.strip().startsWith("lo:"))
                .mapToLong(line -> Long.parseLong(line.strip().split("[ :]+")[1]))
                .sum();
    }

    private static long number(String line) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
    }

    private static List<String> lines(String pid, String name) {
        try {
            return Files.readAllLines(Path.of("/proc", pid, name));
        } catch (IOException e) {
            return List.of();
        }
    }
}
