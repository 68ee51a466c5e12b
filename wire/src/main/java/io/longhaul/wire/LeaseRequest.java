package io.longhaul.wire;

import java.util.List;

/**
 * The broker asks holders to promise repairs, so that it may drop pieces from a subscription's backlog.
 *
 * @param request identity of the request, repeated in grants
 * @param topic the topic
 * @param subscription whose backlog is too long
 * @param transfers transfers of which it holds pieces, at most 1000
 * @param replyTo address that takes the {@link LeaseGrant}s
 */
public record LeaseRequest(
        String request, String topic, String subscription, List<TransferId> transfers, String replyTo)
        implements Frame {
    public LeaseRequest {
        Names.topic(topic);
        Names.subscription(subscription);
        Names.request(request);
        Limits.range("transfers", transfers.size(), 0, 1000);
        Addresses.checkReply(replyTo);
        transfers = List.copyOf(transfers);
    }

    @Override
    public FrameType type() {
        return FrameType.LEASE_REQUEST;
    }
}
