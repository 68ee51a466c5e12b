package io.longhaul.agent.receive;

import io.longhaul.agent.link.Delivery;
import io.longhaul.agent.link.Inflow;
import io.longhaul.agent.link.Link;
import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.StorageException;
import io.longhaul.wire.Frame;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Writes down, in order, everything that a receiver does to disk, ledger and flow, and can end the process's life at
 * any of these steps. Trees are forced by several threads: steps are written down one at a time.
 */
final class Journal {
    private static final Set<String> READS =
            Set.of("usableSpace", "openForReading", "read", "length", "close", "toString", "hashCode", "equals");

    private static final Set<String> SYNCS = Set.of("force", "syncDirectory", "syncFileSystem");

    private final boolean syncing;
    private final List<String> steps = Collections.synchronizedList(new ArrayList<>());
    private int crashAt = Integer.MAX_VALUE;
    private boolean crashAfter;
    private long polled;
    private volatile boolean crashed;
    private Predicate<String> full = step -> false;

    Journal() {
        this(false);
    }

    /** Makes a journal of a disk that really syncs, or only says so. */
    Journal(boolean syncing) {
        this.syncing = syncing;
    }

    /** Stands for kill -9: nothing that catches failures catches it. */
    static final class Crash extends Error {
        private static final long serialVersionUID = 1L;
    }

    boolean isSyncing() {
        return syncing;
    }

    /** Returns a number that grows with everything that happens. */
    long activity() {
        return steps.size() + polled;
    }

    List<String> steps() {
        return steps;
    }

    boolean hasCrashed() {
        return crashed;
    }

    /** Crashes at the step of this number, from 0, before or after it is done. */
    void crashAt(int step, boolean after) {
        crashAt = step;
        crashAfter = after;
    }

    /** From now on steps like this fail for want of space. */
    void fullFor(Predicate<String> steps) {
        full = steps;
    }

    private interface Action {
        @Nullable
        Object run() throws ReflectiveOperationException, InterruptedException;
    }

    private @Nullable Object step(String what, Action action) throws Throwable {
        if (crashed) {
            throw new Crash();
        }
        if (full.test(what)) {
            throw new StorageException(
                    StorageException.Code.NO_SPACE, "no space for " + what + ": needed 1 bytes, free 0 bytes");
        }
        int number = add(what);
        if (number == crashAt && !crashAfter) {
            crashed = true;
            throw new Crash();
        }
        Object result;
        try {
            result = action.run();
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
        if (number == crashAt) {
            crashed = true;
            throw new Crash();
        }
        return result;
    }

    private int add(String what) {
        synchronized (steps) {
            steps.add(what);
            return steps.size() - 1;
        }
    }

    Disk disk(Disk disk) {
        return (Disk) proxy(Disk.class, disk, "");
    }

    Ledger ledger(Ledger ledger) {
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (self, method, arguments) -> {
                    if (!method.getName().startsWith("commit")) {
                        return invoke(method, ledger, arguments);
                    }
                    List<?> changes = (List<?>) arguments[0];
                    List<String> names = changes.stream().map(Journal::nameOf).toList();
                    Object committed = step("commit " + names, () -> method.invoke(ledger, arguments));
                    return committed instanceof CompletableFuture<?> future && future.isCompletedExceptionally()
                            ? future
                            : new Awaited("durable " + names);
                });
    }

    Link link(Link link) {
        return (Link) Proxy.newProxyInstance(
                Link.class.getClassLoader(), new Class<?>[] {Link.class}, (self, method, arguments) -> {
                    if (!method.getName().equals("offer")) {
                        return invoke(method, link, arguments);
                    }
                    String what = "offer " + ((Frame) arguments[1]).type().wireName();
                    return step(what, () -> method.invoke(link, arguments));
                });
    }

    /** A commit of which it is noted when somebody waits until it is durable. */
    private final class Awaited extends CompletableFuture<@Nullable Void> {
        private final String what;

        Awaited(String what) {
            this.what = what;
            complete(null);
        }

        @Override
        public @Nullable Void join() {
            note(what);
            return null;
        }
    }

    private void note(String what) {
        try {
            step(what, () -> null);
        } catch (Error | RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static String nameOf(Object change) {
        if (change instanceof io.longhaul.storage.LedgerChange.PutTransfer put) {
            return put.row().state().name();
        }
        return change.getClass().getSimpleName();
    }

    Inflow inflow(Inflow inflow) {
        return new Inflow() {
            @Override
            public @Nullable Delivery poll(Duration timeout) throws InterruptedException {
                if (crashed) {
                    throw new Crash();
                }
                Delivery delivery = inflow.poll(Duration.ZERO);
                polled += delivery == null ? 0 : 1;
                return delivery;
            }

            @Override
            public void acknowledge(Delivery last) {
                try {
                    step("acknowledge", () -> {
                        inflow.acknowledge(last);
                        return null;
                    });
                } catch (Error | RuntimeException e) {
                    throw e;
                } catch (Throwable e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public long backlog() {
                return inflow.backlog();
            }

            @Override
            public void close() {
                inflow.close();
            }
        };
    }

    private Object proxy(Class<?> type, Object target, String name) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
            String what = method.getName().equals("writeDirect")
                    ? "write" + describe(name, arguments) + ", direct"
                    : method.getName() + describe(name, arguments);
            if (method.getName().equals("canSyncFileSystem")) {
                return true; // whatever the machine's
            }
            Object result = READS.contains(method.getName())
                    ? invoke(method, target, arguments)
                    : step(what, () -> perform(method, target, arguments));
            return result instanceof DiskFile file ? proxy(DiskFile.class, file, last(arguments)) : result;
        });
    }

    /** A killed process loses nothing that it wrote, so syncs are only noted: they would cost most of the time. */
    private @Nullable Object perform(Method method, Object target, Object[] arguments)
            throws ReflectiveOperationException {
        if (!syncing && SYNCS.contains(method.getName())) {
            return null;
        }
        if (!syncing && method.getName().equals("createDirectories")) {
            try {
                Files.createDirectories((Path) arguments[0]);
            } catch (IOException e) {
                throw new InvocationTargetException(new StorageException(StorageException.Code.IO, "" + e, e));
            }
            return null;
        }
        return method.invoke(target, arguments);
    }

    private @Nullable Object invoke(Method method, Object target, Object[] arguments) throws Throwable {
        if (crashed && !method.getName().equals("close")) {
            throw new Crash();
        }
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static String describe(String name, Object @Nullable [] arguments) {
        StringBuilder out = new StringBuilder(name.isEmpty() ? "" : " " + name);
        for (Object argument : arguments == null ? new Object[0] : arguments) {
            if (argument instanceof Path path) {
                out.append(' ').append(path.getFileName());
            }
        }
        return out.toString();
    }

    private static String last(Object[] arguments) {
        return String.valueOf(((Path) arguments[0]).getFileName());
    }
}
