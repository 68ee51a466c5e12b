package io.longhaul.gridftp.call;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Objects to bytes and back. Pure. */
final class Json {
    private static final int DEPTH = 8;
    private static final int LONGEST_TEXT = 1 << 20;

    private static final JsonMapper MAPPER = mapper();

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

    static Fields read(String what, String json) {
        try {
            JsonNode node = MAPPER.readTree(json);
            if (node instanceof ObjectNode object) {
                return new Fields(what, object);
            }
            throw new CallException(what + ": expected a JSON object, found " + node.getNodeType());
        } catch (JsonProcessingException e) {
            throw new CallException(what + ": expected a JSON object, found " + e.getOriginalMessage(), e);
        }
    }
}
