package io.longhaul.gridftp.fanout;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.Sink;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/**
 * Bytes on their way to several places.
 *
 * <p>The slowest place governs: a write is done when all have taken it, so what waits is bounded by what the caller lets
 * wait. Nothing is staged for a slow one, since the client's answer waits for it in any case; places behind the network
 * stage by themselves. One that fails, or takes nothing for too long, is left behind, and the others go on.
 */
final class FanOutSink implements Sink {
    private final List<Leg> legs;

    FanOutSink(List<Leg> legs) {
        this.legs = List.copyOf(legs);
    }

    private CompletableFuture<Void> all(Function<Leg, CompletableFuture<Void>> call) {
        return CompletableFuture.allOf(legs.stream().map(call).toArray(CompletableFuture[]::new));
    }

    /** Goes on as long as one of them does. */
    private CompletableFuture<Void> any(CompletableFuture<Void> all) {
        return all.thenAccept(done -> {
            if (legs.stream().noneMatch(Leg::isOpen)) {
                throw failure();
            }
        });
    }

    @Override
    public CompletableFuture<Void> write(long position, ByteBuf bytes) {
        try {
            return any(all(leg -> leg.write(position, bytes.retainedDuplicate())));
        } finally {
            bytes.release();
        }
    }

    @Override
    public void left() {
        legs.forEach(Leg::left);
    }

    @Override
    public CompletableFuture<Void> force() {
        return any(all(Leg::force));
    }

    @Override
    public long reached(long takenBytes) {
        return legs.stream()
                .filter(Leg::isOpen)
                .mapToLong(leg -> leg.reached(takenBytes))
                .min()
                .orElse(takenBytes);
    }

    @Override
    public CompletableFuture<Entry> commit(LongConsumer progress) {
        return all(leg -> leg.commit(bytes -> progress.accept(reachedByAll()))).thenApply(done -> {
            if (legs.stream().anyMatch(leg -> leg.entry().isEmpty())) {
                throw failure();
            }
            return legs.get(0).entry().orElseThrow();
        });
    }

    private long reachedByAll() {
        return legs.stream()
                .filter(leg -> leg.failure().isEmpty())
                .mapToLong(Leg::reached)
                .min()
                .orElse(0);
    }

    @Override
    public CompletableFuture<Void> suspend() {
        return all(leg -> leg.end(Sink::suspend));
    }

    @Override
    public CompletableFuture<Void> abort() {
        return all(leg -> leg.end(Sink::abort));
    }

    @Override
    public List<String> results() {
        return legs.stream().map(FanOutSink::result).toList();
    }

    private static String result(Leg leg) {
        return leg.label() + ": "
                + leg.failure()
                        .map(BackendException::getMessage)
                        .orElseGet(() -> leg.entry()
                                .map(entry -> "stored, " + entry.length() + " bytes")
                                .orElse("not stored"));
    }

    /** Tells of each place, and lists those that failed as the multicast of Globus servers does. */
    BackendException failure() {
        List<Leg> failed = legs.stream().filter(leg -> leg.entry().isEmpty()).toList();
        List<String> details = new ArrayList<>(results());
        details.add("GMC_ERROR=");
        failed.forEach(leg -> details.add(leg.label()));
        Set<Code> codes = failed.stream()
                .flatMap(leg -> leg.failure().stream())
                .map(BackendException::code)
                .collect(Collectors.toSet());
        Code code = codes.size() == 1 ? codes.iterator().next() : Code.FAILED;
        return new BackendException(code, failed.size() + " of " + legs.size() + " places failed", details);
    }
}
