package io.longhaul.storage;

/**
 * One entry of a tree as the ledger keeps it.
 *
 * @param number position in the tree's order, from 0
 * @param piece index of the pack that holds it, or of the first piece of a large file
 * @param encoded the entry as the wire encodes it
 * @param sha256 digest of its content; empty while unknown
 */
public record EntryRow(long number, long piece, byte[] encoded, byte[] sha256) {}
