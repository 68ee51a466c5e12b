package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class DropsTest {
    private final Drops drops = new Drops();

    @Test
    void shouldSumUpTheQueuesOfALinkByNeighbourAlsoWhenTheyAreGone() {
        // given
        drops.add("lh.link.leaf@lh.topic.t", new Drops.Count(2, 200));
        drops.add("lh.link.leaf@lh.topic.u", new Drops.Count(1, 100));
        drops.add("lh.link.other@lh.topic.t", new Drops.Count(4, 400));

        // when
        drops.retain(Set.of());

        // then
        assertThat(drops.before("leaf")).isEqualTo(new Drops.Count(3, 300));
        assertThat(drops.before("other")).isEqualTo(new Drops.Count(4, 400));
        assertThat(drops.before("hub")).isEqualTo(Drops.Count.NONE);
    }

    @Test
    void shouldForgetASubscriptionThatIsGone() {
        // given
        drops.add("lh.sub.t@s", new Drops.Count(2, 200));
        drops.add("lh.sub.t@s", new Drops.Count(1, 100));
        drops.add("lh.sub.t@gone", new Drops.Count(1, 100));

        // when
        drops.retain(Set.of("lh.sub.t@s"));

        // then
        assertThat(drops.of("lh.sub.t@s")).isEqualTo(new Drops.Count(3, 300));
        assertThat(drops.of("lh.sub.t@gone")).isEqualTo(Drops.Count.NONE);
    }
}
