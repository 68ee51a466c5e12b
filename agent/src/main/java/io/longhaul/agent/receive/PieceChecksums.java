package io.longhaul.agent.receive;

import io.longhaul.wire.Piece;
import io.longhaul.wire.PieceHeader;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Compares pieces with their CRC-32C; those of runs of zeros are remembered by length. Not thread-safe. */
final class PieceChecksums {
    private static final int REMEMBERED = 64;
    private static final int CHUNK = 64 * 1024;

    private final Map<Integer, Integer> byLength = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Integer> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** Returns what is wrong with the body of a piece, null when nothing is. */
    @Nullable
    String damage(Piece piece) {
        PieceHeader header = piece.header();
        int found = header.kind() == PieceHeader.Kind.HOLE ? ofZeros(header.length()) : Verification.crc(piece.body());
        return found == header.crc32c()
                ? null
                : String.format("expected CRC-32C %08x, found %08x", header.crc32c(), found);
    }

    private int ofZeros(int length) {
        Integer known = byLength.get(length);
        if (known != null) {
            return known;
        }
        CRC32C crc = new CRC32C();
        ByteBuffer zeros = ByteBuffer.allocate(Math.min(CHUNK, length));
        for (int left = length; left > 0; left -= zeros.limit()) {
            zeros.clear().limit(Math.min(zeros.capacity(), left));
            crc.update(zeros);
        }
        int value = (int) crc.getValue();
        byLength.put(length, value);
        return value;
    }
}
