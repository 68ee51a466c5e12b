package io.longhaul.storage;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** What the operating system says of a failure; Java passes its words on, in the language of the process, and no number. */
final class SystemWords {
    private static final String NO_SPACE = "No space left on device";
    private static final String OVER_QUOTA = "Disk quota exceeded";

    /** A device that is always full says it in the language of this process. */
    private static final String NO_SPACE_HERE = of(new File("/dev/full")).orElse(NO_SPACE);

    private SystemWords() {}

    /** Returns the words; empty when there are none. By a stream, since a channel is closed on a thread that is interrupted. */
    static Optional<String> of(File full) {
        try (OutputStream device = new FileOutputStream(full)) {
            return refusal(device);
        } catch (IOException e) {
            return Optional.empty(); // there is no such device
        }
    }

    private static Optional<String> refusal(OutputStream device) {
        try {
            device.write(0);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.ofNullable(e.getMessage());
        }
    }

    /** Whether the words tell of a disk, or a share of it, that is used up. */
    static boolean tellOfNoSpace(String words) {
        return tellOfFullDisk(words) || words.contains(OVER_QUOTA);
    }

    /** Whether the words tell of a disk that is used up: its blocks, or its inodes. */
    static boolean tellOfFullDisk(String words) {
        return words.contains(NO_SPACE) || words.contains(NO_SPACE_HERE);
    }
}
