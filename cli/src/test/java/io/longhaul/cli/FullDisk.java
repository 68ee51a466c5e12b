package io.longhaul.cli;

import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import io.longhaul.storage.StorageException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** The disk of this machine, on which nothing can be written while the test says so. */
final class FullDisk {
    private boolean full;

    void full(boolean now) {
        full = now;
    }

    Disk disk() {
        return proxy(Disk.class, Disk.real());
    }

    private <T> T proxy(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> call(real, method, arguments)));
    }

    private Object call(Object real, Method method, Object[] arguments) throws Throwable {
        if (full && method.getName().equals("write")) {
            throw new StorageException(StorageException.Code.NO_SPACE, "no space left");
        }
        try {
            Object result = method.invoke(real, arguments);
            return result instanceof DiskFile file ? proxy(DiskFile.class, file) : result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
