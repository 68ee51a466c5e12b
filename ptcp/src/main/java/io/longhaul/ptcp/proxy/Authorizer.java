package io.longhaul.ptcp.proxy;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Answers one challenge, as often as requests need it; may be used by every thread. */
sealed interface Authorizer permits BasicAuthorizer, DigestAuthorizer {
    /** Returns a value for {@code Proxy-Authorization}, each character one byte. */
    String authorization(String method, String uri);

    /** How much it is preferred; what shows less of the password comes first. */
    int strength();

    /** Returns the strongest answer to any of the challenges, or nothing if none of them is understood. */
    static Optional<Authorizer> strongest(List<Challenge> challenges, HttpProxy proxy, Supplier<String> cnonces) {
        return challenges.stream()
                .flatMap(challenge -> challenge.is(BasicAuthorizer.SCHEME)
                        ? Optional.<Authorizer>of(new BasicAuthorizer(proxy)).stream()
                        : DigestAuthorizer.of(challenge, proxy, cnonces).stream())
                .max(Comparator.comparingInt(Authorizer::strength));
    }

    /** Returns UTF-8 with a character for each byte, which is how header fields come in and go out. */
    static String utf8(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
