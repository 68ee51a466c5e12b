package io.longhaul.broker.artemis;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Looks before the start whether the disk has room for the files that a start makes. */
final class JournalSpace {
    private static final long OTHER_BYTES = 16L * 1024 * 1024;

    private JournalSpace() {}

    /**
     * Throws when it has not. A broker that holds messages may start below its floor, so that they can leave; a new one
     * needs the floor too.
     */
    static void check(ServerSettings settings, DiskFloor.FreeSpace space) throws ServerException, IOException {
        long there = journalBytes(ServerConfiguration.journal(settings));
        long wanted = (long) settings.memory().journalFiles() * ServerSettings.Memory.JOURNAL_FILE_BYTES;
        long needed = Math.max(0, wanted - there) + OTHER_BYTES;
        if (there == 0) {
            needed += settings.limits().floorBytes();
        }
        long free = space.usableBytes();
        if (free < needed) {
            throw new ServerException(
                    ServerException.Kind.NO_SPACE,
                    "data " + settings.data() + ": needed " + needed + " bytes of disk for a journal of " + wanted
                            + " bytes and the floor, found " + free + " free");
        }
    }

    private static long journalBytes(Path journal) throws IOException {
        if (!Files.isDirectory(journal)) {
            return 0;
        }
        long bytes = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(journal, "*.amq")) {
            for (Path file : files) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }
}
