package io.longhaul.it.bench.contender;

/**
 * What a transfer came to in which a node was killed.
 *
 * @param seconds from the first start of the sender until everything is on the receiver's disk
 * @param extraBytes sent more than once
 */
public record Interrupted(double seconds, long extraBytes) {}
