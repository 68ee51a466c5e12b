package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.frame.Frame;
import io.longhaul.ptcp.frame.Secret;
import io.longhaul.ptcp.frame.SessionId;
import io.longhaul.ptcp.net.Deaf;
import io.longhaul.ptcp.net.RecordedLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An opener with one stream that gets no answer when it dials again; limits are the defaults. */
final class LostConnectionsTest {
    private static final int WINDOW = 1024 * 1024;
    private static final Duration STEP = Duration.ofMillis(100);

    private final Wires wires = new Wires();
    private final Wire control = wires.make();
    private final Wire stream = wires.make();
    private final List<String> ends = new ArrayList<>();
    private final Session session = new Session(
            new SessionTerms(SessionId.NONE, Secret.random(new Random(1)), 1, 65_536, WINDOW, WINDOW),
            PtcpConfig.defaults().withStreams(1),
            control.near,
            (kind, number) -> new CompletableFuture<>(),
            made -> new Deaf(ends::add),
            cause -> {},
            wires::nanoTime);

    @BeforeEach
    void start() {
        session.start();
        session.join(1, stream.near);
        session.write(Unpooled.buffer().writeZero(10));
        wires.pass(STEP);
    }

    @AfterEach
    void release() {
        wires.release();
    }

    private static void say(Wire wire, Frame frame) {
        ByteBuf out = Unpooled.buffer();
        frame.write(out);
        wire.near.writeInbound(out);
    }

    @Test
    void shouldBlameNoStreamWhileNoControlChannelIsThere() {
        // when
        control.kill();
        wires.pass(Duration.ofSeconds(9));

        // then
        assertThat(stream.near.isOpen()).isTrue();
        assertThat(ends).isEmpty();
        wires.pass(Duration.ofSeconds(2));
        assertThat(ends).containsExactly("connection lost: no control channel for 10000 ms");
    }

    @Test
    void shouldBlameNoStreamWhileTheOtherEndIsSilent() {
        // when
        wires.pass(Duration.ofSeconds(14));

        // then
        assertThat(stream.near.isOpen()).isTrue();
    }

    @Test
    void shouldBlameTheStreamWhenNothingMovesThoughTheOtherEndIsHeardAgain() {
        // given
        control.kill();
        wires.pass(Duration.ofSeconds(8));
        Wire next = wires.make();
        session.resume(next.near);

        // when
        for (int i = 0; i < 4; i++) {
            wires.pass(Duration.ofSeconds(1));
            say(next, new Frame.Ping(i));
        }
        assertThat(stream.near.isOpen()).isTrue();
        wires.pass(Duration.ofSeconds(2));

        // then
        assertThat(stream.near.isOpen()).isFalse();
        assertThat(ends).isEmpty();
    }

    @Test
    void shouldWaitForTwoSecondsWhenTheStreamIsLostLongAfterTheControlChannel() {
        // given
        control.kill();
        wires.pass(Duration.ofSeconds(5));

        // when
        stream.kill();
        wires.pass(Duration.ofMillis(1900));
        assertThat(ends).isEmpty();
        wires.pass(Duration.ofMillis(400));

        // then
        assertThat(ends).containsExactly("connection lost: no control channel for 2000 ms");
    }

    @Test
    void shouldWaitForTwoSecondsWhenTheControlChannelIsLostLongAfterTheStream() {
        // given
        stream.kill();
        wires.pass(Duration.ofSeconds(5));

        // when
        control.kill();
        wires.pass(Duration.ofMillis(1900));
        assertThat(ends).isEmpty();
        wires.pass(Duration.ofMillis(400));

        // then
        assertThat(ends).containsExactly("connection lost: no control channel for 2000 ms");
    }

    @Test
    void shouldNoteForDebuggingWhenAStreamIsLost() {
        // given
        RecordedLog.clear();

        // when
        stream.kill();
        wires.pass(STEP);

        // then
        assertThat(RecordedLog.details()).contains("session " + session.id() + ": stream 1 lost");
    }
}
