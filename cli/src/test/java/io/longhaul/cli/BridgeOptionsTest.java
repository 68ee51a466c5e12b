package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.FrontLimits;
import io.longhaul.gridftp.client.ClientConfig;
import io.longhaul.gridftp.client.ClientLimits;
import io.longhaul.gridftp.content.ContentStore;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What options of the bridge become. */
final class BridgeOptionsTest {
    @TempDir
    private Path home;

    private static <T> T parsed(T options, String... arguments) {
        return CommandLine.populateCommand(options, arguments);
    }

    private ClientConfig client(String... arguments) {
        try (TestEnvironment world = new TestEnvironment(home)) {
            return parsed(new ServerOptions(), arguments).config("--server", "ftp://localhost/", world.environment());
        }
    }

    @Test
    void shouldKeepTheDefaultsWhenNothingIsSaid() {
        assertThat(client().limits()).isEqualTo(ClientLimits.defaults());
        assertThat(client().dataHosts()).isEmpty();
        assertThat(parsed(new FrontLimitOptions()).limits()).isEqualTo(FrontLimits.defaults());
        assertThat(parsed(new ContentOptions()).limits(home.resolve("none/yet")))
                .isEqualTo(ContentStore.Limits.on(home));
    }

    @Test
    void shouldLetDataGoToOtherHostsOfTheServerWhenTheyAreNamed() throws Exception {
        ClientConfig config = client("--server-data-host", "192.0.2.0/24", "--server-data-host", "2001:db8::1");

        assertThat(config.dataHosts()).hasSize(2);
        assertThat(config.dataHosts().get(0).contains(InetAddress.getByName("192.0.2.9")))
                .isTrue();
    }

    @Test
    void shouldBoundWhatIsUsedOfAServer() {
        assertThat(client("--server-transfers", "3").limits().sessions()).isEqualTo(3);
    }

    @Test
    void shouldBoundWhatClientsUse() {
        FrontLimits limits = parsed(
                        new FrontLimitOptions(),
                        "--session-limit",
                        "7",
                        "--session-limit-address",
                        "6",
                        "--session-limit-user",
                        "5",
                        "--idle-timeout",
                        "2m",
                        "--stall-timeout",
                        "90s")
                .limits();

        FrontLimits defaults = FrontLimits.defaults();
        assertThat(limits)
                .isEqualTo(defaults.withSessions(7, 6, 5)
                        .withTimes(
                                defaults.login(), Duration.ofMinutes(2), defaults.connect(), Duration.ofSeconds(90)));
    }

    @Test
    void shouldLeaveAsMuchFreeAsIsSaid() {
        assertThat(parsed(new ContentOptions(), "--disk-floor", "10MiB")
                        .limits(home)
                        .floorBytes())
                .isEqualTo(10L << 20);
    }

    @ParameterizedTest
    @CsvSource({
        "--session-limit, 0",
        "--session-limit-address, 100001",
        "--session-limit-user, -1",
        "--idle-timeout, 500ms",
        "--stall-timeout, 0s"
    })
    void shouldNameTheOptionWhenALimitOfAFrontIsOutOfBounds(String option, String value) {
        FrontLimitOptions options = parsed(new FrontLimitOptions(), option, value);

        assertThatThrownBy(options::limits).hasMessageContaining(option + ": expected");
    }

    @ParameterizedTest
    @CsvSource({"--server-transfers, 0", "--server-transfers, 1001", "--server-data-host, host"})
    void shouldNameTheOptionWhenALimitOfAServerIsOutOfBounds(String option, String value) {
        assertThatThrownBy(() -> client(option, value)).hasMessageContaining(option + ": ");
    }
}
