package io.longhaul.agent;

import io.longhaul.agent.link.LinkException;
import io.longhaul.storage.StorageException;
import io.longhaul.wire.Receipt;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;

/** What failures of storage and link mean to users of the SDK; for its own packages. */
public final class Failures {
    /**
     * What receivers give as the reason when the bytes are not those of the seal. Matched from the start on: further on, a
     * reason may quote a name.
     */
    private static final Pattern VERIFICATION = Pattern.compile(
            "(digest: expected|tree: expected \\d+ entries, \\d+ bytes, digest) [0-9a-f]{64}, found .*",
            Pattern.DOTALL);

    private Failures() {}

    /** Returns the failure as an {@link AgentException} with one line for a person. */
    public static AgentException translate(RuntimeException failure) {
        if (failure instanceof CompletionException && failure.getCause() instanceof RuntimeException cause) {
            return translate(cause);
        }
        if (failure instanceof AgentException known) {
            return known;
        }
        if (isInterrupt(failure)) {
            Thread.currentThread().interrupt(); // whoever threw took the news of it
            return new AgentException(AgentException.Code.INTERRUPTED, "interrupted", failure);
        }
        if (failure instanceof LinkException link) {
            return new AgentException(code(link.code()), String.valueOf(link.getMessage()), link);
        }
        if (failure instanceof StorageException storage) {
            return new AgentException(code(storage.code()), String.valueOf(storage.getMessage()), storage);
        }
        if (failure instanceof IllegalArgumentException || failure instanceof io.longhaul.wire.WireException) {
            return new AgentException(AgentException.Code.USAGE, String.valueOf(failure.getMessage()), failure);
        }
        return new AgentException(AgentException.Code.TRANSFER_FAILED, "unexpected failure: " + failure, failure);
    }

    /** Throws {@link AgentException} of code INTERRUPTED on a thread that is interrupted. */
    static void requireNoInterrupt() {
        if (Thread.currentThread().isInterrupted()) {
            throw new AgentException(AgentException.Code.INTERRUPTED, "interrupted before it began");
        }
    }

    private static boolean isInterrupt(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof InterruptedException || each instanceof ClosedByInterruptException) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a subscription refused a transfer because its bytes are not what they should be. */
    public static boolean isVerification(Receipt receipt) {
        return receipt.outcome() == Receipt.Outcome.FAILED
                && VERIFICATION.matcher(receipt.reason()).matches();
    }

    private static AgentException.Code code(LinkException.Code code) {
        return switch (code) {
            case UNREACHABLE -> AgentException.Code.UNREACHABLE;
            case UNAUTHENTICATED, FORBIDDEN, NO_SUBSCRIPTION, NAME_IN_USE, QUOTA -> AgentException.Code.REFUSED;
            case CLOSED -> AgentException.Code.INTERRUPTED;
            case FAILED -> AgentException.Code.TRANSFER_FAILED;
        };
    }

    private static AgentException.Code code(StorageException.Code code) {
        return switch (code) {
            case NO_SPACE, IN_USE, VERSION -> AgentException.Code.REFUSED;
            case DAMAGED -> AgentException.Code.VERIFICATION_FAILED;
            case IO, LOST -> AgentException.Code.TRANSFER_FAILED;
            case CLOSED -> AgentException.Code.INTERRUPTED;
        };
    }
}
