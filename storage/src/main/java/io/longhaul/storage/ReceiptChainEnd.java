package io.longhaul.storage;

/**
 * The last receipt of the chain of those given.
 *
 * @param number its number, from 1
 * @param hash its hash
 */
public record ReceiptChainEnd(long number, String hash) {}
