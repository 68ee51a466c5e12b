package io.longhaul.it.bench;

import io.longhaul.it.bench.measure.Figures;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;

/**
 * What parallel TCP costs beside one Netty socket: rate and CPU time of both ends, in this process, over loopback.
 *
 * <p>Arguments: rounds, GiB in a round. The table goes to standard output.
 */
public final class SocketBenchmark {
    private static final long GIB = 1L << 30;
    private static final int CHUNK = 64 * 1024;
    private static final int BURST = 64;
    private static final int PATIENCE_SECONDS = 120;

    private interface Opener {
        Pipe open(LongConsumer received, Runnable writable) throws Exception;
    }

    private record Row(Opener opener, Figures rate, Figures cpu) {}

    private SocketBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        int rounds = Integer.parseInt(arguments[0]);
        long bytes = Long.parseLong(arguments[1]) * GIB;
        Map<String, Row> rows = new LinkedHashMap<>();
        rows.put("one Netty socket", new Row(Pipe::netty, new Figures(), new Figures()));
        for (int streams : new int[] {1, 4, 16}) {
            Opener opener = (received, writable) -> Pipe.parallel(streams, received, writable);
            rows.put("parallel TCP, " + streams, new Row(opener, new Figures(), new Figures()));
        }
        // Round 0 is for the compilers, and not counted.
        for (int round = 0; round <= rounds; round++) {
            for (Map.Entry<String, Row> entry : rows.entrySet()) {
                Row row = entry.getValue();
                double cpuBefore = cpuSeconds();
                double seconds = run(row.opener(), bytes);
                double cpu = (cpuSeconds() - cpuBefore) * GIB / bytes;
                double gigabits = bytes * 8 / seconds / 1e9;
                System.err.printf(
                        Locale.ROOT,
                        "round %d, %s: %.1f Gbit/s, %.2f CPU s/GiB%n",
                        round,
                        entry.getKey(),
                        gigabits,
                        cpu);
                if (round > 0) {
                    row.rate().add(gigabits);
                    row.cpu().add(cpu);
                }
            }
        }
        System.out.println("| loopback | Gbit/s | CPU s/GiB, both ends |");
        System.out.println("|---|---|---|");
        rows.forEach((name, row) -> System.out.println(
                "| " + name + " | " + row.rate().shown(1) + " | " + row.cpu().shown(2) + " |"));
    }

    private static double cpuSeconds() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                        .getProcessCpuTime()
                / 1e9;
    }

    private static double run(Opener opener, long length) throws Exception {
        AtomicLong received = new AtomicLong();
        CountDownLatch all = new CountDownLatch(1);
        AtomicReference<Runnable> push = new AtomicReference<>(() -> {});
        ByteBuf chunk = PooledByteBufAllocator.DEFAULT.directBuffer(CHUNK).writeZero(CHUNK);
        try (Pipe pipe = opener.open(
                bytes -> {
                    if (received.addAndGet(bytes) == length) {
                        all.countDown();
                    }
                },
                () -> push.get().run())) {
            AtomicLong written = new AtomicLong();
            AtomicBoolean pushing = new AtomicBoolean();
            push.set(() -> {
                // what is written may make it writable, which calls this again
                if (!pushing.compareAndSet(false, true)) {
                    return;
                }
                for (int i = 0; i < BURST && written.get() < length && pipe.isWritable(); i++) {
                    written.addAndGet(CHUNK);
                    pipe.write(chunk.retainedDuplicate());
                }
                pushing.set(false);
                if (written.get() < length && pipe.isWritable()) {
                    pipe.executor().execute(push.get());
                }
            });
            long startNanos = System.nanoTime();
            pipe.executor().execute(push.get());
            if (!all.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError(received.get() + " of " + length + " bytes arrived");
            }
            return (System.nanoTime() - startNanos) / 1e9;
        } finally {
            chunk.release();
        }
    }
}
