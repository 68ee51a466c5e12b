package io.longhaul.broker;

import io.longhaul.broker.artemis.EmbeddedServer;
import io.longhaul.broker.artemis.ServerException;
import io.longhaul.broker.artemis.ServerSettings;
import io.longhaul.broker.artemis.Tally;
import io.longhaul.wire.BrokerReport;

/**
 * A running broker: takes frames, keeps them on disk, gives them to subscriptions.
 *
 * <p>May be used from any thread. {@link #launch} cleans up after itself when it fails.
 */
public final class Broker implements AutoCloseable {
    private final EmbeddedServer server;

    private Broker(EmbeddedServer server) {
        this.server = server;
    }

    /**
     * Locks the data directory, loads what is in it and listens; returns when agents can connect. One of a pair returns at
     * once, and {@link #role} says how far it is.
     */
    public static Broker launch(BrokerConfig config) {
        ServerSettings settings = BrokerSettings.of(config, Runtime.getRuntime().maxMemory());
        try {
            return new Broker(EmbeddedServer.launch(settings));
        } catch (ServerException e) {
            throw failure(e);
        }
    }

    private static BrokerException failure(ServerException e) {
        return new BrokerException(BrokerException.Code.valueOf(e.kind().name()), String.valueOf(e.getMessage()), e);
    }

    /**
     * Returns what it is now; throws when it cannot go on: its witness refuses it, its data cannot be loaded, or were removed, moved
     * or replaced since.
     */
    public BrokerRole role() {
        try {
            server.check();
        } catch (ServerException e) {
            throw failure(e);
        }
        return roleNow();
    }

    private BrokerRole roleNow() {
        return server.standing()
                .map(standing -> BrokerRole.valueOf(standing.name()))
                .orElse(BrokerRole.SINGLE);
    }

    /** Returns the port of the first address that agents connect to with the default scheme; 0 when there is none. */
    public int port() {
        return server.port(false);
    }

    /** Returns the port of the first address that speaks plain Artemis core; 0 when there is none. */
    public int corePort() {
        return server.port(true);
    }

    /** Returns whether the broker still runs; it stops by itself when its disk fails. */
    public boolean isRunning() {
        return server.isRunning();
    }

    /** Returns what was counted; costs a look at every subscription. */
    public BrokerSnapshot snapshot() {
        Tally tally = server.tally();
        return new BrokerSnapshot(
                tally.frames(),
                tally.bytes(),
                tally.refused(),
                tally.paused(),
                tally.freeBytes(),
                tally.floorBytes(),
                tally.waiting().stream().map(Broker::subscription).toList(),
                tally.links().stream().map(Broker::link).toList(),
                tally.failing(),
                tally.quotas(),
                new BrokerSnapshot.UntakenSnapshot(
                        tally.receipts().bytes(), tally.receipts().dropped()),
                roleNow());
    }

    private static BrokerSnapshot.LinkSnapshot link(Tally.Linked linked) {
        BrokerReport.LinkReport link = linked.report();
        return new BrokerSnapshot.LinkSnapshot(
                link.peer(),
                link.up(),
                link.active(),
                link.sentFrames(),
                link.sentBytes(),
                link.resentFrames(),
                link.receivedFrames(),
                link.receivedBytes(),
                link.backlogFrames(),
                link.backlogBytes(),
                link.heldFrames(),
                link.heldBytes(),
                linked.droppedPieces(),
                linked.droppedBytes());
    }

    private static BrokerSnapshot.SubscriptionSnapshot subscription(Tally.Waiting waiting) {
        return new BrokerSnapshot.SubscriptionSnapshot(
                waiting.topic(),
                waiting.subscription(),
                waiting.connected(),
                waiting.frames(),
                waiting.bytes(),
                waiting.delivered(),
                waiting.droppedPieces(),
                waiting.droppedBytes());
    }

    /**
     * Takes nothing more, lets what is being written reach the disk, closes connections and files and unlocks. What was
     * acknowledged is on disk. Idempotent.
     */
    @Override
    public void close() {
        server.close();
    }
}
