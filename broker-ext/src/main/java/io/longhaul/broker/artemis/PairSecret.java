package io.longhaul.broker.artemis;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What the brokers of a pair know each other by: the user and the password of Artemis's cluster, derived from those of
 * their account, so that the account itself has no more rights than it is given.
 */
record PairSecret(String user, String password) {
    private static final String HMAC = "HmacSHA256";

    static PairSecret of(String name, PairTerms terms) {
        String text = "longhaul pair " + name + " " + terms.user();
        try {
            Mac mac = Mac.getInstance(HMAC);
            // a key must not be empty; where there is no account there is no secret either, and only loopback
            mac.init(new SecretKeySpec((terms.password() + "\n").getBytes(StandardCharsets.UTF_8), HMAC));
            return new PairSecret(
                    "lh.pair." + name, HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8))));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(HMAC + " is part of every Java", e);
        }
    }

    boolean matches(String otherUser, String otherPassword) {
        return MessageDigest.isEqual(bytes(user + "\n" + password), bytes(otherUser + "\n" + otherPassword));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "PairSecret[user=" + user + "]";
    }
}
