package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.frame.Frame;
import io.longhaul.ptcp.frame.FrameType;
import io.longhaul.ptcp.frame.Header;
import io.longhaul.ptcp.frame.Secret;
import io.longhaul.ptcp.frame.SessionId;
import io.longhaul.ptcp.net.Deaf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an acceptor says of the number of streams that it would like. */
final class StreamWishTest {
    private static final int WINDOW = 1024 * 1024;
    private static final int PART = 20 * 1024;
    private static final Duration INTERVAL = Duration.ofMillis(500);

    private final Wires wires = new Wires();
    private final Wire control = wires.make();
    private final Wire stream = wires.make();
    private final Session session = new Session(
            new SessionTerms(SessionId.NONE, Secret.random(new Random(1)), 16, 65_536, WINDOW, WINDOW),
            PtcpConfig.defaults(),
            control.near,
            null,
            made -> new Deaf(),
            cause -> {},
            wires::nanoTime);

    @BeforeEach
    void start() {
        session.start();
        session.join(1, stream.near);
        session.write(Unpooled.buffer().writeZero(10 * PART));
        wires.pass(Duration.ZERO);
    }

    @AfterEach
    void release() {
        wires.release();
    }

    /** Returns the wishes that were said on a control channel since the last call. */
    private static List<Long> wishes(Wire on) {
        List<Long> wishes = new ArrayList<>();
        for (ByteBuf frame = on.near.readOutbound(); frame != null; frame = on.near.readOutbound()) {
            Header header = Header.read(frame, Frame.MOST_BYTES);
            if (header.type() == FrameType.STREAMS) {
                wishes.add(header.position());
            }
            frame.release();
        }
        return wishes;
    }

    private Wire resume() {
        control.near.close();
        wires.pass(Duration.ZERO);
        Wire next = wires.make();
        session.resume(next.near);
        wires.pass(Duration.ZERO);
        return next;
    }

    /** The other end would keep as many from then on. */
    @Test
    void shouldNotSayOnTheNextControlChannelWhatWasNeverSaid() {
        assertThat(wishes(resume())).isEmpty();
    }

    @Test
    void shouldSayAgainOnTheNextControlChannelWhatWasSaid() {
        // given
        stream.near.unsafe().outboundBuffer().setUserDefinedWritability(1, false); // so that the stream is the limit
        session.write(Unpooled.buffer().writeZero(PART));
        List<Long> said = new ArrayList<>();
        for (int i = 1; said.isEmpty() && i < 10; i++) {
            ByteBuf out = Unpooled.buffer();
            new Frame.Ack((long) i * PART, WINDOW).write(out);
            control.near.writeInbound(out);
            wires.pass(INTERVAL);
            said.addAll(wishes(control));
        }
        assertThat(said).containsExactly(8L);

        // when then
        assertThat(wishes(resume())).containsExactly(8L);
    }
}
