package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.Source;
import io.longhaul.gridftp.spi.WriteRequest;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A server that answers, and does not do everything. */
final class Hindered implements InvocationHandler {
    private final Backend server;
    private final Set<FilePath> written = new HashSet<>();

    /** No byte behind this one can be read. */
    long readable = Long.MAX_VALUE;

    /** So many blocks are given to who reads; then he has to begin again. */
    int blocks = Integer.MAX_VALUE;

    /** Whether it begins at a file's beginning only. */
    boolean fromTheStart;

    /** Whether others wait for what a write holds. */
    boolean isCrowded;

    /** Whether what is written has its own name before it is whole. */
    boolean isDirect;

    /** What opens no sooner is read or written. */
    CompletableFuture<Void> turn = CompletableFuture.completedFuture(null);

    /** How many are reading. */
    int reading;

    /** How many have begun to read. */
    int opened;

    /** What a second one is told who writes a path. */
    Optional<BackendException> second = Optional.empty();

    Hindered(Backend server) {
        this.server = server;
    }

    Backend backend() {
        return (Backend) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Backend.class}, this);
    }

    @Override
    @SuppressWarnings("unchecked") // what a method of the interface returns
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        boolean isWrite = method.getName().equals("write");
        if (isWrite && !written.add(((WriteRequest) arguments[0]).path()) && second.isPresent()) {
            return CompletableFuture.failedFuture(second.get());
        }
        Object result = called(server, method, arguments);
        return switch (method.getName()) {
            case "read" ->
                turn.thenCompose(come -> (CompletableFuture<Source>) result).thenApply(Reading::new);
            case "write" ->
                turn.thenCompose(come -> (CompletableFuture<Sink>) result)
                        .thenApply(sink -> sink(sink, ((WriteRequest) arguments[0]).path()));
            default -> result;
        };
    }

    private static Object called(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Sink sink(Sink sink, FilePath path) {
        return (Sink) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Sink.class}, (proxy, method, arguments) -> {
                    if (Set.of("commit", "suspend", "abort").contains(method.getName())) {
                        written.remove(path);
                    }
                    if (method.getName().equals("isWaitedFor")) {
                        return isCrowded;
                    }
                    if (method.getName().equals("temporary") && isDirect) {
                        return Optional.empty();
                    }
                    return called(sink, method, arguments);
                });
    }

    private final class Reading implements Source {
        private final Source source;
        private int given;
        private boolean hasCome;

        Reading(Source source) {
            this.source = source;
            reading++;
            opened++;
        }

        @Override
        public boolean isFromTheStart() {
            return fromTheStart;
        }

        @Override
        public CompletableFuture<Optional<Block>> next() {
            if (given++ >= blocks) {
                return hasCome
                        ? CompletableFuture.failedFuture(new BackendException(Code.UNAVAILABLE, "426 Broken pipe"))
                        : new CompletableFuture<>();
            }
            return source.next()
                    .thenCompose(block -> isReadable(block)
                            ? CompletableFuture.completedFuture(block)
                            : CompletableFuture.failedFuture(
                                    new BackendException(Code.UNAVAILABLE, "451 Input/output error")))
                    .whenComplete((block, failure) -> hasCome = true);
        }

        private boolean isReadable(Optional<Block> block) {
            boolean is = block.filter(each -> each.position() + each.bytes().readableBytes() > readable)
                    .isEmpty();
            if (!is) {
                block.orElseThrow().bytes().release();
            }
            return is;
        }

        @Override
        public void close() {
            reading--;
            source.close();
        }
    }
}
