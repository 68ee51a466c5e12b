package io.longhaul.broker.users;

import java.util.List;

/**
 * A user and what the user may do.
 *
 * @param name the user's name
 * @param password the hashed password
 * @param publish topics that the user may publish to
 * @param subscribe topics that the user may subscribe to
 */
public record Account(String name, PasswordHash password, List<TopicPattern> publish, List<TopicPattern> subscribe) {
    public Account {
        publish = List.copyOf(publish);
        subscribe = List.copyOf(subscribe);
    }

    public boolean mayPublish(String topic) {
        return publish.stream().anyMatch(pattern -> pattern.matches(topic));
    }

    public boolean maySubscribe(String topic) {
        return subscribe.stream().anyMatch(pattern -> pattern.matches(topic));
    }
}
