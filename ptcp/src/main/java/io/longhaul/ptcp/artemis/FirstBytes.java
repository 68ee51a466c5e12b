package io.longhaul.ptcp.artemis;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Looks at the first four bytes of a session, and leaves it to whom they are meant for. */
final class FirstBytes implements PtcpListener {
    private static final Duration TIME_TO_BEGIN = Duration.ofSeconds(10);
    private final PtcpSession session;
    private final List<SideDoor> sides;
    private final Supplier<PtcpListener> core;
    private final TimeLimit limit = new TimeLimit();
    private final ByteBuf first = Unpooled.buffer(Integer.BYTES, Integer.BYTES);
    private @Nullable PtcpListener chosen;

    FirstBytes(PtcpSession session, List<SideDoor> sides, Supplier<PtcpListener> core) {
        this.session = session;
        this.sides = sides;
        this.core = core;
    }

    @Override
    public void opened() {
        limit.start(session, TIME_TO_BEGIN, "nothing in " + TIME_TO_BEGIN.toSeconds() + " s");
    }

    @Override
    public void received(ByteBuf bytes) {
        PtcpListener listener = chosen;
        if (listener == null) {
            first.writeBytes(bytes, Math.min(bytes.readableBytes(), first.writableBytes()));
            if (first.isWritable()) {
                return;
            }
            listener = choose();
        }
        if (bytes.isReadable()) {
            listener.received(bytes);
        }
    }

    private PtcpListener choose() {
        int magic = first.getInt(0);
        PtcpListener listener = sides.stream()
                .filter(side -> side.magic() == magic)
                .findFirst()
                .map(side -> side.listeners().apply(session))
                .orElseGet(core);
        chosen = listener;
        limit.end();
        listener.opened();
        listener.received(first);
        return listener;
    }

    @Override
    public void batchEnded() {
        if (chosen != null) {
            chosen.batchEnded();
        }
    }

    @Override
    public void writabilityChanged(boolean writable) {
        if (chosen != null) {
            chosen.writabilityChanged(writable);
        }
    }

    @Override
    public void closed(@Nullable PtcpException cause) {
        limit.end();
        if (chosen != null) {
            chosen.closed(cause);
        }
    }
}
