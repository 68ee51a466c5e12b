package io.longhaul.agent.link;

import io.longhaul.wire.Frame;
import java.util.Optional;

/**
 * A frame given to this agent, or the news that one arrived damaged.
 *
 * @param frame the frame; empty when it could not be decoded. The body of a piece may be read until the next but one
 *     acknowledgement of its flow.
 * @param fault why it could not be decoded; empty otherwise
 * @param transferHint transfer id that the broken message claimed, if it was readable
 * @param order the broker's order of a manifest, also of a broken one if it was readable; 0 for other frames
 * @param token the link's own
 */
public record Delivery(Optional<Frame> frame, String fault, Optional<String> transferHint, long order, Object token) {}
