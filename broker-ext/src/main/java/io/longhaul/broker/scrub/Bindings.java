package io.longhaul.broker.scrub;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Looks whether the addresses and queues are there that messages belong to. Artemis deletes messages of queues that it
 * does not know, so that a broker must not start without them.
 *
 * <p>A first start makes the files of the bindings, then those of the journal, then queues, then takes messages; wherever
 * it is killed, what is there has all that goes before it.
 */
final class Bindings {
    private static final byte KIND_QUEUE = 21;

    private Bindings() {}

    /** Returns what is damaged; empty for nothing. Changes nothing. */
    static Optional<String> fault(DataFiles files) throws IOException {
        List<Path> bindings = files.ofBindings();
        for (Path file : bindings) {
            Optional<String> fault = fault(file, files.bindingsBytes());
            if (fault.isPresent()) {
                return fault;
            }
        }
        if (bindings.isEmpty() && !files.ofJournal().isEmpty()) {
            return Optional.of(files.bindings() + ": expected files of bindings, found none");
        }
        return !hasQueues(files) && hasMessages(files)
                ? Optional.of(files.bindings() + ": expected the queues of the messages in " + files.journal()
                        + ", found none")
                : Optional.empty();
    }

    private static Optional<String> fault(Path file, long bytes) throws IOException {
        Optional<String> length = JournalFile.wrongLength(file, bytes);
        if (length.isPresent()) {
            return length;
        }
        List<String> damages = JournalFile.damages(file);
        return damages.stream().findFirst();
    }

    /** Returns whether the bindings have queues; a broker that has taken a message has some for ever. */
    static boolean hasQueues(DataFiles files) throws IOException {
        for (Path file : files.ofBindingsAndCompaction()) {
            if (JournalFile.adds(file, KIND_QUEUE)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasMessages(DataFiles files) throws IOException {
        for (Path page : files.ofPages()) {
            if (Files.size(page) > 0) {
                return true;
            }
        }
        for (Path file : files.ofJournal()) {
            if (JournalFile.adds(file, JournalFile.KIND_MESSAGE)) {
                return true;
            }
        }
        return false;
    }
}
