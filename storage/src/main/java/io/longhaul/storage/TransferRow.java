package io.longhaul.storage;

/**
 * One transfer as the ledger keeps it; unique by direction, transfer id and subscription.
 *
 * @param key number of the row in this ledger, from {@link Ledger#newKey()}
 * @param transferId identity of the transfer
 * @param topic its topic
 * @param subscription name of the subscription for incoming ones, empty for outgoing ones
 * @param name relative path at the destination
 * @param order the broker's order number for incoming ones; 0 while unknown
 * @param createdMillis when this agent first heard of it, milliseconds since the epoch
 * @param manifest the manifest as JSON; empty while unknown
 * @param seal the seal as JSON; empty while unknown
 * @param path source of an outgoing one, place of an incoming one; empty while unknown
 * @param detail JSON object of the agent's own: identity of the source, policies, counters, seconds per phase, reason
 */
public record TransferRow(
        long key,
        Direction direction,
        String transferId,
        String topic,
        String subscription,
        String name,
        TransferState state,
        long order,
        long createdMillis,
        String manifest,
        String seal,
        String path,
        String detail) {

    public TransferRow withState(TransferState newState) {
        return with(newState, order, seal, path, detail);
    }

    public TransferRow withOrder(long newOrder) {
        return with(state, newOrder, seal, path, detail);
    }

    public TransferRow withSeal(String newSeal) {
        return with(state, order, newSeal, path, detail);
    }

    public TransferRow withPath(String newPath) {
        return with(state, order, seal, newPath, detail);
    }

    public TransferRow withDetail(String newDetail) {
        return with(state, order, seal, path, newDetail);
    }

    private TransferRow with(TransferState newState, long newOrder, String newSeal, String newPath, String newDetail) {
        return new TransferRow(
                key,
                direction,
                transferId,
                topic,
                subscription,
                name,
                newState,
                newOrder,
                createdMillis,
                manifest,
                newSeal,
                newPath,
                newDetail);
    }
}
