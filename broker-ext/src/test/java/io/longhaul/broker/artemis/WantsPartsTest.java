package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.link.LinkFrame;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class WantsPartsTest {

    private static Set<String> names(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).collect(Collectors.toSet());
    }

    @Test
    void shouldTellEverythingInPartsOfWhichTheLastIsComplete() {
        // given
        Set<String> all = names("lh.sub.t@", 2500);

        // when
        List<LinkFrame.Wants> parts = WantsParts.of(0, all, Set.of());

        // then
        assertThat(parts).extracting(LinkFrame.Wants::version).containsExactly(1L, 2L, 3L);
        assertThat(parts).extracting(LinkFrame.Wants::complete).containsExactly(false, false, true);
        assertThat(parts).allMatch(part -> part.added().size() <= 1000);
        Set<String> told = new TreeSet<>();
        parts.forEach(part -> told.addAll(part.added()));
        assertThat(told).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void shouldSayThatNothingIsWantedAtFirst() {
        assertThat(WantsParts.of(0, Set.of(), Set.of()))
                .containsExactly(new LinkFrame.Wants(1, true, Set.of(), Set.of()));
    }

    @Test
    void shouldTakeNothingBackBeforeAllThatIsNewHasBeenTold() {
        // given
        Set<String> gone = names("lh.topic.t", 1500);
        Set<String> fresh = names("lh.sub.t@", 2500);

        // when
        List<LinkFrame.Wants> parts = WantsParts.of(7, fresh, gone);

        // then
        Set<String> told = new HashSet<>();
        for (LinkFrame.Wants part : parts) {
            told.addAll(part.added());
            assertThat(part.removed().isEmpty() || told.equals(fresh))
                    .as(
                            "version %s takes %s back",
                            part.version(), part.removed().size())
                    .isTrue();
            assertThat(part.removed()).hasSizeLessThanOrEqualTo(1000);
        }
        assertThat(parts).extracting(LinkFrame.Wants::version).containsExactly(8L, 9L, 10L, 11L);
        assertThat(parts).noneMatch(LinkFrame.Wants::complete);
        assertThat(parts.stream().mapToInt(part -> part.removed().size()).sum()).isEqualTo(1500);
    }
}
