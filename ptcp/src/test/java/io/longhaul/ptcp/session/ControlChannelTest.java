package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
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
