package io.longhaul.wire;

/**
 * A receipt's place in the chain of its agent, and the signature over all of it; {@link ReceiptSignature} makes and
 * checks it.
 *
 * @param sequence number of the receipt among those of the agent, from 1
 * @param previous SHA-256 of the signed bytes of the receipt before, in hexadecimal; zeros for the first
 * @param key the agent's public Ed25519 key (RFC 8032), 32 bytes in hexadecimal
 * @param signature Ed25519 signature over {@link ReceiptEncoding}, 64 bytes in hexadecimal
 */
public record ReceiptProof(long sequence, String previous, String key, String signature) {
    static final int HASH_DIGITS = 64;
    static final int KEY_DIGITS = 64;
    static final int SIGNATURE_DIGITS = 128;

    public ReceiptProof {
        Limits.range("sequence", sequence, 1, Long.MAX_VALUE);
        Digests.checkHex("previous", previous, HASH_DIGITS);
        Digests.checkHex("key", key, KEY_DIGITS);
        Digests.checkHex("signature", signature, SIGNATURE_DIGITS);
    }
}
