package io.longhaul.storage.ledger;

import io.longhaul.storage.DiskFile;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;

/**
 * Brings what the journal holds to its places in the file, so that the journal may start anew.
 *
 * <p>The order is the point: checksums and header into the journal, forced; blocks and checksums into the file, forced;
 * then the header, which says that the journal up to here is not needed any more, forced. A power loss at any moment
 * leaves a journal that is whole or a file that needs none.
 */
final class Checkpoint {
    private final DiskFile file;
    private final Journal journal;
    private final Layout layout;
    private final long length;

    /** Takes the file's length as H2 sees it. */
    Checkpoint(DiskFile file, Journal journal, Layout layout, long length) {
        this.file = file;
        this.journal = journal;
        this.layout = layout;
        this.length = length;
    }

    void write(BitSet changedPages, Map<Long, Long> journaledAt) {
        TreeMap<Long, byte[]> pages = layout.pages(changedPages, Block.count(length));
        pages.put(0L, Layout.header(layout.id(), journal.sequence() + 1, length));
        journal(pages);
        byte[] content = new byte[Block.BYTES];
        for (Map.Entry<Long, Long> each : journaledAt.entrySet()) {
            journal.read(each.getValue(), ByteBuffer.wrap(content));
            file.write(ByteBuffer.wrap(content), Layout.physical(each.getKey()) * Block.BYTES);
        }
        byte[] header = pages.remove(0L);
        pages.forEach((number, page) -> file.write(ByteBuffer.wrap(page), number * Block.BYTES));
        long end = Layout.physicalLength(Block.count(length));
        if (file.length() > end) {
            file.setLength(end);
        }
        file.force();
        file.write(ByteBuffer.wrap(header), 0);
        file.force();
    }

    private void journal(TreeMap<Long, byte[]> pages) {
        long[] physical = pages.keySet().stream().mapToLong(Long::longValue).toArray();
        try {
            journal.append(layout.id(), length, physical, pages.values().toArray(new byte[0][]));
            journal.force();
        } catch (RuntimeException e) {
            journal.rollBack();
            throw e;
        }
    }
}
