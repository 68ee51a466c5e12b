package io.longhaul.broker.artemis;

import io.longhaul.broker.file.Directories;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.io.IOCriticalErrorListener;
import org.apache.activemq.artemis.core.io.SequentialFileFactory;
import org.apache.activemq.artemis.core.paging.impl.PagingStoreFactoryNIO;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.utils.ExecutorFactory;

/**
 * Artemis's page directories on {@link ForcedFiles}.
 *
 * <p>A page directory whose {@code address.txt} did not survive is skipped at the next start with all acknowledged
 * messages in it; so that file, and the names above it, are forced before the first page is written.
 */
final class ForcedPages extends PagingStoreFactoryNIO {
    private final IOCriticalErrorListener listener;

    ForcedPages(
            StorageManager storage,
            File directory,
            long syncNanos,
            ScheduledExecutorService scheduler,
            ExecutorFactory executors,
            IOCriticalErrorListener listener) {
        super(storage, directory, syncNanos, scheduler, executors, true, listener);
        this.listener = listener;
    }

    @Override
    public synchronized SequentialFileFactory newFileFactory(SimpleString address) throws Exception {
        SequentialFileFactory files = super.newFileFactory(address);
        Path pages = files.getDirectory().toPath();
        forceFile(pages.resolve(ADDRESS_FILE));
        Directories.force(pages);
        Directories.force(getDirectory().toPath());
        return files;
    }

    private static void forceFile(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    @Override
    protected SequentialFileFactory newFileFactory(String name) {
        return ForcedFiles.unbuffered(new File(getDirectory(), name), listener);
    }
}
