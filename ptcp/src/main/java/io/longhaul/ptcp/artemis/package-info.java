/**
 * Parallel TCP as a transport of Apache ActiveMQ Artemis: connector and acceptor for the core protocol.
 *
 * <p>The only package of the module that knows Artemis. The acceptor needs {@code artemis-server} on the class path, the
 * connector only the client.
 */
@NullMarked
package io.longhaul.ptcp.artemis;

import org.jspecify.annotations.NullMarked;
