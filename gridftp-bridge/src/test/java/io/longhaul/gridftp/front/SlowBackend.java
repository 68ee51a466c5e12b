package io.longhaul.gridftp.front;

import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.netty.buffer.ByteBuf;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/** A back end whose files take as long to open, to reach their place and to be summed up as a test wants. */
final class SlowBackend {
    private final CompletableFuture<LongConsumer> pending = new CompletableFuture<>();
    private final CompletableFuture<Void> release = new CompletableFuture<>();
    private final CompletableFuture<LongConsumer> summing = new CompletableFuture<>();
    private volatile CompletableFuture<Void> opening = CompletableFuture.completedFuture(null);

    /** Returns the same back end but for its commits, and for what is held. */
    Backend over(Backend backend) {
        return (Backend) Proxy.newProxyInstance(
                Backend.class.getClassLoader(), new Class<?>[] {Backend.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("write")) {
                        return held(backend.write((WriteRequest) arguments[0])).thenApply(SlowSink::new);
                    }
                    if (method.getName().equals("checksum")) {
                        summing.complete((LongConsumer) arguments[3]);
                        return release.thenApply(go -> "ff");
                    }
                    try {
                        Object result = method.invoke(backend, arguments);
                        return method.getName().equals("read") ? held((CompletableFuture<?>) result) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private <T> CompletableFuture<T> held(CompletableFuture<T> opened) {
        return opened.thenCombine(opening, (file, go) -> file);
    }

    /** Lets nobody have what is opened from now on. */
    void hold() {
        opening = new CompletableFuture<>();
    }

    void letGo() {
        opening.complete(null);
    }

    boolean isSumming() {
        return summing.isDone();
    }

    /** Tells how far the checksum is. */
    void summed(long bytes) {
        summing.join().accept(bytes);
    }

    boolean isPending() {
        return pending.isDone();
    }

    void progress(long bytes) {
        pending.join().accept(bytes);
    }

    void goOn() {
        release.complete(null);
    }

    private final class SlowSink implements Sink {
        private final Sink sink;

        SlowSink(Sink sink) {
            this.sink = sink;
        }

        @Override
        public CompletableFuture<Void> write(long position, ByteBuf bytes) {
            return sink.write(position, bytes);
        }

        @Override
        public CompletableFuture<Void> force() {
            return sink.force();
        }

        @Override
        public long reached(long takenBytes) {
            return 0;
        }

        @Override
        public CompletableFuture<Entry> commit(LongConsumer progress) {
            pending.complete(progress);
            return release.thenCompose(go -> sink.commit(bytes -> {}));
        }

        @Override
        public CompletableFuture<Void> suspend() {
            return sink.suspend();
        }

        @Override
        public CompletableFuture<Void> abort() {
            return sink.abort();
        }
    }
}
