package io.longhaul.storage.ledger;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * The file system {@code longhaul:} of H2, in which the only files are the open block files, each in a directory of
 * its own.
 *
 * <p>Public because H2 makes instances by reflection.
 */
public final class BlockFilePath extends FilePathWrapper {
    private static final String SCHEME = "longhaul";
    private static final String SUFFIX = ".mv.db";
    private static final ConcurrentMap<String, BlockFile> OPEN = new ConcurrentHashMap<>();
    private static final AtomicLong COUNT = new AtomicLong();

    static {
        FilePath.register(new BlockFilePath());
    }

    /** Makes the file known; returns the database name for a URL. */
    static String register(BlockFile file) {
        String name = SCHEME + ":/longhaul-ledger-" + COUNT.incrementAndGet() + "/ledger";
        OPEN.put(name + SUFFIX, file);
        return name;
    }

    static void unregister(String name) {
        OPEN.remove(name + SUFFIX);
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public FileChannel open(String mode) throws IOException {
        BlockFile file = OPEN.get(name);
        return file == null ? super.open(mode) : new BlockChannel(file);
    }

    @Override
    public boolean exists() {
        BlockFile file = OPEN.get(name);
        return file == null ? isDirectory() || super.exists() : file.length() > 0;
    }

    @Override
    public long size() {
        BlockFile file = OPEN.get(name);
        return file == null ? super.size() : file.length();
    }

    @Override
    public boolean isDirectory() {
        return name.matches(SCHEME + ":/longhaul-ledger-[0-9]+");
    }

    @Override
    public boolean isRegularFile() {
        return OPEN.containsKey(name) || super.isRegularFile();
    }

    @Override
    public boolean canWrite() {
        return OPEN.containsKey(name) || isDirectory() || super.canWrite();
    }

    @Override
    public FilePath toRealPath() {
        return this;
    }

    @Override
    public List<FilePath> newDirectoryStream() {
        return isDirectory() ? List.of() : super.newDirectoryStream();
    }
}
