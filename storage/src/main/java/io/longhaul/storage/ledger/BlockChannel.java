package io.longhaul.storage.ledger;

import io.longhaul.storage.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileLock;
import org.h2.store.fs.FakeFileChannel;
import org.h2.store.fs.FileBaseDefault;

/** A block file as H2 wants to see it. */
final class BlockChannel extends FileBaseDefault {
    private final BlockFile file;

    BlockChannel(BlockFile file) {
        this.file = file;
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // the block file has locks of its own
    public int read(ByteBuffer into, long position) throws IOException {
        try {
            return file.read(into, position);
        } catch (StorageException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // the block file has locks of its own
    public int write(ByteBuffer bytes, long position) throws IOException {
        int count = bytes.remaining();
        try {
            file.write(bytes, position);
            return count;
        } catch (StorageException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    protected void implTruncate(long length) throws IOException {
        try {
            file.truncate(length);
        } catch (StorageException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public void force(boolean metaData) throws IOException {
        try {
            file.force();
        } catch (StorageException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public long size() {
        return file.length();
    }

    /** The store's directory is locked; one database uses the file. */
    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        return new FileLock(FakeFileChannel.INSTANCE, position, size, shared) {
            @Override
            public boolean isValid() {
                return true;
            }

            @Override
            public void release() {
                // nothing is held
            }
        };
    }

    /** The ledger closes the block file itself, after H2. */
    @Override
    protected void implCloseChannel() {
        // nothing to do
    }
}
