package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TopologyPlanCommandTest {
    @TempDir
    private Path home;

    private List<String> links(String... sites) {
        try (TestEnvironment world = new TestEnvironment(home)) {
            String[] arguments = new String[sites.length + 3];
            List.of("topology", "plan", "--json").toArray(arguments);
            System.arraycopy(sites, 0, arguments, 3, sites.length);
            assertThat(world.run(arguments)).isZero();
            return world.out();
        }
    }

    private static String link(String site, String to) {
        return "{\"event\":\"link\",\"site\":\"" + site + "\",\"to\":\"" + to + "\"}";
    }

    @Test
    void shouldPlaceWidestUplinkFirstWhenRatesAreGiven() {
        // then
        assertThat(links("hub=10Mbit@1", "a", "b=1.5Gbit", "c=100MB"))
                .containsExactly(link("b", "hub"), link("c", "b"), link("a", "b"));
        assertThat(links("hub@1", "a=10 kbit", "b=20bit", "c=2MBIT"))
                .containsExactly(link("c", "hub"), link("a", "c"), link("b", "c"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hub@2=10Mbit",
                "a=-5Mbit",
                "a=0bit",
                "a=0.5bit",
                "a=NaNMbit",
                "a=",
                "a@",
                "a@-1",
                "=1Mbit",
                "a@9999999999",
                "a=1Mbit@2@3",
                "a=fast"
            })
    void shouldNameTheFormWhenASiteHasAnother(String site) {
        // given
        try (TestEnvironment world = new TestEnvironment(home)) {
            // then
            assertThat(world.run("topology", "plan", site, "other")).isEqualTo(ExitCodes.USAGE);
            assertThat(world.err())
                    .singleElement()
                    .asString()
                    .contains("site: expected NAME, NAME=RATE, NAME@N or NAME=RATE@N such as hub=100Mbit@2, found "
                            + site);
        }
    }

    @Test
    void shouldRefuseAChainOverWhichFilesWouldNotReachTheLastSite() {
        // given
        String[] sites = IntStream.range(0, 33).mapToObj(i -> "s" + i + "@1").toArray(String[]::new);
        String[] arguments = Stream.concat(Stream.of("topology", "plan", "s@1"), Stream.of(sites))
                .toArray(String[]::new);

        // then
        assertThat(links(sites)).hasSize(32).endsWith(link("s32", "s31"));
        try (TestEnvironment world = new TestEnvironment(home)) {
            assertThat(world.run(arguments)).isEqualTo(ExitCodes.USAGE);
            assertThat(world.err()).singleElement().asString().contains("expected at most 32 links");
            assertThat(world.out()).isEmpty();
        }
    }

    @Test
    void shouldPrintEachSiteBelowItsParent() {
        // given
        try (TestEnvironment world = new TestEnvironment(home)) {
            // then
            assertThat(world.run("topology", "plan", "hub", "a", "b", "c", "d", "--fan-out", "2"))
                    .isZero();
            assertThat(world.out())
                    .extracting(line -> line.replaceAll("  \\(.*", ""))
                    .containsExactly("hub", "`- a", "   `- c", "   `- d", "`- b");
        }
    }
}
