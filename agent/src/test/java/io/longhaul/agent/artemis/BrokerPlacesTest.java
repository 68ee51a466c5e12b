package io.longhaul.agent.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BrokerPlacesTest {
    private static final String AUTHORITY = """
            -----BEGIN CERTIFICATE-----
            MIIBfzCCASWgAwIBAgIUbLDp6hwXGgJPAM8yUNqK+QEP5vcwCgYIKoZIzj0EAwIw
            FDESMBAGA1UEAwwJYXV0aG9yaXR5MCAXDTI2MTEyMzAyMzEwOVoYDzIxMjYxMDMw
            MDIzMTA5WjAUMRIwEAYDVQQDDAlhdXRob3JpdHkwWTATBgcqhkjOPQIBBggqhkjO
            PQMBBwNCAAQNU1ZURV/Qv5oEMVZl638dov0EYD+UxA2tbjXqeG6D4AjEYCzz4kus
            rzM2Fj0EaTx1jqHLXQfnFi2CQMVDuF9po1MwUTAdBgNVHQ4EFgQUDigWrPaPTeVK
            eAlcL18q52IMJ4cwHwYDVR0jBBgwFoAUDigWrPaPTeVKeAlcL18q52IMJ4cwDwYD
            VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiBlF35+wPhdp3SY6JbtK9IJ
            C2Jr/DWiECLKcz99N4r01wIhALMcU3aeO9bRcBB1o10DmHlvrB2Dy+THmHj/Ctrd
            IIhv
            -----END CERTIFICATE-----
            """;

    @TempDir
    Path home;

    @Test
    void shouldTakeAFileThatCanBeRead() throws IOException {
        // given
        Path there = Files.writeString(home.resolve("ca.pem"), AUTHORITY);

        // then
        assertThat(BrokerPlaces.parse("tcp://one:1,two:2?tls=true&ca=" + there + "&cert=" + there))
                .hasToString("one:1 (TLS),two:2 (TLS)");
        assertThat(BrokerPlaces.parse("one:1?tls=true")).hasToString("one:1 (TLS)");
    }

    /** Each would look like a broker that is away, which is waited for. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "one:1,two:2?tls=true&cert=HOME/none.pem | none.pem",
                "one:1?tls=true&ca=HOME/none.pem | none.pem",
                "tcp://one:1?tls=true&ca=HOME/none.pem | none.pem",
                "tcp://one:1?tls=true&cert=HOME/none.pem | none.pem",
                "one:1?tls=true&ca=HOME/garbage.pem | garbage.pem",
                "one:1?tls=true&cert=HOME/garbage.pem | garbage.pem",
                "tcp://one:1?tls=true&ca=HOME/garbage.pem | garbage.pem",
                "tcp://one:1?tls=true&cert=HOME/garbage.pem | garbage.pem",
                "one:1?proxy=proxy:3128 | URL of a proxy: expected http://host:port"
            })
    void shouldRefuseWhenAFileOrAProxyIsNone(String url, String expected) throws IOException {
        // given
        Files.writeString(home.resolve("garbage.pem"), "no certificate");

        // then
        assertThatThrownBy(() -> BrokerPlaces.parse(url.replace("HOME", home.toString())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(expected);
    }
}
