package io.longhaul.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataShelterTest {
    @TempDir
    Path home;

    private Path data;

    @BeforeEach
    void makeDirectory() throws IOException {
        data = Files.createDirectories(home.resolve("site/data"));
    }

    private void refused(Path into) {
        assertThatThrownBy(() -> DataShelter.requireOutside(data, into))
                .isInstanceOfSatisfying(
                        AgentException.class, e -> assertThat(e.code()).isEqualTo(AgentException.Code.USAGE))
                .hasMessageContaining(data.toString());
    }

    @Test
    void shouldRefuseWhenDataDirectoryCouldBeReplaced() {
        // then
        refused(data);
        refused(home.resolve("site"));
        refused(home.resolve("site/in/../."));
        refused(data.resolve("spool"));
        refused(data.resolve("spool/in"));
    }

    @Test
    void shouldRefuseWhenALinkLeadsThere() throws IOException {
        // then
        refused(Files.createSymbolicLink(home.resolve("link"), home.resolve("site")));
        refused(home.resolve("link/data"));
    }

    @Test
    void shouldRefuseWhenTheSpoolLiesElsewhere() throws IOException {
        // given
        Path spool = Files.createDirectories(home.resolve("big/spool"));
        Files.createSymbolicLink(data.resolve("spool"), spool);

        // then
        refused(data.resolve("spool/in"));
        refused(spool);
        refused(home.resolve("big"));
    }

    @Test
    void shouldAllowWhenDirectoriesAreApart() {
        // then
        for (Path into : new Path[] {home.resolve("site/in"), data.resolve("archive/t"), home.resolve("site/dat")}) {
            assertThatCode(() -> DataShelter.requireOutside(data, into)).doesNotThrowAnyException();
        }
    }
}
