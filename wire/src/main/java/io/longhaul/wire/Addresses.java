package io.longhaul.wire;

/**
 * The broker addresses and queues that Longhaul uses.
 *
 * <pre>
 * lh.topic.TOPIC          multicast  manifests, pieces, seals; one durable queue lh.sub.TOPIC@NAME a subscription
 * lh.receipts.TOPIC       multicast  receipts; one durable queue lh.receipts.TOPIC@AGENT an agent that waits for them
 * lh.holders.TOPIC        multicast  lease requests and repair queries; one queue lh.holders.TOPIC@AGENT a holder
 * lh.inbox.AGENT          anycast    what is meant for one agent: grants, offers, repair pieces; queue of the same name
 * lh.broker               anycast    lease grants to the broker; queue of the same name
 * </pre>
 */
public final class Addresses {
    public static final String PREFIX = "lh.";
    public static final String TOPIC_PREFIX = "lh.topic.";
    public static final String SUBSCRIPTION_PREFIX = "lh.sub.";
    public static final String RECEIPTS_PREFIX = "lh.receipts.";
    public static final String HOLDERS_PREFIX = "lh.holders.";
    public static final String INBOX_PREFIX = "lh.inbox.";
    public static final String BROKER = "lh.broker";
    private static final char OF = '@';

    private Addresses() {}

    public static String topic(String topic) {
        return TOPIC_PREFIX + Names.topic(topic);
    }

    public static String subscriptionQueue(String topic, String subscription) {
        return SUBSCRIPTION_PREFIX + Names.topic(topic) + OF + Names.subscription(subscription);
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
        } else if (address.startsWith(BROKER + '.')) {
            Names.agent(address.substring(BROKER.length() + 1));
        } else if (!address.equals(BROKER)) {
            throw new WireException(
                    "reply address: expected " + BROKER + " or an inbox, found " + Names.shown(address));
        }
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
