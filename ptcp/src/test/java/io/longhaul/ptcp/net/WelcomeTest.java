package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.CertificateExpiredException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

final class WelcomeTest {
    @Test
    void shouldSayThatACertificateHasExpired() {
        // given
        Throwable failure = new SSLHandshakeException("PKIX path validation failed")
                .initCause(new CertificateExpiredException("NotAfter: Wed Jan 01 00:00:00 UTC 2025"));

        // when / then
        assertThat(Welcome.tlsFailure(failure))
                .hasMessage(
                        "TLS failed: the certificate that was shown is not accepted: it has expired, NotAfter: Wed Jan 01"
                                + " 00:00:00 UTC 2025");
    }
}
