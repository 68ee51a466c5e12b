package io.longhaul.gridftp.remote;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.FilePath;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What became of a transfer, as the end that tells it saw it.
 *
 * @param kind of transfer
 * @param endpoint at the other end of the network
 * @param bytes that the client has sent or was given, or that the file has
 * @param failure why it came to nothing; nothing when it did not
 * @param traffic of the process until then, all transfers together
 */
public record TransferEnd(
        Kind kind, String endpoint, FilePath path, long bytes, Optional<String> failure, Traffic traffic) {
    /** Which way, and which end. */
    public enum Kind {
        /** A client's file at the front: committed, or given up. */
        UPLOAD,
        /** A file that a client of the front has read, or has stopped to read. */
        DOWNLOAD,
        /** A front's file at the back: at its place, or refused. */
        DELIVERY
    }

    /** Hears of ends, on any thread; must not block or throw. */
    @FunctionalInterface
    public interface Listener extends Consumer<TransferEnd> {}

    static String reason(Throwable failure) {
        Throwable cause = BackendException.cause(failure);
        return cause instanceof BackendException known ? known.code() + ": " + known.getMessage() : cause.toString();
    }
}
