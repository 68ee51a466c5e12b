package io.longhaul.cli.state;

import com.fasterxml.jackson.databind.JsonNode;
import io.longhaul.wire.Digests;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Compares delivered files with what the ledger says of them.
 *
 * <p>Of several transfers to one path only the latest is there; the earlier ones are not looked at. Nor are trees: their
 * digest needs the entries that only the ledger has.
 */
public final class DeliveredCheck {
    /** What a file was found to be. */
    public enum Verdict {
        /** Length and digest are those of the transfer. */
        INTACT("verified", false),
        /** A later transfer lies in its place. */
        REPLACED("replaced by a later transfer", false),
        /** It is not there any more. */
        MISSING("no longer there", false),
        /** It is there, and its bytes are others: damaged, or changed by somebody. */
        DIFFERENT("NOT what was delivered", true);

        private final String line;
        private final boolean damage;

        Verdict(String line, boolean damage) {
            this.line = line;
            this.damage = damage;
        }

        public String line() {
            return line;
        }

        public boolean isDamage() {
            return damage;
        }
    }

    private static final int BUFFER = 1024 * 1024;
    private static final Set<String> IN_PLACE = Set.of("delivered", "receipted");

    private final Map<String, String> latestAt = new HashMap<>();

    /** Takes all transfers of a ledger, oldest first. */
    public DeliveredCheck(List<JsonNode> transfers) {
        transfers.stream()
                .filter(DeliveredCheck::isInPlace)
                .forEach(transfer -> latestAt.put(
                        transfer.path("path").asText(),
                        transfer.path("transfer").asText()));
    }

    /** Looks at the place of a transfer; empty when it has none that can be checked. */
    public Optional<Verdict> of(JsonNode transfer) {
        Path path = Path.of(transfer.path("path").asText());
        if (!isInPlace(transfer) || Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        if (!transfer.path("transfer").asText().equals(latestAt.get(path.toString()))) {
            return Optional.of(Verdict.REPLACED);
        }
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of(Verdict.MISSING);
        }
        boolean same = transfer.path("digest").asText().equals(digest(path));
        return Optional.of(same ? Verdict.INTACT : Verdict.DIFFERENT);
    }

    private static boolean isInPlace(JsonNode transfer) {
        return transfer.path("direction").asText().equals("incoming")
                && IN_PLACE.contains(transfer.path("state").asText())
                && !transfer.path("path").asText().isEmpty();
    }

    /** Returns the SHA-256 of a file in hexadecimal. */
    public static String digest(Path file) {
        MessageDigest digest = Digests.sha256();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            byte[] buffer = new byte[BUFFER];
            while (in.read(buffer) >= 0) {
                // The stream feeds the digest.
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be read", e);
        }
    }
}
