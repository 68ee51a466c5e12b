package io.longhaul.ptcp.proxy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one field {@code Proxy-Authenticate} (RFC 9110 sections 11.2 to 11.7).
 *
 * <pre>
 *   field     = 1#challenge
 *   challenge = scheme [ 1*SP ( token68 / #( token OWS "=" OWS ( token / quoted-string ) ) ) ]
 * </pre>
 *
 * Commas part both challenges and parameters. A word followed by "=" is a parameter, every other one begins a challenge.
 * At a malformed place nothing after it can be trusted: reading ends there, and the challenge it is in is left out.
 */
final class ChallengeReader {
    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";
    private static final String TOKEN68_MARKS = "-._~+/";
    private final String field;
    private final List<Challenge> found = new ArrayList<>();
    private int at;

    ChallengeReader(String field) {
        this.field = field;
    }

    List<Challenge> read() {
        String scheme = null;
        Map<String, String> parameters = new HashMap<>();
        skipCommas();
        while (at < field.length()) {
            String word = token();
            if (word.isEmpty()) {
                return found;
            }
            skipBlanks();
            if (peek() != '=') {
                add(scheme, parameters);
                scheme = word;
                parameters.clear();
                skipToken68();
            } else {
                at++;
                String value = value();
                if (scheme == null
                        || value == null
                        || parameters.putIfAbsent(word.toLowerCase(Locale.ROOT), value) != null
                        || !isEndOfItem()) {
                    return found;
                }
            }
            skipCommas();
        }
        add(scheme, parameters);
        return found;
    }

    private void add(@Nullable String scheme, Map<String, String> parameters) {
        if (scheme != null) {
            found.add(new Challenge(scheme, parameters));
        }
    }

    /** Passes over the token68 of schemes that are not spoken here, whose "=" would look like a parameter's. */
    private void skipToken68() {
        int start = at;
        while (at < field.length() && (Printable.isAlphanumeric(peek()) || TOKEN68_MARKS.indexOf(peek()) >= 0)) {
            at++;
        }
        while (peek() == '=') {
            at++;
        }
        if (!isEndOfItem()) {
            at = start;
        }
    }

    private @Nullable String value() {
        skipBlanks();
        if (peek() != '"') {
            String word = token();
            return word.isEmpty() ? null : word;
        }
        StringBuilder text = new StringBuilder();
        for (at++; at < field.length(); at++) {
            char c = field.charAt(at);
            if (c == '"') {
                at++;
                return text.toString();
            }
            if (c == '\\' && ++at == field.length()) {
                return null;
            }
            text.append(field.charAt(at));
        }
        return null;
    }

    private String token() {
        int start = at;
        while (at < field.length() && (Printable.isAlphanumeric(peek()) || TOKEN_MARKS.indexOf(peek()) >= 0)) {
            at++;
        }
        return field.substring(start, at);
    }

    private boolean isEndOfItem() {
        skipBlanks();
        return at == field.length() || peek() == ',';
    }

    private void skipBlanks() {
        while (peek() == ' ' || peek() == '\t') {
            at++;
        }
    }

    private void skipCommas() {
        while (peek() == ' ' || peek() == '\t' || peek() == ',') {
            at++;
        }
    }

    /** Returns a character that stands nowhere in a header at the end. */
    private char peek() {
        return at < field.length() ? field.charAt(at) : '\0';
    }
}
