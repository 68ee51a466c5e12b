package io.longhaul.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What the operating system says of a failure; Java passes its words on, in the language of the process, and no number. */
final class SystemWords {
    private static final String NO_SPACE = "No space left on device";
    private static final String OVER_QUOTA = "Disk quota exceeded";

    /** A device that is always full says it in the language of this process. */
    private static final String NO_SPACE_HERE = of(Path.of("/dev/full"));

    private SystemWords() {}

    private static String of(Path full) {
        try (FileChannel device = FileChannel.open(full, StandardOpenOption.WRITE)) {
            return refusal(device);
        } catch (IOException e) {
            return NO_SPACE; // there is no such device
        }
    }

    private static String refusal(FileChannel device) {
        try {
            device.write(ByteBuffer.allocate(1));
            return NO_SPACE;
        } catch (IOException e) {
            return e.getMessage() == null ? NO_SPACE : e.getMessage();
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
