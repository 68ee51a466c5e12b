package io.longhaul.agent;

import java.nio.file.Path;

/**
 * What to subscribe to, and where files go.
 *
 * @param topic the topic
 * @param name the subscription's name; durable at the broker, one process at a time
 * @param into directory that files appear in
 * @param existing what happens when a file of the name exists
 * @param archive keep every transfer under its own id for later repairs, and prefer this agent as holder
 */
public record SubscribeRequest(String topic, String name, Path into, ExistingPolicy existing, boolean archive) {
    public static SubscribeRequest of(String topic, String name, Path into) {
        return new SubscribeRequest(topic, name, into, ExistingPolicy.REPLACE, false);
    }

    public SubscribeRequest withExisting(ExistingPolicy newExisting) {
        return new SubscribeRequest(topic, name, into, newExisting, archive);
    }
}
