package io.longhaul.cli;

import io.longhaul.agent.Progress;
import io.longhaul.cli.terminal.Console;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Shows the progress of what is on its way a few times a second. */
final class ProgressTicker {
    private static final long TERMINAL_MS = 200;
    private static final long LOG_MS = 1_000;

    private ProgressTicker() {}

    /** Shows progress while the action runs, and takes it away after it; returns what the action returns. */
    static <T> T during(
            Environment environment, Console console, Supplier<List<Progress>> transfers, Supplier<T> action) {
        long periodMs = environment.screen().get().isTerminal() ? TERMINAL_MS : LOG_MS;
        ScheduledFuture<?> ticks = environment
                .threads()
                .scheduleWithFixedDelay(
                        () -> console.progress(transfers.get()), periodMs, periodMs, TimeUnit.MILLISECONDS);
        try {
            return action.get();
        } finally {
            ticks.cancel(false);
            console.endProgress();
        }
    }
}
