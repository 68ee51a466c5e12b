/**
 * The protocol that two brokers speak over a link, as {@code docs/protocol/links.md} describes it.
 *
 * <p>Frames and their bytes, and the conversation that begins a link. Knows parallel TCP and Netty's buffers, nothing of
 * Artemis.
 */
@NullMarked
package io.longhaul.broker.link;

import org.jspecify.annotations.NullMarked;
