package io.longhaul.wire;

import java.nio.ByteBuffer;

/**
 * A contiguous range of a file, or a pack of whole small files: the unit of message, acknowledgement and resume.
 *
 * <p>The body is not copied: whoever makes the piece leaves the buffer alone for as long as the piece is in use.
 */
public record Piece(PieceHeader header, ByteBuffer body) implements Frame {
    public Piece {
        long expected = header.kind() == PieceHeader.Kind.HOLE ? 0 : header.length();
        if (body.remaining() != expected) {
            throw new WireException("piece " + header.index() + " of transfer " + header.transfer()
                    + ": expected a body of " + expected + " bytes, found " + body.remaining());
        }
    }

    @Override
    public FrameType type() {
        return FrameType.PIECE;
    }
}
