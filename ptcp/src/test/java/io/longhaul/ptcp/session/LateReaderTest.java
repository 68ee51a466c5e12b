package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.frame.Frame;
import io.longhaul.ptcp.frame.FrameType;
import io.longhaul.ptcp.frame.Greeting;
import io.longhaul.ptcp.frame.Header;
import io.longhaul.ptcp.frame.Secret;
import io.longhaul.ptcp.frame.SessionId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An opener whose reader pauses while the other end closes, and then is gone for good. */
final class LateReaderTest {
    private static final int LENGTH = 10;
    private static final int WINDOW = 1024 * 1024;

    private final Wires wires = new Wires();
    private final Wire control = wires.make();
    private final Wire stream = wires.make();
    private final List<String> heard = new ArrayList<>();
    private boolean trusted = true;
    private boolean gone;
    private final Session session = new Session(
            new SessionTerms(SessionId.NONE, Secret.random(new Random(1)), 1, 65_536, WINDOW, WINDOW),
            PtcpConfig.defaults().withStreams(1),
            control.near,
            this::dial,
            made -> new PtcpListener() {
                @Override
                public void received(ByteBuf bytes) {
                    heard.add(bytes.readableBytes() + " bytes");
                }

                @Override
                public void writabilityChanged(boolean writable) {}

                @Override
                public void closed(@Nullable PtcpException cause) {
                    heard.add(cause == null ? "in order" : cause.code() + ": " + cause.getMessage());
                }
            },
            new SessionOwner() {
                @Override
                public boolean isTrusted() {
                    return trusted;
                }

                @Override
                public void ended(@Nullable PtcpException cause) {}
            },
            wires::nanoTime);

    private CompletableFuture<Channel> dial(Greeting.Kind kind, int number) {
        return gone
                ? CompletableFuture.failedFuture(new PtcpException(PtcpException.Code.REFUSED, "no such session"))
                : new CompletableFuture<>();
    }

    @BeforeEach
    void start() {
        session.start();
        session.join(1, stream.near);
        session.setReading(false);
        wires.pass(Duration.ZERO);
    }

    @AfterEach
    void release() {
        wires.release();
    }

    private void packet() {
        ByteBuf out = Unpooled.buffer();
        new Header(FrameType.DATA, LENGTH, 0).write(out);
        stream.near.writeInbound(out.writeZero(LENGTH));
    }

    private void say(Frame frame) {
        ByteBuf out = Unpooled.buffer();
        frame.write(out);
        control.near.writeInbound(out);
    }

    private void vanish() {
        gone = true;
        control.kill();
        stream.kill();
        wires.pass(Duration.ofMillis(100));
    }

    @Test
    void shouldEndInOrderWhenTheReaderTakesTheRestLongAfterTheOtherEndHasGone() {
        // given
        session.write(Unpooled.buffer().writeZero(LENGTH));
        packet();
        say(new Frame.Ack(LENGTH, WINDOW));
        say(new Frame.Close(LENGTH));
        vanish();

        // when
        wires.pass(Duration.ofSeconds(8));
        assertThat(heard).isEmpty();
        session.setReading(true);
        wires.pass(Duration.ofSeconds(1));

        // then
        assertThat(heard).containsExactly(LENGTH + " bytes", "in order");
    }

    @Test
    void shouldEndWhenTheReaderNeverTakesTheRest() {
        // given
        packet();
        say(new Frame.Close(LENGTH));
        vanish();

        // when
        wires.pass(Duration.ofSeconds(11));

        // then
        assertThat(heard).containsExactly("LOST: nothing moves while it is closed: 10 bytes were not read here");
    }

    @Test
    void shouldNotWaitForTheReaderWhenNotAllHasArrived() {
        // given
        packet();
        say(new Frame.Close(2 * LENGTH));

        // when
        vanish();

        // then
        assertThat(heard).containsExactly("LOST: connection lost, every stream of it: no such session");
    }

    @Test
    void shouldNotWaitForTheReaderWhenTheOtherEndDidNotHearAll() {
        // given
        session.write(Unpooled.buffer().writeZero(LENGTH));
        packet();
        say(new Frame.Close(LENGTH));

        // when
        vanish();

        // then
        assertThat(heard).containsExactly("LOST: connection lost, every stream of it: no such session");
    }

    @Test
    void shouldNotWaitForTheReaderWhenNobodyKnowsWhoSentIt() {
        // given
        trusted = false;
        packet();
        say(new Frame.Close(LENGTH));

        // when
        vanish();

        // then
        assertThat(heard).containsExactly("LOST: connection lost before its user was known");
    }
}
