package io.longhaul.broker.artemis;

import io.longhaul.broker.file.Directories;
import java.util.List;
import org.apache.activemq.artemis.api.core.Pair;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.io.IOCriticalErrorListener;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.io.SequentialFileFactory;
import org.apache.activemq.artemis.core.journal.impl.JournalFile;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;
import org.apache.activemq.artemis.utils.ExecutorFactory;
import org.jspecify.annotations.Nullable;

/**
 * A journal whose compaction survives a power loss at any step.
 *
 * <p>The control file says which files replace which; it must be on disk before the old ones go, and must not go before
 * the new ones have their names.
 */
final class ForcedJournal extends JournalImpl {
    private final SequentialFileFactory files;

    /**
     * What the files of a journal are like.
     *
     * @param bytes of each
     * @param least number of them
     */
    record Shape(String prefix, String suffix, int bytes, int least) {}

    private ForcedJournal(
            ExecutorFactory executors,
            Configuration configuration,
            Shape shape,
            SequentialFileFactory files,
            @Nullable IOCriticalErrorListener listener) {
        super(
                executors,
                shape.bytes(),
                shape.least(),
                configuration.getJournalPoolFiles(),
                configuration.getJournalCompactMinFiles(),
                configuration.getJournalCompactPercentage(),
                configuration.getJournalFileOpenTimeout(),
                files,
                shape.prefix(),
                shape.suffix(),
                files.getMaxIO(),
                0,
                listener,
                configuration.getJournalMaxAtticFiles());
        this.files = files;
    }

    static ForcedJournal of(
            ExecutorFactory executors,
            Configuration configuration,
            Shape shape,
            SequentialFileFactory files,
            @Nullable IOCriticalErrorListener listener) {
        return new ForcedJournal(executors, configuration, shape, files, listener);
    }

    @Override
    protected SequentialFile createControlFile(
            List<JournalFile> old, List<JournalFile> fresh, @Nullable Pair<String, String> rename) throws Exception {
        SequentialFile control = super.createControlFile(old, fresh, rename);
        Directories.force(files.getDirectory().toPath());
        return control;
    }

    @Override
    protected void deleteControlFile(SequentialFile control) throws Exception {
        Directories.force(files.getDirectory().toPath());
        super.deleteControlFile(control);
    }
}
