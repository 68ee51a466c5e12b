package io.longhaul.storage;

/**
 * Makes a receipt the next one of the chain of those given.
 *
 * <p>Called on the ledger's thread inside of the transaction, and again when that is done again: what is not committed
 * takes no place in the chain. Must not block; a failure fails the commit.
 */
@FunctionalInterface
public interface ReceiptLink {

    /**
     * Returns the receipt at its place.
     *
     * @param number its number in the chain, from 1
     * @param previous hash of the receipt before; empty for the first
     */
    Linked next(long number, String previous);

    /**
     * A receipt at its place.
     *
     * @param receipt the receipt as JSON
     * @param hash what the next one names as its predecessor
     */
    record Linked(String receipt, String hash) {}
}
