package io.longhaul.cli;

import io.longhaul.agent.Agent;
import io.longhaul.agent.AgentConfig;
import io.longhaul.agent.AgentException;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.agent.Subscription;
import io.longhaul.agent.SubscriptionListener;
import io.longhaul.cli.state.AgentNote;
import io.longhaul.cli.state.Footprint;
import io.longhaul.cli.terminal.Console;
import io.longhaul.storage.Disk;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open agent of a command.
 *
 * <p>An opening that is refused, or does not reach the broker, leaves nothing on disk that was not there before. Confined
 * to the command's thread.
 */
final class AgentSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AgentSession.class);
    /** Reserved by the SDK for part files, in the directory of a subscription. */
    private static final String PARTS = ".longhaul";

    private final Agent agent;
    private final Footprint footprint;
    private final Environment environment;
    private final Runnable unwatch;
    private final List<Claim> claims = new ArrayList<>();

    /** A subscription that this session asked for, and how things were before. */
    private record Claim(SubscribeRequest request, boolean isNew, Footprint into, boolean hadParts) {}

    /**
     * Takes an open agent.
     *
     * @param unwatch ends the look at its data directory, which may be removed from then on
     */
    AgentSession(Agent agent, Footprint footprint, Environment environment, Runnable unwatch) {
        this.agent = agent;
        this.footprint = footprint;
        this.environment = environment;
        this.unwatch = unwatch;
    }

    /** Opens the agent, see {@link Opening}. */
    static AgentSession open(AgentConfig config, Environment environment, Console console) {
        Footprint footprint = Footprint.of(config.data());
        Agent agent =
                Opening.of(() -> Agent.open(config, new Notices(console)), config.broker(), footprint, environment);
        note(config, console);
        return new AgentSession(agent, footprint, environment, DataWatch.begin(config.data(), environment)::close);
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

    /** Subscribes, however long that takes. */
    Subscription subscribe(SubscribeRequest request, SubscriptionListener listener) {
        return subscribe(request, listener, Deadline.FOREVER_NS);
    }

    /**
     * Subscribes, and remembers what that makes, so that {@link #abandon} can take it back. Until the network knows of it may
     * take long, which a request to stop need not wait for, nor who has no more time than that.
     */
    Subscription subscribe(SubscribeRequest request, SubscriptionListener listener, long timeoutNs) {
        claims.add(new Claim(
                request,
                isNew(request),
                Footprint.of(request.into()),
                Files.exists(request.into().resolve(PARTS))));
        return environment.unlessOver(
                timeoutNs,
                cause -> (cause == StopSignal.Cause.TIMED_OUT ? "timed out" : "stopped") + " while subscribing to "
                        + request.topic() + "; the same command goes on",
                () -> agent.subscribe(request, listener));
    }

    /** Whether nobody has the subscription; not while that is unknown, so that nothing is taken from anybody. */
    private boolean isNew(SubscribeRequest request) {
        try {
            return !agent.subscriptions(request.topic()).contains(request.name());
        } catch (AgentException e) {
            if (e.code() != AgentException.Code.UNREACHABLE) {
                throw e;
            }
            return false;
        }
    }

    /** Whether a failure at a command's start is final, rather than one after which the same command goes on. */
    static boolean isFinal(RuntimeException failure) {
        int exit = ExitCodes.of(failure);
        return exit != ExitCodes.UNREACHABLE && exit != ExitCodes.INTERRUPTED;
    }

    /**
     * Closes and removes what this session has made, for a command that failed before it did anything; its subscriptions
     * are closed already. One that was there before stays.
     */
    void abandon() {
        claims.stream().filter(Claim::isNew).map(Claim::request).forEach(this::withdraw);
        close();
        claims.forEach(claim -> claim.into().undoChild(Disk.real(), PARTS, claim.hadParts()));
        footprint.undo(Disk.real());
    }

    /**
     * A claim that nobody serves would swallow what is published. One that another process serves cannot be removed. What an
     * earlier claim has left, as one that a broker has lost, goes on when it is made again.
     */
    private void withdraw(SubscribeRequest request) {
        try {
            agent.withdraw(request.topic(), request.name());
        } catch (AgentException e) {
            LOG.debug("subscription {} of topic {} stays", request.name(), request.topic(), e);
        }
    }

    @Override
    public void close() {
        unwatch.run();
        agent.close();
    }
}
