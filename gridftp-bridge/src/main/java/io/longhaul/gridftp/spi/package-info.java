/**
 * What a door needs of a back end, and what is common to all of them.
 *
 * <p>Threads: every method returns at once and may be called from an event loop; futures complete on any thread, and
 * whoever waits goes back to its own. Failures are {@link io.longhaul.gridftp.spi.BackendException}s with a code, so that
 * a door can keep their meaning in its own protocol. Knows {@code range} and Netty's buffers.
 */
@NullMarked
package io.longhaul.gridftp.spi;

import org.jspecify.annotations.NullMarked;
