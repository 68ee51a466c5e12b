package io.longhaul.cli.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StateDirectoryTest {

    @Test
    void shouldFollowXdgWhenItIsAbsolute() {
        // then
        assertThat(StateDirectory.of(Map.of("XDG_STATE_HOME", "/var/state"), "/home/u")
                        .ofAgent("a"))
                .isEqualTo(Path.of("/var/state/longhaul/a"));
        assertThat(StateDirectory.of(Map.of("XDG_STATE_HOME", "relative"), "/home/u")
                        .ofAgent("a"))
                .isEqualTo(Path.of("/home/u/.local/state/longhaul/a"));
        assertThat(StateDirectory.of(Map.of(), "/home/u").quickstart())
                .isEqualTo(Path.of("/home/u/.local/state/longhaul/quickstart"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?", "home"})
    void shouldPutNothingWhereOneHappensToBeWhenThereIsNoHome(String home) {
        assertThatThrownBy(() -> StateDirectory.of(Map.of(), home))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected an absolute path, found '" + home + "'; set HOME");
    }

    @Test
    void shouldKeepPublishersApartWhenTopicOrBrokerDiffers() {
        // given
        StateDirectory state = StateDirectory.of(Map.of(), "/home/u");

        // then
        assertThat(state.ofPublisher("t", "h:1")).isEqualTo(state.ofPublisher("t", "h:1"));
        assertThat(state.ofPublisher("t", "h:1")).isNotEqualTo(state.ofPublisher("t", "h:2"));
        assertThat(state.ofPublisher("t", "h:1")).isNotEqualTo(state.ofPublisher("u", "h:1"));
    }

    @Test
    void shouldListOnlyDataDirectoriesWhenOthersLieBeside(@TempDir Path home) throws IOException {
        // given
        StateDirectory state = StateDirectory.of(Map.of(), home.toString());
        assertThat(state.existing()).isEmpty();
        Files.createDirectories(state.ofAgent("other"));
        Files.createDirectories(state.ofAgent("b"));
        Files.writeString(state.ofAgent("b").resolve("VERSION"), "x");

        // then
        assertThat(state.existing()).containsExactly(state.ofAgent("b"));
    }

    @Test
    void shouldNamePublisherAlikeWhenPlaceIsTheSame() {
        // when
        String name = AgentName.made(Path.of("/d"), "max müller", "host");

        // then
        assertThat(name).matches("publish-maxmller-[0-9a-f]{8}");
        assertThat(AgentName.made(Path.of("/d/../d"), "max müller", "host")).isEqualTo(name);
        assertThat(AgentName.made(Path.of("/e"), "max müller", "host")).isNotEqualTo(name);
        assertThat(AgentName.made(Path.of("/d"), "max müller", "other")).isNotEqualTo(name);
        assertThat(AgentName.made(Path.of("/d"), "", "host")).startsWith("publish-user-");
    }

    @Test
    void shouldKeepNameWhenDirectoryHasNote(@TempDir Path data) {
        // given
        AgentNote note = new AgentNote("site-a", "h:1", "u");
        assertThat(AgentNote.read(data)).isEmpty();

        // when
        note.write(data);
        note.write(data);

        // then
        assertThat(AgentNote.read(data)).contains(note);
        assertThat(AgentName.ofPublisher(data, Assertions::fail)).isEqualTo("site-a");
    }

    @Test
    void shouldTakeTheNameOfTheLedgerWhenAProgramLeftNoNote(@TempDir Path data) {
        // given
        try (Store store = Store.open(data, StoreConfig.defaults(), Disk.real())) {
            store.ledger()
                    .commit(List.of(new LedgerChange.PutSetting("agent-name", "climate")))
                    .join();

            // then
            assertThat(AgentName.ofPublisher(data, Assertions::fail))
                    .as("while it is open elsewhere")
                    .startsWith("publish-");
        }
        assertThat(AgentName.ofPublisher(data, Assertions::fail)).isEqualTo("climate");
    }

    @Test
    void shouldTellWhatWasFoundWhenTheLedgerWasAskedForTheName(@TempDir Path data) throws IOException {
        // given
        try (Store store = Store.open(data, StoreConfig.defaults(), Disk.real())) {
            store.ledger()
                    .commit(List.of(new LedgerChange.PutSetting("agent-name", "climate")))
                    .join();
        }
        Files.writeString(data.resolve("VERSION"), "longhaul st");
        List<String> findings = new ArrayList<>();

        // when
        String name = AgentName.ofPublisher(data, findings::add);

        // then
        assertThat(name).isEqualTo("climate");
        assertThat(findings).singleElement().asString().contains("VERSION", "cut off");
    }
}
