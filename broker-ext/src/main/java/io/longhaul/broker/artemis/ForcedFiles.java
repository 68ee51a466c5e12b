package io.longhaul.broker.artemis;

import io.longhaul.broker.file.Directories;
import io.longhaul.broker.scrub.Scrub;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.activemq.artemis.core.io.IOCriticalErrorListener;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.io.SequentialFileFactory;
import org.apache.activemq.artemis.core.io.nio.NIOSequentialFile;
import org.apache.activemq.artemis.core.io.nio.NIOSequentialFileFactory;
import org.apache.activemq.artemis.utils.critical.CriticalAnalyzer;
import org.jspecify.annotations.Nullable;

/**
 * Journal and page files whose names are on disk before anything is written to them.
 *
 * <p>Artemis forces the bytes of its files but never a directory, so that after a power loss a file full of acknowledged
 * messages may have no name. Every file goes through {@link #createSequentialFile} and is opened before it is written;
 * it forces its directory at the first opening under each of its names.
 */
final class ForcedFiles extends NIOSequentialFileFactory {
    private final int mostWrites;
    private final boolean journal;
    private volatile @Nullable KnownFiles known;

    private ForcedFiles(
            File directory,
            boolean buffered,
            int bufferBytes,
            int bufferNanos,
            int mostWrites,
            @Nullable IOCriticalErrorListener listener,
            @Nullable CriticalAnalyzer analyzer) {
        super(directory, buffered, bufferBytes, bufferNanos, mostWrites, false, listener, analyzer);
        this.mostWrites = mostWrites;
        this.journal = buffered;
    }

    /** Files of a journal that gathers writes in a buffer. */
    static ForcedFiles ofJournal(
            SequentialFileFactory model,
            int bufferBytes,
            int bufferNanos,
            @Nullable IOCriticalErrorListener listener,
            @Nullable CriticalAnalyzer analyzer) {
        return new ForcedFiles(
                model.getDirectory(), true, bufferBytes, bufferNanos, model.getMaxIO(), listener, analyzer);
    }

    /** Files that are written directly: pages, bindings. */
    static ForcedFiles unbuffered(File directory, @Nullable IOCriticalErrorListener listener) {
        return new ForcedFiles(directory, false, 0, 0, 1, listener, null);
    }

    /** Says who notes the names of the files. */
    ForcedFiles noting(KnownFiles files) {
        known = files;
        return this;
    }

    Optional<KnownFiles> known() {
        return Optional.ofNullable(known);
    }

    private void opened(String name) throws IOException {
        KnownFiles files = known;
        if (files != null) {
            files.opened(name);
        }
    }

    @Override
    public SequentialFile createSequentialFile(String name) {
        return new ForcedFile(this, getDirectory(), name, mostWrites);
    }

    private static final class ForcedFile extends NIOSequentialFile {
        private final ForcedFiles files;
        private final int mostWrites;
        private String forcedName = ""; // used by whoever opens, never two at once

        ForcedFile(ForcedFiles files, File directory, String name, int mostWrites) {
            super(files, directory, name, mostWrites);
            this.files = files;
            this.mostWrites = mostWrites;
        }

        @Override
        public void open(int most, boolean useExecutor) throws IOException {
            super.open(most, useExecutor);
            if (!forcedName.equals(getFileName())) {
                Directories.force(files.getDirectory().toPath());
                files.opened(getFileName());
                forcedName = getFileName();
            }
        }

        /**
         * Ends a journal file that is read as a whole, to load or to compact it, at its last record. Artemis looks at each
         * byte behind it, for records of this use between those of an earlier one: seconds, in files that are used in turn.
         */
        @Override
        public int read(ByteBuffer into) throws Exception {
            int read = super.read(into);
            if (files.journal && into.position() == 0 && read == size()) {
                into.limit(Scrub.end(into));
            }
            return read;
        }

        @Override
        public SequentialFile cloneFile() {
            return new ForcedFile(files, files.getDirectory(), getFileName(), mostWrites);
        }
    }
}
