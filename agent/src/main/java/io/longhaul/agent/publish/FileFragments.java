package io.longhaul.agent.publish;

import io.longhaul.wire.Digests;
import io.longhaul.wire.Entry;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A single file, or a large file of a tree, as ranges and holes of one piece size. */
final class FileFragments implements Fragments {
    private final Cutter cutter;
    private final SourceFile file;
    private final long length;
    private final Optional<Entry> entry;
    private final long firstIndex;
    private final MessageDigest digest = Digests.sha256();
    private long position;
    private long index;

    private FileFragments(Cutter cutter, SourceFile file, long length, Optional<Entry> entry, long firstIndex) {
        this.cutter = cutter;
        this.file = file;
        this.length = length;
        this.entry = entry;
        this.firstIndex = firstIndex;
        this.index = firstIndex;
    }

    /** Opens a file that is a transfer of its own. */
    static FileFragments open(Cutter cutter, Path path, SourceStat seen) {
        return new FileFragments(
                cutter, SourceFile.open(path, seen), seen.identity().length(), Optional.empty(), 0);
    }

    /** Opens a file of a tree, whose pieces begin with an index. */
    static FileFragments open(Cutter cutter, Path path, SourceStat seen, Entry entry, long firstIndex) {
        return new FileFragments(
                cutter, SourceFile.open(path, seen), seen.identity().length(), Optional.of(entry), firstIndex);
    }

    @Override
    public @Nullable Fragment next() throws InterruptedException {
        if (position >= length) {
            return null;
        }
        ByteBuffer body = cutter.read(file, position, length);
        digest.update(body.duplicate());
        Fragment cut = cutter.range(index, position, body, entry);
        position += cut.header().length();
        index++;
        return cut;
    }

    @Override
    public Totals totals() {
        file.requireEnd();
        file.requireUnchanged();
        return new Totals(length, HexFormat.of().formatHex(digest.digest()), index - firstIndex, 1);
    }

    @Override
    public void close() {
        file.close();
    }
}
