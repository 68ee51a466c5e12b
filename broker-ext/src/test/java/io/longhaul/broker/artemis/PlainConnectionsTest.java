package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class PlainConnectionsTest {
    private final PlainConnections connections =
            new PlainConnections(8, new QuietLog(LoggerFactory.getLogger(PlainConnectionsTest.class), () -> 0));

    private EmbeddedChannel stranger() {
        EmbeddedChannel channel = new EmbeddedChannel();
        assertThat(connections.enter(channel)).isEqualTo(channel.isOpen());
        return channel;
    }

    private EmbeddedChannel known() {
        EmbeddedChannel channel = stranger();
        ConnectionGuard.trust(channel);
        return channel;
    }

    @Test
    void shouldCloseTheOldestStrangerWhenThereAreTooMany() {
        // given
        EmbeddedChannel oldest = stranger();
        EmbeddedChannel second = stranger();

        // when
        EmbeddedChannel newest = stranger();

        // then
        assertThat(Stream.of(oldest, second, newest).map(EmbeddedChannel::isOpen))
                .containsExactly(false, true, true);
    }

    @Test
    void shouldKeepThoseWithASessionWhenACrowdComes() {
        // given
        EmbeddedChannel known = known();

        // when
        for (int i = 0; i < 100; i++) {
            stranger();
        }

        // then
        assertThat(known.isOpen()).isTrue();
    }

    @Test
    void shouldRefuseMoreWhenAllPlacesAreTaken() {
        // given
        for (int i = 0; i < 8; i++) {
            known();
        }

        // when
        EmbeddedChannel one = new EmbeddedChannel();

        // then
        assertThat(connections.enter(one)).isFalse();
        assertThat(one.isOpen()).isFalse();
    }

    @Test
    void shouldHaveRoomAgainWhenOneHasLeft() {
        // given
        for (int i = 0; i < 7; i++) {
            known();
        }
        known().close();

        // when
        EmbeddedChannel one = stranger();

        // then
        assertThat(one.isOpen()).isTrue();
    }
}
