package io.longhaul.storage;

import java.nio.ByteBuffer;

/**
 * Preallocated files that hold piece bodies; the ledger says which slots are valid.
 *
 * <p>A slot belongs to its taker until the piece's row is committed or {@link #release} is called. May be called from
 * any thread.
 */
public interface Spool {

    /**
     * Writes the buffer's remaining bytes into a free slot and returns the slot's position.
     *
     * <p>Refuses before anything is written when quota or the free-space floor would be passed:
     * {@link StorageException.Code#NO_SPACE}, naming path, needed and free.
     *
     * @param body at most the slot size that the store was opened with
     */
    long write(ByteBuffer body);

    /** Makes all completed writes durable. */
    void force();

    /** Reads {@code length} bytes of a slot. */
    void read(long position, ByteBuffer into);

    /** Returns the file of a slot and the offset there, for people. */
    String describe(long position);

    /** Gives back a slot that no ledger row names. */
    void release(long position);
}
