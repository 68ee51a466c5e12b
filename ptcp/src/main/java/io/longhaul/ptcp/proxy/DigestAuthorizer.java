package io.longhaul.ptcp.proxy;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Digest (RFC 7616) with MD5, SHA-256 and their -sess forms, qop "auth", and the form of RFC 2069 without qop.
 *
 * <pre>
 *   HA1      = H(user:realm:password), or H(H(user:realm:password):nonce:cnonce) with -sess
 *   HA2      = H(method:uri)
 *   response = H(HA1:nonce:nc:cnonce:qop:HA2), or H(HA1:nonce:HA2) without qop
 * </pre>
 *
 * There is one cnonce for each nonce of the proxy, so that the -sess key of the first answer is that of all; answers
 * differ by the nonce count.
 */
final class DigestAuthorizer implements Authorizer {
    private static final String SESSION_SUFFIX = "-sess";
    private static final String QOP = "auth";

    /** Hash functions. */
    private enum Algorithm {
        MD5("MD5", 1),
        SHA_256("SHA-256", 2);

        final String token;
        final int strength;

        Algorithm(String token, int strength) {
            this.token = token;
            this.strength = strength;
        }

        String hex(String text) {
            try {
                byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
                return HexFormat.of().formatHex(MessageDigest.getInstance(token).digest(bytes));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("this Java has no " + token, e);
            }
        }
    }

    private final Challenge challenge;
    private final Algorithm algorithm;
    private final boolean withQop;
    private final String user;
    private final String realm;
    private final String nonce;
    private final String cnonce;
    private final String secret;
    private final AtomicInteger count = new AtomicInteger();

    private DigestAuthorizer(Challenge challenge, Algorithm algorithm, Terms terms, HttpProxy proxy, String cnonce) {
        this.challenge = challenge;
        this.algorithm = algorithm;
        this.withQop = terms.withQop;
        this.user = Authorizer.utf8(proxy.user());
        this.realm = terms.realm;
        this.nonce = terms.nonce;
        this.cnonce = cnonce;
        String key = algorithm.hex(user + ":" + realm + ":" + Authorizer.utf8(proxy.password()));
        this.secret = terms.withSession ? algorithm.hex(key + ":" + nonce + ":" + cnonce) : key;
    }

    /** What a challenge must tell. */
    private record Terms(String realm, String nonce, boolean withQop, boolean withSession) {
        static @Nullable Terms of(Challenge challenge) {
            Optional<String> realm = challenge.parameter("realm");
            Optional<String> nonce = challenge.parameter("nonce");
            Optional<String> qop = challenge.parameter("qop").filter(list -> !list.isBlank());
            boolean withSession = challenge
                    .parameter("algorithm")
                    .filter(DigestAuthorizer::isSession)
                    .isPresent();
            boolean known = qop.isPresent()
                    ? List.of(qop.get().split(",", -1)).stream()
                            .anyMatch(offer -> offer.strip().equalsIgnoreCase(QOP))
                    : !withSession; // without qop no cnonce is sent, which -sess needs
            return realm.isEmpty() || nonce.isEmpty() || !known
                    ? null
                    : new Terms(realm.get(), nonce.get(), qop.isPresent(), withSession);
        }
    }

    /** Returns nothing if the challenge is of another scheme, or asks for what is not spoken here. */
    static Optional<Authorizer> of(Challenge challenge, HttpProxy proxy, Supplier<String> cnonces) {
        if (!challenge.is("Digest")) {
            return Optional.empty();
        }
        Terms terms = Terms.of(challenge);
        String name = challenge.parameter("algorithm").orElse(Algorithm.MD5.token);
        String hash = isSession(name) ? name.substring(0, name.length() - SESSION_SUFFIX.length()) : name;
        for (Algorithm algorithm : Algorithm.values()) {
            if (terms != null && algorithm.token.equalsIgnoreCase(hash)) {
                return Optional.of(new DigestAuthorizer(challenge, algorithm, terms, proxy, cnonces.get()));
            }
        }
        return Optional.empty();
    }

    private static boolean isSession(String algorithm) {
        int start = algorithm.length() - SESSION_SUFFIX.length();
        return algorithm.regionMatches(true, start, SESSION_SUFFIX, 0, SESSION_SUFFIX.length());
    }

    @Override
    public String authorization(String method, String uri) {
        String request = algorithm.hex(method + ":" + uri);
        StringBuilder fields = new StringBuilder("Digest username=").append(quoted(user));
        fields.append(", realm=").append(quoted(realm));
        fields.append(", nonce=").append(quoted(nonce));
        fields.append(", uri=").append(quoted(uri));
        challenge
                .parameter("algorithm")
                .ifPresent(name -> fields.append(", algorithm=").append(name));
        challenge
                .parameter("opaque")
                .ifPresent(opaque -> fields.append(", opaque=").append(quoted(opaque)));
        String proof = nonce;
        if (withQop) {
            String nc = HexFormat.of().toHexDigits(count.incrementAndGet());
            fields.append(", qop=" + QOP + ", nc=").append(nc);
            fields.append(", cnonce=").append(quoted(cnonce));
            proof = nonce + ":" + nc + ":" + cnonce + ":" + QOP;
        }
        String response = algorithm.hex(secret + ":" + proof + ":" + request);
        return fields.append(", response=").append(quoted(response)).toString();
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    @Override
    public int strength() {
        return algorithm.strength;
    }
}
