package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.frame.Frame;
import io.longhaul.ptcp.frame.Greeting;
import io.longhaul.ptcp.frame.Secret;
import io.longhaul.ptcp.frame.SessionId;
import io.longhaul.ptcp.net.Deaf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An opener with one stream, which gets another whenever it dials; limits are the defaults. */
final class StandstillTest {
    private static final int WINDOW = 1024 * 1024;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String LOST = "connection lost: the other end is heard, but acknowledged nothing for 15000 ms";

    private final Wires wires = new Wires();
    private final Wire control = wires.make();
    private final List<String> ends = new ArrayList<>();
    private final Session session = new Session(
            new SessionTerms(SessionId.NONE, Secret.random(new Random(1)), 1, 65_536, WINDOW, WINDOW),
            PtcpConfig.defaults().withStreams(1),
            control.near,
            this::dial,
            made -> new Deaf(ends::add),
            cause -> {},
            wires::nanoTime);

    private CompletableFuture<Channel> dial(Greeting.Kind kind, int number) {
        return CompletableFuture.completedFuture(wires.make().near);
    }

    @BeforeEach
    void start() {
        session.start();
        wires.pass(SECOND);
    }

    @AfterEach
    void release() {
        wires.release();
    }

    private void say(Frame frame) {
        ByteBuf out = Unpooled.buffer();
        frame.write(out);
        control.near.writeInbound(out);
    }

    private void write(int length) {
        session.write(Unpooled.buffer().writeZero(length));
    }

    @Test
    void shouldLoseTheSessionWhenTheOtherEndLivesAndAcknowledgesNothing() {
        // given
        write(WINDOW);

        // when
        for (int i = 0; i < 14; i++) {
            wires.pass(SECOND);
            say(new Frame.Ping(i));
        }
        assertThat(ends).isEmpty();
        wires.pass(SECOND.multipliedBy(2));

        // then
        assertThat(ends).containsExactly(LOST);
    }

    @Test
    void shouldLoseTheSessionWhenTheOtherEndOnlyAllowsMore() {
        // given
        write(2 * WINDOW);

        // when
        for (int i = 0; i < 16; i++) {
            wires.pass(SECOND);
            say(new Frame.Ack(0, WINDOW + i));
        }

        // then
        assertThat(ends).containsExactly(LOST);
    }

    @Test
    void shouldLoseTheSessionWhenTheOtherEndIsSilentNowAndThen() {
        // given
        write(WINDOW);

        // when
        for (int i = 0; i < 3; i++) {
            wires.pass(SECOND.multipliedBy(6));
            say(new Frame.Ping(i));
        }
        wires.pass(SECOND.multipliedBy(2));

        // then
        assertThat(ends).containsExactly(LOST);
    }

    @Test
    void shouldKeepTheSessionWhileTheWindowIsFullOfWhatIsAcknowledged() {
        // given
        write(2 * WINDOW);
        wires.pass(SECOND);
        say(new Frame.Ack(WINDOW, WINDOW));

        // when
        for (int i = 0; i < 3600; i++) {
            wires.pass(SECOND);
            say(new Frame.Ping(i));
        }

        // then
        assertThat(ends).isEmpty();
        assertThat(session.snapshot().sentBytes()).isEqualTo(WINDOW);
    }

    @Test
    void shouldKeepTheSessionWhileNowAndThenAByteIsAcknowledged() {
        // given
        write(WINDOW);

        // when
        for (int i = 1; i <= 60; i++) {
            wires.pass(SECOND);
            say(new Frame.Ack(i / 14, WINDOW));
        }

        // then
        assertThat(ends).isEmpty();
    }

    @Test
    void shouldNotCountTimeInWhichThisEndWasStopped() {
        // given
        write(WINDOW);
        for (int i = 0; i < 5; i++) {
            wires.pass(SECOND);
            say(new Frame.Ping(i));
        }

        // when
        wires.stop(Duration.ofSeconds(12));
        say(new Frame.Ping(5));
        wires.pass(SECOND);

        // then
        assertThat(ends).isEmpty();
    }
}
