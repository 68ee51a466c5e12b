package io.longhaul.wire;

import java.nio.ByteBuffer;
import java.util.Map;

/**
 * A frame as a broker carries it: named properties and a body.
 *
 * @param properties values are {@code String}, {@code Integer}, {@code Long} or {@code byte[]}
 * @param body the bytes; position and limit delimit them
 */
public record Envelope(Map<String, Object> properties, ByteBuffer body) {}
