package io.longhaul.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;

/**
 * A question for what is retained, from JSON.
 *
 * <p>Design note: its last member may be missing, which the mapper, strict about every other member, cannot be told of one.
 */
final class RetainedQueryJson extends StdDeserializer<RetainedQuery> {
    private static final long serialVersionUID = 1L;
    private static final String TRANSFER = "transfer";

    RetainedQueryJson() {
        super(RetainedQuery.class);
    }

    /** Refuses a member that is missing, null or of another type; unknown ones are ignored. */
    @Override
    public RetainedQuery deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        JsonNode query = JsonMembers.object("retained-query", context.readTree(parser));
        return new RetainedQuery(
                JsonMembers.number(query, "request"),
                JsonMembers.text(query, "topic"),
                JsonMembers.text(query, "subscription"),
                JsonMembers.text(query, "asker"),
                JsonMembers.number(query, "sinceMillis"),
                JsonMembers.number(query, "afterOrder"),
                JsonMembers.text(query, "afterTransfer"),
                query.has(TRANSFER) ? JsonMembers.text(query, TRANSFER) : "");
    }
}
