package io.longhaul.cli;

import io.longhaul.agent.Delivered;
import io.longhaul.agent.SubscriptionListener;
import io.longhaul.cli.hook.CompletionHook;
import io.longhaul.cli.terminal.Console;
import io.longhaul.wire.Receipt.Outcome;
import io.longhaul.wire.TransferId;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Reports the transfers that end at a subscription and counts them.
 *
 * <p>A superseded transfer does not count, because the one that superseded it does. The hook runs before the transfer
 * is reported, so whoever reads the report finds its work done.
 */
final class Deliveries implements SubscriptionListener {
    private final Console console;
    private final Optional<CompletionHook> hook;
    private final int count;
    private final CompletableFuture<Void> reached = new CompletableFuture<>();
    private volatile int exitCode = ExitCodes.OK;

    /** The subscription's thread only; a transfer may be told twice. Not kept when nothing is counted. */
    private final Set<TransferId> seen = new HashSet<>();

    /**
     * Prepares for a subscription.
     *
     * @param count how many transfers complete {@link #reached()}; 0 for never
     */
    Deliveries(Console console, Optional<CompletionHook> hook, int count) {
        this.console = console;
        this.hook = hook;
        this.count = count;
    }

    @Override
    public void ended(Delivered delivered) {
        Outcome outcome = delivered.receipt().outcome();
        if (outcome == Outcome.DELIVERED) {
            hook.ifPresent(program -> program.run(delivered));
        }
        Lines.ended(console, delivered);
        if (outcome == Outcome.FAILED) {
            fail(delivered.isVerificationFailed() ? ExitCodes.VERIFICATION : ExitCodes.FAILED);
        }
        if (count > 0 && outcome != Outcome.SUPERSEDED) {
            seen.add(delivered.receipt().transfer());
            if (seen.size() >= count) {
                reached.complete(null);
            }
        }
    }

    /** Bytes that are wrong outweigh all other failures. Several subscriptions may share this. */
    private synchronized void fail(int code) {
        exitCode = Math.max(exitCode, code);
    }

    @Override
    public void notice(String line) {
        console.say("longhaul: " + line);
    }

    /** Completes when as many transfers have ended as were asked for. */
    CompletableFuture<Void> reached() {
        return reached;
    }

    /** Returns the exit code of what has ended: 0 while none has failed. */
    int exitCode() {
        return exitCode;
    }
}
