package io.longhaul.cli;

import io.longhaul.agent.Agent;
import io.longhaul.agent.AgentConfig;
import io.longhaul.agent.AgentException;
import io.longhaul.cli.state.AgentNote;
import io.longhaul.cli.state.Footprint;
import io.longhaul.cli.terminal.Console;
import io.longhaul.storage.Disk;
import io.longhaul.storage.StorageException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * An open agent of a command.
 *
 * <p>An opening that is refused, or does not reach the broker, leaves nothing on disk that was not there before.
 */
final class AgentSession implements AutoCloseable {
    private final Agent agent;
    private final Footprint footprint;

    private AgentSession(Agent agent, Footprint footprint) {
        this.agent = agent;
        this.footprint = footprint;
    }

    /** Opens the agent on a thread of the environment, so that a request to stop need not wait for the broker. */
    static AgentSession open(AgentConfig config, Environment environment, Console console) {
        Footprint footprint = Footprint.of(config.data());
        CompletableFuture<Agent> opening =
                CompletableFuture.supplyAsync(() -> Agent.open(config, new Notices(console)), environment.threads());
        if (environment.stop().await(opening, Deadline.FOREVER_NS) == StopSignal.Cause.STOPPED) {
            throw new AgentException(AgentException.Code.INTERRUPTED, "stopped while connecting to " + config.broker());
        }
        try {
            AgentSession session = new AgentSession(opening.join(), footprint);
            note(config, console);
            return session;
        } catch (CompletionException e) {
            RuntimeException failure = e.getCause() instanceof RuntimeException cause ? cause : e;
            int exit = ExitCodes.of(failure);
            if (exit == ExitCodes.UNREACHABLE || exit == ExitCodes.REFUSED && !isInUse(failure)) {
                footprint.undo(Disk.real());
            }
            throw failure;
        }
    }

    /** A directory in use was made by whoever uses it, even when it was missing a moment ago. */
    private static boolean isInUse(Throwable failure) {
        return failure.getCause() instanceof StorageException store && store.code() == StorageException.Code.IN_USE;
    }

    private static void note(AgentConfig config, Console console) {
        try {
            new AgentNote(config.name(), config.broker(), config.user()).write(config.data());
        } catch (UncheckedIOException e) {
            console.say("longhaul: " + e.getMessage());
        }
    }

    Agent agent() {
        return agent;
    }

    /** Closes and removes what this session has made, for a command that was refused before it did anything. */
    void abandon() {
        agent.close();
        footprint.undo(Disk.real());
    }

    @Override
    public void close() {
        agent.close();
    }
}
