package io.longhaul.ptcp.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.PtcpConfig;
import io.netty.buffer.PooledByteBufAllocator;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ten gigabytes through one session that loses a connection every second: the memory stays what it was. */
@Tag("slow")
class SoakIT extends BehindRelayContract {
    private static final long GIB = 1024L * MIB;
    private static final long LENGTH = 10 * GIB;
    private static final Duration LONG = Duration.ofMinutes(15);
    private static final long MOST_GROWTH = 64L * MIB;

    @Override
    PtcpConfig config() {
        return PtcpConfig.defaults().withStreams(4);
    }

    @Override
    Relay relay(int target) throws Exception {
        return new Relay(target, 256 * 1024, 0);
    }

    @Test
    void shouldNotGrowWhenTenGigabytesPass() throws Exception {
        // given
        Ends ends = connect();
        CompletableFuture<Void> sending =
                CompletableFuture.runAsync(() -> send(ends.opener(), OPENERS, LENGTH, 2 * MIB));
        awaitReceived(ends, GIB);
        long heap = usedHeap();
        long direct = usedDirect();

        // when
        SplittableRandom random = new SplittableRandom(SEED);
        int lost = 0;
        while (!sending.isDone()) {
            Awaitility.await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
            if (ends.acceptor().received().count() < LENGTH / 2) {
                direct = Math.max(direct, usedDirect()); // windows grow at first
            }
            List<Relay.Line> lines = relay().lines();
            if (lines.size() > 1) {
                lines.get(random.nextInt(lines.size())).reset();
                lost++;
            }
        }
        sending.join();
        awaitReceived(ends, LENGTH);

        // then
        awaitExactly(ends.acceptor(), LENGTH);
        long moreHeap = usedHeap() - heap;
        long moreDirect = usedDirect() - direct;
        System.out.println("after 1 GiB: heap " + heap / MIB + " MiB; in the first half: direct " + direct / MIB
                + " MiB at most; more after 10 GiB: "
                + moreHeap / MIB + ", " + moreDirect / MIB + " MiB; connections reset: " + lost);
        assertThat(moreHeap).isLessThan(MOST_GROWTH);
        assertThat(moreDirect).isLessThan(MOST_GROWTH);
    }

    private static void awaitReceived(Ends ends, long bytes) {
        Awaitility.await().atMost(LONG).until(() -> ends.acceptor().received().count() >= bytes);
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static long usedDirect() {
        return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
    }
}
