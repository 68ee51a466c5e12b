package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A back end without directories, in which nothing gets another name. */
abstract class FilesOnly implements Backend {
    private static <T> CompletableFuture<T> unsupported() {
        return CompletableFuture.failedFuture(new BackendException(Code.UNSUPPORTED, "not here"));
    }

    @Override
    public CompletableFuture<List<Entry>> list(FilePath path) {
        return unsupported();
    }

    @Override
    public CompletableFuture<Void> makeDirectory(FilePath path) {
        return unsupported();
    }

    @Override
    public CompletableFuture<Void> removeDirectory(FilePath path) {
        return unsupported();
    }

    @Override
    public CompletableFuture<Void> deleteFile(FilePath path) {
        return unsupported();
    }

    @Override
    public CompletableFuture<Void> rename(FilePath from, FilePath to) {
        return unsupported();
    }

    @Override
    public CompletableFuture<Void> setModified(FilePath path, Instant time) {
        return unsupported();
    }
}
