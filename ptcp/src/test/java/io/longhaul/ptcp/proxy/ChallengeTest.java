package io.longhaul.ptcp.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ChallengeTest {
    private static List<Challenge> parse(String... fields) {
        return Challenge.parse(List.of(fields));
    }

    /** RFC 9110 section 11.6.1, with the quoted comma, equals sign and quote. */
    @Test
    void shouldFindBothWhenOneFieldHoldsTwoChallenges() {
        assertThat(parse(
                        "Basic realm=\"simple\", Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\", a=b\""))
                .containsExactly(
                        new Challenge("Basic", Map.of("realm", "simple")),
                        new Challenge(
                                "Newauth", Map.of("realm", "apps", "type", "1", "title", "Login to \"apps\", a=b")));
    }

    @Test
    void shouldFindAllWhenFieldsAreRepeated() {
        assertThat(parse("Negotiate", "NTLM", "Basic realm=x"))
                .extracting(Challenge::scheme)
                .containsExactly("Negotiate", "NTLM", "Basic");
    }

    @Test
    void shouldPassOverTokensWhenASchemeIsNotSpoken() {
        assertThat(parse("Negotiate oYG2MIGzoAMKAQ==, NTLM , , Basic realm=\"a\",charset=\"UTF-8\","))
                .containsExactly(
                        new Challenge("Negotiate", Map.of()),
                        new Challenge("NTLM", Map.of()),
                        new Challenge("Basic", Map.of("realm", "a", "charset", "UTF-8")));
    }

    @Test
    void shouldReadParametersWhenTheyAreLaidOutLoosely() {
        // given
        String field = " ,DIGEST\tRealm = \"r\" ,\tNONCE= \"n\\\\\\\"n\",stale=TRUE,qop=\"\"";

        // when
        List<Challenge> challenges = parse(field);

        // then
        assertThat(challenges)
                .containsExactly(
                        new Challenge("DIGEST", Map.of("realm", "r", "nonce", "n\\\"n", "stale", "TRUE", "qop", "")));
        assertThat(challenges.get(0).isStale()).isTrue();
        assertThat(challenges.get(0).is("digest")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Digest realm=\"open",
                "Digest realm=\"open\\",
                "Digest realm=\"a\" nonce=\"b\"",
                "Digest realm=\"a\", realm=\"b\"",
                "Digest realm=\"a\", nonce=",
                "Digest realm=\"a\", =b",
                "Digest realm=\"a\"; nonce=\"b\"",
                "Digest \"realm\""
            })
    void shouldKeepOnlyWhatCameBeforeWhenAChallengeIsMalformed(String field) {
        assertThat(parse("Basic realm=x, " + field)).containsExactly(new Challenge("Basic", Map.of("realm", "x")));
        assertThat(parse(field)).isEmpty();
    }

    @Test
    void shouldFindNothingWhenThereIsNothing() {
        assertThat(parse()).isEmpty();
        assertThat(parse("", " ", ",,", "=", "realm=\"x\"")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldEndWhenTheFieldIsGarbage(long seed) {
        // given
        Random random = new Random(seed);
        String alphabet = "aZ9 \t,,==\"\"\\é\u0001/+-";

        for (int round = 0; round < 20_000; round++) {
            // when
            StringBuilder field = new StringBuilder();
            for (int length = random.nextInt(40); length > 0; length--) {
                field.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }

            // then
            assertThat(parse(field.toString()))
                    .as("field %s", field)
                    .allSatisfy(found -> assertThat(found.scheme()).isNotEmpty());
        }
    }
}
