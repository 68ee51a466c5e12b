package io.longhaul.broker.users;

import io.longhaul.broker.limits.Limit;
import java.util.List;
import java.util.Optional;

/**
 * A user and what the user may do.
 *
 * @param name the user's name
 * @param password the hashed password
 * @param publish topics that the user may publish to
 * @param subscribe topics that the user may subscribe to
 * @param mayLink whether the user is a broker that may link to this one; what it may carry in either direction are the
 *     topics above
 * @param mayOperate whether the user is an operator, who may take other brokers out of the network
 * @param files what the user may do with the files of a door
 * @param limit what the user may use of the broker; empty for what the broker says of all users
 */
public record Account(
        String name,
        PasswordHash password,
        List<TopicPattern> publish,
        List<TopicPattern> subscribe,
        boolean mayLink,
        boolean mayOperate,
        FileRights files,
        Optional<Limit> limit) {
    public Account {
        publish = List.copyOf(publish);
        subscribe = List.copyOf(subscribe);
    }

    /** Returns an account of somebody who is no broker, no operator and may do everything with files. */
    public static Account of(
            String name, PasswordHash password, List<TopicPattern> publish, List<TopicPattern> subscribe) {
        return new Account(name, password, publish, subscribe, false, false, FileRights.ALL, Optional.empty());
    }

    /** Returns the same account with another password. */
    public Account withPassword(PasswordHash other) {
        return new Account(name, other, publish, subscribe, mayLink, mayOperate, files, limit);
    }

    public boolean mayPublish(String topic) {
        return publish.stream().anyMatch(pattern -> pattern.matches(topic));
    }

    public boolean maySubscribe(String topic) {
        return subscribe.stream().anyMatch(pattern -> pattern.matches(topic));
    }
}
