package io.longhaul.agent.publish;

import io.longhaul.storage.StorageException;
import io.longhaul.wire.Digests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A stream, read once, as ranges and holes of one piece size. */
final class StreamFragments implements Fragments {
    private final Cutter cutter;
    private final InputStream stream;
    private final MessageDigest digest = Digests.sha256();
    private long position;
    private long index;

    StreamFragments(Cutter cutter, InputStream stream) {
        this.cutter = cutter;
        this.stream = stream;
    }

    @Override
    public @Nullable Fragment next() throws InterruptedException {
        ByteBuffer body = cutter.take();
        try {
            int count = stream.readNBytes(body.array(), body.arrayOffset(), body.capacity());
            body.limit(count);
        } catch (IOException e) {
            cutter.release(body);
            throw new SourceException(
                    "stream broke off after " + position + " bytes: " + StorageException.reason(e), e);
        }
        if (!body.hasRemaining()) {
            cutter.release(body);
            return null;
        }
        digest.update(body.duplicate());
        Fragment cut = cutter.range(index++, position, body, Optional.empty());
        position += cut.header().length();
        return cut;
    }

    @Override
    public Totals totals() {
        return new Totals(position, HexFormat.of().formatHex(digest.digest()), index, 1);
    }

    /** Leaves the stream open: it is the caller's. */
    @Override
    public void close() {}
}
