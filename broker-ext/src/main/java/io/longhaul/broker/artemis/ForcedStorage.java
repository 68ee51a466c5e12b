package io.longhaul.broker.artemis;

import java.util.concurrent.ScheduledExecutorService;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.io.IOCriticalErrorListener;
import org.apache.activemq.artemis.core.journal.Journal;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;
import org.apache.activemq.artemis.core.persistence.impl.journal.JournalStorageManager;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.utils.ExecutorFactory;
import org.apache.activemq.artemis.utils.critical.CriticalAnalyzer;
import org.jspecify.annotations.Nullable;

/**
 * Artemis's storage on {@link ForcedFiles}. The superclass's constructor calls the overridden methods, so that this
 * class has no state of its own.
 */
final class ForcedStorage extends JournalStorageManager {
    private static final int BINDINGS_FILE_BYTES = 1024 * 1024;

    ForcedStorage(
            Configuration configuration,
            CriticalAnalyzer analyzer,
            ExecutorFactory executors,
            ScheduledExecutorService scheduler,
            ExecutorFactory ioExecutors,
            IOCriticalErrorListener listener) {
        super(configuration, analyzer, executors, scheduler, ioExecutors, listener);
    }

    @Override
    protected void init(Configuration configuration, @Nullable IOCriticalErrorListener listener) {
        super.init(configuration, listener);
        bindingsFF = ForcedFiles.unbuffered(configuration.getBindingsLocation(), listener);
        bindingsFF.setDatasync(configuration.isJournalDatasync());
        bindingsJournal = new JournalImpl(
                ioExecutorFactory,
                BINDINGS_FILE_BYTES,
                2,
                configuration.getJournalPoolFiles(),
                configuration.getJournalCompactMinFiles(),
                configuration.getJournalCompactPercentage(),
                configuration.getJournalFileOpenTimeout(),
                bindingsFF,
                "activemq-bindings",
                "bindings",
                1,
                0,
                listener,
                configuration.getJournalMaxAtticFiles());
        originalBindingsJournal = bindingsJournal;
    }

    @Override
    protected Journal createMessageJournal(
            Configuration configuration, @Nullable IOCriticalErrorListener listener, int fileBytes) {
        if (configuration.getJournalType() != JournalType.NIO) {
            return super.createMessageJournal(configuration, listener, fileBytes);
        }
        journalFF = ForcedFiles.ofJournal(
                journalFF,
                configuration.getJournalBufferSize_NIO(),
                configuration.getJournalBufferTimeout_NIO(),
                listener,
                getCriticalAnalyzer());
        journalFF.setDatasync(configuration.isJournalDatasync());
        return ForcedJournal.of(ioExecutorFactory, configuration, fileBytes, journalFF, listener);
    }
}
