package io.longhaul.cli;

import io.longhaul.agent.AgentException;
import io.longhaul.cli.state.StateDirectory;
import io.longhaul.cli.terminal.ErrorStream;
import io.longhaul.cli.terminal.Screen;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What a command is given of the world.
 *
 * @param streams standard input, output and error
 * @param variables the environment
 * @param nanoTime a clock for durations
 * @param screen the terminal's size now
 * @param secret asks a person something and does not show what is typed; empty where there is no terminal
 * @param stop tells that the process was asked to end
 * @param threads for progress, scans and calls that may block; daemon threads
 */
record Environment(
        Streams streams,
        Map<String, String> variables,
        LongSupplier nanoTime,
        Supplier<Screen> screen,
        Function<String, Optional<String>> secret,
        StopSignal stop,
        ScheduledExecutorService threads) {

    /** The three standard streams; output and error encode as UTF-8. */
    record Streams(InputStream in, PrintStream out, ErrorStream err) {}

    /** Returns where data directories go that nobody named. */
    StateDirectory state() {
        String home = variable("HOME");
        return StateDirectory.of(variables, home.isEmpty() ? System.getProperty("user.home", "") : home);
    }

    /**
     * Does something that may block, on a thread of its own; leaves it there when the process is asked to end, and throws {@link
     * AgentException} of code INTERRUPTED with that message.
     */
    <T> T unlessStopped(String message, Supplier<T> action) {
        return unlessOver(Deadline.FOREVER_NS, stopped -> message, action);
    }

    /** Likewise, and leaves it there when the time is over, too; the message may tell one from the other. */
    <T> T unlessOver(long timeoutNs, Function<StopSignal.Cause, String> message, Supplier<T> action) {
        CompletableFuture<T> done = CompletableFuture.supplyAsync(action, threads);
        StopSignal.Cause end = stop.await(done, timeoutNs);
        if (end != StopSignal.Cause.DONE) {
            throw new AgentException(AgentException.Code.INTERRUPTED, message.apply(end));
        }
        try {
            return done.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** Returns the environment's value or an empty text. */
    String variable(String name) {
        return variables.getOrDefault(name, "");
    }
}
