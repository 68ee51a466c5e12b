/**
 * A client of GridFTP and FTP servers: control connections and their conversation, a pool of them, uploads in MODE S and
 * MODE E, downloads in MODE S, listings.
 *
 * <p>Threads: a conversation blocks, so it runs on the pool's threads and never on an event loop; bytes move on the event
 * loop of their session. Failures are {@link io.longhaul.gridftp.spi.BackendException}s with the server's own words.
 * Knows {@code protocol}, {@code range}, {@code spi} and Netty.
 */
@NullMarked
package io.longhaul.gridftp.client;

import org.jspecify.annotations.NullMarked;
