package io.longhaul.it.bench.floor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.Set;
import org.apache.activemq.artemis.api.core.client.ClientMessage;

/** A tree, of which each message has a pack; forced by one sync of the file system, as Longhaul does. */
final class PartTree implements Part {
    private final Path tree;
    private final Set<Path> directories = new HashSet<>();
    private final MessageDigest each = FloorLink.sha256();
    private final MessageDigest all = FloorLink.sha256();

    PartTree(Path tree) throws NoSuchAlgorithmException {
        this.tree = tree;
    }

    @Override
    public void write(ClientMessage message, ByteBuffer pack) throws IOException {
        while (pack.hasRemaining()) {
            Path file = tree.resolve(StandardCharsets.UTF_8.decode(next(pack)).toString());
            ByteBuffer content = next(pack);
            each.update(content.duplicate());
            all.update(each.digest());
            if (directories.add(file.getParent())) {
                Files.createDirectories(file.getParent());
            }
            try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                while (content.hasRemaining()) {
                    out.write(content);
                }
            }
        }
    }

    /** Takes a length and as many bytes. */
    private static ByteBuffer next(ByteBuffer pack) {
        int length = pack.getInt();
        ByteBuffer bytes = pack.slice(pack.position(), length);
        pack.position(pack.position() + length);
        return bytes;
    }

    @Override
    public void force() throws IOException, InterruptedException {
        int code = new ProcessBuilder("sync", "-f", tree.toString())
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException(tree + ": sync -f ended with " + code);
        }
    }

    @Override
    public byte[] digest() {
        return all.digest();
    }
}
