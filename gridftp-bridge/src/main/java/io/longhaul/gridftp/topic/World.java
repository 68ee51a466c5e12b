package io.longhaul.gridftp.topic;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * What topics are given of the world.
 *
 * @param workers for calls of the agent and of the disk that wait
 */
record World(Clock clock, LongSupplier nanoTime, Executor workers, Delay delay) {
    /** Runs something later, on a thread that must not be kept. */
    interface Delay {
        void call(Duration after, Runnable action);
    }
}
