/**
 * TCP connections through an HTTP proxy: CONNECT, answered challenges, then the bare tunnel.
 *
 * <p>Knows no other package of the module. {@code HttpProxySession} is shared by the connections
 * of one session and may be used by every thread; a handler belongs to the event loop of its channel.
 */
@NullMarked
package io.longhaul.ptcp.proxy;

import org.jspecify.annotations.NullMarked;
