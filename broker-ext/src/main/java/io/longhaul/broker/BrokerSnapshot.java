package io.longhaul.broker;

import java.util.List;

/**
 * What a broker counted since its launch, and what waits now.
 *
 * @param frames frames taken
 * @param bytes their bytes, those of the transport included
 * @param refused frames refused: no subscription, no space, too large
 * @param paused whether nothing is taken because the disk is at its floor
 * @param freeBytes free space of the data directory's file system
 * @param floorBytes free space below which nothing is taken
 * @param subscriptions one for each subscription
 */
public record BrokerSnapshot(
        long frames,
        long bytes,
        long refused,
        boolean paused,
        long freeBytes,
        long floorBytes,
        List<SubscriptionSnapshot> subscriptions) {
    public BrokerSnapshot {
        subscriptions = List.copyOf(subscriptions);
    }

    /**
     * One subscription.
     *
     * @param topic its topic
     * @param name its name
     * @param connected whether its agent is connected
     * @param backlogFrames frames that wait or are being delivered
     * @param backlogBytes their bytes
     * @param finishedFrames frames acknowledged by the subscriber or dropped
     * @param droppedPieces pieces dropped because a holder has promised to repair them
     * @param droppedBytes their bytes
     */
    public record SubscriptionSnapshot(
            String topic,
            String name,
            boolean connected,
            long backlogFrames,
            long backlogBytes,
            long finishedFrames,
            long droppedPieces,
            long droppedBytes) {}
}
