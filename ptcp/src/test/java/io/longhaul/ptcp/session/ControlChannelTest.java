package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.frame.Frame;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ControlChannelTest {
    private static final long ASK_NS = 100;
    private static final long START_NS = 5_000_000;
    private final EmbeddedChannel wire = new EmbeddedChannel();
    private final ControlChannel channel = new ControlChannel(wire, START_NS);

    /** Returns the token of a question. */
    private long ask(long nowNs) {
        channel.isAlive(nowNs, ASK_NS, ASK_NS);
        ByteBuf frame = wire.readOutbound();
        long token = frame.getLong(8);
        frame.release();
        return token;
    }

    /** As with TLS, where a close waits for what is still to be sent. */
    @Test
    void shouldCloseOnceWhenItIsFullAndTheCloseTakesLong() {
        // given
        AtomicInteger closes = new AtomicInteger();
        wire.pipeline().addLast(new ChannelOutboundHandlerAdapter() {
            @Override
            public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
                closes.incrementAndGet();
            }
        });
        wire.unsafe().outboundBuffer().setUserDefinedWritability(1, false);

        // when
        for (int i = 0; i < 3; i++) {
            channel.send(new Frame.Pong(i));
        }

        // then
        assertThat(closes).hasValue(1);
    }

    @Test
    void shouldKnowTheRoundTripWhenAQuestionIsAnswered() {
        // given
        long token = ask(START_NS + 100);

        // when
        channel.answered(token, START_NS + 130);

        // then
        assertThat(channel.roundTripNs()).isEqualTo(30);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 12345, Long.MAX_VALUE})
    void shouldLearnNothingFromAnAnswerToNoQuestion(long token) {
        // given
        ask(START_NS + 100);

        // when
        channel.answered(token, START_NS + 130);

        // then
        assertThat(channel.roundTripNs()).isZero();
    }
}
