package io.longhaul.it.bench.floor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.activemq.artemis.api.core.client.ClientMessage;

/** A file, of which each message has a piece. */
final class PartFile implements Part {
    private final ReceivedFile file;
    private final ByteBuffer piece = ReceivedFile.memory();
    private final MessageDigest digest = FloorLink.sha256();

    PartFile(Path path) throws IOException, NoSuchAlgorithmException {
        file = new ReceivedFile(path);
    }

    @Override
    public void write(ClientMessage message, ByteBuffer body) throws IOException {
        digest.update(body.duplicate());
        file.write(piece.clear().put(body).flip(), message.getLongProperty(FloorLink.OFFSET));
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
