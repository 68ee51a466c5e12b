package io.longhaul.broker.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.network.SpanningTree.Edge;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SpanningTreeTest {
    private static final long SEED = 4711;

    private static List<Edge> mesh(String names) {
        List<Edge> edges = new ArrayList<>();
        for (int i = 0; i < names.length(); i++) {
            for (int j = i + 1; j < names.length(); j++) {
                edges.add(new Edge(names.substring(i, i + 1), names.substring(j, j + 1)));
            }
        }
        return edges;
    }

    @Test
    void shouldKeepEveryLinkWhenThereIsNoRing() {
        // given
        List<Edge> chain = List.of(new Edge("a", "b"), new Edge("c", "b"), new Edge("c", "d"));

        // then
        assertThat(SpanningTree.of(chain, Map.of())).containsExactlyInAnyOrderElementsOf(chain);
    }

    @Test
    void shouldChooseTheSameWhenLinksAreToldInAnyOrder() {
        // given
        List<Edge> edges = mesh("abcdefg");
        Set<Edge> expected = SpanningTree.of(edges, Map.of("a", 3));
        Random random = new Random(SEED);

        // then
        for (int i = 0; i < 100; i++) {
            Collections.shuffle(edges, random);
            assertThat(SpanningTree.of(edges, Map.of("a", 3))).isEqualTo(expected);
        }
    }

    @Test
    void shouldReachEverybodyOverOneWayWhenLinksMakeRings() {
        // when
        Set<Edge> tree = SpanningTree.of(mesh("abcdefg"), Map.of());

        // then
        assertThat(tree).hasSize(6);
        assertThat(Reports.reachable("d", tree)).hasSize(7);
    }

    @Test
    void shouldSpareABrokerWhenOthersCanServeInItsPlace() {
        // when
        Set<Edge> tree = SpanningTree.of(mesh("abcdefg"), Map.of("a", 1, "b", 3));

        // then
        assertThat(tree).filteredOn(edge -> edge.joins("a")).hasSize(1);
        assertThat(tree).filteredOn(edge -> edge.joins("b")).hasSizeLessThanOrEqualTo(3);
        assertThat(Reports.reachable("a", tree)).hasSize(7);
    }

    @Test
    void shouldConnectAllTheSameWhenABrokerWantsFewerLinksThanItMustHave() {
        // given
        List<Edge> star = List.of(new Edge("a", "b"), new Edge("a", "c"), new Edge("a", "d"));

        // then
        assertThat(SpanningTree.of(star, Map.of("a", 1))).containsExactlyInAnyOrderElementsOf(star);
    }
}
