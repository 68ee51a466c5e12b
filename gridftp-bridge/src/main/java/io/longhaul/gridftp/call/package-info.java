/**
 * Commands between a front and a back: what may be asked for, how it is written, repeated and answered.
 *
 * <p>Knows {@code spi}, {@code range}, {@code post} and Jackson. A {@link io.longhaul.gridftp.call.Caller} asks, a {@link
 * io.longhaul.gridftp.call.Callee} does each call once. {@code docs/protocol/endpoint.md} describes the messages.
 */
@NullMarked
package io.longhaul.gridftp.call;

import org.jspecify.annotations.NullMarked;
