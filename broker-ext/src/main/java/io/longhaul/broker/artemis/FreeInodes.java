package io.longhaul.broker.artemis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a file system has files left to give: statfs(2), which Java does not have, by the program {@code stat}.
 *
 * <p>Unknown without the program, and on file systems that make inodes as they need them: then there are always enough.
 * Thread-safe; asks at most every {@value #PERIOD_SECONDS} s.
 */
final class FreeInodes {
    private static final Logger LOG = LoggerFactory.getLogger(FreeInodes.class);
    private static final long PERIOD_SECONDS = 10;
    /** What pages and journal files may need between two looks; of a small file system a part. */
    private static final long MOST_FLOOR = 1024;

    private static final int SHARE = 20;
    private static final Pattern COUNTS = Pattern.compile("(\\d{1,18}) (\\d{1,18})");
    private static final int MOST_SAID = 200;

    private final Program program;
    private final LongSupplier nanoTime;
    private Optional<String> shortage = Optional.empty(); // guarded by this
    private long askedAt; // guarded by this
    private boolean asked; // guarded by this

    /** Says how many inodes there are, a blank, and how many of them are free. */
    @FunctionalInterface
    interface Program {
        String counts() throws IOException;
    }

    FreeInodes(Program program, LongSupplier nanoTime) {
        this.program = program;
        this.nanoTime = nanoTime;
    }

    static FreeInodes of(Path directory) {
        return new FreeInodes(statOf(directory), System::nanoTime);
    }

    static Program statOf(Path directory) {
        return () ->
                output("stat", "-f", "-c", "%c %d", directory.toAbsolutePath().toString());
    }

    /** Returns what is wrong when there are too few. */
    synchronized Optional<String> shortage() {
        long now = nanoTime.getAsLong();
        if (!asked || now - askedAt >= PERIOD_SECONDS * 1_000_000_000L) {
            asked = true;
            askedAt = now;
            shortage = look();
        }
        return shortage;
    }

    private Optional<String> look() {
        try {
            Matcher counts = COUNTS.matcher(program.counts());
            if (!counts.matches()) {
                return Optional.empty();
            }
            long floor = Math.min(MOST_FLOOR, Long.parseLong(counts.group(1)) / SHARE);
            long free = Long.parseLong(counts.group(2));
            return free < floor ? Optional.of("needed " + floor + " inodes free, found " + free) : Optional.empty();
        } catch (IOException e) {
            LOG.debug("free inodes are not known", e);
            return Optional.empty();
        }
    }

    private static String output(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            return new String(process.getInputStream().readNBytes(MOST_SAID), StandardCharsets.UTF_8).strip();
        } finally {
            process.destroy();
        }
    }
}
