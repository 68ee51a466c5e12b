package io.longhaul.broker.artemis;

import io.longhaul.broker.file.Directories;
import io.longhaul.broker.file.KeptLines;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names of a journal's files, on disk beside them. Artemis goes on without a file that is gone and says nothing: no file
 * names another one, and numbers are left out whenever one is used again.
 *
 * <p>A journal removes a file that is done only while it has more than it keeps for later use. So of those that it is known
 * to have, all must be there, or as many as it keeps. Beyond these, one that is gone cannot be told from one that was removed.
 *
 * <pre>
 *  keeps 8                      how many files the journal keeps
 *  activemq-data-1.amq          a file that may have something in it; one more than it keeps, at most
 *  ...
 * </pre>
 *
 * Thread-safe.
 */
final class KnownFiles {
    private static final String NOTE = "files";
    private static final String KEEPS = "keeps ";

    /** Where Artemis puts a file that it cannot use again because of its length. */
    private static final String ATTIC = "attic";

    /** Says which files a compaction has replaced; they change names at the next load. */
    private static final String CONTROL = "*.ctr";

    /** How the name of a file ends until it has its length. */
    private static final String MAKING = ".tmp";

    private final Path directory;
    private final String suffix;
    private final int keeps;
    private final KeptLines note;
    private final Set<String> names = new TreeSet<>(); // guarded by this
    private boolean begun; // guarded by this

    /** Takes the directory, and how the names of the journal's files end. */
    KnownFiles(Path directory, String suffix, int keeps) {
        this.directory = directory;
        this.suffix = suffix;
        this.keeps = keeps;
        this.note = note(directory);
    }

    private static KeptLines note(Path directory) {
        return new KeptLines(directory.resolve(NOTE), NOTE);
    }

    /** The journal is loaded: what is there now is what it has. */
    synchronized void begin() throws IOException {
        names.clear();
        names.addAll(list(directory, "*" + suffix));
        begun = true;
        write();
    }

    /**
     * A file is about to be written to. One that is being made counts already: the journal may be waiting for it, and then
     * counts it too, and removes another one.
     */
    synchronized void opened(String file) throws IOException {
        String name = file.endsWith(MAKING) ? file.substring(0, file.length() - MAKING.length()) : file;
        if (begun && name.endsWith(suffix) && names.size() <= keeps && names.add(name)) {
            write();
        }
    }

    private void write() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(KEEPS + keeps);
        names.stream().limit(keeps + 1L).forEach(lines::add);
        note.write(lines);
    }

    /** Removes what is known of a directory, before its journal is loaded: that removes files, too, and makes others. */
    static void forget(Path directory) throws IOException {
        if (Files.deleteIfExists(directory.resolve(NOTE))) {
            Directories.force(directory);
        }
    }

    /** Returns one line for each file that is gone from the directory of a stopped journal; none where nothing is known. */
    static List<String> gone(Path directory) throws IOException {
        List<String> lines = note(directory).read();
        if (lines.isEmpty() || !list(directory, CONTROL).isEmpty()) {
            return List.of();
        }
        int keeps = Integer.parseInt(lines.get(0).substring(KEEPS.length()));
        List<String> known = lines.subList(1, lines.size());
        List<String> gone = known.stream()
                .filter(name -> !Files.exists(directory.resolve(name))
                        && !Files.exists(directory.resolve(name + MAKING))
                        && !Files.exists(directory.resolve(ATTIC).resolve(name)))
                .toList();
        if (known.size() <= keeps) {
            return gone.stream()
                    .map(name -> directory.resolve(name) + ": expected a file, found none")
                    .toList();
        }
        int found = list(directory, "*.{amq,bindings}{,.cmp,.tmp}").size();
        return found >= keeps
                ? List.of()
                : List.of(directory + ": expected at least " + keeps + " files, found " + found);
    }

    private static List<String> list(Path directory, String glob) throws IOException {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, glob)) {
            files.forEach(file -> found.add(String.valueOf(file.getFileName())));
        }
        return found;
    }
}
