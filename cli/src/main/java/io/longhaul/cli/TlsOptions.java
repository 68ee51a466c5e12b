package io.longhaul.cli;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Certificate and key of a command that listens. */
final class TlsOptions {
    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "Certificate chain, PEM; with --tls-key: speak TLS. Default: no TLS.")
    private @Nullable Path certificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "Its private key, PEM (PKCS#8, unencrypted).")
    private @Nullable Path key;

    /** Both files. */
    record Pair(Path certificate, Path key) {}

    /** Returns the files, empty for none; throws {@link IllegalArgumentException} for one without the other. */
    Optional<Pair> pair() {
        if (certificate != null && key != null) {
            return Optional.of(new Pair(certificate, key));
        }
        if (certificate != null || key != null) {
            throw incomplete();
        }
        return Optional.empty();
    }

    static IllegalArgumentException incomplete() {
        return new IllegalArgumentException("TLS needs --tls-cert FILE and --tls-key FILE together");
    }
}
