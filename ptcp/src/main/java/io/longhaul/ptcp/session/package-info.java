/**
 * A session at work: splitter and senders, receivers and merger, the number of streams.
 *
 * <p>Everything of a session runs on its event loop but the data channels, which may have loops of their own and give
 * it what they read.
 */
@NullMarked
package io.longhaul.ptcp.session;

import org.jspecify.annotations.NullMarked;
