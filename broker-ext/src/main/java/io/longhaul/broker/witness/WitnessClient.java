package io.longhaul.broker.witness;

import io.longhaul.broker.witness.WitnessFrame.Answer;
import io.longhaul.broker.witness.WitnessFrame.Ask;
import io.longhaul.broker.witness.WitnessFrame.Hello;
import io.longhaul.broker.witness.WitnessFrame.Operation;
import io.longhaul.broker.witness.WitnessFrame.Reason;
import io.longhaul.broker.witness.WitnessFrame.Refused;
import io.longhaul.broker.witness.WitnessFrame.Welcome;
import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.net.PtcpClient;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks one witness, over a session that is opened when something is asked and there is none. Thread-safe; questions block
 * until they are answered or the session is lost. While one that does not answer is dialled, all who ask wait for the same
 * try, none for another's, and the end of this client ends it.
 *
 * <p>Until the witness has let this client in for the first time, a version, a login or a file that is wrong is a mistake in
 * the settings, and final. After that nothing is: an account may be given back, a certificate be replaced.
 */
public final class WitnessClient implements AutoCloseable {
    private static final Duration ANSWER = Duration.ofSeconds(2);
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(1);

    private final PtcpClient client;
    private final Supplier<PtcpClient.Target> target;
    private final Hello hello;
    private final AtomicLong numbers = new AtomicLong();
    private @Nullable CompletableFuture<Line> line; // guarded by this; the last that was dialled
    private boolean closed; // guarded by this
    private volatile boolean known; // whether the witness has let this client in

    /** Takes whose threads sessions run on, and where the witness is, which may throw for bad files. */
    public WitnessClient(PtcpClient client, Supplier<PtcpClient.Target> target, String user, String password) {
        this.client = client;
        this.target = target;
        this.hello = new Hello(WitnessCodec.VERSION, user, password);
    }

    /** Asks once; whoever asked for a change and gets no answer does not know whether it was made. */
    Answer ask(Operation operation, String pair, String node, long expected, long value)
            throws WitnessException, InterruptedException {
        CompletableFuture<Line> dialled = line();
        Ask ask = new Ask(numbers.incrementAndGet(), operation, pair, node, expected, value);
        try {
            Line open = await(dialled);
            await(open.ready);
            return await(open.ask(ask));
        } catch (WitnessException e) {
            dialled.completeExceptionally(e);
            dialled.thenAccept(open -> open.giveUp("no answer"));
            throw e;
        }
    }

    private synchronized CompletableFuture<Line> line() throws WitnessException {
        if (closed) {
            throw closing();
        }
        CompletableFuture<Line> now = line;
        if (now == null || isOver(now)) {
            now = dial();
            line = now;
        }
        return now;
    }

    private static boolean isOver(CompletableFuture<Line> dialled) {
        return dialled.isDone()
                && (dialled.isCompletedExceptionally()
                        || dialled.join().over
                        || !dialled.join().session().isOpen());
    }

    private static WitnessException closing() {
        return new WitnessException(WitnessException.Kind.UNREACHABLE, "this broker is closing");
    }

    private CompletableFuture<Line> dial() throws WitnessException {
        CompletableFuture<Line> made = new CompletableFuture<>();
        PtcpConfig config =
                PtcpConfig.defaults().withStreams(1).withLimits(ANSWER, SIGN_OF_LIFE, SIGN_OF_LIFE, SIGN_OF_LIFE);
        try {
            CompletableFuture<PtcpSession> opened = client.open(target.get(), config, session -> {
                Line opening = new Line(session);
                if (!made.complete(opening)) {
                    session.abort("nobody waits for it any more");
                }
                return opening;
            });
            opened.exceptionally(failure -> {
                made.completeExceptionally(failure);
                return null;
            });
        } catch (IllegalArgumentException e) {
            throw new WitnessException(mistake(), String.valueOf(e.getMessage()));
        }
        return made;
    }

    private WitnessException.Kind mistake() {
        return known ? WitnessException.Kind.DENIED : WitnessException.Kind.REFUSED;
    }

    private <T> T await(CompletableFuture<T> future) throws WitnessException, InterruptedException {
        try {
            return future.get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new WitnessException(
                    WitnessException.Kind.UNREACHABLE, "no answer within " + ANSWER.toMillis() + " ms");
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof WitnessException told) {
                throw new WitnessException(told.kind(), String.valueOf(told.getMessage()));
            }
            throw new WitnessException(
                    cause instanceof PtcpException failure ? kind(failure.code()) : WitnessException.Kind.UNREACHABLE,
                    String.valueOf(cause == null ? e.getMessage() : cause.getMessage()));
        }
    }

    /** A proxy, a forwarder or a full broker in between says no, too, while the witness is away. */
    private WitnessException.Kind kind(PtcpException.Code code) {
        return switch (code) {
            case VERSION -> mistake();
            case UNREACHABLE, LOST, ABORTED -> WitnessException.Kind.UNREACHABLE;
            case CANNOT_LISTEN, STRANGER, REFUSED, FULL, PROTOCOL, TLS, PROXY -> WitnessException.Kind.DENIED;
        };
    }

    @Override
    public void close() {
        CompletableFuture<Line> last;
        synchronized (this) {
            closed = true;
            last = line;
        }
        if (last != null) {
            last.completeExceptionally(closing());
            last.thenAccept(open -> open.session().close());
        }
    }

    private final class Line extends WitnessListener {
        private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
        private final Map<Long, CompletableFuture<Answer>> open = new ConcurrentHashMap<>();
        private volatile boolean over;

        Line(PtcpSession session) {
            super(session, true);
        }

        @Override
        public void opened() {
            super.opened();
            send(hello);
        }

        CompletableFuture<Answer> ask(Ask ask) {
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            open.put(ask.number(), answer);
            send(ask);
            if (over) {
                fail("the session has ended");
            }
            return answer;
        }

        @Override
        void received(WitnessFrame frame) {
            if (frame instanceof Welcome) {
                known = true;
                ready.complete(true);
            } else if (frame instanceof Refused refused) {
                WitnessException.Kind kind =
                        refused.reason() == Reason.LATER ? WitnessException.Kind.DENIED : mistake();
                ready.completeExceptionally(new WitnessException(kind, refused.text()));
                session().close();
            } else if (frame instanceof Answer answer) {
                CompletableFuture<Answer> asked = open.remove(answer.number());
                if (asked != null) {
                    asked.complete(answer);
                }
            } else {
                session().abort("a frame that does not belong here");
            }
        }

        /** Its session may live for a moment: who asks next has one of its own, and not this one's failure. */
        void giveUp(String why) {
            over = true;
            session().abort(why);
        }

        private void fail(String why) {
            WitnessException lost = new WitnessException(WitnessException.Kind.UNREACHABLE, why);
            ready.completeExceptionally(lost);
            open.values().forEach(each -> each.completeExceptionally(lost));
        }

        @Override
        void ended(String why) {
            over = true;
            fail(why);
        }
    }
}
