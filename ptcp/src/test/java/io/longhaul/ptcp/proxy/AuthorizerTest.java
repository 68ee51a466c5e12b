package io.longhaul.ptcp.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AuthorizerTest {
    private static final HttpProxy PROXY = new HttpProxy("proxy", 3128, "Mufasa", "Circle of Life");
    private static final String NONCE = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v";
    private static final String CNONCE = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";
    private static final String DIGEST = "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=%s,"
            + " nonce=\"" + NONCE + "\", opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"";

    private static Optional<Authorizer> strongest(HttpProxy proxy, String... fields) {
        return Authorizer.strongest(Challenge.parse(List.of(fields)), proxy, () -> CNONCE);
    }

    private static String answer(HttpProxy proxy, String method, String uri, String... fields) {
        return strongest(proxy, fields).orElseThrow().authorization(method, uri);
    }

    @Test
    void shouldAnswerAsInRfc7617Section2WhenAskedForBasic() {
        assertThat(answer(PROXY.withCredentials("Aladdin", "open sesame"), "GET", "/", "Basic realm=\"WallyWorld\""))
                .isEqualTo("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    }

    @Test
    void shouldAnswerAsInRfc7617Section2Point1WhenThePasswordIsNotAscii() {
        assertThat(answer(PROXY.withCredentials("test", "123£"), "GET", "/", "Basic realm=\"foo\", charset=\"UTF-8\""))
                .isEqualTo("Basic dGVzdDoxMjPCow==");
    }

    @ParameterizedTest
    @CsvSource({
        "MD5, 8ca523f5e9506fed4657c9700eebdbec",
        "SHA-256, 753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
    })
    void shouldAnswerAsInRfc7616Section3Point9Point1WhenAskedForDigest(String algorithm, String response) {
        assertThat(answer(PROXY, "GET", "/dir/index.html", DIGEST.formatted(algorithm)))
                .isEqualTo("Digest username=\"Mufasa\", realm=\"http-auth@example.org\", nonce=\"" + NONCE
                        + "\", uri=\"/dir/index.html\", algorithm=" + algorithm
                        + ", opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\", qop=auth, nc=00000001, cnonce=\""
                        + CNONCE + "\", response=\"" + response + "\"");
    }

    /** Not in the RFC; computed with another implementation of the hash functions. */
    @ParameterizedTest
    @CsvSource({
        "MD5-sess, e783283f46242139c486a698fec7211d",
        "sha-256-SESS, 2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"
    })
    void shouldHashNoncesIntoTheKeyWhenTheAlgorithmIsOfASession(String algorithm, String response) {
        assertThat(answer(PROXY, "GET", "/dir/index.html", DIGEST.formatted(algorithm)))
                .contains("algorithm=" + algorithm)
                .endsWith("response=\"" + response + "\"");
    }

    /** The example of RFC 2069 with the response that its errata give. */
    @Test
    void shouldAnswerInTheOldFormWhenTheChallengeHasNoQop() {
        assertThat(answer(
                        PROXY.withCredentials("Mufasa", "CircleOfLife"),
                        "GET",
                        "/dir/index.html",
                        "Digest realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\""))
                .isEqualTo("Digest username=\"Mufasa\", realm=\"testrealm@host.com\","
                        + " nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\", uri=\"/dir/index.html\","
                        + " response=\"1949323746fe6a43ef61f9606e7febea\"");
    }

    @Test
    void shouldCountWhenANonceIsUsedAgain() {
        // given
        Authorizer authorizer = strongest(PROXY, DIGEST.formatted("MD5")).orElseThrow();
        authorizer.authorization("GET", "/dir/index.html");

        // when
        String second = authorizer.authorization("GET", "/dir/index.html");

        // then
        assertThat(second).contains("nc=00000002").endsWith("response=\"4b5d595ecf2db9df612ea5b45cd97101\"");
    }

    @Test
    void shouldHashUtf8AndQuoteWhenNamesAreUnusual() {
        assertThat(answer(PROXY.withCredentials("Jäs", "Søn"), "CONNECT", "h:1", "Digest realm=r, nonce=n"))
                .startsWith("Digest username=\"J\u00c3\u00a4s\", ")
                .endsWith("response=\"697ad5fa1463f0ab3b9f4ef101fe7159\"");
        assertThat(answer(PROXY.withCredentials("a\"b\\c", ""), "CONNECT", "h:1", "Digest realm=r, nonce=n"))
                .startsWith("Digest username=\"a\\\"b\\\\c\", ");
    }

    @Test
    void shouldTakeTheStrongestWhenThereIsAChoice() {
        String[] fields = {
            "Basic realm=x", DIGEST.formatted("SHA-256"), DIGEST.formatted("MD5"), DIGEST.formatted("SHA-512-256")
        };
        assertThat(answer(PROXY, "GET", "/", fields)).contains("algorithm=SHA-256");
        assertThat(answer(PROXY, "GET", "/", fields[0], fields[2])).contains("algorithm=MD5");
        assertThat(answer(PROXY, "GET", "/", fields[0], fields[3])).startsWith("Basic ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Negotiate",
                "Bearer realm=x",
                "Digest realm=x",
                "Digest nonce=x",
                "Digest realm=x, nonce=n, algorithm=SHA-512-256",
                "Digest realm=x, nonce=n, algorithm=-sess",
                "Digest realm=x, nonce=n, qop=auth-int",
                "Digest realm=x, nonce=n, algorithm=MD5-sess"
            })
    void shouldHaveNoAnswerWhenTheChallengeIsNotSpoken(String field) {
        assertThat(strongest(PROXY, field)).isEmpty();
    }
}
