package io.longhaul.broker;

import io.longhaul.broker.limits.QuotaFigures;
import io.longhaul.wire.BrokerReport.FailingLink;
import java.util.List;

/**
 * What a broker counted since its launch, and what waits now.
 *
 * @param frames frames taken
 * @param bytes their bytes, those of the transport included
 * @param refused frames refused: no space, too large, no subscription any more
 * @param paused whether nothing is taken because the disk is at its floor
 * @param freeBytes free space of the data directory's file system
 * @param floorBytes free space below which nothing is taken
 * @param subscriptions one for each subscription
 * @param links one for each link to another broker, as it was at most two seconds ago
 * @param failing links that the broker is told to open, and that fail
 * @param quotas one for each user and topic pattern with a limit, users from their first frame on
 * @param receipts those that nobody takes
 * @param role what the broker is
 */
public record BrokerSnapshot(
        long frames,
        long bytes,
        long refused,
        boolean paused,
        long freeBytes,
        long floorBytes,
        List<SubscriptionSnapshot> subscriptions,
        List<LinkSnapshot> links,
        List<FailingLink> failing,
        List<QuotaFigures> quotas,
        UntakenSnapshot receipts,
        BrokerRole role) {
    public BrokerSnapshot {
        subscriptions = List.copyOf(subscriptions);
        links = List.copyOf(links);
        failing = List.copyOf(failing);
        quotas = List.copyOf(quotas);
    }

    /**
     * One link to another broker.
     *
     * @param peer the other broker
     * @param up whether the link stands
     * @param active whether it carries files
     * @param sentFrames frames that the other one has taken
     * @param sentBytes their bytes
     * @param resentFrames frames that were sent more than once
     * @param receivedFrames frames taken from the other one
     * @param receivedBytes their bytes
     * @param backlogFrames frames that wait for the link
     * @param backlogBytes their bytes
     * @param heldFrames frames that wait and are not sent, because the other one's account may not have them any more
     * @param heldBytes their bytes
     * @param droppedPieces pieces that waited for it and were dropped, because holders have promised to repair them
     * @param droppedBytes their bytes
     */
    public record LinkSnapshot(
            String peer,
            boolean up,
            boolean active,
            long sentFrames,
            long sentBytes,
            long resentFrames,
            long receivedFrames,
            long receivedBytes,
            long backlogFrames,
            long backlogBytes,
            long heldFrames,
            long heldBytes,
            long droppedPieces,
            long droppedBytes) {}

    /**
     * Receipts for agents that have been away for an hour.
     *
     * @param bytes what they take on the disk; one that waits for two agents is there once
     * @param dropped how many were dropped because these were too many; one that waited for two counts twice
     */
    public record UntakenSnapshot(long bytes, long dropped) {}

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
