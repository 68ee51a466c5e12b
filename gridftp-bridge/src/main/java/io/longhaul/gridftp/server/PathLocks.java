package io.longhaul.gridftp.server;

import io.longhaul.gridftp.spi.FilePath;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/** Lets those who put something into the place of a file do it one after the other. Thread-safe. */
final class PathLocks {
    private static final int LOCKS = 64;

    private final List<Lock> locks =
            IntStream.range(0, LOCKS).<Lock>mapToObj(i -> new ReentrantLock()).toList();

    Lock of(FilePath path) {
        return locks.get(Math.floorMod(path.hashCode(), LOCKS));
    }
}
