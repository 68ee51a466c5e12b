/**
 * A prototype, to know what a data plane beside the message path would gain: bytes go to a depot beside the broker over a
 * plain socket, and durable messages carry only the claim to them. Digests, writes and forces are those of the floor.
 */
package io.longhaul.it.bench.plane;
