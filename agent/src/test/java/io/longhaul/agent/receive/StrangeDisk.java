package io.longhaul.agent.receive;

import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import io.longhaul.storage.PathRefusedException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/** The real disk, where a test looks in before a name is made, or that takes only short files. */
final class StrangeDisk {
    private StrangeDisk() {}

    /** Called before a rename or link; what it throws is what the disk says. */
    interface BeforeName {
        void name(Path from, Path to) throws Exception;
    }

    /** Returns a disk that calls back before each rename and each link. */
    static Disk before(BeforeName names) {
        return (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (self, method, arguments) -> {
                    switch (method.getName()) {
                        case "rename" -> names.name((Path) arguments[0], (Path) arguments[1]);
                        case "createLink" -> names.name((Path) arguments[1], (Path) arguments[0]);
                        default -> {}
                    }
                    return call(method, Disk.real(), arguments);
                });
    }

    /** Returns a disk whose files end at this length. */
    static Disk ofShortFiles(long longest) {
        return (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (self, method, arguments) -> {
                    Object result = call(method, Disk.real(), arguments);
                    return result instanceof DiskFile file ? shortFile(file, longest) : result;
                });
    }

    private static Object shortFile(DiskFile file, long longest) {
        return Proxy.newProxyInstance(
                DiskFile.class.getClassLoader(), new Class<?>[] {DiskFile.class}, (self, method, arguments) -> {
                    long end = method.getName().startsWith("write")
                            ? (long) arguments[1] + ((ByteBuffer) arguments[0]).remaining()
                            : method.getName().equals("setLength") ? (long) arguments[0] : 0;
                    if (end > longest) {
                        throw new PathRefusedException("write: File too large");
                    }
                    return call(method, file, arguments);
                });
    }

    /** Returns a disk that calls back after each write to a file, with its position. */
    static Disk afterWrites(LongConsumer written) {
        return (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (self, method, arguments) -> {
                    Object result = call(method, Disk.real(), arguments);
                    return result instanceof DiskFile file ? watched(file, written) : result;
                });
    }

    private static Object watched(DiskFile file, LongConsumer written) {
        return Proxy.newProxyInstance(
                DiskFile.class.getClassLoader(), new Class<?>[] {DiskFile.class}, (self, method, arguments) -> {
                    Object result = call(method, file, arguments);
                    if (method.getName().startsWith("write")) {
                        written.accept((long) arguments[1]);
                    }
                    return result;
                });
    }

    private static Object call(Method method, Object target, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
