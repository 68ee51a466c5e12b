package io.longhaul.gridftp.transfer;

import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import io.longhaul.storage.StorageException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;

/** The disk of this machine, on which nothing can be written while it is said to be full. */
final class FullDisk {
    final AtomicBoolean full = new AtomicBoolean();
    final Disk disk = wrap(Disk.class, Disk.real());

    private <T> T wrap(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (full.get() && method.getName().equals("write")) {
                        throw new StorageException(StorageException.Code.NO_SPACE, "needed 1 bytes, free 0 bytes");
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
