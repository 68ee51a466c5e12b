package io.longhaul.ptcp.session;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.frame.Greeting;
import java.time.Duration;
import java.util.concurrent.CompletionException;

/**
 * Opens the channels that a session lacks, with longer pauses after failures; event loop only.
 *
 * <p>Numbers go up by one for every attempt, whatever becomes of it, since the other end takes each only once.
 */
final class Redial {
    /** Who accepts a channel and ends it that soon must not be dialled again without a pause. */
    private static final long SHORT_LIFE_NS = Duration.ofMillis(100).toNanos();

    private final Session session;
    private final Dialer dialer;
    private final Backoff backoff = new Backoff();
    private int nextNumber = 1;
    private int dialing;
    private boolean closed;

    Redial(Session session, Dialer dialer) {
        this.session = session;
        this.dialer = dialer;
    }

    /** Dials streams until so many are missing no more. */
    void streams(int missing, long nowNs) {
        if (closed || !backoff.isOver(nowNs)) {
            return;
        }
        while (dialing < missing) {
            dialing++;
            int number = nextNumber++;
            dialer.dial(Greeting.Kind.JOIN, number)
                    .whenComplete((channel, failure) -> session.loop().execute(() -> {
                        if (failure != null) {
                            dialing--;
                            failed(failure);
                        } else {
                            session.join(number, channel);
                            // only once it has joined, else another one would be dialed in its place
                            session.loop().execute(() -> dialing--);
                        }
                    }));
        }
    }

    /** A stream is gone that lived for so long. */
    void lost(long livedNs, long nowNs) {
        if (livedNs < SHORT_LIFE_NS) {
            backoff.failed(nowNs);
        } else {
            backoff.succeeded();
        }
    }

    /** The control channel is gone, which lived for so long: dials it until it is there or the session is over. */
    void lostControl(long livedNs) {
        if (livedNs < SHORT_LIFE_NS) {
            session.loop().afterPause(this::control, Backoff.LEAST_NS);
        } else {
            control();
        }
    }

    private void control() {
        if (closed) {
            return;
        }
        dialer.dial(Greeting.Kind.RESUME, nextNumber++)
                .whenComplete((channel, failure) -> session.loop().execute(() -> {
                    if (failure == null) {
                        session.resume(channel);
                    } else if (session.isAllGone()) {
                        session.fail(new PtcpException(
                                PtcpException.Code.LOST,
                                "connection lost, every stream of it: "
                                        + cause(failure).getMessage(),
                                failure));
                    } else if (session.isControlLost() && !refused(failure)) {
                        session.loop().afterPause(this::control, Backoff.LEAST_NS);
                    }
                }));
    }

    private void failed(Throwable failure) {
        backoff.failed(session.loop().nowNs());
        if (!session.hasJoined() && dialing == 0) {
            session.fail(cause(failure));
        } else if (session.isControlLost()) {
            // else the control channel tells what became of the other end, whose last word may be on its way
            refused(failure);
        }
    }

    /** Ends the session when the other end knows nothing of it: it was started anew. */
    private boolean refused(Throwable failure) {
        PtcpException cause = cause(failure);
        boolean refused = cause.code() == PtcpException.Code.REFUSED;
        if (refused) {
            session.fail(new PtcpException(PtcpException.Code.LOST, "connection lost: " + cause.getMessage(), cause));
        }
        return refused;
    }

    private static PtcpException cause(Throwable failure) {
        Throwable bare =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return bare instanceof PtcpException known
                ? known
                : new PtcpException(PtcpException.Code.UNREACHABLE, String.valueOf(bare.getMessage()), bare);
    }

    void close() {
        closed = true;
    }
}
