/**
 * A server of a few pages over HTTP, with bounds on what a stranger can make it do.
 *
 * <p>Knows Netty and nothing of brokers. One event loop does everything, making the pages included: whoever asks waits
 * for nobody but others who ask.
 */
@NullMarked
package io.longhaul.broker.http;

import org.jspecify.annotations.NullMarked;
