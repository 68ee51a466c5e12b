/**
 * Parallel TCP: one ordered byte stream in each direction, striped over several TCP connections.
 *
 * <p>The protocol is in {@code docs/protocol/ptcp.md}. Knows no other module of Longhaul; Artemis stays inside
 * {@code artemis}. A session belongs to one event loop.
 */
@NullMarked
package io.longhaul.ptcp;

import org.jspecify.annotations.NullMarked;
