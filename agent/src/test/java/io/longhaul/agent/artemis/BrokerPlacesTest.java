package io.longhaul.agent.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerPlacesTest {
    @TempDir
    Path home;

    @Test
    void shouldRefuseWhenAFileOfTlsCannotBeRead() throws IOException {
        // given
        Path there = Files.createFile(home.resolve("ca.pem"));
        String url = "one:1,two:2?tls=true&ca=" + there;

        // then
        assertThat(BrokerPlaces.parse(url)).hasToString("one:1 (TLS),two:2 (TLS)");
        assertThatThrownBy(() -> BrokerPlaces.parse(url + "&cert=" + home.resolve("none.pem")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("none.pem");
        assertThatThrownBy(() -> BrokerPlaces.parse("one:1?tls=true&ca=" + home.resolve("none.pem")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("none.pem");
    }
}
