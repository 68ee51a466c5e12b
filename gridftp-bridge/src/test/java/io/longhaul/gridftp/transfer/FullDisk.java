package io.longhaul.gridftp.transfer;

import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import io.longhaul.storage.StorageException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The disk of this machine, on which nothing can be written while it is said to be full. */
final class FullDisk {
    final AtomicBoolean full = new AtomicBoolean();

    /** Writes until it is full. */
    final AtomicInteger room = new AtomicInteger(Integer.MAX_VALUE);

    /** What happens in the middle of the next write. */
    Runnable meanwhile = () -> {};

    /** What a write fails with. */
    StorageException.Code failure = StorageException.Code.NO_SPACE;

    final Disk disk = wrap(Disk.class, Disk.real());

    private <T> T wrap(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    boolean isWrite = method.getName().equals("write");
                    if (isWrite) {
                        Runnable now = meanwhile;
                        meanwhile = () -> {};
                        now.run();
                    }
                    if (isWrite && (full.get() || room.getAndDecrement() <= 0)) {
                        throw new StorageException(failure, "needed 1 bytes, free 0 bytes");
                    }
                    try {
                        Object result = method.invoke(real, arguments);
                        return result instanceof DiskFile file ? wrap(DiskFile.class, file) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
