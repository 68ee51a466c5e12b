package io.longhaul.broker.artemis;

import io.longhaul.broker.file.Directories;
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
    static void check(ServerSettings settings, DiskFloor.FreeSpace space, DiskFloor floor)
            throws ServerException, IOException {
        long there = journalBytes(ServerConfiguration.journal(settings));
        long wanted = (long) settings.journalFiles() * settings.journalFileBytes();
        long needed = Math.max(0, wanted - there) + OTHER_BYTES;
        String andFloor = "";
        if (there == 0) {
            needed += floor.floorBytes();
            andFloor = " and a floor of " + floor.floorBytes();
        }
        long free = space.usableBytes();
        if (free < needed) {
            throw new ServerException(
                    ServerException.Kind.NO_SPACE,
                    "data " + settings.data() + ": needed " + needed + " bytes of disk for a journal of " + wanted
                            + andFloor + ", found " + free + " free");
        }
    }

    /**
     * Throws when the directory is of a broker of the other kind: the one that only forwards would lose what the other one
     * kept, and their journals differ.
     */
    static void checkKind(ServerSettings settings) throws ServerException, IOException {
        Path mark = settings.data().resolve("forward-only");
        boolean used = Files.isDirectory(ServerConfiguration.journal(settings));
        if (used && Files.exists(mark) != settings.forwardOnly()) {
            throw new ServerException(
                    ServerException.Kind.BAD_CONFIG,
                    "data " + settings.data() + ": expected that of a broker "
                            + (settings.forwardOnly() ? "that only forwards" : "that keeps what it takes")
                            + ", found one of the other kind; give it another directory");
        }
        if (settings.forwardOnly() && !used) {
            Directories.make(settings.data());
            Files.write(mark, new byte[0]);
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
