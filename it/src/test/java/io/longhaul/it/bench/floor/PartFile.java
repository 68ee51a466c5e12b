package io.longhaul.it.bench.floor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.activemq.artemis.api.core.client.ClientMessage;

/** A file, of which each message has a piece. */
final class PartFile implements Part {
    private final FileChannel file;
    private final MessageDigest digest = FloorLink.sha256();

    PartFile(Path path) throws IOException, NoSuchAlgorithmException {
        file = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
    }

    @Override
    public void write(ClientMessage message, ByteBuffer body) throws IOException {
        digest.update(body.duplicate());
        long offset = message.getLongProperty(FloorLink.OFFSET);
        while (body.hasRemaining()) {
            offset += file.write(body, offset);
        }
    }

    @Override
    public void force() throws IOException {
        file.force(false);
    }

    @Override
    public byte[] digest() {
        return digest.digest();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
