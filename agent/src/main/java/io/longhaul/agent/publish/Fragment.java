package io.longhaul.agent.publish;

import io.longhaul.storage.PieceRow;
import io.longhaul.wire.Piece;
import io.longhaul.wire.PieceHeader;
import java.nio.ByteBuffer;

/**
 * A piece as it was cut from its source.
 *
 * @param header its header
 * @param entry number of the entry that it belongs to, the first one for a pack, 0 for a single file
 * @param body its bytes, borrowed from {@link PieceBuffers}; empty for a hole
 * @param content bytes of files that it stands for
 */
record Fragment(PieceHeader header, long entry, ByteBuffer body, long content) {
    static final ByteBuffer NO_BODY = ByteBuffer.allocate(0);

    long index() {
        return header.index();
    }

    Piece piece() {
        return new Piece(header, body.duplicate());
    }

    PieceRow row(boolean safe, long spoolPosition) {
        return new PieceRow(
                header.index(),
                header.kind().code(),
                entry,
                header.offset(),
                header.length(),
                header.crc32c(),
                safe,
                spoolPosition);
    }
}
