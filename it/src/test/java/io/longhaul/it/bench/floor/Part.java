package io.longhaul.it.bench.floor;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;

/** What has arrived of a file or a tree, under a temporary name. */
interface Part extends AutoCloseable {
    void write(ClientMessage message, ByteBuffer body) throws IOException;

    /** Has all that was written on the disk. */
    void force() throws IOException, InterruptedException;

    byte[] digest();

    @Override
    default void close() throws IOException {}
}
