package io.longhaul.storage;

/**
 * The place of a receipt in the chain of those given.
 *
 * @param number its number, from 1
 * @param hash its hash
 */
public record ReceiptPlace(long number, String hash) {}
