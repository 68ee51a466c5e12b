package io.longhaul.agent.link;

import java.util.Set;

/**
 * What is known of a topic's durable subscriptions.
 *
 * @param known names of those that are known
 * @param unknownBehind empty when these are all; else, for a person, what the network waits for to know the others
 */
public record TopicSubscriptions(Set<String> known, String unknownBehind) {

    /** Returns whether there are no others. */
    public boolean isComplete() {
        return unknownBehind.isEmpty();
    }

    /** Returns the names of all; throws {@link LinkException.Code#UNREACHABLE} as long as there may be others. */
    public Set<String> all() {
        if (!isComplete()) {
            throw new LinkException(LinkException.Code.UNREACHABLE, unknownBehind);
        }
        return known;
    }
}
