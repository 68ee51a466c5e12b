package io.longhaul.wire;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/** Signs receipts with Ed25519 (RFC 8032) and checks their signatures. Pure; may be used from any thread. */
public final class ReceiptSignature {
    /** What the first receipt of a chain names as its predecessor. */
    public static final String NO_PREVIOUS = "0".repeat(ReceiptProof.HASH_DIGITS);

    private static final String ALGORITHM = "Ed25519";
    /** What RFC 8410 puts in front of the 32 bytes of a public key. */
    private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private static final int FINGERPRINT_DIGITS = 16;

    private ReceiptSignature() {}

    /** Returns the 32 bytes of a public Ed25519 key in hexadecimal. */
    public static String keyOf(PublicKey key) {
        byte[] encoded = key.getEncoded();
        if (encoded == null
                || encoded.length != X509_PREFIX.length + ReceiptProof.KEY_DIGITS / 2
                || !Arrays.equals(encoded, 0, X509_PREFIX.length, X509_PREFIX, 0, X509_PREFIX.length)) {
            throw new IllegalArgumentException("public key: expected one of Ed25519, found one of " + key.getAlgorithm()
                    + " in format " + key.getFormat());
        }
        return HexFormat.of().formatHex(encoded, X509_PREFIX.length, encoded.length);
    }

    /** Returns how people call a key: the first 16 hexadecimal digits of the SHA-256 of its 32 bytes. */
    public static String fingerprint(String key) {
        return sha256(HexFormat.of().parseHex(key)).substring(0, FINGERPRINT_DIGITS);
    }

    /**
     * Returns the receipt signed, at its place in a chain.
     *
     * @param sequence number in the chain, from 1
     * @param previous {@link #hash} of the receipt before, {@link #NO_PREVIOUS} for the first
     */
    public static Receipt sign(Receipt receipt, long sequence, String previous, KeyPair keys) {
        String key = keyOf(keys.getPublic());
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(keys.getPrivate());
            signature.update(ReceiptEncoding.encode(receipt, sequence, previous, key));
            return receipt.withProof(
                    new ReceiptProof(sequence, previous, key, HexFormat.of().formatHex(signature.sign())));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a receipt cannot be signed with key " + fingerprint(key), e);
        }
    }

    /** Whether the receipt has a signature, and that is of the key it names over everything that the receipt says. */
    public static boolean holds(Receipt receipt) {
        return receipt.proof().filter(proof -> holds(receipt, proof)).isPresent();
    }

    private static boolean holds(Receipt receipt, ReceiptProof proof) {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initVerify(publicKey(proof.key()));
            signature.update(ReceiptEncoding.encode(receipt, proof));
            return signature.verify(HexFormat.of().parseHex(proof.signature()));
        } catch (GeneralSecurityException e) {
            // bytes that are no key or no signature at all
            return false;
        }
    }

    private static PublicKey publicKey(String key) throws GeneralSecurityException {
        byte[] encoded = Arrays.copyOf(X509_PREFIX, X509_PREFIX.length + ReceiptProof.KEY_DIGITS / 2);
        System.arraycopy(HexFormat.of().parseHex(key), 0, encoded, X509_PREFIX.length, ReceiptProof.KEY_DIGITS / 2);
        return KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(encoded));
    }

    /** Returns the SHA-256 in hexadecimal of the signed bytes, which the next receipt of the chain names. */
    public static String hash(Receipt signed) {
        ReceiptProof proof = signed.proof()
                .orElseThrow(() -> new IllegalArgumentException("receipt of " + signed.transfer() + ": is not signed"));
        return sha256(ReceiptEncoding.encode(signed, proof));
    }

    private static String sha256(byte[] bytes) {
        MessageDigest digest = Digests.sha256();
        return HexFormat.of().formatHex(digest.digest(bytes));
    }
}
