package io.longhaul.wire;

import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * The digest of a tree: SHA-256 over its entries in order of their numbers, each as {@link EntryCodec} writes it
 * followed by the SHA-256 of its content (32 bytes; of nothing for directories and links).
 *
 * <p>Not thread-safe.
 */
public final class TreeDigest {
    private final MessageDigest digest = Digests.sha256();

    /** Adds the next entry. */
    public void add(Entry entry, byte[] contentSha256) {
        if (contentSha256.length != digest.getDigestLength()) {
            throw new IllegalArgumentException(
                    "content digest: expected " + digest.getDigestLength() + " bytes, found " + contentSha256.length);
        }
        digest.update(EntryCodec.encode(entry));
        digest.update(contentSha256);
    }

    /** Returns the digest in lower-case hexadecimal and resets. */
    public String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
