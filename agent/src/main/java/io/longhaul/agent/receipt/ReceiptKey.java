package io.longhaul.agent.receipt;

import io.longhaul.agent.AgentException;
import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import io.longhaul.wire.ReceiptSignature;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.time.Clock;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Ed25519 key pair that an agent signs its receipts with: one file in its data directory, for its owner only.
 *
 * <pre>
 *   -----BEGIN PRIVATE KEY-----     PKCS #8 (RFC 8410)
 *   -----BEGIN PUBLIC KEY-----      X.509 (RFC 8410), the one part that may be given away
 * </pre>
 *
 * <p>A file that is damaged, or that others may read, is refused rather than replaced: whoever reads receipts trusts the
 * key that is there, and only a person can decide to begin with another.
 */
public final class ReceiptKey {
    /** The file's name in the data directory. */
    public static final String FILE = "receipt-key.pem";

    private static final String ALGORITHM = "Ed25519";
    private static final int OWNER_ONLY = 0600;
    private static final int LONGEST_FILE = 4096;
    private static final int PEM_LINE = 64;
    private static final Set<PosixFilePermission> OWNERS = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private final KeyPair keys;
    private final String key;

    private ReceiptKey(KeyPair keys) {
        this.keys = keys;
        this.key = ReceiptSignature.keyOf(keys.getPublic());
    }

    /** Returns a new key that is in no file. */
    public static ReceiptKey generate() {
        try {
            return new ReceiptKey(KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform from 15 has " + ALGORITHM, e);
        }
    }

    /**
     * Returns the key of a data directory; makes one, durably, where there is none.
     *
     * <p>Throws {@link AgentException}: REFUSED when others than the owner may use the file, VERIFICATION_FAILED when it
     * is damaged.
     */
    public static ReceiptKey open(Path directory, Disk disk, Clock clock) {
        Path file = directory.resolve(FILE);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            requireOwnersOnly(file);
            return read(file, disk);
        }
        ReceiptKey fresh = generate();
        fresh.write(directory, disk, clock);
        return fresh;
    }

    private static void requireOwnersOnly(Path file) {
        try {
            Set<PosixFilePermission> found = Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
            if (!OWNERS.containsAll(found)) {
                throw new AgentException(
                        AgentException.Code.REFUSED,
                        "key " + file + ": expected mode rw-------, found " + PosixFilePermissions.toString(found)
                                + ": others may sign receipts in this agent's name; run 'chmod 600 " + file
                                + "', or remove it to begin with a new key");
            }
        } catch (IOException e) {
            throw new AgentException(
                    AgentException.Code.TRANSFER_FAILED, "key " + file + ": its mode cannot be read", e);
        }
    }

    private static ReceiptKey read(Path file, Disk disk) {
        ByteBuffer content = ByteBuffer.allocate(LONGEST_FILE);
        try (DiskFile opened = disk.openForReading(file)) {
            opened.read(content, 0);
        }
        String pem = new String(content.array(), 0, content.position(), StandardCharsets.US_ASCII);
        try {
            KeyFactory factory = KeyFactory.getInstance(ALGORITHM);
            KeyPair keys = new KeyPair(
                    factory.generatePublic(new X509EncodedKeySpec(block(pem, "PUBLIC KEY"))),
                    factory.generatePrivate(new PKCS8EncodedKeySpec(block(pem, "PRIVATE KEY"))));
            requirePair(keys);
            return new ReceiptKey(keys);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            // The cause may hold parts of the key.
            throw new AgentException(
                    AgentException.Code.VERIFICATION_FAILED,
                    "key " + file + ": expected the two halves of one Ed25519 key, found something else: it is damaged;"
                            + " put it back from a copy, or remove it to begin with a new key");
        }
    }

    private static byte[] block(String pem, String name) throws GeneralSecurityException {
        Matcher block = Pattern.compile(
                        "-----BEGIN " + name + "-----\\s+([A-Za-z0-9+/=\\s]+)-----END " + name + "-----")
                .matcher(pem);
        if (!block.find()) {
            throw new GeneralSecurityException("no " + name);
        }
        return Base64.getMimeDecoder().decode(block.group(1));
    }

    private static void requirePair(KeyPair keys) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(ALGORITHM);
        byte[] probe = FILE.getBytes(StandardCharsets.US_ASCII);
        signature.initSign(keys.getPrivate());
        signature.update(probe);
        byte[] signed = signature.sign();
        signature.initVerify(keys.getPublic());
        signature.update(probe);
        if (!signature.verify(signed)) {
            throw new GeneralSecurityException("two halves of different keys");
        }
    }

    /** Durable under its name when this returns; empty while its mode is still everybody's. */
    private void write(Path directory, Disk disk, Clock clock) {
        Path fresh = directory.resolve(FILE + ".new");
        disk.delete(fresh);
        try (DiskFile written = disk.open(fresh)) {
            disk.setAttributes(fresh, OWNER_ONLY, TimeUnit.MILLISECONDS.toNanos(clock.millis()));
            String pem = pem("PRIVATE KEY", keys.getPrivate().getEncoded())
                    + pem("PUBLIC KEY", keys.getPublic().getEncoded());
            written.write(ByteBuffer.wrap(pem.getBytes(StandardCharsets.US_ASCII)), 0);
            written.force();
        }
        disk.rename(fresh, directory.resolve(FILE));
        disk.syncDirectory(directory);
    }

    private static String pem(String name, byte[] der) {
        Base64.Encoder encoder = Base64.getMimeEncoder(PEM_LINE, new byte[] {'\n'});
        return "-----BEGIN " + name + "-----\n" + encoder.encodeToString(der) + "\n-----END " + name + "-----\n";
    }

    KeyPair keys() {
        return keys;
    }

    /** Returns the public key, 32 bytes in hexadecimal. */
    public String publicKey() {
        return key;
    }

    /** Returns how people call the key. */
    public String fingerprint() {
        return ReceiptSignature.fingerprint(key);
    }

    @Override
    public String toString() {
        return "ReceiptKey[" + fingerprint() + "]";
    }
}
