package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.frame.Frame;
import io.longhaul.ptcp.frame.Secret;
import io.longhaul.ptcp.frame.SessionId;
import io.longhaul.ptcp.net.Deaf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SessionTest {
    private static final int MIB = 1024 * 1024;
    private final List<EmbeddedChannel> channels = new ArrayList<>();
    private final List<String> ends = new ArrayList<>();
    private final EmbeddedChannel control = channel();
    private final Session session = new Session(
            new SessionTerms(SessionId.NONE, Secret.random(new Random(1)), 4, 65_536, MIB, MIB),
            PtcpConfig.defaults(),
            control,
            null,
            made -> new Deaf(ends::add),
            cause -> {},
            System::nanoTime);

    @BeforeEach
    void start() {
        session.start();
        session.join(1, channel());
        run();
    }

    @AfterEach
    void release() {
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    private EmbeddedChannel channel() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.pipeline().addLast(Takeover.GREETING, new ChannelInboundHandlerAdapter());
        channels.add(channel);
        return channel;
    }

    private void run() {
        channels.forEach(EmbeddedChannel::runPendingTasks);
    }

    private void say(EmbeddedChannel channel, Frame frame) {
        ByteBuf bytes = Unpooled.buffer();
        frame.write(bytes);
        channel.writeInbound(bytes);
        run();
    }

    /** Both ends have said where they end; what this one sent may still be on its way. */
    @Test
    void shouldNotEndBeforeItsBytesArrivedWhenTheControlChannelBreaksInAClose() {
        // given
        session.write(Unpooled.buffer().writeZero(10));
        say(control, new Frame.Close(0));

        // when
        control.close();
        run();

        // then
        assertThat(ends).isEmpty();

        // when
        EmbeddedChannel next = channel();
        session.resume(next);
        run();
        say(next, new Frame.Ack(10, MIB));

        // then
        assertThat(ends).containsExactly("in order");
    }

    @Test
    void shouldEndWhenMoreIsGivenBackThanWasGiven() {
        // when
        say(control, new Frame.GiveBack(MIB));
        assertThat(ends).isEmpty();
        say(control, new Frame.GiveBack(MIB + 1));

        // then
        assertThat(ends).containsExactly("gives back 1 bytes, has 0 left");
    }
}
