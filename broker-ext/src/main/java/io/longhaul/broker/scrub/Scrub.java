package io.longhaul.broker.scrub;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks through the journal and the pages of a stopped broker.
 *
 * <p>Only structure is looked at: names, lengths, ends. The bytes of pieces and the words of other frames have checksums of
 * their own, which the subscriber looks at. What is taken out here was acknowledged once; the subscribers that miss it
 * find out by their manifests and seals, and have it repaired.
 */
public final class Scrub {
    private Scrub() {}

    /** Returns one line for each damage found, with the file and the bytes; the files can be loaded afterwards. */
    public static List<String> of(Path journal, Path paging) throws IOException {
        List<String> findings = new ArrayList<>();
        if (Files.isDirectory(journal)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(journal, "*.amq")) {
                for (Path file : files) {
                    findings.addAll(JournalFile.scrub(file));
                }
            }
        }
        if (Files.isDirectory(paging)) {
            try (DirectoryStream<Path> addresses = Files.newDirectoryStream(paging, Files::isDirectory)) {
                for (Path address : addresses) {
                    pages(address, findings);
                }
            }
        }
        return findings;
    }

    /**
     * Returns where the last record of a journal file's present use ends. What follows is of an earlier use, and whoever
     * loads the file may leave it unread. Where anything between two records is not sound, that is the buffer's limit.
     *
     * @param file the whole file, from 0 to the limit; its position does not matter and stays
     */
    public static int end(ByteBuffer file) {
        return JournalFile.end(file);
    }

    private static void pages(Path address, List<String> findings) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(address, "*.page")) {
            for (Path file : files) {
                findings.addAll(PageFile.scrub(file));
            }
        }
    }
}
