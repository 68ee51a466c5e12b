package io.longhaul.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.broker.artemis.HostPort;
import io.longhaul.broker.artemis.ServerSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerConfigTest {
    private static final long MIB = 1024 * 1024;
    private final BrokerConfig config = BrokerConfig.of("one", Path.of("data"));

    @Test
    void shouldHaveTheDocumentedDefaults() {
        // then
        assertThat(config)
                .isEqualTo(new BrokerConfig(
                        "one",
                        Path.of("data"),
                        List.of("127.0.0.1:7400"),
                        List.of(),
                        Optional.empty(),
                        Optional.empty(),
                        2048 * MIB,
                        256 * MIB,
                        JournalKind.NIO,
                        BrokerConfig.Links.NONE,
                        Optional.empty(),
                        BrokerConfig.Limiting.NONE));
    }

    @Test
    void shouldDeriveSizesFromTheHeap() {
        // when
        ServerSettings.Memory small = BrokerSettings.of(config, 512 * MIB).memory();
        ServerSettings.Memory large = BrokerSettings.of(config, 16_384 * MIB).memory();

        // then
        assertThat(small)
                .isEqualTo(new ServerSettings.Memory(64 * MIB, 128 * MIB, (int) (8 * MIB), (int) (16 * MIB), 8));
        assertThat(large)
                .isEqualTo(new ServerSettings.Memory(256 * MIB, 4096 * MIB, (int) (16 * MIB), (int) (64 * MIB), 14));
    }

    @ParameterizedTest
    @CsvSource({"512, 8", "1024, 20", "2048, 28", "4096, 30", "8192, 60"})
    void shouldHaveHeapForAllThatTheManualSaysMayStandStill(long heapMib, int standingStill) {
        // when
        ServerSettings.Memory memory = BrokerSettings.of(config, heapMib * MIB).memory();

        // then
        long itself = (64 + 48) * MIB; // the young generation, and what is no message
        long each = memory.readAheadBytes() + 2L * memory.pageBytes();
        assertThat(itself + memory.globalBytes() + standingStill * each).isLessThanOrEqualTo(heapMib * MIB);
    }

    @Test
    void shouldReadAddressesOfBothFamilies() {
        // when
        ServerSettings settings = BrokerSettings.of(
                config.withListen("127.0.0.1:0", "[::1]:7000").withListenCore(List.of("localhost:7001")), 512 * MIB);

        // then
        assertThat(settings.acceptors())
                .containsExactly(
                        new ServerSettings.Listening(new HostPort("127.0.0.1", 0), false),
                        new ServerSettings.Listening(new HostPort("::1", 7000), false),
                        new ServerSettings.Listening(new HostPort("localhost", 7001), true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nohost", ":7000", "host:", "host:x", "host:70000", "host:-1"})
    void shouldNameTheAddressWhenItIsNone(String address) {
        // when then
        assertThatThrownBy(() -> BrokerSettings.of(config.withListen(address), 512 * MIB))
                .hasMessageContaining("listen: expected HOST:PORT")
                .hasMessageContaining(address);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldSayThatItCannotListenWhenTheNameHasNoAddress(boolean withUsers) {
        // given
        String none = "x".repeat(64) + ".invalid"; // longer than a label may be: no name server is asked
        BrokerConfig anonymous = config.withListen(none + ":7000");
        BrokerConfig named = withUsers ? anonymous.withUsers(Path.of("users.yaml")) : anonymous;

        // when then
        assertThatThrownBy(() -> BrokerSettings.of(named, 512 * MIB))
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.code()).isEqualTo(BrokerException.Code.CANNOT_LISTEN))
                .hasMessage("listen " + none + ":7000: unknown host " + none);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "127.0.0.1:1?tls=true&ca=/none/ca.crt | /none/ca.crt",
                "127.0.0.1:1?tls=true&cert=/none/a.pem | /none/a.pem",
                "127.0.0.1:1?proxy=127.0.0.1:3128 | URL of a proxy: expected http://host:port"
            })
    void shouldNameTheLinkWhoseFileOrProxyIsNone(String link, String expected) {
        // given
        BrokerConfig.Links links = new BrokerConfig.Links(List.of(link), "", "", 0, false);

        // when then
        assertThatThrownBy(() -> BrokerSettings.of(config.withLinks(links), 512 * MIB))
                .hasMessageContaining("link " + link + ": ")
                .hasMessageContaining(expected);
    }

    @Test
    void shouldNotRepeatThePasswordOfALink() {
        // given
        BrokerConfig.Links links = new BrokerConfig.Links(List.of("me:secret@127.0.0.1:1"), "", "", 0, false);

        // when then
        assertThatThrownBy(() -> BrokerSettings.of(config.withLinks(links), 512 * MIB))
                .hasMessageContaining("link: broker URL: ")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1:7402, 127.0.0.1:7401, witness", "127.0.0.1:7401, 127.0.0.1:7402, backup"})
    void shouldRefuseToBeItsOwnPartnerOrWitness(String partner, String witness, String key) {
        // given
        BrokerConfig pair = config.withListen("127.0.0.1:7401")
                .withPair(new BrokerConfig.Pairing(partner, false, Optional.of(witness), false));

        // when then
        assertThatThrownBy(() -> BrokerSettings.of(pair, 512 * MIB))
                .hasMessageContaining(key + " 127.0.0.1:7401: expected another broker, found this one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:7401", "127.0.0.1:7402,127.0.0.1:7401", "127.0.0.1:7401?streams=2"})
    void shouldRefuseToLinkToItself(String link) {
        // given
        BrokerConfig linked =
                config.withListen("127.0.0.1:7401").withLinks(new BrokerConfig.Links(List.of(link), "", "", 0, false));

        // when then
        assertThatThrownBy(() -> BrokerSettings.of(linked, 512 * MIB))
                .hasMessage("link " + link + ": expected another broker, found this one");
    }

    @Test
    void shouldListenBeyondLoopbackWhenThereAreUsers() {
        // when then
        assertThatThrownBy(() -> BrokerSettings.of(config.withListen("0.0.0.0:7000"), 512 * MIB))
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.code()).isEqualTo(BrokerException.Code.BAD_CONFIG));
        assertThat(BrokerSettings.of(config.withListen("0.0.0.0:7000").withUsers(Path.of("users.yaml")), 512 * MIB)
                        .acceptors())
                .hasSize(1);
    }

    @Test
    void shouldRefuseLimitsThatCannotBe() {
        // when then
        assertThatThrownBy(() -> config.withBacklogLimit(MIB - 1)).hasMessageContaining("backlog-limit");
        assertThatThrownBy(() -> config.withDiskFloor(-1)).hasMessageContaining("disk-floor");
        assertThatThrownBy(() -> config.withListen()).hasMessageContaining("listen");
    }
}
