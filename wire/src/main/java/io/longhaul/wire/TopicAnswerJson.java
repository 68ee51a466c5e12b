package io.longhaul.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;

/**
 * An answer about a topic from JSON.
 *
 * <p>Design note: its last member may be missing, which the mapper, strict about every other member, cannot be told of one.
 */
final class TopicAnswerJson extends StdDeserializer<TopicAnswer> {
    private static final long serialVersionUID = 1L;
    private static final String UNKNOWN_BEHIND = "unknownBehind";

    TopicAnswerJson() {
        super(TopicAnswer.class);
    }

    /** Refuses a member that is missing, null or of another type; unknown ones are ignored. */
    @Override
    public TopicAnswer deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        JsonNode answer = JsonMembers.object("topic-answer", context.readTree(parser));
        return new TopicAnswer(
                JsonMembers.text(answer, "topic"),
                JsonMembers.texts(answer, "subscriptions"),
                JsonMembers.text(answer, "unknownTo"),
                answer.has(UNKNOWN_BEHIND) ? JsonMembers.text(answer, UNKNOWN_BEHIND) : "");
    }
}
