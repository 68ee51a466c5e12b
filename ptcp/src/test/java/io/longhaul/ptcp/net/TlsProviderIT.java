package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.handler.ssl.OpenSslContext;
import io.netty.handler.ssl.SslContext;
import org.junit.jupiter.api.Test;

/** The build runs the tests of TLS twice, with BoringSSL on the class path and as if it were not there. */
final class TlsProviderIT {
    @Test
    void shouldUseBoringSslWhenItIsThere() {
        // given
        assumeThat(System.getProperty("os.name") + " " + System.getProperty("os.arch"))
                .as("what the build has a library for")
                .isEqualTo("Linux amd64");

        // when
        SslContext context = ClientTls.ofFiles("", "", true).context();

        // then
        assertThat(context instanceof OpenSslContext)
                .as("%s", context.getClass())
                .isEqualTo(Boolean.getBoolean("longhaul.boringssl"));
    }
}
