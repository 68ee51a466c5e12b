package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ForwardServersTest {
    private static ForwardServers servers(String front) {
        return new ForwardServers(List.of("host:21"), front, System::nanoTime);
    }

    @Test
    void shouldFindItsFilesAgainWhenTheFrontIsStartedAgain() {
        try (ForwardServers before = servers("front-1");
                ForwardServers now = servers("front-1")) {
            assertThat(now.owner("host:21", "anna")).isEqualTo(before.owner("HOST:21", "anna"));
        }
    }

    @Test
    void shouldTidyNobodyElsesFilesAway() {
        try (ForwardServers one = servers("front-1");
                ForwardServers other = servers("front-2")) {
            assertThat(List.of(
                            one.owner("host:21", "anna"),
                            one.owner("host:21", "anna"),
                            one.owner("host:21", "bob"),
                            one.owner("host:22", "anna"),
                            other.owner("host:21", "anna")))
                    .doesNotHaveDuplicates();
        }
    }
}
