package io.longhaul.agent.link;

/** Opens what comes back from a topic to one who publishes to it. May be used from any thread. */
public interface TopicDesk {
    /**
     * Opens the topic's receipts, which then reach the publisher; called before the first frame of a transfer that waits
     * for some. Returns once they are kept for this agent; may block; throws what the link throws.
     */
    void openReceipts(String topic);

    /**
     * Throws {@link LinkException} of code FORBIDDEN when this agent may not publish to the topic, and what else the link
     * throws; may block.
     */
    void requireRight(String topic);

    /** Opens the topic's questions to holders, once the network has taken a manifest; returns at once. */
    void openHolders(String topic);
}
