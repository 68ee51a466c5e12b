/**
 * The floor: the least that Artemis needs to carry a file, or a tree of small files, from one process through a broker to
 * others, with the same digests, writes and forces as Longhaul, and none of its promises beyond.
 */
package io.longhaul.it.bench.floor;
