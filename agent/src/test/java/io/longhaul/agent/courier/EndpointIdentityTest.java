package io.longhaul.agent.courier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointIdentityTest {
    @TempDir
    Path directory;

    @Test
    void shouldBeTheSameWhenTheDirectoryIsOpenedAgain() {
        // when
        String first = EndpointIdentity.of("back", directory);

        // then
        assertThat(EndpointIdentity.of("back", directory)).isEqualTo(first).hasSize(36);
    }

    @Test
    void shouldRefuseWhenTheDirectoryIsThatOfAnotherEndpoint() {
        // given
        EndpointIdentity.of("back", directory);

        // when, then
        assertThatThrownBy(() -> EndpointIdentity.of("front", directory))
                .isInstanceOfSatisfying(
                        AgentException.class, e -> assertThat(e.code()).isEqualTo(AgentException.Code.REFUSED))
                .hasMessageContaining("expected endpoint front, found that of endpoint \"back\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "back", "back\nshort\n", "\0\0\0\0"})
    void shouldMakeANewOneWhenItIsNotWhole(String found) throws Exception {
        // given
        Files.writeString(directory.resolve("endpoint"), found);

        // when
        String fresh = EndpointIdentity.of("back", directory);

        // then
        assertThat(EndpointIdentity.of("back", directory)).isEqualTo(fresh).hasSize(36);
    }
}
