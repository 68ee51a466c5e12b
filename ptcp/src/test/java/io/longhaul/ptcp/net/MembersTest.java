package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.frame.Secret;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class MembersTest {
    private final Members members = new Members(2);
    private final Channel first = new EmbeddedChannel();
    private final Channel second = new EmbeddedChannel();
    private final Channel third = new EmbeddedChannel();
    private final Member unknown = member();
    private final Member known = member();

    private Member member() {
        return new Member(new EmbeddedChannel(), Secret.random(new Random(1)), members, cause -> {});
    }

    @Test
    void shouldLetTheOldestGuestGoWhenThereIsNoRoom() {
        // given
        members.add(first, unknown);
        members.add(second, unknown);

        // when then
        assertThat(members.add(third, member())).isSameAs(first);
        assertThat(members.isFull()).isFalse();
    }

    @Test
    void shouldLetGuestsGoForMembersWhenThereIsNoRoom() {
        // given
        known.trust();
        members.add(first, unknown);
        members.add(second, known);

        // when then
        assertThat(members.add(third, known)).isSameAs(first);
        assertThat(members.isFull()).isTrue();
        assertThat(members.add(new EmbeddedChannel(), unknown)).isNull();
    }

    @Test
    void shouldKeepTheConnectionsWhenTheirUserBecomesKnown() {
        // given
        members.add(first, known);
        members.add(second, known);

        // when
        known.trust();

        // then
        assertThat(members.isFull()).isTrue();
        assertThat(members.add(third, unknown)).isNull();
    }

    @Test
    void shouldHaveRoomWhenConnectionsAreGone() {
        // given
        known.trust();
        members.add(first, known);
        members.add(second, unknown);

        // when
        members.remove(first);
        members.remove(second);

        // then
        assertThat(members.add(first, unknown)).isNull();
        assertThat(members.add(second, unknown)).isNull();
    }
}
