package io.longhaul.storage.ledger;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The unit of the ledger's file: what is checksummed, journaled and copied. */
final class Block {
    static final int BYTES = 4096;

    private Block() {}

    /** Returns the checksum of a block's content at its place; content that strayed to another place fails it. */
    static int sum(long number, byte[] content, int from) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, number));
        crc.update(content, from, BYTES);
        return (int) crc.getValue();
    }

    /** Returns how many blocks hold so many bytes. */
    static long count(long bytes) {
        return (bytes + BYTES - 1) / BYTES;
    }
}
