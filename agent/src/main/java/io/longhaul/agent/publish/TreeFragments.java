package io.longhaul.agent.publish;

import io.longhaul.storage.EntryRow;
import io.longhaul.wire.Digests;
import io.longhaul.wire.Entry;
import io.longhaul.wire.EntryCodec;
import io.longhaul.wire.PackCodec;
import io.longhaul.wire.TreeDigest;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A tree as packs and ranges.
 *
 * <p>Directories, links and files smaller than a quarter of the piece size are gathered in packs; a larger file is cut
 * by itself. A pack stays open across a large file, so a piece's index is given when the piece is finished. Entries are
 * numbered in the order of the {@link TreeWalk}.
 */
final class TreeFragments implements Fragments {
    private static final int LARGE_DIVISOR = 4;

    private final Cutter cutter;
    private final TreeWalk walk;
    private final Consumer<EntryRow> entries;
    private final TreeDigest treeDigest = new TreeDigest();
    private final MessageDigest fileDigest = Digests.sha256();
    private final byte[] digestOfNothing = Digests.sha256().digest();
    private final ByteBuffer content;
    private final List<EntryRow> packed = new ArrayList<>();
    private @Nullable ByteBuffer pack;
    private long packContent;
    private TreeWalk.@Nullable Node postponed;
    private @Nullable FileFragments large;
    private @Nullable Entry largeEntry;
    private long entryCount;
    private long pieceCount;
    private long length;

    /**
     * @param entries told of every entry when its first piece is cut, and again with its digest when it is a large
     *     file and that is known
     */
    TreeFragments(Cutter cutter, TreeWalk walk, Consumer<EntryRow> entries) {
        this.cutter = cutter;
        this.walk = walk;
        this.entries = entries;
        this.content = ByteBuffer.allocate(cutter.pieceSize() / LARGE_DIVISOR);
    }

    @Override
    public @Nullable Fragment next() throws InterruptedException {
        while (true) {
            if (large != null) {
                Fragment range = large.next();
                if (range != null) {
                    pieceCount++;
                    return range;
                }
                endLarge(large);
            }
            TreeWalk.Node node = postponed != null ? postponed : walk.next();
            postponed = null;
            if (node == null) {
                return pack == null ? null : flush(pack);
            }
            Fragment full = take(node);
            if (full != null) {
                return full;
            }
        }
    }

    /** Takes a name in; returns the pack that it no longer fits in, if any. */
    private @Nullable Fragment take(TreeWalk.Node node) throws InterruptedException {
        Entry entry = node.entry(entryCount);
        if (entry.length() >= cutter.pieceSize() / LARGE_DIVISOR) {
            beginLarge(node, entry);
            return null;
        }
        ByteBuffer open = pack;
        if (open == null) {
            open = cutter.take();
            pack = open;
        }
        if (PackCodec.size(entry) > open.remaining()) {
            if (open.position() == 0) {
                throw new SourceException(
                        "source " + SourceNames.shown(node.path()) + ": expected a name that fits a piece of "
                                + cutter.pieceSize() + " bytes, found one that takes " + PackCodec.size(entry));
            }
            postponed = node;
            return flush(open);
        }
        append(node, entry, open);
        return null;
    }

    private void append(TreeWalk.Node node, Entry entry, ByteBuffer into) {
        content.clear().limit((int) entry.length());
        if (node.stat().isFile()) {
            try (SourceFile file = SourceFile.open(node.path(), node.stat())) {
                file.read(content, 0);
                file.requireEnd();
                file.requireUnchanged();
            }
        }
        content.flip();
        byte[] sha256 = digestOfNothing;
        if (entry.length() > 0) {
            fileDigest.update(content.duplicate());
            sha256 = fileDigest.digest();
        }
        PackCodec.append(into, entry, content);
        treeDigest.add(entry, sha256);
        packed.add(new EntryRow(entry.number(), 0, EntryCodec.encode(entry), sha256));
        packContent += entry.length();
        length += entry.length();
        entryCount++;
    }

    private Fragment flush(ByteBuffer full) {
        Fragment cut = cutter.pack(pieceCount, full.flip(), packed.get(0).number(), packContent);
        for (EntryRow row : packed) {
            entries.accept(new EntryRow(row.number(), pieceCount, row.encoded(), row.sha256()));
        }
        packed.clear();
        packContent = 0;
        pack = null;
        pieceCount++;
        return cut;
    }

    private void beginLarge(TreeWalk.Node node, Entry entry) {
        large = FileFragments.open(cutter, node.path(), node.stat(), entry, pieceCount);
        largeEntry = entry;
        entries.accept(new EntryRow(entry.number(), pieceCount, EntryCodec.encode(entry), new byte[0]));
        entryCount++;
    }

    private void endLarge(FileFragments file) {
        Totals totals = file.totals();
        file.close();
        Entry entry = largeEntry;
        large = null;
        largeEntry = null;
        if (entry != null) {
            byte[] sha256 = HexFormat.of().parseHex(totals.digest());
            treeDigest.add(entry, sha256);
            entries.accept(
                    new EntryRow(entry.number(), pieceCount - totals.pieces(), EntryCodec.encode(entry), sha256));
            length += entry.length();
        }
    }

    @Override
    public Totals totals() {
        return new Totals(length, treeDigest.hex(), pieceCount, entryCount);
    }

    @Override
    public void close() {
        if (large != null) {
            large.close();
        }
        if (pack != null) {
            cutter.release(pack);
            pack = null;
        }
    }
}
