package io.longhaul.cli.state;

import com.fasterxml.jackson.databind.JsonNode;
import io.longhaul.wire.Digests;
import io.longhaul.wire.Receipt;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Compares delivered files with what the ledger says of them.
 *
 * <p>Of several transfers to one path only the latest is there; the earlier ones are not looked at. Of trees every entry is,
 * unless a later transfer has brought another file of its path. Contents count, and not permissions or times.
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
        /** A tree of which the ledger lacks entries. */
        UNCHECKED("not checked: the ledger lacks entries of this tree", false),
        /** This user may not look at it, or at some of a tree. */
        UNREADABLE("not checked: it may not be read", false),
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

    /** What was at the path stayed there, and is not what the transfer brought. */
    private static final String KEPT = Receipt.Outcome.KEPT.name();

    private final Map<String, String> latestAt = new HashMap<>();
    private final Entries entries;

    /** Where the entries of trees are known. */
    @FunctionalInterface
    public interface Entries {
        /** Returns the next entries of a transfer from that number on, some at a time; none behind the last one. */
        List<JsonNode> from(String transfer, long number);
    }

    /** Takes all transfers of a ledger, oldest first. */
    public DeliveredCheck(List<JsonNode> transfers, Entries entries) {
        this.entries = entries;
        transfers.stream()
                .filter(DeliveredCheck::isInPlace)
                .forEach(transfer -> latestAt.put(
                        transfer.path("path").asText(),
                        transfer.path("transfer").asText()));
    }

    /** Looks at the place of a transfer; empty when it has none that can be checked. */
    public Optional<Verdict> of(JsonNode transfer) {
        Path path = Path.of(transfer.path("path").asText());
        if (!isInPlace(transfer)) {
            return Optional.empty();
        }
        String id = transfer.path("transfer").asText();
        if (!id.equals(latestAt.get(path.toString()))) {
            return Optional.of(Verdict.REPLACED);
        }
        return Optional.of(unlessForbidden(() -> atPlace(path, transfer)));
    }

    private static Verdict unlessForbidden(Supplier<Verdict> look) {
        try {
            return look.get();
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof AccessDeniedException) {
                return Verdict.UNREADABLE;
            }
            throw e;
        }
    }

    private Verdict atPlace(Path path, JsonNode transfer) {
        // an agent of an earlier version does not say what is a tree
        if (transfer.path("tree").asBoolean() || !transfer.has("tree") && Files.isDirectory(path)) {
            return ofTree(path, transfer);
        }
        if (look(path).filter(BasicFileAttributes::isRegularFile).isEmpty()) {
            return Verdict.MISSING;
        }
        return verdict(transfer.path("digest").asText().equals(digest(path)));
    }

    private Verdict ofTree(Path top, JsonNode transfer) {
        if (look(top).filter(BasicFileAttributes::isDirectory).isEmpty()) {
            return Verdict.MISSING;
        }
        long all = transfer.path("entries").asLong(-1);
        Verdict worst = all < 0 ? Verdict.UNCHECKED : Verdict.INTACT;
        long number = 0;
        while (number < all && !worst.isDamage()) {
            List<JsonNode> page = entries.from(transfer.path("transfer").asText(), number);
            if (page.isEmpty()) {
                return Verdict.UNCHECKED;
            }
            for (JsonNode entry : page) {
                worst = worse(worst, unlessForbidden(() -> ofEntry(top, entry)));
            }
            number += page.size();
        }
        return worst;
    }

    private static Verdict worse(Verdict one, Verdict other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private Verdict ofEntry(Path top, JsonNode entry) {
        Path path = top.resolve(entry.path("path").asText());
        if (latestAt.containsKey(path.toString())) {
            return Verdict.INTACT; // a transfer of its own has brought what is there
        }
        Optional<BasicFileAttributes> found = look(path);
        if (found.isEmpty()) {
            return Verdict.MISSING;
        }
        return switch (entry.path("type").asText()) {
            case "directory" -> verdict(found.get().isDirectory());
            case "symlink" -> verdict(isLinkTo(path, entry.path("target").asText()));
            default -> verdict(found.get().isRegularFile() && isContent(path, entry));
        };
    }

    /** Returns what is there, without following a link; nothing where only a name above it leads elsewhere. */
    private static Optional<BasicFileAttributes> look(Path path) {
        try {
            return Optional.of(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (AccessDeniedException e) {
            throw new UncheckedIOException(path + ": cannot be looked at", e);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static boolean isContent(Path file, JsonNode entry) {
        long bytes = entry.path("bytes").asLong();
        return bytes == file.toFile().length()
                && (bytes == 0 || entry.path("digest").asText().equals(digest(file)));
    }

    private static boolean isLinkTo(Path link, String target) {
        // a link is made by way of a path, which drops slashes: d/ becomes d, and a//b becomes a/b
        String made = link.getFileSystem().getPath(target).toString();
        try {
            return Files.isSymbolicLink(link)
                    && Files.readSymbolicLink(link).toString().equals(made);
        } catch (IOException e) {
            throw new UncheckedIOException(link + ": cannot be read", e);
        }
    }

    private static Verdict verdict(boolean same) {
        return same ? Verdict.INTACT : Verdict.DIFFERENT;
    }

    private static boolean isInPlace(JsonNode transfer) {
        return transfer.path("direction").asText().equals("incoming")
                && IN_PLACE.contains(transfer.path("state").asText())
                && !transfer.path("detail").path("outcome").asText().equals(KEPT)
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
