package io.longhaul.it.bench.contender;

import java.util.List;

/**
 * What a transfer came to in which a node was killed.
 *
 * @param seconds from the first start of the sender until everything is on the receiver's disk
 * @param againBytes that went over a link more than once, the sender's link first
 */
public record Interrupted(double seconds, List<Long> againBytes) {}
