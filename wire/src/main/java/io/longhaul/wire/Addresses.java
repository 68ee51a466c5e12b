package io.longhaul.wire;

/**
 * The broker addresses and queues that Longhaul uses.
 *
 * <pre>
 * lh.topic.TOPIC          multicast  manifests, pieces, seals; one durable queue lh.sub.TOPIC@NAME a subscription
 * lh.receipts.TOPIC       multicast  receipts; one durable queue lh.receipts.TOPIC@AGENT an agent that waits for them
 * lh.holders.TOPIC        multicast  lease requests and repair queries; one queue lh.holders.TOPIC@AGENT a holder
 * lh.inbox.AGENT          anycast    what is meant for one agent: grants, offers, repair pieces; queue of the same name
 * lh.endpoint.NAME        anycast    parcels for one endpoint; queue of the same name
 * lh.broker               anycast    questions to the agent's own broker; queue of the same name
 * lh.broker.NAME          anycast    lease grants to the broker of that name; queue of the same name
 * lh.answer.ID            anycast    answers to a question; a queue of the same name that ends with its connection
 * lh.link.PEER@ADDRESS               queue: what of an address goes over the link to a neighbour
 * lh.relay.PEER           anycast    what is meant for one agent or broker behind a neighbour; queue of the same name
 * lh.post.PEER            anycast    parcels for endpoints behind a neighbour; queue of the same name
 * </pre>
 */
public final class Addresses {
    public static final String PREFIX = "lh.";
    public static final String TOPIC_PREFIX = "lh.topic.";
    public static final String SUBSCRIPTION_PREFIX = "lh.sub.";
    public static final String RECEIPTS_PREFIX = "lh.receipts.";
    public static final String HOLDERS_PREFIX = "lh.holders.";
    public static final String INBOX_PREFIX = "lh.inbox.";
    public static final String ENDPOINT_PREFIX = "lh.endpoint.";
    public static final String BROKER = "lh.broker";
    public static final String BROKER_PREFIX = "lh.broker.";
    public static final String ANSWER_PREFIX = "lh.answer.";
    public static final String LINK_PREFIX = "lh.link.";
    public static final String RELAY_PREFIX = "lh.relay.";
    public static final String POST_PREFIX = "lh.post.";
    private static final char OF = '@';

    private Addresses() {}

    public static String topic(String topic) {
        return TOPIC_PREFIX + Names.topic(topic);
    }

    public static String subscriptionQueue(String topic, String subscription) {
        return SUBSCRIPTION_PREFIX + Names.topic(topic) + OF + Names.subscription(subscription);
    }

    /** Returns what the queues of a topic's subscriptions begin with; the subscription's name follows. */
    public static String subscriptionPrefix(String topic) {
        return SUBSCRIPTION_PREFIX + Names.topic(topic) + OF;
    }

    public static String receipts(String topic) {
        return RECEIPTS_PREFIX + Names.topic(topic);
    }

    public static String receiptsQueue(String topic, String agent) {
        return RECEIPTS_PREFIX + Names.topic(topic) + OF + Names.agent(agent);
    }

    public static String holders(String topic) {
        return HOLDERS_PREFIX + Names.topic(topic);
    }

    public static String holdersQueue(String topic, String agent) {
        return HOLDERS_PREFIX + Names.topic(topic) + OF + Names.agent(agent);
    }

    public static String inbox(String agent) {
        return INBOX_PREFIX + Names.agent(agent);
    }

    /** Returns the address and queue of the parcels for one endpoint. */
    public static String endpoint(String name) {
        return ENDPOINT_PREFIX + Names.endpoint(name);
    }

    /** Returns whether an address is that of an endpoint: what waits there is not kept for long. */
    public static boolean isEndpoint(String address) {
        return address.startsWith(ENDPOINT_PREFIX);
    }

    /** Returns the address of what is meant for one broker. */
    public static String broker(String name) {
        return BROKER_PREFIX + Names.broker(name);
    }

    /** Returns the queue of what goes over the link to a neighbour. */
    public static String linkQueue(String peer, String address) {
        return LINK_PREFIX + Names.broker(peer) + OF + address;
    }

    /** Returns the address and queue of what is meant for one agent or broker behind a neighbour. */
    public static String relay(String peer) {
        return RELAY_PREFIX + Names.broker(peer);
    }

    /** Returns the address and queue of the parcels for endpoints behind a neighbour. */
    public static String post(String peer) {
        return POST_PREFIX + Names.broker(peer);
    }

