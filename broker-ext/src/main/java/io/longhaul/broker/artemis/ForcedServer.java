package io.longhaul.broker.artemis;

import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.paging.PagingStoreFactory;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.ServiceRegistry;
import org.apache.activemq.artemis.core.server.impl.ActiveMQServerImpl;
import org.apache.activemq.artemis.spi.core.security.ActiveMQSecurityManager;
import org.jspecify.annotations.Nullable;

/** Artemis's server on storage that keeps the names of its files through a power loss. */
final class ForcedServer extends ActiveMQServerImpl {
    private volatile @Nullable MirrorGuard mirrors;
    private volatile @Nullable HeldAnswers answers;
    private volatile @Nullable Runnable beforeCopying;

    ForcedServer(Configuration configuration, @Nullable ActiveMQSecurityManager security, ServiceRegistry services) {
        super(configuration, null, security, null, services);
    }

    /** Holds answers back whose backup is lost, in every life from the next one on. */
    void guard(MirrorGuard guard) {
        mirrors = guard;
    }

    /** Has answers wait that come too early, in every life from the next one on. */
    void hold(HeldAnswers early) {
        answers = early;
    }

    /** Runs something each time before the data of this server make way for a copy of another one's. */
    void beforeCopying(Runnable task) {
        beforeCopying = task;
    }

    /** What a backup does first, once it has found that it may not live on its data. */
    @Override
    public void resetNodeManager() throws Exception {
        Runnable task = beforeCopying;
        if (task != null) {
            task.run();
        }
        super.resetNodeManager();
    }

    @Override
    protected StorageManager createStorageManager() {
        ForcedStorage storage = new ForcedStorage(
                getConfiguration(),
                getCriticalAnalyzer(),
                executorFactory,
                getScheduledPool(),
                ioExecutorFactory,
                ioCriticalErrorListener);
        storage.guard(mirrors);
        storage.hold(answers);
        getCriticalAnalyzer().add(storage);
        return storage;
    }

    @Override
    protected PagingStoreFactory getPagingStoreFactory() {
        return new ForcedPages(
                getStorageManager(),
                getConfiguration().getPagingLocation(),
                getConfiguration().getPageSyncTimeout(),
                getScheduledPool(),
                pageExecutorFactory,
                ioCriticalErrorListener);
    }
}
