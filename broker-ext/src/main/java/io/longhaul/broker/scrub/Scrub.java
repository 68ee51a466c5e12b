package io.longhaul.broker.scrub;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Looks through the bindings, the journal and the pages of a stopped broker.
 *
 * <p>Only structure is looked at: names, lengths, ends. The bytes of pieces and the words of other frames have checksums of
 * their own, which the subscriber looks at. What is taken out here was acknowledged once; the subscribers that miss it
 * find out by their manifests and seals, and have it repaired.
 */
public final class Scrub {
    private Scrub() {}

    /** Returns what the broker must not start with, because messages would be lost by it; empty for nothing. Changes nothing. */
    public static Optional<String> bindings(DataFiles files) throws IOException {
        return Bindings.fault(files);
    }

    /** Returns one line for each damage found, with the file and the bytes; what is sound can be loaded afterwards. */
    public static List<String> of(DataFiles files) throws IOException {
        List<String> findings = new ArrayList<>();
        List<Path> journal = files.ofJournal();
        if (journal.isEmpty() && Bindings.hasQueues(files)) {
            findings.add(files.journal() + ": expected files of a journal, found none");
        }
        for (Path file : journal) {
            JournalFile.wrongLength(file, files.journalBytes()).ifPresent(findings::add);
            findings.addAll(JournalFile.scrub(file));
        }
        for (Path page : files.ofPages()) {
            findings.addAll(PageFile.scrub(page));
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
}
