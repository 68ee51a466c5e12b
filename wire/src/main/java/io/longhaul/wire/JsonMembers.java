package io.longhaul.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Members of JSON objects, read as strictly as the mapper reads them: none is missing, null or of another type. */
final class JsonMembers {
    private JsonMembers() {}

    static JsonNode object(String what, JsonNode node) {
        if (!node.isObject()) {
            throw new WireException(what + ": expected a JSON object, found " + kind(node));
        }
        return node;
    }

    static String text(JsonNode object, String member) {
        return text(member, object.get(member));
    }

    private static String text(String what, @Nullable JsonNode value) {
        if (value == null || !value.isTextual()) {
            throw new WireException(what + ": expected text, found " + kind(value));
        }
        return value.textValue();
    }

    static List<String> texts(JsonNode object, String member) {
        List<String> texts = new ArrayList<>();
        list(object, member).forEach(value -> texts.add(text(member, value)));
        return texts;
    }

    static JsonNode list(JsonNode object, String member) {
        JsonNode values = object.get(member);
        if (values == null || !values.isArray()) {
            throw new WireException(member + ": expected a list, found " + kind(values));
        }
        return values;
    }

    /** Returns what a text in base64 stands for. */
    static byte[] bytes(JsonNode object, String member) {
        String text = text(object, member);
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new WireException(member + ": expected base64: " + e.getMessage(), e);
        }
    }

    static long number(JsonNode object, String member) {
        JsonNode value = object.get(member);
        if (value == null || !value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new WireException(member + ": expected a whole number, found " + kind(value));
        }
        return value.longValue();
    }

    private static String kind(@Nullable JsonNode node) {
        return node == null ? "none" : node.getNodeType().name().toLowerCase(Locale.ROOT);
    }
}
