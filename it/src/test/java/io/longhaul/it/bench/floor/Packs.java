package io.longhaul.it.bench.floor;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Iterator;
import java.util.stream.Stream;

/** Gathers a tree's small files in packs: length and name, length and bytes, one file behind the other. */
final class Packs {
    private Packs() {}

    /** Who takes packs. */
    interface Sink {
        void accept(byte[] pack, int length) throws Exception;
    }

    /** Returns the SHA-256 of the files' SHA-256s, in the order in which they are packed. */
    static byte[] of(Path tree, Sink packs) throws Exception {
        MessageDigest each = FloorLink.sha256();
        MessageDigest all = FloorLink.sha256();
        ByteBuffer pack = ByteBuffer.allocate(FloorLink.PIECE_BYTES);
        try (Stream<Path> files =
                Files.find(tree, Integer.MAX_VALUE, (path, attributes) -> attributes.isRegularFile())) {
            for (Iterator<Path> left = files.iterator(); left.hasNext(); ) {
                Path file = left.next();
                byte[] name = tree.relativize(file).toString().getBytes(StandardCharsets.UTF_8);
                byte[] content = Files.readAllBytes(file);
                all.update(each.digest(content));
                if (2 * Integer.BYTES + name.length + content.length > pack.remaining()) {
                    packs.accept(pack.array(), pack.position());
                    pack.clear();
                }
                pack.putInt(name.length).put(name).putInt(content.length).put(content);
            }
        }
        packs.accept(pack.array(), pack.position());
        return all.digest();
    }
}
