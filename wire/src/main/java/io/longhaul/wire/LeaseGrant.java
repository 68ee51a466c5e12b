package io.longhaul.wire;

/**
 * A holder's durable promise to serve repairs of a transfer until the subscription's receipt.
 *
 * @param request identity of the request that it answers
 * @param transfer the transfer
 * @param subscription for whom
 * @param holder the holder's agent name
 * @param through the promise covers the pieces with an index below this; {@link Long#MAX_VALUE} for all
 */
public record LeaseGrant(String request, TransferId transfer, String subscription, String holder, long through)
        implements Frame {
    public LeaseGrant {
        Names.request(request);
        Names.subscription(subscription);
        Names.agent(holder);
        Limits.range("through", through, 0, Long.MAX_VALUE);
    }

    @Override
    public FrameType type() {
        return FrameType.LEASE_GRANT;
    }
}
