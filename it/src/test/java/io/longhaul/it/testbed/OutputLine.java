package io.longhaul.it.testbed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;

/**
 * A line that a process printed.
 *
 * @param atNanos when it was read, on the clock of {@link System#nanoTime}
 * @param text the line
 */
public record OutputLine(long atNanos, String text) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Returns the JSON object of the line; a missing node when it is none. */
    public JsonNode json() {
        if (!text.startsWith("{")) {
            return MissingNode.getInstance();
        }
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }

    /** Whether it tells of an event of this name; does not take every line apart, since many may be asked again and again. */
    boolean isOf(String event) {
        return text.contains(event) && event().equals(event);
    }

    /** Returns the value of "event"; empty without one. */
    public String event() {
        return json().path("event").asText();
    }

    /** Returns a number; fails when the line has none of that name. */
    public long number(String key) {
        JsonNode value = json().path(key);
        if (!value.isNumber()) {
            throw new AssertionError("no number \"" + key + "\" in: " + text);
        }
        return value.longValue();
    }

    /** Returns a text; fails when the line has none of that name. */
    public String text(String key) {
        JsonNode value = json().path(key);
        if (!value.isTextual()) {
            throw new AssertionError("no text \"" + key + "\" in: " + text);
        }
        return value.textValue();
    }
}
