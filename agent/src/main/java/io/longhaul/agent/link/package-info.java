/**
 * The seam between an agent and the network: offer a frame and learn that it is safe, be given one and say so.
 *
 * <p>Knows nothing of brokers; {@code io.longhaul.agent.artemis} implements it today. Of the
 * storage it knows what a full disk is.
 */
@NullMarked
package io.longhaul.agent.link;

import org.jspecify.annotations.NullMarked;
