package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

final class StrangersTest {
    private final Strangers strangers = new Strangers(2 * Strangers.SHARE, channel -> false);
    private final Channel first = new EmbeddedChannel();
    private final Channel second = new EmbeddedChannel();

    @Test
    void shouldKeepEverybodyWhenThereAreFew() {
        // given
        strangers.add(first);

        // when then
        assertThat(strangers.makeRoom()).isNull();
    }

    @Test
    void shouldGiveTheOldestWhenThereAreAsManyAsMayBe() {
        // given
        strangers.add(first);
        strangers.add(second);

        // when then
        assertThat(strangers.makeRoom()).isSameAs(first);
        assertThat(strangers.makeRoom()).isNull();
    }

    @Test
    void shouldGiveTheNextWhenTheOldestIsNoStrangerAnyMore() {
        // given
        strangers.add(first);
        strangers.add(second);
        strangers.add(new EmbeddedChannel());

        // when
        boolean known = strangers.remove(first);

        // then
        assertThat(known).isTrue();
        assertThat(strangers.makeRoom()).isSameAs(second);
        assertThat(strangers.remove(second)).isFalse();
    }
}
