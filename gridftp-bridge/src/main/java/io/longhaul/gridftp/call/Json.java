package io.longhaul.gridftp.call;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.StringWriter;

/** Objects to bytes and back. Pure. */
final class Json {
    private static final int DEPTH = 8;
    private static final int LONGEST_TEXT = 1 << 20;

    private static final JsonMapper MAPPER = mapper();
    private static final ObjectReader VALUES = MAPPER.reader().without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** Writes JSON. */
    @FunctionalInterface
    interface Writing {
        void to(JsonGenerator out) throws IOException;
    }

    /** Reads JSON. */
    @FunctionalInterface
    interface Reading<T> {
        T from(JsonParser in) throws IOException;
    }

    private Json() {}

    private static JsonMapper mapper() {
        JsonMapper mapper = JsonMapper.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                // texts are cut into parts anywhere
                .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
                .build();
        mapper.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(DEPTH)
                        .maxStringLength(LONGEST_TEXT)
                        .build());
        return mapper;
    }

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    static String text(ObjectNode object) {
        try {
            return MAPPER.writeValueAsString(object);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of JSON cannot be written", e);
        }
    }

    /** Returns what is written. */
    static String text(Writing writing) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = MAPPER.createGenerator(text)) {
            writing.to(out);
        } catch (IOException e) {
            throw new IllegalStateException("JSON cannot be written", e);
        }
        return text.toString();
    }

    static Fields read(String what, String json) {
        try {
            JsonNode node = MAPPER.readTree(json);
            if (node instanceof ObjectNode object) {
                return new Fields(what, object);
            }
            throw new CallException(what + ": expected a JSON object, found " + node.getNodeType());
        } catch (JsonProcessingException e) {
            throw bad(what, e);
        }
    }

    /**
     * Returns what is read of one object, whose first token the parser is at, and behind which there must be nothing. That no field
     * comes twice is the reader's to see to.
     */
    static <T> T read(String what, String json, Reading<T> reading) {
        try (JsonParser in = MAPPER.createParser(json)) {
            in.disable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
            in.nextToken();
            expect(in, what, "an object", JsonToken.START_OBJECT);
            T read = reading.from(in);
            if (in.nextToken() != null) {
                throw new CallException(what + ": expected one JSON object, found " + in.currentToken() + " behind it");
            }
            return read;
        } catch (JsonProcessingException e) {
            throw bad(what, e);
        } catch (IOException e) {
            throw new IllegalStateException("a text cannot be read", e);
        }
    }

    private static CallException bad(String what, JsonProcessingException e) {
        return new CallException(what + ": expected a JSON object, found " + e.getOriginalMessage(), e);
    }

    /** Reads the value that the parser is at. */
    static JsonNode value(JsonParser in) throws IOException {
        return VALUES.readTree(in);
    }

    static void expect(JsonParser in, String what, String words, JsonToken token) {
        if (in.currentToken() != token) {
            throw new CallException(what + ": expected " + words + ", found " + in.currentToken());
        }
    }
}
