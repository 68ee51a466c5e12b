package io.longhaul.broker.artemis;

import io.longhaul.broker.limits.QuotaFigures;
import io.longhaul.wire.BrokerReport;
import java.util.List;

/**
 * What the server counted.
 *
 * @param frames frames taken since the launch
 * @param bytes their bytes
 * @param refused frames refused since the launch
 * @param paused whether intake stands still for want of disk
 * @param freeBytes free space of the data directory's file system
 * @param floorBytes free space below which intake stands still
 * @param waiting one for each subscription
 * @param links one for each link
 * @param failing links that the broker is told to open, and that fail
 * @param quotas one for each user and topic pattern with a limit, users from their first frame on
 * @param receipts those that nobody takes
 */
public record Tally(
        long frames,
        long bytes,
        long refused,
        boolean paused,
        long freeBytes,
        long floorBytes,
        List<Waiting> waiting,
        List<Linked> links,
        List<BrokerReport.FailingLink> failing,
        List<QuotaFigures> quotas,
        Untaken receipts) {
    public Tally {
        waiting = List.copyOf(waiting);
        links = List.copyOf(links);
        failing = List.copyOf(failing);
        quotas = List.copyOf(quotas);
    }

    /**
     * One link.
     *
     * @param report what was told last of it
     * @param droppedPieces pieces that waited for it and were dropped in favour of leases since the launch
     * @param droppedBytes their bytes
     */
    public record Linked(BrokerReport.LinkReport report, long droppedPieces, long droppedBytes) {}

    /**
     * Receipts in queues of agents that nobody has consumed for a while.
     *
     * @param bytes what they take on the disk; one that waits in two queues is there once
     * @param dropped how many went with such a queue since the launch
     */
    public record Untaken(long bytes, long dropped) {}

    /**
     * One subscription.
     *
     * @param topic its topic
     * @param subscription its name
     * @param connected whether somebody consumes it
     * @param frames frames that wait or are being delivered
     * @param bytes their bytes
     * @param delivered frames acknowledged by the subscriber, or dropped, since the launch
     * @param droppedPieces pieces dropped in favour of a lease since the launch
     * @param droppedBytes their bytes
     */
    public record Waiting(
            String topic,
            String subscription,
            boolean connected,
            long frames,
            long bytes,
            long delivered,
            long droppedPieces,
            long droppedBytes) {}
}
