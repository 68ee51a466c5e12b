package io.longhaul.agent.publish;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of a single file that an earlier run did not bring to safety; what is between them is not read.
 *
 * <p>Knows no digest: another pass over the whole file finds that while these are on their way.
 */
final class GapFragments implements Fragments {
    private final Cutter cutter;
    private final SourceFile file;
    private final long length;
    private final BitSet safe;
    private int index;

    private GapFragments(Cutter cutter, SourceFile file, long length, BitSet safe) {
        this.cutter = cutter;
        this.file = file;
        this.length = length;
        this.safe = safe;
    }

    /** Opens the file; the set must not change any more. */
    static GapFragments open(Cutter cutter, Path path, SourceStat seen, BitSet safe) {
        return new GapFragments(
                cutter, SourceFile.open(path, seen), seen.identity().length(), safe);
    }

    @Override
    public @Nullable Fragment next() throws InterruptedException {
        index = safe.nextClearBit(index);
        long position = (long) index * cutter.pieceSize();
        if (position >= length) {
            return null;
        }
        return cutter.range(index++, position, cutter.read(file, position, length), Optional.empty());
    }

    @Override
    public Totals totals() {
        file.requireUnchanged();
        return new Totals(length, "", (length + cutter.pieceSize() - 1) / cutter.pieceSize(), 1);
    }

    @Override
    public void close() {
        file.close();
    }
}
