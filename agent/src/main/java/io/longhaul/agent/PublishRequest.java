package io.longhaul.agent;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What to publish, and how.
 *
 * @param source the file or directory; empty when a stream is given
 * @param stream the bytes, read once and spooled, by threads of its own, so that one thread may write into several by turns;
 *     up to six pieces of each are in memory; it stays open; empty when a source is given
 * @param topic words of letters, digits, {@code _} and {@code -}, joined by dots; at most 200 characters
 * @param name relative path at the subscribers, at most 4096 bytes of UTF-8 and 255 between two slashes, without {@code .} and
 *     {@code ..}; default the last component of the source
 * @param spool keep every piece in the agent's store first, so that the source may vanish; default false, always true for
 *     streams
 * @param receipts how many subscriptions must say by their receipts that they have it; it fails only when as many have
 *     answered and too few are left that may still have it; 0, the default: it ends when the broker has everything on disk
 * @param awaited whose receipts these must be; empty, the default: anybody's, also of one that subscribes later
 * @param pieceSize bytes of a piece, 4 KiB..4 MiB, 1 MiB at most where it is spooled, default 1 MiB
 * @param symlinks what to do with symbolic links in a tree, default {@link SymlinkPolicy#RECREATE}
 * @param priority 0..9, default 4: what waits at a broker goes out by priority first, the greater before the lesser
 */
public record PublishRequest(
        Optional<Path> source,
        Optional<InputStream> stream,
        String topic,
        Optional<String> name,
        boolean spool,
        int receipts,
        Set<String> awaited,
        int pieceSize,
        SymlinkPolicy symlinks,
        int priority) {
    /** Bytes of a piece when nothing else is said. */
    public static final int DEFAULT_PIECE_SIZE = 1024 * 1024;
    /** The priority when nothing else is said. */
    public static final int DEFAULT_PRIORITY = 4;
    /** The greatest priority. */
    public static final int MOST_PRIORITY = 9;

    /**
     * Throws {@link IllegalArgumentException} for a priority outside of 0..9, and for more receipts than are awaited by name;
     * of the rest {@link Agent#publish} says what is wrong.
     */
    public PublishRequest {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(stream, "stream");
        Objects.requireNonNull(topic, "topic");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(symlinks, "symlinks");
        awaited = Set.copyOf(Objects.requireNonNull(awaited, "awaited"));
        if (!awaited.isEmpty() && receipts > awaited.size()) {
            throw new IllegalArgumentException(
                    "receipts: expected at most those of " + awaited.size() + " subscriptions, found " + receipts);
        }
        if (priority < 0 || priority > MOST_PRIORITY) {
            throw new IllegalArgumentException("priority: expected 0.." + MOST_PRIORITY + ", found " + priority);
        }
    }

    /** Returns a request for a file or directory with all defaults. */
    public static PublishRequest of(Path source, String topic) {
        return new PublishRequest(
                Optional.of(Objects.requireNonNull(source, "source")),
                Optional.empty(),
                topic,
                Optional.empty(),
                false,
                0,
                Set.of(),
                DEFAULT_PIECE_SIZE,
                SymlinkPolicy.RECREATE,
                DEFAULT_PRIORITY);
    }

    /** Returns a request for a stream, which is spooled. */
    public static PublishRequest of(InputStream stream, String name, String topic) {
        return new PublishRequest(
                Optional.empty(),
                Optional.of(Objects.requireNonNull(stream, "stream")),
                topic,
                Optional.of(Objects.requireNonNull(name, "name")),
                true,
                0,
                Set.of(),
                DEFAULT_PIECE_SIZE,
                SymlinkPolicy.RECREATE,
                DEFAULT_PRIORITY);
    }

    /** Returns it with a relative path at the subscribers. */
    public PublishRequest withName(String newName) {
        Optional<String> given = Optional.of(Objects.requireNonNull(newName, "name"));
        return new PublishRequest(
                source, stream, topic, given, spool, receipts, awaited, pieceSize, symlinks, priority);
    }

    /** Returns it with or without a copy in the spool. */
    public PublishRequest withSpool(boolean newSpool) {
        return new PublishRequest(
                source, stream, topic, name, newSpool, receipts, awaited, pieceSize, symlinks, priority);
    }

    /** Returns it with another number of receipts that end it, whoever gives them. */
    public PublishRequest withReceipts(int newReceipts) {
        return new PublishRequest(
                source, stream, topic, name, spool, newReceipts, Set.of(), pieceSize, symlinks, priority);
    }

    /** Returns it with the subscriptions whose receipts end it, all of them; others are taken in, and end nothing. */
    public PublishRequest withReceiptsOf(Collection<String> subscriptions) {
        Set<String> names = Set.copyOf(Objects.requireNonNull(subscriptions, "subscriptions"));
        return new PublishRequest(
                source, stream, topic, name, spool, names.size(), names, pieceSize, symlinks, priority);
    }

    /** Returns it with another size of pieces. */
    public PublishRequest withPieceSize(int newPieceSize) {
        return new PublishRequest(
                source, stream, topic, name, spool, receipts, awaited, newPieceSize, symlinks, priority);
    }

    /** Returns it with another answer to symbolic links. */
    public PublishRequest withSymlinks(SymlinkPolicy newSymlinks) {
        return new PublishRequest(
                source, stream, topic, name, spool, receipts, awaited, pieceSize, newSymlinks, priority);
    }

    /** Returns it with another priority; throws {@link IllegalArgumentException} outside of 0..9. */
    public PublishRequest withPriority(int newPriority) {
        return new PublishRequest(
                source, stream, topic, name, spool, receipts, awaited, pieceSize, symlinks, newPriority);
    }
}
