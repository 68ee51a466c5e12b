package io.longhaul.broker.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class TreePlanTest {

    private static TreePlan.Site site(String name, long rate, int fanOut) {
        return new TreePlan.Site(name, rate, fanOut);
    }

    @Test
    void shouldPlaceWideUplinksNearTheRoot() {
        // when
        Map<String, String> plan = TreePlan.of(
                List.of(site("hub", 10, 1), site("thin", 1, 2), site("wide", 100, 2), site("middle", 50, 2)));

        // then
        assertThat(plan).containsExactly(entry("wide", "hub"), entry("middle", "wide"), entry("thin", "wide"));
    }

    @Test
    void shouldServeNoMoreThanTheFanOutWhenThereAreManySites() {
        // given
        List<TreePlan.Site> sites =
                IntStream.range(0, 40).mapToObj(i -> site("s" + i, 0, 3)).toList();

        // when
        Map<String, String> plan = TreePlan.of(sites);

        // then
        assertThat(plan).hasSize(39);
        assertThat(plan.values().stream().distinct())
                .allSatisfy(parent ->
                        assertThat(plan.values()).filteredOn(parent::equals).hasSizeLessThanOrEqualTo(3));
        assertThat(depth("s39", plan)).isLessThanOrEqualTo(4);
    }

    private static long depth(String site, Map<String, String> plan) {
        return Stream.iterate(site, plan::containsKey, plan::get).count();
    }

    @Test
    void shouldRefuseWhenASiteIsNamedTwiceOrSendsNothing() {
        assertThatThrownBy(() -> TreePlan.of(List.of(site("a", 0, 1), site("a", 0, 1))))
                .hasMessageContaining("found twice");
        assertThatThrownBy(() -> site("a", 0, 0)).hasMessageContaining("fan-out of 1 or more");
        assertThatThrownBy(() -> TreePlan.of(List.of())).hasMessageContaining("at least one site");
    }

    @Test
    void shouldRefuseAPlanWhenSitesWouldBeFartherApartThanAMessageMayPass() {
        // given
        List<TreePlan.Site> chain =
                IntStream.range(0, 33).mapToObj(i -> site("s" + i, 0, 1)).toList();
        List<TreePlan.Site> longer =
                IntStream.range(0, 34).mapToObj(i -> site("s" + i, 0, 1)).toList();

        // when
        Map<String, String> plan = TreePlan.of(chain);

        // then
        assertThat(depth("s32", plan)).isEqualTo(32);
        assertThatThrownBy(() -> TreePlan.of(longer))
                .hasMessageContaining("at most 32 links")
                .hasMessageContaining("found 33")
                .hasMessageContaining("greater fan-out");
    }

    @Test
    void shouldMeasureTheWayFromOneLeafToAnotherWhenTheRootLiesBetween() {
        // given two chains below the root
        List<TreePlan.Site> sites = Stream.concat(
                        Stream.of(site("root", 0, 2)), IntStream.range(0, 34).mapToObj(i -> site("s" + i, 0, 1)))
                .toList();

        // when / then
        assertThatThrownBy(() -> TreePlan.of(sites)).hasMessageContaining("found 34");
    }

    @Test
    void shouldRefuseAPlanWhenThereAreMoreSitesThanHearOfEachOther() {
        // given
        List<TreePlan.Site> sites =
                IntStream.range(0, 1001).mapToObj(i -> site("s" + i, 0, 4)).toList();

        // when / then
        assertThat(TreePlan.of(sites.subList(0, 1000))).hasSize(999);
        assertThatThrownBy(() -> TreePlan.of(sites)).hasMessageContaining("at most 1000 sites");
    }
}
