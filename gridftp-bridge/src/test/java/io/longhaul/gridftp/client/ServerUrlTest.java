package io.longhaul.gridftp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ServerUrlTest {
    @Test
    void shouldReadItsPartsWhenTheyAreThere() {
        ServerUrl url = ServerUrl.parse("ftp://al%20ice@[::1]:2811/data/a%20b/");

        assertThat(url.host()).isEqualTo("::1");
        assertThat(url.address()).isEqualTo("[::1]:2811");
        assertThat(url.user()).contains("al ice");
        assertThat(url.base()).hasToString("/data/a b");
        assertThat(ServerUrl.parse("ftp://host")).hasToString("ftp://host:21/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://host/",
                "ftp:/data",
                "ftp://host/%0d%0aDELE",
                "ftp://a%0ab@host/",
                "ftp://host/?x",
                "nothing at all",
                "ftp://host:0/",
                "ftp://host:65536/",
                "ftp://bob:topsecret@host/"
            })
    void shouldRefuseAndKeepSecretsWhenItIsNone(String text) {
        assertThatThrownBy(() -> ServerUrl.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("server: ")
                .hasMessageNotContaining("topsecret");
    }
}
