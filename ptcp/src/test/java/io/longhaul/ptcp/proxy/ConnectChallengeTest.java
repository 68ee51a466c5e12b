package io.longhaul.ptcp.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.proxy.HttpProxyException.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConnectChallengeTest {
    private static final String BASIC = "Proxy-Authenticate: Basic realm=\"r\"\r\n";
    private static final String AUTHORIZATION = "proxy-authorization: ";
    private final HttpProxySession session = Dial.session("agnes", "geheim");

    private static String challenge(String fields) {
        return "HTTP/1.1 407 Proxy Authentication Required\r\n" + fields + "Content-Length: 6\r\n\r\nlogin!";
    }

    private static String digest(String nonce, String more) {
        return "Proxy-Authenticate: Digest realm=\"r\", nonce=\"" + nonce + "\", qop=\"auth\"" + more + "\r\n";
    }

    @Test
    void shouldSayNothingOfCredentialsWhenNotAsked() {
        try (Dial dial = Dial.of(session)) {
            assertThat(dial.sent()).doesNotContain(AUTHORIZATION);
            assertThat(dial.answer(Dial.OK).isOpen()).isTrue();
        }
    }

    @Test
    void shouldAnswerOnTheSameConnectionWhenAskedForBasic() {
        try (Dial dial = Dial.of(session)) {
            // given
            dial.sent();

            // when
            dial.answer(challenge(BASIC));

            // then
            assertThat(dial.sent())
                    .startsWith("CONNECT broker:5671 HTTP/1.1\r\n")
                    .contains(AUTHORIZATION + "Basic YWduZXM6Z2VoZWlt\r\n");
            assertThat(dial.answer(Dial.OK + "hello").events).containsExactly("active", "read hello");
        }
    }

    @Test
    void shouldAnswerTheSameWhenTheChallengeIsSplitAtEveryByte() {
        String whole = "HTTP/1.1 407 No\r\n" + BASIC + digest("n", "") + "Transfer-Encoding: chunked\r\n\r\n"
                + "3;x=y\r\nlog\r\n3\r\nin!\r\n0\r\nA: b\r\n\r\n";
        for (int at = 1; at < whole.length(); at++) {
            HttpProxySession fresh = Dial.session("agnes", "geheim");
            try (Dial dial = Dial.of(fresh)) {
                // when
                dial.sent();
                dial.answer(whole.substring(0, at));
                assertThat(dial.sent()).isEmpty();
                dial.answer(whole.substring(at));

                // then
                String request = dial.sent();
                assertThat(Dial.parameter(request, "uri")).isEqualTo(Dial.TARGET);
                assertThat(Dial.parameter(request, "nc")).isEqualTo("00000001");
                assertThat(dial.answer(Dial.OK).isOpen()).isTrue();
            }
        }
    }

    @Test
    void shouldCountTheNonceUpWhenALaterConnectionIsMade() {
        // given
        try (Dial dial = Dial.of(session)) {
            dial.answer(challenge(digest("n1", ""))).answer(Dial.OK);
            assertThat(dial.isOpen()).isTrue();
            dial.sent();
        }

        // when
        try (Dial second = Dial.of(session);
                Dial third = Dial.of(session)) {
            // then
            String request = second.sent();
            assertThat(Dial.parameter(request, "nonce")).isEqualTo("n1");
            assertThat(Dial.parameter(request, "nc")).isEqualTo("00000002");
            assertThat(Dial.parameter(third.sent(), "nc")).isEqualTo("00000003");
        }
    }

    @Test
    void shouldKeepANonceToItselfWhenNoTunnelHasStoodWithIt() {
        try (Dial first = Dial.of(session);
                Dial second = Dial.of(session)) {
            // given
            first.sent();
            second.sent();
            first.answer(challenge(digest("n1", "")));

            // when
            second.answer(challenge(digest("n2", "")));

            // then
            assertThat(Dial.parameter(first.sent(), "nonce")).isEqualTo("n1");
            assertThat(Dial.parameter(second.sent(), "nonce")).isEqualTo("n2");
            try (Dial third = Dial.of(session)) {
                assertThat(third.sent()).doesNotContain(AUTHORIZATION);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {", stale=true", ""})
    void shouldAnswerOnceMoreWhenAKnownNonceHasAged(String stale) {
        // given
        try (Dial dial = Dial.of(session)) {
            dial.answer(challenge(digest("n1", ""))).answer(Dial.OK);
            dial.sent();
        }
        try (Dial dial = Dial.of(session)) {
            assertThat(Dial.parameter(dial.sent(), "nonce")).isEqualTo("n1");

            // when
            dial.answer(challenge(digest("n2", stale)));

            // then
            String request = dial.sent();
            assertThat(Dial.parameter(request, "nonce")).isEqualTo("n2");
            assertThat(Dial.parameter(request, "nc")).isEqualTo("00000001");
            dial.answer(challenge(digest("n3", stale)));
            assertThat(dial.failure().kind()).isEqualTo(Kind.CREDENTIALS);
        }
    }

    @Test
    void shouldAnswerOnceMoreWhenTheNonceIsStaleAtOnce() {
        try (Dial dial = Dial.of(session)) {
            // given
            dial.answer(challenge(digest("n1", "")));
            dial.sent();

            // when
            dial.answer(challenge(digest("n2", ", stale=TRUE")));

            // then
            assertThat(Dial.parameter(dial.sent(), "nonce")).isEqualTo("n2");
            assertThat(dial.answer(Dial.OK).isOpen()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Basic realm=\"r\"", "Digest realm=\"r\", nonce=\"n\"", "Digest realm=r, nonce=n, stale=false"})
    void shouldSayThatCredentialsAreNotAcceptedWhenTheyAreWrong(String field) {
        try (Dial dial = Dial.of(session)) {
            // when
            String challenge = challenge("Proxy-Authenticate: " + field + "\r\n");
            dial.answer(challenge);
            dial.sent();
            dial.answer(challenge);

            // then
            assertThat(dial.failure())
                    .hasMessage("proxy 10.0.0.1:3128: CONNECT broker:5671 refused: 407, credentials not accepted")
                    .extracting(HttpProxyException::kind)
                    .isEqualTo(Kind.CREDENTIALS);
            try (Dial next = Dial.of(session)) {
                assertThat(next.sent()).doesNotContain(AUTHORIZATION);
            }
        }
    }

    @Test
    void shouldSayThatNoneAreConfiguredWhenThereIsNoUser() {
        try (Dial dial = Dial.of(Dial.session("", ""))) {
            // when
            dial.sent();
            dial.answer(challenge(BASIC));

            // then
            assertThat(dial.failure())
                    .hasMessage("proxy 10.0.0.1:3128: CONNECT broker:5671 refused: 407, challenge for Basic,"
                            + " no credentials configured");
            assertThat(dial.failure().kind()).isEqualTo(Kind.CREDENTIALS);
        }
    }

    @ParameterizedTest
    @CsvSource({"'Proxy-Authenticate: Negotiate, NTLM', 'challenge for Negotiate, NTLM'", "'Via: x', none"})
    void shouldNameTheSchemesWhenNoneIsSpoken(String field, String found) {
        try (Dial dial = Dial.of(session)) {
            // when
            dial.sent();
            dial.answer(challenge(field + "\r\n"));

            // then
            assertThat(dial.failure())
                    .hasMessageContaining("407, expected a challenge for Basic, or for Digest")
                    .hasMessageEndingWith("found " + found);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 407 No\r\nConnection: close\r\nContent-Length: 0\r\n%s\r\n",
                "HTTP/1.1 407 No\r\nProxy-Connection: Close\r\nContent-Length: 0\r\n%s\r\n",
                "HTTP/1.0 407 No\r\nContent-Length: 0\r\n%s\r\n",
                "HTTP/1.1 407 No\r\n%s\r\n",
                "HTTP/1.1 407 No\r\nContent-Length: 65537\r\n%s\r\n"
            })
    void shouldAnswerOnTheNextConnectionWhenTheProxyHangsUp(String head) {
        // given
        try (Dial dial = Dial.of(session)) {
            dial.sent();

            // when
            dial.answer(head.formatted(digest("n1", "")));

            // then
            assertThat(dial.failure().kind()).isEqualTo(Kind.CHALLENGED);
            assertThat(dial.sent()).isEmpty();
        }
        try (Dial again = Dial.of(session)) {
            String request = again.sent();
            assertThat(Dial.parameter(request, "nonce")).isEqualTo("n1");
            assertThat(Dial.parameter(request, "nc")).isEqualTo("00000001");
            again.answer(head.formatted(digest("n2", "")));
            assertThat(again.failure().kind()).isEqualTo(Kind.CREDENTIALS);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 10\r\n\r\nhalf", "Content-Length: 0\r\n\r\n"})
    void shouldAnswerOnTheNextConnectionWhenTheProxyHangsUpUnannounced(String rest) {
        // given
        try (Dial dial = Dial.of(session)) {
            dial.answer("HTTP/1.1 407 No\r\n" + digest("n1", "") + rest);
            dial.sent();

            // when
            dial.channel.close();

            // then
            assertThat(dial.failure().kind()).isEqualTo(Kind.CHALLENGED);
        }
        try (Dial again = Dial.of(session)) {
            assertThat(Dial.parameter(again.sent(), "nonce")).isEqualTo("n1");
            again.channel.close();
            assertThat(again.failure().kind()).isEqualTo(Kind.NO_ANSWER);
        }
    }

    @Test
    void shouldHangUpWhenTheBodyIsTooLong() {
        try (Dial dial = Dial.of(session)) {
            // given
            dial.sent();
            dial.answer("HTTP/1.1 407 No\r\n" + BASIC + "Transfer-Encoding: chunked\r\n\r\n");
            String chunk = "4000\r\n" + "x".repeat(0x4000) + "\r\n";
            dial.answer(chunk.repeat(4));
            assertThat(dial.channel.isOpen()).isTrue();

            // when
            dial.answer("1\r\nx\r\n");

            // then
            assertThat(dial.failure().kind()).isEqualTo(Kind.CHALLENGED);
        }
    }

    @Test
    void shouldHoldNoSecretWhenItFails() {
        try (Dial dial = Dial.of(session)) {
            // when
            dial.answer(challenge(BASIC));
            dial.sent();
            dial.answer(challenge(BASIC));

            // then
            assertThat(dial.failure()).hasMessageNotContainingAny("agnes", "geheim", "YWduZXM6Z2VoZWlt");
        }
    }

    @Test
    void shouldForgetTheOldestWhenManyAnswersAreLeft() {
        // given
        for (int i = 0; i < 40; i++) {
            session.leave(session.answer(Challenge.parse(List.of("Digest realm=r, nonce=n" + i)))
                    .orElseThrow());
        }

        // when
        int left = 0;
        for (HttpProxySession.Offer offer = session.next(); offer != null; offer = session.next()) {
            String authorization = offer.authorizer().authorization("CONNECT", Dial.TARGET);
            assertThat(authorization).contains("nonce=\"n" + (39 - left) + "\"");
            left++;
        }

        // then
        assertThat(left).isEqualTo(32);
    }
}
