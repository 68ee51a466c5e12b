package io.longhaul.storage;

import java.nio.ByteBuffer;

/** An open file of a {@link Disk}; positional reads and writes may come from several threads. */
public interface DiskFile extends AutoCloseable {

    /** Writes all remaining bytes at the position. */
    void write(ByteBuffer bytes, long position);

    /**
     * Writes all remaining bytes at the position as {@link #write} does, past the page cache where that is faster; for bytes
     * that are not read again soon. Not for ranges that another thread writes at the same time.
     */
    default void writeDirect(ByteBuffer bytes, long position) {
        write(bytes, position);
    }

    /** Reads until the buffer is full or the file ends; returns the bytes read. */
    int read(ByteBuffer into, long position);

    /** Makes content, length and attributes durable. */
    void force();

    /** Sets the length; what it grows by is a hole of zeros. */
    void setLength(long length);

    long length();

    @Override
    void close();
}
