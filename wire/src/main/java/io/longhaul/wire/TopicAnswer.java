package io.longhaul.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * A broker's answer to a {@link TopicQuery}.
 *
 * @param subscriptions names of the subscriptions known, here and behind links; at most {@link #MOST_NAMES}
 * @param unknownTo empty when every broker that can be reached knows of the subscriptions made here, or, while no link
 *     stands, when those are known to have that could be reached before; else, for a person, who does not yet
 * @param unknownBehind empty when all subscriptions are named that files published here go to; else, for a person, what
 *     the broker waits for to know the others; missing in the JSON when it is empty
 */
public record TopicAnswer(
        String topic,
        List<String> subscriptions,
        String unknownTo,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String unknownBehind)
        implements Frame {
    /** Most names in an answer; who asks for receipts of more subscriptions than that asks in vain. */
    public static final int MOST_NAMES = 8000;

    public TopicAnswer {
        Names.topic(topic);
        Limits.range("subscriptions", subscriptions.size(), 0, MOST_NAMES);
        subscriptions.forEach(Names::subscription);
        subscriptions = List.copyOf(subscriptions);
        unknownTo = Limits.reason(unknownTo);
        unknownBehind = Limits.reason(unknownBehind);
    }

    @Override
    public FrameType type() {
        return FrameType.TOPIC_ANSWER;
    }
}
