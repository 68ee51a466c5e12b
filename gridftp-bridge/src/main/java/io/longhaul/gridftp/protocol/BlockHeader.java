package io.longhaul.gridftp.protocol;

import io.netty.buffer.ByteBuf;

/**
 * The header of an extended block (GFD.20 section 3.4.2, MODE E); big-endian.
 *
 * <pre>
 *  byte  0      1 .............. 8   9 .............. 16   17 ...
 *       +------+-------------------+--------------------+---------------
 *       | desc |  count (64 bits)  |  offset (64 bits)  | count bytes
 *       +------+-------------------+--------------------+---------------
 *  descriptor: 0x40 EOF  offset is the number of EODs to expect, there is no payload
 *              0x08 EOD  last block of this transfer on this connection
 *              0x04 CLOSE  the sender will close this connection
 *              0x80 EOR, 0x20 errors suspected, 0x10 restart marker: nobody sends them, and no receiver heeds them
 * </pre>
 *
 * @param descriptor flags
 * @param count bytes of payload
 * @param offset position of the payload, or the number of EODs
 */
public record BlockHeader(int descriptor, long count, long offset) {
    /** Length of a header. */
    public static final int BYTES = 17;

    /** The offset is the number of EODs of the whole transfer. */
    public static final int EOF = 0x40;

    /** Nothing more of this transfer comes over this connection. */
    public static final int EOD = 0x08;

    /** The sender closes the connection. */
    public static final int CLOSE = 0x04;

    private static final int UNUSED = 0x80 | 0x20 | 0x10;

    private static final int KNOWN = EOF | EOD | CLOSE | UNUSED;

    /** Returns the header of a block of data. */
    public static BlockHeader data(long offset, long count) {
        return new BlockHeader(0, count, offset);
    }

    /** Returns the header that ends a connection's part. */
    public static BlockHeader endOfData() {
        return new BlockHeader(EOD, 0, 0);
    }

    /** Returns the header that ends a connection's part and tells how many there are. */
    public static BlockHeader endOfFile(int connections) {
        return new BlockHeader(EOF | EOD, 0, connections);
    }

    /** Returns the header before a connection is closed between transfers. */
    public static BlockHeader close() {
        return new BlockHeader(CLOSE, 0, 0);
    }

    /** Reads {@value #BYTES} bytes. */
    public static BlockHeader read(ByteBuf in) {
        return new BlockHeader(in.readUnsignedByte(), in.readLong(), in.readLong());
    }

    /** Writes {@value #BYTES} bytes. */
    public void write(ByteBuf out) {
        out.writeByte(descriptor);
        out.writeLong(count);
        out.writeLong(offset);
    }

    public boolean isEndOfFile() {
        return (descriptor & EOF) != 0;
    }

    public boolean isEndOfData() {
        return (descriptor & EOD) != 0;
    }

    /** Returns whether there is no more to it than its length: no payload, and no end. */
    public boolean isEmpty() {
        return count == 0 && !isEndOfFile() && !isEndOfData();
    }

    public boolean isClose() {
        return (descriptor & CLOSE) != 0;
    }

    /** Throws {@link ProtocolException} for flags that nobody uses and numbers that are no positions in a file. */
    void check(long maxBlockBytes, int maxConnections) {
        if ((descriptor & ~KNOWN) != 0) {
            throw ProtocolException.ofStranger(
                    "extended block: unknown descriptor 0x" + Integer.toHexString(descriptor & ~KNOWN));
        }
        if (isClose() && isEmpty()) {
            throw ProtocolException.ofStranger("extended block: expected EOD before CLOSE");
        }
        if (isEndOfFile()) {
            if (offset < 1 || offset > maxConnections) {
                throw ProtocolException.ofStranger("extended block: expected 1.." + maxConnections + " EODs, found "
                        + Long.toUnsignedString(offset));
            }
            return;
        }
        if (count < 0 || count > maxBlockBytes) {
            throw ProtocolException.ofStranger("extended block: expected at most " + maxBlockBytes + " bytes, found "
                    + Long.toUnsignedString(count));
        }
        if (offset < 0 || offset > Long.MAX_VALUE - count) {
            throw new ProtocolException(
                    "extended block: offset " + Long.toUnsignedString(offset) + " is beyond what a file can have");
        }
    }
}
