package io.longhaul.agent.publish;

import io.longhaul.wire.Entry;
import io.longhaul.wire.PieceHeader;
import io.longhaul.wire.TransferId;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Makes fragments of one transfer out of full buffers; used by the thread that reads. */
final class Cutter {
    private final TransferId transfer;
    private final int pieceSize;
    private final PieceBuffers buffers;
    private final Halt halt;
    private final LongSupplier nanoTime;
    private long waitedNs;

    Cutter(TransferId transfer, int pieceSize, PieceBuffers buffers, Halt halt, LongSupplier nanoTime) {
        this.transfer = transfer;
        this.pieceSize = pieceSize;
        this.buffers = buffers;
        this.halt = halt;
        this.nanoTime = nanoTime;
    }

    int pieceSize() {
        return pieceSize;
    }

    /** Returns how long this thread waited for buffers, so that it does not count as reading. */
    long waitedNs() {
        return waitedNs;
    }

    /** Returns an empty buffer for one piece. */
    ByteBuffer take() throws InterruptedException {
        long fromNs = nanoTime.getAsLong();
        ByteBuffer body = buffers.take(pieceSize, halt);
        waitedNs += nanoTime.getAsLong() - fromNs;
        return body;
    }

    /** Reads a piece of a file, or what is left of the file from there to its end. */
    ByteBuffer read(SourceFile file, long position, long end) throws InterruptedException {
        ByteBuffer body = take();
        body.limit((int) Math.min(body.capacity(), end - position));
        try {
            file.read(body, position);
        } catch (SourceException e) {
            release(body);
            throw e;
        }
        return body.flip();
    }

    void release(ByteBuffer body) {
        buffers.release(body);
    }

    /** Makes the buffer's remaining bytes a range, or a hole when all are zero; a hole's buffer is given back. */
    Fragment range(long index, long offset, ByteBuffer body, Optional<Entry> entry) {
        int length = body.remaining();
        boolean hole = Checksums.isZero(body);
        PieceHeader header = new PieceHeader(
                transfer,
                index,
                hole ? PieceHeader.Kind.HOLE : PieceHeader.Kind.RANGE,
                offset,
                length,
                Checksums.crc32c(body),
                entry);
        if (hole) {
            release(body);
        }
        return new Fragment(header, entry.map(Entry::number).orElse(0L), hole ? Fragment.NO_BODY : body, length);
    }

    /** Makes the buffer's remaining bytes a pack. */
    Fragment pack(long index, ByteBuffer body, long firstEntry, long content) {
        PieceHeader header = new PieceHeader(
                transfer, index, PieceHeader.Kind.PACK, 0, body.remaining(), Checksums.crc32c(body), Optional.empty());
        return new Fragment(header, firstEntry, body, content);
    }
}
