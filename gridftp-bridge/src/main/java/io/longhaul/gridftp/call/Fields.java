package io.longhaul.gridftp.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.FilePath;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The fields of a JSON object that somebody else wrote. Fields that nobody asks for are a newer version's. */
final class Fields {
    private final String what;
    private final ObjectNode object;

    Fields(String what, ObjectNode object) {
        this.what = what;
        this.object = object;
    }

    private CallException bad(String name, String expected, Object found) {
        return new CallException(what + ", field '" + name + "': expected " + expected + ", found " + found);
    }

    private JsonNode node(String name) {
        return object.path(name);
    }

    private static String kind(JsonNode node) {
        return node.isMissingNode() ? "nothing" : node.getNodeType().toString();
    }

    boolean has(String name) {
        return !node(name).isMissingNode();
    }

    String text(String name) {
        JsonNode node = node(name);
        if (!node.isTextual()) {
            throw bad(name, "text", kind(node));
        }
        return node.textValue();
    }

    List<String> texts(String name) {
        JsonNode array = node(name);
        if (!array.isArray()) {
            throw bad(name, "a list", kind(array));
        }
        List<String> texts = new ArrayList<>(array.size());
        for (JsonNode node : array) {
            if (!node.isTextual()) {
                throw bad(name, "a list of texts", kind(node));
            }
            texts.add(node.textValue());
        }
        return texts;
    }

    /** Returns a whole number that is not negative. */
    long count(String name) {
        long number = number(name);
        if (number < 0) {
            throw bad(name, "a number of at least 0", number);
        }
        return number;
    }

    long number(String name) {
        return number(name, node(name));
    }

    private long number(String name, JsonNode node) {
        if (!node.isIntegralNumber() || !node.canConvertToLong()) {
            throw bad(name, "a whole number", kind(node));
        }
        return node.longValue();
    }

    int small(String name) {
        JsonNode node = node(name);
        if (!node.isIntegralNumber() || !node.canConvertToInt()) {
            throw bad(name, "a number of 32 bits", kind(node));
        }
        return node.intValue();
    }

    boolean flag(String name) {
        JsonNode node = node(name);
        if (!node.isBoolean()) {
            throw bad(name, "true or false", kind(node));
        }
        return node.booleanValue();
    }

    FilePath path(String name) {
        String text = text(name);
        FilePath path;
        try {
            path = FilePath.of(text);
        } catch (BackendException e) {
            throw new CallException(what + ", field '" + name + "': " + e.getMessage(), e);
        }
        if (!path.toString().equals(text)) {
            throw bad(name, "a path without '.', '..' and doubled slashes", text);
        }
        return path;
    }

    Number128 id(String name) {
        String text = text(name);
        try {
            return Number128.of(text);
        } catch (IllegalArgumentException e) {
            throw new CallException(what + ", field '" + name + "': expected 32 hexadecimal digits, found " + text, e);
        }
    }

    Instant time(String name) {
        String text = text(name);
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw new CallException(what + ", field '" + name + "': expected a time, found " + text, e);
        }
    }

    /** Returns the one of some values that has the name. */
    <T> T oneOf(String name, T[] values, Function<T, String> nameOf) {
        String text = text(name);
        for (T value : values) {
            if (nameOf.apply(value).equals(text)) {
                return value;
            }
        }
        throw bad(name, "a known word", text);
    }

    Optional<Fields> object(String name) {
        JsonNode node = node(name);
        if (node.isMissingNode()) {
            return Optional.empty();
        }
        if (node instanceof ObjectNode inner) {
            return Optional.of(new Fields(what + "." + name, inner));
        }
        throw bad(name, "an object", kind(node));
    }

    List<Fields> objects(String name) {
        JsonNode array = node(name);
        if (!array.isArray()) {
            throw bad(name, "a list", kind(array));
        }
        List<Fields> objects = new ArrayList<>(array.size());
        for (JsonNode node : array) {
            if (!(node instanceof ObjectNode inner)) {
                throw bad(name, "a list of objects", kind(node));
            }
            objects.add(new Fields(what + "." + name, inner));
        }
        return objects;
    }
}
