/**
 * The floor: the least that Artemis needs to carry a file from one process through a broker to another one, with the same
 * digests, writes and forces as Longhaul, and none of its promises beyond.
 */
package io.longhaul.it.bench.floor;
