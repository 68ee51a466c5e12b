package io.longhaul.broker.artemis;

import io.longhaul.wire.Addresses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQNonExistentQueueException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.filter.Filter;
import org.apache.activemq.artemis.core.filter.impl.FilterImpl;
import org.apache.activemq.artemis.core.persistence.config.PersistedKeyValuePair;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queues of what goes over the link to one neighbour: one for each address that is wanted there, one for whatever is
 * meant for a single agent or broker, and one for parcels.
 *
 * <p>All but the last are on disk with their bindings, so that after a restart a message finds its way into them before the link
 * stands. A message never goes back to the neighbour that it came from.
 */
final class LinkQueues {
    private static final Logger LOG = LoggerFactory.getLogger(LinkQueues.class);
    private static final int MOST_CHARACTERS = 100_000;
    private static final int NOTE_MAPS = 1024;

    private final ActiveMQServer server;
    private final String peer;

    LinkQueues(ActiveMQServer server, String peer) {
        this.server = server;
        this.peer = peer;
    }

    /** Returns the names of the neighbours that queues are left for. */
    static List<String> peers(ActiveMQServer server) {
        List<String> peers = new ArrayList<>();
        for (String queue : names(server, Addresses.LINK_PREFIX)) {
            peers.add(queue.substring(Addresses.LINK_PREFIX.length(), queue.indexOf('@')));
        }
        for (String queue : names(server, Addresses.RELAY_PREFIX)) {
            peers.add(queue.substring(Addresses.RELAY_PREFIX.length()));
        }
        return peers.stream().distinct().toList();
    }

    /** Returns the names of the queues that begin so. */
    static List<String> names(ActiveMQServer server, String prefix) {
        return LocalQueues.of(server)
                .map(queue -> queue.getName().toString())
                .filter(name -> name.startsWith(prefix))
                .toList();
    }

    /** Returns the addresses that there are queues for. */
    List<String> addresses() {
        String prefix = name("");
        return names(server, prefix).stream()
                .map(name -> name.substring(prefix.length()))
                .toList();
    }

    /** Returns the queue for an address, made when there is none; it takes what comes. */
    Queue open(String address) throws Exception {
        SimpleString name = SimpleString.of(name(address));
        String filter = FrameProperties.FROM + " IS NULL OR " + FrameProperties.FROM + " <> '" + peer + "'";
        Queue queue = server.locateQueue(name);
        if (queue == null) {
            return server.createQueue(
                    QueueConfiguration.of(name)
                            .setAddress(address)
                            .setRoutingType(RoutingType.MULTICAST)
                            .setFilterString(filter)
                            .setDurable(true)
                            .setAutoDelete(false)
                            .setAutoCreateAddress(true),
                    true);
        }
        setFilter(queue, filter);
        return queue;
    }

    /**
     * The queue takes nothing more that enters the network here; what other brokers still send this way is owed to those
     * whom they sent it for, and what is in it stays.
     *
     * @param number what the queue is known by in {@link Drains}
     */
    void shut(Queue queue, String self, long number) {
        setFilter(queue, new DrainFilter(self, peer, number));
    }

    /**
     * The queue takes only what has passed a broker that is not one of these on this side of the way that everything else goes
     * now: that one may have sent it before it knew that way, and is not sent it again. All else is sent that way, and owed by
     * those on it.
     */
    void cover(Queue queue, Set<String> near) {
        setFilter(queue, new PassedFilter(peer, Set.copyOf(near)));
    }

    /** The queue takes nothing more at all; what is in it stays. */
    void stop(Queue queue) throws ActiveMQException {
        setFilter(queue, FrameProperties.FROM + " IS NULL AND " + FrameProperties.FROM + " IS NOT NULL");
    }

    private static void setFilter(Queue queue, String text) throws ActiveMQException {
        setFilter(queue, FilterImpl.createFilter(text));
    }

    private static void setFilter(Queue queue, Filter filter) {
        if (!filter.equals(queue.getFilter())) {
            queue.setFilter(filter);
        }
    }

    /** Returns the queue of what is meant for a single agent or broker beyond the neighbour. */
    Queue relay() throws Exception {
        return own(Addresses.relay(peer), true);
    }

    /** Returns the queue of parcels for endpoints beyond the neighbour; nothing in it outlives this process. */
    Queue post() throws Exception {
        return own(Addresses.post(peer), false);
    }

