package io.longhaul.ptcp.perf;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.PtcpSnapshot;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One end of a test, from the order to both reports; on the session's event loop, but for {@link #result}.
 *
 * <p>The opener ends the session. A test in which nothing moves for a while is given up by either end, so that nobody
 * keeps a server's memory by saying nothing.
 */
final class Conversation implements PtcpListener, RecordDecoder.Records {
    private static final long IDLE_NS = Duration.ofSeconds(15).toNanos();

    /** How long an opener that received waits for the sender's report, behind which there may be full buffers. */
    private static final long LATE_NS = Duration.ofSeconds(3).toNanos();

    private final PtcpSession session;
    private final PerfMachine machine;
    private final TestBytes testBytes;
    private final boolean opener;
    private final RecordDecoder decoder = new RecordDecoder(this);
    private final CompletableFuture<PerfResult> result = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final List<Future<?>> timers = new ArrayList<>();
    private @Nullable PerfOrder order;
    private @Nullable Sending sending;
    private @Nullable Counting counting;
    private @Nullable PerfReport own;
    private @Nullable PerfReport peers;
    private long cpuStartNs;
    private long moved = -1;
    private boolean opened;
    private boolean broken;

    /** Takes the order of the end that opened the session; null at the other one, which is told. */
    Conversation(PtcpSession session, PerfMachine machine, TestBytes testBytes, @Nullable PerfOrder order) {
        this.session = session;
        this.machine = machine;
        this.testBytes = testBytes;
        this.order = order;
        this.opener = order != null;
        timers.add(machine.timers().scheduleWithFixedDelay(this::checkSoon, IDLE_NS, IDLE_NS, TimeUnit.NANOSECONDS));
    }

    CompletableFuture<PerfResult> result() {
        return result;
    }

    /** Returns whether there ever was a stream; on the session's event loop. */
    boolean isOpened() {
        return opened;
    }

    /** Returns what is done when the session has ended in whatever way. */
    CompletableFuture<Void> closed() {
        return closed;
    }

    @Override
    public void opened() {
        opened = true;
        if (opener && order != null) {
            begin();
            writeOrder(order);
            if (!order.reverse()) {
                send(order);
            }
        }
    }

    private void begin() {
        cpuStartNs = machine.cpuNanos().getAsLong();
    }

    private void writeOrder(PerfOrder what) {
        ByteBuf out = Unpooled.directBuffer(RecordType.HEADER_BYTES + PerfOrder.BYTES);
        what.write(out);
        session.write(out);
    }

    private void send(PerfOrder what) {
        Sending started = new Sending(session, testBytes, what, machine.nanoTime(), this::report);
        sending = started;
        if (what.limit() == PerfOrder.Limit.NANOS) {
            timers.add(machine.timers()
                    .schedule(() -> session.executor().execute(started::end), what.amount(), TimeUnit.NANOSECONDS));
        }
        started.start();
    }

    @Override
    public void received(ByteBuf bytes) {
        if (broken) {
            return;
        }
        try {
            decoder.decode(bytes);
        } catch (PtcpException e) {
            broken = true;
            result.completeExceptionally(named(e));
            session.abort(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void order(PerfOrder found) {
        boolean expected = opener ? found.reverse() && found.equals(order) && counting == null : order == null;
        if (!expected) {
            throw unexpected("an order");
        }
        order = found;
        if (opener) {
            counting = new Counting(found, machine.nanoTime());
            return;
        }
        begin();
        if (found.reverse()) {
            writeOrder(found);
            send(found);
        } else {
            counting = new Counting(found, machine.nanoTime());
        }
    }

    @Override
    public void testBytes(int count) {
        if (counting == null) {
            throw unexpected("test bytes");
        }
        counting.add(count);
        if (counting.isOver()) {
            report();
        }
    }

    @Override
    public void report(PerfReport found) {
        if (peers != null || (sending == null && counting == null)) {
            throw unexpected("a report");
        }
        peers = found;
        if (sending != null) {
            sending.end();
        } else {
            report();
        }
        conclude();
    }

    private static PtcpException unexpected(String what) {
        return new PtcpException(PtcpException.Code.PROTOCOL, what + " out of turn in a test");
    }

    /** Says once what this end saw. */
    private void report() {
        if (own != null) {
            return;
        }
        long bytes = sending != null ? sending.bytes() : counting != null ? counting.bytes() : 0;
        long nanos = sending != null ? sending.nanos() : counting != null ? counting.nanos() : 0;
        long cpuNs = Math.max(0, machine.cpuNanos().getAsLong() - cpuStartNs);
        PerfReport saw = new PerfReport(bytes, nanos, cpuNs, 0, 0, List.of()).with(session.snapshot());
        own = saw;
        ByteBuf out = Unpooled.directBuffer(saw.recordBytes());
        saw.write(out);
        session.write(out);
        if (opener && sending == null) {
            timers.add(machine.timers()
                    .schedule(() -> session.executor().execute(this::finish), LATE_NS, TimeUnit.NANOSECONDS));
        }
        conclude();
    }

    /** What still lay in buffers when this end wrote its report has gone out since. */
    private void conclude() {
        if (own != null && peers != null) {
            own = own.with(session.snapshot());
            finish();
        }
    }

    /** Makes a result of what is known, if that is enough. */
    private void finish() {
        PerfReport received = sending == null ? own : peers;
        PerfReport sent = sending == null ? peers : own;
        if (order != null && received != null) {
            result.complete(Outcome.of(order, received, sent, session.snapshot()));
            if (opener) {
                session.close();
            }
        }
    }

    @Override
    public void writabilityChanged(boolean writable) {
        if (writable && sending != null) {
            sending.push();
        }
    }

    @Override
    public void closed(@Nullable PtcpException cause) {
        timers.forEach(timer -> timer.cancel(false));
        finish();
        result.completeExceptionally(
                cause != null
                        ? named(cause)
                        : new PtcpException(
                                PtcpException.Code.ABORTED, "the other end left before the test had a result"));
        closed.complete(null);
    }

    /** Who ends it before it has taken a byte, or says something else at first, serves no tests. */
    private PtcpException named(PtcpException failure) {
        boolean stranger = switch (failure.code()) {
            case PROTOCOL -> true;
            case ABORTED -> session.snapshot().acknowledgedBytes() == 0;
            default -> false;
        };
        return opener && counting == null && peers == null && stranger
                ? new PtcpException(
                        PtcpException.Code.STRANGER,
                        "something answers that serves no measurements: " + failure.getMessage(),
                        failure)
                : failure;
    }

    private void checkSoon() {
        session.executor().execute(this::check);
    }

    private void check() {
        long now = session.snapshot().acknowledgedBytes() + session.snapshot().receivedBytes();
        if (now == moved) {
            session.abort("nothing moved for " + TimeUnit.NANOSECONDS.toSeconds(IDLE_NS) + " s");
        }
        moved = now;
    }

    /** Returns where the test is. */
    PerfProgress progress() {
        PtcpSnapshot snapshot = session.snapshot();
        long startNs = sending != null ? sending.startNs() : counting != null ? counting.startNs() : 0;
        boolean begun = sending != null || counting != null;
        return new PerfProgress(
                begun ? machine.nanoTime().getAsLong() - startNs : 0,
                counting != null ? counting.bytes() : snapshot.acknowledgedBytes(),
                snapshot.streams().size(),
                snapshot.roundTripNanos());
    }
}
