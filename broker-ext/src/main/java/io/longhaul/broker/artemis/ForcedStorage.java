package io.longhaul.broker.artemis;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.activemq.artemis.api.core.ActiveMQDisconnectedException;
import org.apache.activemq.artemis.api.core.ActiveMQReplicationTimeooutException;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.io.IOCallback;
import org.apache.activemq.artemis.core.io.IOCriticalErrorListener;
import org.apache.activemq.artemis.core.io.OperationConsistencyLevel;
import org.apache.activemq.artemis.core.io.SequentialFileFactory;
import org.apache.activemq.artemis.core.journal.Journal;
import org.apache.activemq.artemis.core.journal.JournalLoadInformation;
import org.apache.activemq.artemis.core.paging.PagingManager;
import org.apache.activemq.artemis.core.paging.cursor.PagePosition;
import org.apache.activemq.artemis.core.persistence.AddressBindingInfo;
import org.apache.activemq.artemis.core.persistence.GroupingInfo;
import org.apache.activemq.artemis.core.persistence.QueueBindingInfo;
import org.apache.activemq.artemis.core.persistence.impl.journal.JournalStorageManager;
import org.apache.activemq.artemis.core.replication.ReplicationManager;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.utils.ExecutorFactory;
import org.apache.activemq.artemis.utils.critical.CriticalAnalyzer;
import org.jspecify.annotations.Nullable;

/**
 * Artemis's storage on {@link ForcedFiles}, with a gate for answers while a backup is lost. The superclass's constructor
 * calls the overridden methods, so that what they use is not of this class.
 */
final class ForcedStorage extends JournalStorageManager {
    /** Length of each file of the bindings. */
    static final int BINDINGS_FILE_BYTES = 1024 * 1024;

    private final ScheduledExecutorService scheduler;
    private final Object copying = new Object(); // held while a backup is copied to: a copy that fails stops any other
    private volatile MirrorGuard.@Nullable Life mirrors;
    private volatile @Nullable HeldAnswers held;

    ForcedStorage(
            Configuration configuration,
            CriticalAnalyzer analyzer,
            ExecutorFactory executors,
            ScheduledExecutorService scheduler,
            ExecutorFactory ioExecutors,
            IOCriticalErrorListener listener) {
        super(configuration, analyzer, executors, scheduler, ioExecutors, failuresOf(listener));
        this.scheduler = scheduler;
    }

    /** A backup that is slow in the last step of its copy is no failure of this broker's disk, which would stop it. */
    private static IOCriticalErrorListener failuresOf(IOCriticalErrorListener listener) {
        return (cause, message, file) -> {
            if (!(cause instanceof ActiveMQReplicationTimeooutException)) {
                listener.onIOException(cause, message, file);
            }
        };
    }

    @Override
    protected void init(Configuration configuration, @Nullable IOCriticalErrorListener listener) {
        super.init(configuration, listener);
        bindingsFF = ForcedFiles.unbuffered(configuration.getBindingsLocation(), listener)
                .noting(new KnownFiles(
                        configuration.getBindingsLocation().toPath(),
                        ".bindings",
                        configuration.getJournalPoolFiles()));
        bindingsFF.setDatasync(configuration.isJournalDatasync());
        bindingsJournal = ForcedJournal.of(
                ioExecutorFactory,
                configuration,
                new ForcedJournal.Shape("activemq-bindings", "bindings", BINDINGS_FILE_BYTES, 2),
                bindingsFF,
                listener);
        originalBindingsJournal = bindingsJournal;
    }

    /** Artemis decodes what it finds: damaged bytes fail anywhere in it, with whatever exception. */
    @Override
    public JournalLoadInformation loadBindingJournal(
            List<QueueBindingInfo> queues, List<GroupingInfo> groupings, List<AddressBindingInfo> addresses)
            throws Exception {
        for (SequentialFileFactory files : List.of(bindingsFF, journalFF)) {
            KnownFiles.forget(files.getDirectory().toPath());
        }
        try {
            return super.loadBindingJournal(queues, groupings, addresses);
        } catch (RuntimeException e) {
            throw StoredData.damagedBindings(
                    bindingsFF.getDirectory()
                            + ": expected addresses and queues, found a record that cannot be decoded",
                    e);
        }
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
                        getCriticalAnalyzer())
                .noting(new KnownFiles(journalFF.getDirectory().toPath(), ".amq", configuration.getJournalPoolFiles()));
        journalFF.setDatasync(configuration.isJournalDatasync());
        return ForcedJournal.of(
                ioExecutorFactory,
                configuration,
                new ForcedJournal.Shape("activemq-data", "amq", fileBytes, configuration.getJournalMinFiles()),
                journalFF,
                listener);
    }

    /**
     * Keeps no bookmarks. Artemis writes one for each queue when an address stops paging, and removes it when the address
     * pages again: until then it would pin its journal file and all later ones, each of which has deletions of the one
     * before. That the pages before it are done, their own records say until they are deleted.
     */
    @Override
    public void storeCursorAcknowledge(long queue, PagePosition position) throws Exception {
        if (position.getMessageNr() >= 0) {
            super.storeCursorAcknowledge(queue, position);
        }
    }

    /** Bindings and journal are loaded: notes which files they have. */
    void noteFiles() throws IOException {
        for (SequentialFileFactory files : List.of(bindingsFF, journalFF)) {
            if (files instanceof ForcedFiles forced && forced.known().isPresent()) {
                forced.known().get().begin();
            }
        }
    }

    /** Says what holds answers back that come too early. */
    void hold(@Nullable HeldAnswers answers) {
        held = answers;
    }

    /** Says what guards answers; none for a broker that has no backup. */
    void guard(@Nullable MirrorGuard guard) {
        mirrors = guard == null ? null : guard.life();
    }

    @Override
    public void startReplication(
            ReplicationManager mirror, PagingManager pages, String node, boolean failBack, long timeoutMillis)
            throws Exception {
        synchronized (copying) {
            MirrorGuard.Life life = mirrors;
            if (life != null) {
                life.begins(mirror);
            }
            try {
                FirstCopy.make(mirror, scheduler, () -> {
                    super.startReplication(mirror, pages, node, failBack, timeoutMillis);
                    return null;
                });
            } catch (ActiveMQDisconnectedException e) {
                stopReplication();
                throw e;
            }
        }
    }

    @Override
    public void stopReplication() {
        super.stopReplication();
        MirrorGuard.Life life = mirrors;
        if (life != null) {
            life.ended();
        }
    }

    @Override
    public void afterCompleteOperations(IOCallback answer) {
        HeldAnswers early = held;
        IOCallback gated = gated(answer);
        super.afterCompleteOperations(early == null ? gated : early.gated(gated));
    }

    @Override
    public void afterCompleteOperations(IOCallback answer, OperationConsistencyLevel level) {
        super.afterCompleteOperations(gated(answer), level);
    }

    private IOCallback gated(IOCallback answer) {
        MirrorGuard.Life life = mirrors;
        return life == null ? answer : life.gated(answer);
    }
}
