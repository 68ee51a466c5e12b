package io.longhaul.broker.users;

import java.util.List;

/**
 * A user and what the user may do.
 *
 * @param name the user's name
 * @param password the hashed password
 * @param publish topics that the user may publish to
 * @param subscribe topics that the user may subscribe to
 * @param mayLink whether the user is a broker that may link to this one; what it may carry in either direction are the
 *     topics above
 */
public record Account(
        String name, PasswordHash password, List<TopicPattern> publish, List<TopicPattern> subscribe, boolean mayLink) {
    public Account {
        publish = List.copyOf(publish);
        subscribe = List.copyOf(subscribe);
    }

    /** Returns an account of somebody who is no broker. */
    public static Account of(
            String name, PasswordHash password, List<TopicPattern> publish, List<TopicPattern> subscribe) {
        return new Account(name, password, publish, subscribe, false);
    }

    public boolean mayPublish(String topic) {
        return publish.stream().anyMatch(pattern -> pattern.matches(topic));
    }

    public boolean maySubscribe(String topic) {
        return subscribe.stream().anyMatch(pattern -> pattern.matches(topic));
    }
}
