package io.longhaul.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes all that was written to a file system durable at once: syncfs(2), which Java does not have, by the program
 * {@code sync}. Thousands of new files cost one commit of the file system's journal so, instead of one for every few.
 *
 * <p>The kernel tells of a failed write once only, to whom asks first: runs go one after the other, and after one that
 * failed none succeeds any more.
 */
final class FileSystemSync {
    /** Those that write and flush everything before syncfs returns; a network's or a user's file system may not. */
    private static final Set<String> FILE_SYSTEMS = Set.of("ext4", "xfs");

    /** More than this, of whomever, may take longer to write than the files that are meant take one by one. */
    private static final long MOST_WAITING_KIB = 256 * 1024;

    private static final Pattern WAITING = Pattern.compile("^(?:Dirty|Writeback): +(\\d+) kB$", Pattern.MULTILINE);
    /** Others end with 0 whatever the kernel says, BusyBox's and uutils' among them. */
    private static final String TELLS_OF_FAILURES = "GNU coreutils";

    private static final Pattern KERNEL = Pattern.compile("(\\d+)\\.(\\d+).*");
    private static final int MOST_SAID = 500;

    private final String program;
    private final Path memory;
    private final boolean kernelTells;
    private final Map<Long, Boolean> known = new ConcurrentHashMap<>();
    private volatile boolean failed;

    /**
     * Makes one.
     *
     * @param program the program, called with {@code -f DIRECTORY}
     * @param memory where the kernel tells how much waits to be written
     * @param kernel the kernel's version
     */
    FileSystemSync(String program, Path memory, String kernel) {
        this.program = program;
        this.memory = memory;
        this.kernelTells = tellsOfFailures(kernel);
    }

    static FileSystemSync ofSystem() {
        return new FileSystemSync("sync", Path.of("/proc/meminfo"), System.getProperty("os.version", ""));
    }

    /** Since 5.8 syncfs tells of writes that failed before it. */
    static boolean tellsOfFailures(String kernel) {
        Matcher version = KERNEL.matcher(kernel);
        if (!version.matches()) {
            return false;
        }
        int major = Integer.parseInt(version.group(1));
        return major > 5 || major == 5 && Integer.parseInt(version.group(2)) >= 8;
    }

    /** Returns whether it can be done here, and would not wait for much that others wrote. */
    boolean isAtHand(Path directory) {
        try {
            if (failed || !kernelTells || waitingKib() > MOST_WAITING_KIB) {
                return false;
            }
            long device = (Long) Files.getAttribute(directory, "unix:dev", LinkOption.NOFOLLOW_LINKS);
            Boolean works = known.get(device);
            if (works == null) {
                works = FILE_SYSTEMS.contains(Files.getFileStore(directory).type()) && isDone(directory);
                known.put(device, works);
            }
            return works;
        } catch (IOException | RuntimeException e) {
            return false; // not Linux, or a container that may not see it
        }
    }

    private long waitingKib() throws IOException {
        return WAITING.matcher(Files.readString(memory))
                .results()
                .mapToLong(line -> Long.parseLong(line.group(1)))
                .sum();
    }

    private boolean isDone(Path directory) {
        try {
            if (!output("--version").contains(TELLS_OF_FAILURES)) {
                return false;
            }
            output("-f", directory.toString());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns when everything on the directory's file system is durable; throws when it may not be. */
    synchronized void run(Path directory) throws IOException {
        if (failed) {
            throw new IOException("an earlier " + program + " failed, and may have been told of what failed here");
        }
        try {
            output("-f", directory.toString());
        } catch (IOException e) {
            failed = true;
            throw e;
        }
    }

    private String output(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said;
        try (InputStream out = process.getInputStream()) {
            said = new String(out.readNBytes(MOST_SAID), StandardCharsets.UTF_8).strip();
        }
        int code = ended(process);
        if (code != 0) {
            throw new IOException(program + " ended with " + code + (said.isEmpty() ? "" : ": " + said));
        }
        return said;
    }

    /** As a force, it cannot be interrupted: what it made durable would be unknown. */
    private static int ended(Process process) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return process.waitFor();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
