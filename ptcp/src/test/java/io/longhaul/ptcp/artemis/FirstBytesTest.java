package io.longhaul.ptcp.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.PtcpSnapshot;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class FirstBytesTest {
    private static final int MAGIC = 0x4c484c4b;
    private final List<String> aborted = new ArrayList<>();
    private final AtomicReference<Runnable> timer = new AtomicReference<>();

    /** Keeps what is to run later, and why it was aborted. */
    private record Fake(List<String> aborted, AtomicReference<Runnable> timer) implements PtcpSession {
        @Override
        public void schedule(Runnable task, Duration pause) {
            timer.set(task);
        }

        @Override
        public void abort(String reason) {
            aborted.add(reason);
        }

        @Override
        public String id() {
            return "0";
        }

        @Override
        public void write(ByteBuf bytes) {}

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public void setReading(boolean reading) {}

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}

        @Override
        public SocketAddress remoteAddress() {
            return new InetSocketAddress(0);
        }

        @Override
        public SocketAddress localAddress() {
            return new InetSocketAddress(0);
        }

        @Override
        public Executor executor() {
            return Runnable::run;
        }

        @Override
        public PtcpSnapshot snapshot() {
            return new PtcpSnapshot(0, 0, 0, 0, 0, 0, 0, 0, List.of());
        }
    }

    /** Collects what it is given. */
    private record Heard(ByteBuf bytes) implements PtcpListener {
        @Override
        public void received(ByteBuf found) {
            bytes.writeBytes(found);
        }

        @Override
        public void writabilityChanged(boolean writable) {}

        @Override
        public void closed(@Nullable PtcpException cause) {}
    }

    private static FirstBytes opened(PtcpSession session, PtcpListener side, PtcpListener core) {
        FirstBytes first = new FirstBytes(session, List.of(new SideDoor(MAGIC, same -> side)), () -> core);
        first.opened();
        return first;
    }

    @Test
    void shouldGiveAllToWhomTheFirstBytesNameWhenTheyComeOneByOne() {
        // given
        Heard side = new Heard(Unpooled.buffer());
        Heard core = new Heard(Unpooled.buffer());
        FirstBytes first = opened(new Fake(aborted, timer), side, core);

        // when
        for (byte one : new byte[] {'L', 'H', 'L', 'K', 1}) {
            first.received(Unpooled.wrappedBuffer(new byte[] {one}));
        }
        timer.get().run();

        // then
        assertThat(side.bytes()).isEqualTo(Unpooled.copiedBuffer(new byte[] {'L', 'H', 'L', 'K', 1}));
        assertThat(core.bytes().isReadable()).isFalse();
        assertThat(aborted).isEmpty();
    }

    @Test
    void shouldEndTheSessionWhenTooLittleComesInTime() {
        // given
        FirstBytes first = opened(new Fake(aborted, timer), new Heard(Unpooled.buffer()), new Heard(Unpooled.buffer()));
        first.received(Unpooled.wrappedBuffer(new byte[3]));

        // when
        timer.get().run();

        // then
        assertThat(aborted).containsExactly("nothing in 10 s");
    }

    /** A crowd of sessions that come and go must not be kept for the time that each had. */
    @Test
    void shouldNotBeHeldByItsTimerWhenTheSessionHasEnded() {
        // given
        PtcpSession session = new Fake(aborted, timer);
        FirstBytes first = opened(session, new Heard(Unpooled.buffer()), new Heard(Unpooled.buffer()));
        first.closed(null);
        WeakReference<PtcpSession> ended = new WeakReference<>(session);

        // when
        session = null;
        first = null;
        System.gc();

        // then
        assertThat(ended.get()).isNull();
        timer.get().run();
        assertThat(aborted).isEmpty();
    }
}
