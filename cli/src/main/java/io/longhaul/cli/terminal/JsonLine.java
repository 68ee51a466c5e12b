package io.longhaul.cli.terminal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One JSON object of results, in one line. Values are texts, numbers, booleans, maps and iterables of those, and values
 * that were read.
 */
public final class JsonLine {
    private static final JsonFactory JSON = new JsonFactory();

    private final Map<String, Object> fields = new LinkedHashMap<>();

    private JsonLine() {}

    /** Returns a line that says what it is about. */
    public static JsonLine of(String event) {
        return new JsonLine().with("event", event);
    }

    /** Returns a line that says nothing yet. */
    static JsonLine blank() {
        return new JsonLine();
    }

    /** Returns a line with the fields of an object that was read. */
    public static JsonLine ofNode(JsonNode object) {
        JsonLine line = new JsonLine();
        object.properties().forEach(field -> line.with(field.getKey(), field.getValue()));
        return line;
    }

    public JsonLine with(String key, Object value) {
        fields.put(key, value);
        return this;
    }

    /** Returns the object without a line break; line breaks inside texts are escaped. */
    @Override
    public String toString() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            write(json, fields);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName(entry.getKey().toString());
                write(json, entry.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof JsonNode node) {
            json.writeRawValue(node.toString());
        } else if (value instanceof Iterable<?> items) {
            json.writeStartArray();
            for (Object item : items) {
                write(json, item);
            }
            json.writeEndArray();
        } else if (value instanceof Double || value instanceof Float) {
            json.writeNumber(Math.round(((Number) value).doubleValue() * 1000) / 1000.0);
        } else if (value instanceof Number number) {
            json.writeNumber(number.longValue());
        } else if (value instanceof Boolean flag) {
            json.writeBoolean(flag);
        } else {
            json.writeString(value.toString());
        }
    }
}
