package io.longhaul.wire;

/**
 * An agent asks its broker who subscribes to a topic, anywhere in the network.
 *
 * @param replyTo address that takes the {@link TopicAnswer}
 */
public record TopicQuery(String topic, String replyTo) implements Frame {
    public TopicQuery {
        Names.topic(topic);
        Addresses.checkAnswer(replyTo);
    }

    @Override
    public FrameType type() {
        return FrameType.TOPIC_QUERY;
    }
}