    /** Returns whether a queue's name is claimed by one process in the whole network: a subscription, an agent, an endpoint. */
    public static boolean isClaimed(String queue) {
        return queue.startsWith(SUBSCRIPTION_PREFIX) || queue.startsWith(INBOX_PREFIX) || isEndpoint(queue);
    }

    /** Returns whether an address belongs to one agent, endpoint or broker, wherever in the network it is. */
    public static boolean isPersonal(String address) {
        return address.startsWith(INBOX_PREFIX) || isEndpoint(address) || address.startsWith(BROKER_PREFIX);
    }

    /** Returns whether whatever is sent to an address goes to all who keep a queue on it, wherever they are. */
    public static boolean isShared(String address) {
        return address.startsWith(TOPIC_PREFIX)
                || address.startsWith(RECEIPTS_PREFIX)
                || address.startsWith(HOLDERS_PREFIX);
    }

    /**
     * Returns the address that a queue of a subscription, a publisher, a holder, an agent, an endpoint or a broker is filled from; an
     * address stands for somebody who keeps a queue on it. Throws {@link WireException} for every other name.
     */
    public static String addressOf(String queue) {
        if (isPersonal(queue)) {
            Names.agent(queue.substring(personalPrefix(queue).length()));
            return queue;
        }
        int at = queue.indexOf(OF);
        if (queue.startsWith(SUBSCRIPTION_PREFIX) && at > 0) {
            Names.subscription(queue.substring(at + 1));
            return topic(queue.substring(SUBSCRIPTION_PREFIX.length(), at));
        }
        if (isShared(queue)) {
            String prefix = queue.startsWith(TOPIC_PREFIX)
                    ? TOPIC_PREFIX
                    : queue.startsWith(RECEIPTS_PREFIX) ? RECEIPTS_PREFIX : HOLDERS_PREFIX;
            if (at < 0) {
                return prefix + Names.topic(queue.substring(prefix.length()));
            }
            if (!prefix.equals(TOPIC_PREFIX)) {
                Names.agent(queue.substring(at + 1));
                return prefix + Names.topic(queue.substring(prefix.length(), at));
            }
        }
        throw new WireException("queue: expected one that somebody in the network keeps, found " + Names.shown(queue));
    }

    private static String personalPrefix(String address) {
        if (address.startsWith(INBOX_PREFIX)) {
            return INBOX_PREFIX;
        }
        return isEndpoint(address) ? ENDPOINT_PREFIX : BROKER_PREFIX;
    }

    /** Returns whether {@link #addressOf} knows the address of a queue of this name. */
    public static boolean isQueue(String name) {
        try {
            return !addressOf(name).isEmpty();
        } catch (WireException e) {
            return false;
        }
    }

    /** Returns the subscription's name from the name of its queue; throws {@link WireException} for another queue. */
    public static String subscriptionOf(String queue) {
        return afterOf(queue);
    }

    /** Returns the topic from the name of a subscription's queue; throws {@link WireException} for another queue. */
    public static String topicOf(String queue) {
        afterOf(queue);
        return Names.topic(queue.substring(SUBSCRIPTION_PREFIX.length(), queue.indexOf(OF)));
    }

    /** A grant goes to a broker or an inbox, never to where files or receipts go. */
    static void checkReply(String address) {
        if (address.startsWith(INBOX_PREFIX)) {
            Names.agent(address.substring(INBOX_PREFIX.length()));
        } else if (address.startsWith(BROKER_PREFIX)) {
            Names.broker(address.substring(BROKER_PREFIX.length()));
        } else if (!address.equals(BROKER)) {
            throw new WireException(
                    "reply address: expected " + BROKER + " or an inbox, found " + Names.shown(address));
        }
    }

    /** Answers go to whoever asked, never to where files or receipts go. */
    static void checkAnswer(String address) {
        if (!address.startsWith(ANSWER_PREFIX)) {
            throw new WireException("reply address: expected " + ANSWER_PREFIX + "ID, found " + Names.shown(address));
        }
        Names.agent(address.substring(ANSWER_PREFIX.length()));
    }

    private static String afterOf(String queue) {
        int at = queue.indexOf(OF);
        if (!queue.startsWith(SUBSCRIPTION_PREFIX) || at < 0) {
            throw new WireException(
                    "queue: expected " + SUBSCRIPTION_PREFIX + "TOPIC@NAME, found " + Names.shown(queue));
        }
        return Names.subscription(queue.substring(at + 1));
    }
}
