package io.longhaul.ptcp.proxy;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One way in which a proxy asks for credentials (RFC 9110 section 11.3).
 *
 * @param scheme as the proxy wrote it; compared without regard to case
 * @param parameters names in lower case; values without quotes, each character one byte
 */
record Challenge(String scheme, Map<String, String> parameters) {
    Challenge {
        parameters = Map.copyOf(parameters);
    }

    /** Returns those of all header fields, in their order; what is malformed is left out. */
    static List<Challenge> parse(List<String> fields) {
        return fields.stream()
                .flatMap(field -> new ChallengeReader(field).read().stream())
                .toList();
    }

    boolean is(String name) {
        return scheme.equalsIgnoreCase(name);
    }

    Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    /** Whether only the nonce was too old, and the credentials may well be right (RFC 7616 section 3.3). */
    boolean isStale() {
        return parameter("stale").filter("true"::equalsIgnoreCase).isPresent();
    }
}
