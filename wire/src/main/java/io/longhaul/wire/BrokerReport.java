package io.longhaul.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * What a broker tells of itself to every other broker of the network, every few seconds and at every change of a link.
 *
 * @param broker its name
 * @param sequence grows with every report, also over restarts: milliseconds of the broker's clock since the epoch, or one
 *     more than before, or than what neighbours still tell of it
 * @param fanOut most links that the broker wants to carry files at the same time; 0 for any number
 * @param subscriptions number of subscriptions that it keeps itself
 * @param links its links, those that are down included
 * @param failing links that it is told to open, and that fail; missing in the JSON when there are none
 * @param drains the number that it gave last to a queue for a neighbour that wants nothing more of it, and that runs dry;
 *     grows as the sequence does; missing in the JSON when it is 0, for none
 * @param order the greatest order of a manifest that it gave or saw; missing in the JSON when it is 0, for none
 */
public record BrokerReport(
        String broker,
        long sequence,
        int fanOut,
        long subscriptions,
        List<LinkReport> links,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<FailingLink> failing,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long drains,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long order)
        implements Frame {
    private static final int MOST_LINKS = 1000;

    public BrokerReport {
        Names.broker(broker);
        Limits.range("fanOut", fanOut, 0, MOST_LINKS);
        Limits.range("subscriptions", subscriptions, 0, Long.MAX_VALUE);
        Limits.range("links", links.size(), 0, MOST_LINKS);
        links = List.copyOf(links);
        Limits.range("failing", failing.size(), 0, MOST_LINKS);
        failing = List.copyOf(failing);
        Limits.range("drains", drains, 0, Long.MAX_VALUE);
        Limits.range("order", order, 0, Long.MAX_VALUE);
    }

    /** A broker of which no queue runs dry, and that has seen no manifest. */
    public BrokerReport(
            String broker,
            long sequence,
            int fanOut,
            long subscriptions,
            List<LinkReport> links,
            List<FailingLink> failing) {
        this(broker, sequence, fanOut, subscriptions, links, failing, 0, 0);
    }

    @Override
    public FrameType type() {
        return FrameType.BROKER_REPORT;
    }

    /**
     * A link that a broker tries to open in vain.
     *
     * @param to where it is told to open it
     * @param kind why not, as one word: {@code unreachable}, or what the other broker objects to: {@code login}, {@code
     *     version}, {@code same-name}, {@code linked}, {@code protocol}, or {@code later} while it is too busy to look
     * @param reason the same for people
     */
    public record FailingLink(String to, String kind, String reason) {
        public FailingLink {
            to = Limits.reason(to);
            kind = Limits.reason(kind);
            reason = Limits.reason(reason);
        }
    }

    /**
     * One end of a link.
     *
     * @param peer the broker at the other end
     * @param up whether the link stands
     * @param active whether it carries files; an idle one waits until another one fails
     * @param streams TCP connections that carry data now
     * @param sentFrames frames that the peer has taken since this broker's start
     * @param sentBytes their bytes
     * @param resentFrames frames that were sent more than once, because the link was lost before the peer had said that
     *     it has them
     * @param receivedFrames frames taken from the peer
     * @param receivedBytes their bytes
     * @param sentPerSecond bytes a second, over the last seconds
     * @param receivedPerSecond the same of what came in
     * @param backlogFrames frames that wait for the link or for the peer's word
     * @param backlogBytes their bytes
     * @param heldFrames frames that wait and are not sent, because the peer's account may not have them any more; missing in
     *     the JSON when there are none
     * @param heldBytes their bytes; likewise
     * @param silentMillis how long nothing was heard of the peer, which says something every second while the link stands; 0
     *     while it is down; missing in the JSON when it is 0
     */
    public record LinkReport(
            String peer,
            boolean up,
            boolean active,
            int streams,
            long sentFrames,
            long sentBytes,
            long resentFrames,
            long receivedFrames,
            long receivedBytes,
            long sentPerSecond,
            long receivedPerSecond,
            long backlogFrames,
            long backlogBytes,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) long heldFrames,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) long heldBytes,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) long silentMillis) {
        public LinkReport {
            Names.broker(peer);
        }
    }
}
