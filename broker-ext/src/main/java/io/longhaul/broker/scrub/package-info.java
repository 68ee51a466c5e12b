/**
 * Looks through a stopped broker's files for damage, names it, and takes damaged messages out so that the broker can
 * start. Knows the formats on disk, no code of the server; used before the server starts, by one thread.
 */
@NullMarked
package io.longhaul.broker.scrub;

import org.jspecify.annotations.NullMarked;
