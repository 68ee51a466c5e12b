package io.longhaul.broker.artemis;

import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.Logins;
import io.longhaul.wire.Addresses;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.security.auth.Subject;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.apache.activemq.artemis.spi.core.security.ActiveMQSecurityManager5;
import org.apache.activemq.artemis.spi.core.security.jaas.UserPrincipal;
import org.jspecify.annotations.Nullable;

/**
 * A user's rights on topics, as rights on addresses and queues.
 *
 * <pre>
 * publish T     send to lh.topic.T; keep a queue lh.receipts.T@AGENT; keep a queue lh.holders.T@AGENT
 * subscribe T   keep and consume a queue lh.sub.T@NAME; send to lh.receipts.T and lh.holders.T; keep lh.holders.T@AGENT
 * publish endpoint.NAME      send to lh.endpoint.NAME
 * subscribe endpoint.NAME    keep and consume lh.endpoint.NAME; send parcels in its name
 * everybody     send to lh.broker, to every lh.broker.NAME and lh.inbox.AGENT; keep and consume an inbox and
 *               lh.answer.ID
 * nobody        everything else, management included
 * </pre>
 *
 * A name belongs to the user who claimed it first: the server records who made a queue, and only that user may consume
 * or remove it. So nobody reads, takes over or drops another user's subscription, inbox or receipts. What one user may
 * send into another's inbox is not simply believed: pieces are checked against the manifest's digests, an offer only says
 * whom to ask; what is retained of a topic tells only who may publish it, and pieces of it asks for only who may subscribe to
 * it ({@link AnswerRights}). A parcel names its sender, which must be an endpoint that the user may keep ({@link ParcelRules}).
 * Thread-safe.
 */
final class TopicRights implements ActiveMQSecurityManager5 {
    private final Logins logins;
    private final Function<String, Optional<String>> queueOwner;

    /** Takes the users, and what tells the user who made a queue. */
    TopicRights(Logins logins, Function<String, Optional<String>> queueOwner) {
        this.logins = logins;
        this.queueOwner = queueOwner;
    }

    /**
     * Called for every session and, once its answer is a second old, again for what a session wants to do, on threads that all
     * sessions share. {@link SessionLogins} has looked at the password before there was a session.
     */
    @Override
    public @Nullable Subject authenticate(
            @Nullable String user,
            @Nullable String password,
            @Nullable RemotingConnection connection,
            @Nullable String securityDomain) {
        return logins.recall(user == null ? "" : user, password == null ? "" : password)
                .map(TopicRights::subject)
                .orElse(null);
    }

    private static Subject subject(Account account) {
        Subject subject = new Subject();
        subject.getPrincipals().add(new UserPrincipal(account.name()));
        return subject;
    }

    @Override
    public boolean authorize(
            @Nullable Subject subject, @Nullable Set<Role> roles, CheckType check, @Nullable String place) {
        if (subject == null || place == null) {
            return false;
        }
        int separator = place.indexOf("::");
        String address = separator < 0 ? place : place.substring(0, separator);
        String queue = separator < 0 ? "" : place.substring(separator + 2);
        return subject.getPrincipals(UserPrincipal.class).stream()
                .findFirst()
                .flatMap(principal -> logins.account(principal.getName()))
                .map(account -> isAllowed(account, check, address, queue))
                .orElse(false);
    }

    private boolean isAllowed(Account account, CheckType check, String address, String queue) {
        return switch (check) {
            case SEND -> maySend(account, address);
            case CREATE_ADDRESS -> maySend(account, address) || mayKeep(account, address, queue, true);
            case CONSUME, BROWSE, DELETE_DURABLE_QUEUE, DELETE_NON_DURABLE_QUEUE ->
                mayKeep(account, address, queue, false) && isOwner(account, queue);
            case CREATE_DURABLE_QUEUE, CREATE_NON_DURABLE_QUEUE -> mayKeep(account, address, queue, false);
            // asked with the removal of an address's last queue; one with queues cannot be removed
            case DELETE_ADDRESS -> mayKeep(account, address, queue, true);
            case MANAGE, VIEW, EDIT -> false;
        };
    }

    static boolean maySend(Account account, String address) {
        if (address.startsWith(Addresses.TOPIC_PREFIX)) {
            return account.mayPublish(address.substring(Addresses.TOPIC_PREFIX.length()));
        }
        if (address.startsWith(Addresses.RECEIPTS_PREFIX)) {
            return account.maySubscribe(address.substring(Addresses.RECEIPTS_PREFIX.length()));
        }
        if (address.startsWith(Addresses.HOLDERS_PREFIX)) {
            return account.maySubscribe(address.substring(Addresses.HOLDERS_PREFIX.length()));
        }
        if (Addresses.isEndpoint(address)) {
            return account.mayPublish(ofEndpoint(address));
        }
        return address.equals(Addresses.BROKER) || Addresses.isPersonal(address);
    }

    static boolean mayKeep(Account account, String address, String queue, boolean addressOnly) {
        if (address.startsWith(Addresses.TOPIC_PREFIX)) {
            String topic = address.substring(Addresses.TOPIC_PREFIX.length());
            return account.maySubscribe(topic)
                    && (addressOnly || queue.startsWith(Addresses.SUBSCRIPTION_PREFIX + topic + "@"));
        }
        if (address.startsWith(Addresses.RECEIPTS_PREFIX)) {
            return account.mayPublish(address.substring(Addresses.RECEIPTS_PREFIX.length()))
                    && (addressOnly || queue.startsWith(address + "@"));
        }
        if (address.startsWith(Addresses.HOLDERS_PREFIX)) {
            String topic = address.substring(Addresses.HOLDERS_PREFIX.length());
            return (account.mayPublish(topic) || account.maySubscribe(topic))
                    && (addressOnly || queue.startsWith(address + "@"));
        }
        if (Addresses.isEndpoint(address)) {
            return account.maySubscribe(ofEndpoint(address)) && (addressOnly || queue.equals(address));
        }
        return (address.startsWith(Addresses.INBOX_PREFIX) || address.startsWith(Addresses.ANSWER_PREFIX))
                && (addressOnly || queue.equals(address));
    }

    /** Returns what an endpoint is called in the rights on topics. */
    static String ofEndpoint(String address) {
        return address.substring(Addresses.PREFIX.length());
    }

    private boolean isOwner(Account account, String queue) {
        return queueOwner.apply(queue).map(account.name()::equals).orElse(true);
    }

    @Override
    public boolean validateUser(@Nullable String user, @Nullable String password) {
        return authenticate(user, password, null, null) != null;
    }

    @Override
    public boolean validateUserAndRole(
            @Nullable String user, @Nullable String password, @Nullable Set<Role> roles, CheckType checkType) {
        return false;
    }
}
