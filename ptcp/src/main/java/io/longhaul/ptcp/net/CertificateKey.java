package io.longhaul.ptcp.net;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks whether a key is that of a certificate: TLS takes any two, and then every handshake fails. */
public final class CertificateKey {
    private static final Map<String, String> SIGNATURES = Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA");

    private CertificateKey() {}

    /** Throws {@link IllegalArgumentException} when a PEM file's key is not that of the first certificate in another. */
    public static void check(Path certificate, Path key) {
        boolean fits;
        try {
            fits = mayFit(certificate, key);
        } catch (IOException e) {
            throw new IllegalArgumentException("tls: " + e.getMessage() + ": expected a readable PEM file", e);
        }
        if (!fits) {
            throw new IllegalArgumentException("tls: expected the key of the first certificate in " + certificate
                    + ", found another one in " + key);
        }
    }

    /** Returns false when it certainly is not; of kinds that this does not know it may be. */
    static boolean mayFit(Path certificate, Path key) throws IOException {
        try {
            byte[] encoded = block(certificate, "CERTIFICATE");
            PublicKey known = CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(encoded))
                    .getPublicKey();
            String algorithm = SIGNATURES.get(known.getAlgorithm());
            return algorithm == null
                    || isOne(
                            known,
                            KeyFactory.getInstance(known.getAlgorithm())
                                    .generatePrivate(new PKCS8EncodedKeySpec(block(key, "PRIVATE KEY"))),
                            algorithm);
        } catch (InvalidKeySpecException e) {
            return false;
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return true;
        }
    }

    private static boolean isOne(PublicKey known, PrivateKey key, String algorithm) throws GeneralSecurityException {
        byte[] sample = {1, 2, 3};
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        signing.update(sample);
        Signature checking = Signature.getInstance(algorithm);
        checking.initVerify(known);
        checking.update(sample);
        return checking.verify(signing.sign());
    }

    /** Returns the first block of a kind; other text may stand before it. */
    private static byte[] block(Path file, String kind) throws IOException {
        Matcher block = Pattern.compile("-----BEGIN " + kind + "-----([^-]*)-----END " + kind + "-----")
                .matcher(PemFile.text(file));
        if (!block.find()) {
            throw new IllegalArgumentException(file + ": expected a " + kind + ", found none");
        }
        return Base64.getMimeDecoder().decode(block.group(1));
    }
}
