package io.longhaul.broker.scrub;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Where a stopped broker's files are.
 *
 * @param bindings directory of the journal of addresses and queues
 * @param bindingsBytes length of each file of it
 * @param journal directory of the journal of messages
 * @param journalBytes length of each file of it
 * @param paging directory of the directories of page files
 */
public record DataFiles(Path bindings, long bindingsBytes, Path journal, long journalBytes, Path paging) {
    /** Returns the files that have their final name: Artemis gives it once length and header are on disk. */
    List<Path> ofBindings() throws IOException {
        return list(bindings, "*.bindings");
    }

    /** Returns the files that a compaction has written and may be about to put in the place of others, too. */
    List<Path> ofBindingsAndCompaction() throws IOException {
        return list(bindings, "*.bindings{,.cmp}");
    }

    /** As {@link #ofBindings}. */
    List<Path> ofJournal() throws IOException {
        return list(journal, "*.amq");
    }

    List<Path> ofPages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (Path address : list(paging, "*")) {
            pages.addAll(list(address, "*.page"));
        }
        return pages;
    }

    private static List<Path> list(Path directory, String glob) throws IOException {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, glob)) {
                files.forEach(found::add);
            }
        }
        Collections.sort(found);
        return found;
    }
}
