package io.longhaul.storage.ledger;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Where the blocks of the H2 file lie in {@code ledger.mv.db}, and the checksum that each must have.
 *
 * <pre>
 * block 0          header: magic "LHLEDGR\1" (8), id (8), sequence number of the last checkpoint (8),
 *                  length of the H2 file (8), CRC32C of bytes 0..31 (4), zeros; big endian
 * block 1          page 0 of checksums: 1023 x CRC32C (4) of the blocks that follow, CRC32C of the page (4)
 * blocks 2..1024   blocks 0..1022 of the H2 file
 * block 1025       page 1 of checksums, and so on
 * </pre>
 *
 * <p>Checksums of blocks cover the physical block number (8 bytes) and the content; those of pages start with the page
 * number likewise. The checksums here are those of what was last written, which may still be in the journal. Guarded
 * by the block file.
 */
final class Layout {
    static final int HEADER_BYTES = 36;
    private static final long MAGIC = 0x4c484c4544475201L;
    private static final int PER_PAGE = 1023;
    private static final int GROUP = PER_PAGE + 1;
    private static final int CHECKED_BYTES = 32;

    private final long id;
    private int[] sums = new int[PER_PAGE];

    Layout(long id) {
        this.id = id;
    }

    /** What the header says. */
    record Header(long id, long sequence, long length) {}

    static byte[] header(long id, long sequence, long length) {
        ByteBuffer block = ByteBuffer.allocate(Block.BYTES).order(ByteOrder.BIG_ENDIAN);
        block.putLong(MAGIC).putLong(id).putLong(sequence).putLong(length);
        block.putInt(crc(block.array(), CHECKED_BYTES, 0));
        return block.array();
    }

    /** Returns what the header says, null when it is damaged. */
    static @Nullable Header header(byte[] block) {
        ByteBuffer header = ByteBuffer.wrap(block).order(ByteOrder.BIG_ENDIAN);
        if (header.getLong(0) != MAGIC || header.getInt(CHECKED_BYTES) != crc(block, CHECKED_BYTES, 0)) {
            return null;
        }
        return new Header(header.getLong(8), header.getLong(16), header.getLong(24));
    }

    private static int crc(byte[] bytes, int length, long number) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, number));
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    long id() {
        return id;
    }

    /** Returns the physical block of a block of the H2 file. */
    static long physical(long number) {
        return 1 + number / PER_PAGE * GROUP + 1 + number % PER_PAGE;
    }

    /** Returns the physical block of a page of checksums. */
    static long physicalPage(int page) {
        return 1 + (long) page * GROUP;
    }

    /** Returns the block of the H2 file at a physical block, -1 for the header and pages of checksums. */
    static long number(long physical) {
        long within = (physical - 1) % GROUP;
        return physical < 1 || within == 0 ? -1 : (physical - 1) / GROUP * PER_PAGE + within - 1;
    }

    static int page(long number) {
        return (int) (number / PER_PAGE);
    }

    /** Returns how many pages of checksums so many blocks have. */
    static int pageCount(long blocks) {
        return (int) ((blocks + PER_PAGE - 1) / PER_PAGE);
    }

    /** Returns the bytes of the file for so many blocks of the H2 file. */
    static long physicalLength(long blocks) {
        return (blocks == 0 ? 1 : physical(blocks - 1) + 1) * Block.BYTES;
    }

    /** Returns how many whole blocks of the H2 file a file of that length can hold. */
    static long blocksIn(long fileLength) {
        long physical = Math.max(0, fileLength / Block.BYTES - 1);
        return physical / GROUP * PER_PAGE + Math.max(0, physical % GROUP - 1);
    }

    /** Takes the content's checksum as the right one for the block. */
    void set(long number, byte[] content) {
        set(number, Block.sum(physical(number), content, 0));
    }

    void set(long number, int sum) {
        if (number >= sums.length) {
            sums = Arrays.copyOf(sums, (int) Math.max(number + 1, sums.length * 2L));
        }
        sums[(int) number] = sum;
    }

    /** Returns the right checksum of the block. */
    int sum(long number) {
        return number < sums.length ? sums[(int) number] : 0;
    }

    /** Returns what is wrong with the content of the block, null when nothing is. */
    @Nullable
    String compare(long number, byte[] content) {
        int found = Block.sum(physical(number), content, 0);
        int expected = sum(number);
        return found == expected
                ? null
                : String.format(
                        "block at %d: expected CRC32C %08x, found %08x",
                        physical(number) * Block.BYTES, expected, found);
    }

    /** Returns the chosen pages of checksums by physical block. */
    TreeMap<Long, byte[]> pages(BitSet chosen, long blocks) {
        TreeMap<Long, byte[]> pages = new TreeMap<>();
        for (int page = chosen.nextSetBit(0);
                page >= 0 && page < pageCount(blocks);
                page = chosen.nextSetBit(page + 1)) {
            ByteBuffer block = ByteBuffer.allocate(Block.BYTES).order(ByteOrder.BIG_ENDIAN);
            for (int i = 0; i < PER_PAGE; i++) {
                long number = (long) page * PER_PAGE + i;
                block.putInt(sum(number));
            }
            block.putInt(crc(block.array(), PER_PAGE * Integer.BYTES, page));
            pages.put(physicalPage(page), block.array());
        }
        return pages;
    }

    /** Takes over a page of checksums; returns false when it is damaged. */
    boolean takePage(int page, byte[] content) {
        ByteBuffer block = ByteBuffer.wrap(content).order(ByteOrder.BIG_ENDIAN);
        if (block.getInt(PER_PAGE * Integer.BYTES) != crc(content, PER_PAGE * Integer.BYTES, page)) {
            return false;
        }
        for (int i = 0; i < PER_PAGE; i++) {
            set((long) page * PER_PAGE + i, block.getInt());
        }
        return true;
    }
}
