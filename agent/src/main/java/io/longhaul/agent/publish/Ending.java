package io.longhaul.agent.publish;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.AgentException.Code;
import io.longhaul.agent.link.LinkException;
import io.longhaul.storage.StorageException;

/**
 * What becomes of a publication that did not succeed.
 *
 * @param verdict what becomes of its row
 * @param exception what its caller is told
 */
record Ending(Verdict verdict, AgentException exception) {

    /** What becomes of the row. */
    enum Verdict {
        /** It stays as it is; a later run goes on. */
        KEEP,
        /** It is removed: nothing left this agent. */
        FORGET,
        /** It failed, and receivers are told. */
        FAIL,
        /** A person gave it up, and receivers are told. */
        CANCEL
    }

    /**
     * @param what the transfer, for the message
     * @param failure what happened
     * @param detail how far it had come; the network or a caller was promised something when the network has the manifest
     *     or all was spooled
     * @param resumed whether an earlier run may have come further than its detail says
     */
    static Ending of(String what, Throwable failure, OutgoingDetail detail, boolean resumed) {
        Ending ending = ofAny(what, failure, detail, resumed);
        boolean lost = detail.origin().kind() == OutgoingDetail.Kind.STREAM && !detail.spooled();
        if (!lost || ending.verdict() != Verdict.KEEP) {
            return ending;
        }
        // Nothing can go on with a stream that was not read to its end.
        return failure instanceof Halted
                ? of(
                        Verdict.FAIL,
                        Code.INTERRUPTED,
                        what + ": stopped before the end of the stream, of which nothing is kept",
                        failure)
                : new Ending(Verdict.FAIL, ending.exception());
    }

    private static Ending ofAny(String what, Throwable failure, OutgoingDetail detail, boolean resumed) {
        boolean committed = detail.announced() || resumed || detail.spooled();
        String message = what + ": " + failure.getMessage();
        if (failure instanceof Halted halted) {
            return halted.isForGood()
                    ? of(Verdict.CANCEL, Code.TRANSFER_FAILED, message, failure)
                    : of(Verdict.KEEP, Code.INTERRUPTED, message, failure);
        }
        if (failure instanceof SourceException) {
            return of(Verdict.FAIL, Code.TRANSFER_FAILED, message, failure);
        }
        if (failure instanceof LinkException link) {
            // Nobody heard of it yet, and the source may be gone: it waits for the next subscription.
            boolean waits =
                    link.code() == LinkException.Code.NO_SUBSCRIPTION && detail.spooled() && !detail.announced();
            return waits ? of(Verdict.KEEP, Code.REFUSED, message, failure) : ofLink(link, message, committed);
        }
        if (failure instanceof StorageException storage) {
            return ofStorage(storage, message, committed);
        }
        if (failure instanceof AgentException known) {
            return new Ending(known.code() == Code.REFUSED && !committed ? Verdict.FORGET : Verdict.KEEP, known);
        }
        return of(Verdict.KEEP, Code.TRANSFER_FAILED, what + ": unexpected " + failure, failure);
    }

    private static Ending ofLink(LinkException failure, String message, boolean committed) {
        Verdict kept = committed ? Verdict.KEEP : Verdict.FORGET;
        return switch (failure.code()) {
            case CLOSED, UNREACHABLE -> of(Verdict.KEEP, Code.INTERRUPTED, message, failure);
            case UNAUTHENTICATED, FORBIDDEN, NAME_IN_USE, QUOTA -> of(kept, Code.REFUSED, message, failure);
            // Whoever had the first pieces is gone: what is left of it helps nobody.
            case NO_SUBSCRIPTION -> of(committed ? Verdict.FAIL : Verdict.FORGET, Code.REFUSED, message, failure);
            case FAILED -> of(Verdict.FAIL, Code.TRANSFER_FAILED, message, failure);
        };
    }

    private static Ending ofStorage(StorageException failure, String message, boolean committed) {
        return switch (failure.code()) {
            case NO_SPACE -> of(committed ? Verdict.KEEP : Verdict.FORGET, Code.REFUSED, message, failure);
            case CLOSED -> of(Verdict.KEEP, Code.INTERRUPTED, message, failure);
            case IN_USE, DAMAGED, VERSION, IO, LOST -> of(Verdict.KEEP, Code.TRANSFER_FAILED, message, failure);
        };
    }

    private static Ending of(Verdict verdict, Code code, String message, Throwable cause) {
        return new Ending(verdict, new AgentException(code, message, cause));
    }
}
