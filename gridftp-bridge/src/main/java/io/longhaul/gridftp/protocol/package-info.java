/**
 * What passes over control and data channels, as text and bytes: RFC 959, 2389, 2428, 2640 and 3659, GFD.20 and what
 * clients use of GFD.47. Pure: no sockets, no time, no threads; limits are arguments. Knows {@code range} and Netty's
 * buffers.
 */
@NullMarked
package io.longhaul.gridftp.protocol;

import org.jspecify.annotations.NullMarked;
