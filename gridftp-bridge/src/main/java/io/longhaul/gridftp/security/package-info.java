/**
 * How control and data channels of a session are protected: not at all, by TLS (RFC 4217), and later by GSI. Event loop
 * only. Knows Netty.
 */
@NullMarked
package io.longhaul.gridftp.security;

import org.jspecify.annotations.NullMarked;
