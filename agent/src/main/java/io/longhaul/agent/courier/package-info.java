/**
 * Messages between endpoints: open a {@link io.longhaul.agent.courier.Courier}, send parcels to other endpoints by their
 * names and be handed those for one's own.
 *
 * <p>Public API, beside {@link io.longhaul.agent}. Parcels are quick and not durable; whoever sends one sees to it that it
 * is asked for again.
 */
@NullMarked
package io.longhaul.agent.courier;

import org.jspecify.annotations.NullMarked;
