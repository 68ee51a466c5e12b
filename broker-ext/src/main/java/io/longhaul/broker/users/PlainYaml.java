package io.longhaul.broker.users;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.ContentReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.JacksonYAMLParseException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import com.fasterxml.jackson.dataformat.yaml.snakeyaml.error.MarkedYAMLException;
import java.io.IOException;

/**
 * YAML as people mean it in a configuration: a number is the text that stands there ({@code 2026.10} has its zero, {@code 007}
 * is not 7), and what the reader would misunderstand is an error: an alias ({@code *x}), of which it would take the name
 * for the value; a key that is there twice; a second document.
 */
public final class PlainYaml {
    private static final YAMLFactory YAML = YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
            .build();

    private PlainYaml() {}

    /**
     * Returns what a text says; a missing node where it says nothing, as when all of it are comments, or behind a {@code ---}.
     *
     * @throws com.fasterxml.jackson.core.JsonProcessingException with the place of what is wrong; its original message is one line
     */
    // only this class has what is wrong apart from an excerpt of the text, which takes several lines
    @SuppressWarnings("deprecation")
    public static JsonNode read(String text) throws IOException {
        try (YAMLParser in = YAML.createParser(text)) {
            return root(in);
        } catch (MarkedYAMLException e) {
            String wrong = e.getProblem().replaceFirst(",? but (got|found) ", ", found ");
            String within = e.getContext() == null ? "" : " " + e.getContext();
            throw new JsonParseException(null, wrong + within, place(e), e);
        } catch (JacksonYAMLParseException e) {
            String wrong = e.getOriginalMessage().lines().findFirst().orElse("");
            throw new JsonParseException(null, wrong, e.getLocation(), e);
        }
    }

    /** The parser's own place is that of the token before. */
    @SuppressWarnings("deprecation") // as above
    private static JsonLocation place(MarkedYAMLException e) {
        return new JsonLocation(
                ContentReference.unknown(),
                -1,
                e.getProblemMark().getLine() + 1,
                e.getProblemMark().getColumn() + 1);
    }

    private static JsonNode root(YAMLParser in) throws IOException {
        if (in.nextToken() == null) {
            return MissingNode.getInstance();
        }
        JsonNode root = node(in);
        if (in.nextToken() != null) {
            throw new JsonParseException(in, "expected one document, found another one behind it");
        }
        return root.isNull() ? MissingNode.getInstance() : root;
    }

    private static JsonNode node(YAMLParser in) throws IOException {
        if (in.isCurrentAlias()) {
            throw new JsonParseException(
                    in, "expected a value, found the alias *" + in.getText() + ", which is not followed");
        }
        return switch (in.currentToken()) {
            case START_OBJECT -> object(in);
            case START_ARRAY -> array(in);
            case VALUE_TRUE, VALUE_FALSE -> JsonNodeFactory.instance.booleanNode(in.getBooleanValue());
            case VALUE_NULL -> JsonNodeFactory.instance.nullNode();
            default -> JsonNodeFactory.instance.textNode(in.getText());
        };
    }

    private static ObjectNode object(YAMLParser in) throws IOException {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String key = in.currentName();
            in.nextToken();
            object.set(key, node(in));
        }
        return object;
    }

    private static ArrayNode array(YAMLParser in) throws IOException {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            array.add(node(in));
        }
        return array;
    }
}