    /** Returns a queue on an address of its own. */
    private Queue own(String name, boolean durable) throws Exception {
        Queue queue = server.locateQueue(SimpleString.of(name));
        return queue != null
                ? queue
                : server.createQueue(
                        QueueConfiguration.of(name)
                                .setAddress(name)
                                .setRoutingType(RoutingType.ANYCAST)
                                .setDurable(durable)
                                .setAutoDelete(false)
                                .setAutoCreateAddress(true),
                        true);
    }

    /** Returns the name of the queue for an address. */
    String name(String address) {
        return Addresses.linkQueue(peer, address);
    }

    /** Returns the subscriptions that the queue for an address was kept for last; none when not all are known. */
    List<String> behind(String address) {
        Queue queue = server.locateQueue(SimpleString.of(name(address)));
        if (queue == null) {
            return List.of();
        }
        Map<String, PersistedKeyValuePair> all = server.getStorageManager().getPersistedKeyValuePairs(notes(queue));
        PersistedKeyValuePair kept = all == null ? null : all.get(key(queue)); // null where nothing is persistent
        return kept == null || kept.getValue().isEmpty()
                ? List.of()
                : List.of(kept.getValue().split(" ", -1));
    }

    /** Artemis copies the map that is asked for, so that there are many small ones. */
    private static String notes(Queue queue) {
        return "lh.behind." + queue.getID() % NOTE_MAPS;
    }

    /** Not its name: another queue of the name is not owed what this one was. */
    private static String key(Queue queue) {
        return Long.toString(queue.getID());
    }

    /** Returns the queues behind the one for an address that it was kept for last; none when not all are known. */
    Set<String> wantedBefore(String address) {
        return behind(address).stream()
                .map(name -> Addresses.subscriptionQueue(address.substring(Addresses.TOPIC_PREFIX.length()), name))
                .collect(Collectors.toSet());
    }

    /**
     * Keeps the subscriptions behind the queue for an address in a record beside that of the queue, where the other broker of a
     * pair has them, too. It takes the place of the one before, which compaction drops; changes of a queue's record it would
     * keep, all of them. Too many for a record count as not known. On one thread.
     */
    void setBehind(String address, List<String> subscriptions) throws Exception {
        String all = String.join(" ", subscriptions);
        String kept = all.length() > MOST_CHARACTERS ? "" : all;
        Queue queue = server.locateQueue(SimpleString.of(name(address)));
        if (queue != null && !kept.equals(String.join(" ", behind(address)))) {
            server.getStorageManager().storeKeyValuePair(new PersistedKeyValuePair(notes(queue), key(queue), kept));
        }
    }

    /** Waits until what this thread has done to queues is on disk: Artemis only does so before it answers a session. */
    void settle() throws Exception {
        server.getStorageManager().waitOnOperations();
    }

    /** Returns the account that the neighbour's name belongs to, which is kept with its relay queue; empty for none. */
    Optional<String> account() throws Exception {
        SimpleString user = relay().getUser();
        return user == null || user.isEmpty() ? Optional.empty() : Optional.of(user.toString());
    }

    void setAccount(String user) throws Exception {
        String name = relay().getName().toString();
        server.updateQueue(QueueConfiguration.of(name).setUser(user));
    }

    /**
     * Returns all queues that are kept for the neighbour, and what lies aside for them. The relay queue is the last one: who
     * removes them in this order, and does not come to an end, leaves the neighbour's name to its account.
     */
    List<Queue> all() throws Exception {
        List<Queue> all = new ArrayList<>();
        for (String address : addresses()) {
            SimpleString name = SimpleString.of(name(address));
            for (SimpleString each : List.of(name, ParkedFrames.aside(name))) {
                Queue queue = server.locateQueue(each);
                if (queue != null) {
                    all.add(queue);
                }
            }
        }
        all.add(post());
        all.add(relay());
        return all;
    }

    /** Returns whether nothing waits in a queue, nor aside for it. */
    boolean isDry(Queue queue) {
        Queue aside = server.locateQueue(ParkedFrames.aside(queue.getName()));
        return queue.getMessageCount() == 0 && (aside == null || aside.getMessageCount() == 0);
    }

    /** What lies aside for a queue that is gone is removed by others, too, who may be first. */
    void destroy(Queue queue) throws Exception {
        try {
            server.destroyQueue(queue.getName(), null, false);
        } catch (ActiveMQNonExistentQueueException e) {
            LOG.debug("queue {} was gone before", queue.getName());
        }
        // the server tries once and says nothing when it is asked again
        if (server.locateQueue(queue.getName()) != null) {
            throw new IllegalStateException("queue " + queue.getName()
                    + " is still there after its removal; if it stays, launch this broker again and ask once more");
        }
        server.getStorageManager().deleteKeyValuePair(notes(queue), key(queue));
    }
}
