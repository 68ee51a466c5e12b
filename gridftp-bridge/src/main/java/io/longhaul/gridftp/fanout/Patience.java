package io.longhaul.gridftp.fanout;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * How long a place may be silent.
 *
 * @param after runs things after a pause
 */
record Patience(Duration limit, Function<Duration, Executor> after) {
    static Patience of(Duration limit) {
        return new Patience(limit, pause -> CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS));
    }
}
