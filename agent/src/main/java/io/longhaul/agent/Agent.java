package io.longhaul.agent;

import java.util.List;
import java.util.Optional;

/**
 * An edge of the network: publishes files to topics and receives those of its subscriptions.
 *
 * <p>{@link #open} locks the data directory, connects and goes on with what a predecessor left there. May be used from
 * any thread. Failures are {@link AgentException}s.
 *
 * <p>{@link #subscribe}, {@link #subscriptions}, {@link #unsubscribe} and {@link #withdraw} ask the broker and block: while it
 * is away, for 15 s, then they throw {@link AgentException.Code#UNREACHABLE}. A thread that is interrupted gets {@link
 * AgentException.Code#INTERRUPTED} from what blocks, and stays interrupted. A closed agent
 * throws that, too, whatever is asked of it but {@link #close}.
 *
 * <p>A data directory that is removed, moved or replaced under an open agent takes in nothing more: what publishes or subscribes
 * fails with {@code TRANSFER_FAILED} when it next records something, before anything is acknowledged.
 */
public interface Agent extends AutoCloseable {

    /**
     * Opens the data directory (made when missing) and connects to the broker; blocks for at most the connect timeout, but for
     * a large ledger as long as that takes.
     *
     * @throws AgentException {@code USAGE} for a name or URL that is none; {@code UNREACHABLE}; {@code REFUSED} for a wrong
     *     login, a name or data directory in use, and a ledger of a newer version; {@code VERIFICATION_FAILED} for a damaged one;
     *     {@code TRANSFER_FAILED} for a data directory that cannot be made, read or written; {@code INTERRUPTED}
     */
    static Agent open(AgentConfig config) {
        return LocalAgent.open(config, line -> {});
    }

    /** Like {@link #open(AgentConfig)}, with somebody to hear of outages and pauses. */
    static Agent open(AgentConfig config, AgentListener listener) {
        return LocalAgent.open(config, listener);
    }

    /**
     * Loads what {@link #open} and a first transfer need, which takes a tenth of a second or two of processor once in a process:
     * for a thread beside one that has something else to do before it opens an agent. Optional; logs nothing, so that
     * logging may be set up meanwhile. What cannot be loaded is told by {@code open}.
     */
    static void prepare() {
        Preparation.run();
    }

    /**
     * Starts to publish, and returns before anything of it is sent. Throws {@code USAGE} for a request that cannot be meant, as of
     * no such file; what comes later, as that nobody subscribes to the topic, fails {@link Publication#result}.
     *
     * <p>A request that equals an unfinished transfer of this data directory (same source, topic and
     * name) goes on with that one. One that was completed within about a second before its process was killed is returned as
     * completed once more, when its source has not changed, or is gone but was spooled: whoever asked may not have heard of it.
     *
     * <p>Throws {@code REFUSED} for a request for more receipts than a running transfer of the same source waits for, or for
     * those of subscriptions that it does not wait for by name.
     */
    Publication publish(PublishRequest request);

    /** Returns handles of unfinished outgoing transfers of this data directory, going on with each. */
    List<Publication> resumePublications();

    /**
     * Claims a durable subscription and serves it until closed. Returns once every broker that can be reached knows of it, which
     * is waited for up to 20 s.
     *
     * @throws AgentException {@code USAGE} for a request that cannot be meant; {@code UNREACHABLE}; {@code REFUSED} for a right
     *     that is missing, a name that somebody else has, and while this agent serves one of that topic and name; {@code
     *     INTERRUPTED}
     */
    Subscription subscribe(SubscribeRequest request, SubscriptionListener listener);

    /**
     * Returns the names of all durable subscriptions on a topic. Throws {@link AgentException.Code#UNREACHABLE} also while a
     * broker that was started anew has not heard yet who subscribes behind one of its links.
     */
    List<String> subscriptions(String topic);

    /**
     * Removes a durable subscription with its backlog at the broker; refused while it is served, and when this broker has
     * none of that name. What was delivered stays; what is unfinished in this data directory goes, unless others were promised
     * repairs of it, and so does what {@link SubscribeRequest#withSinceAgo} counts from.
     */
    void unsubscribe(String topic, String subscription);

    /**
     * Removes a durable subscription as {@link #unsubscribe} does, and keeps what is unfinished in this data directory: when
     * the subscription is made again, that goes on.
     */
    void withdraw(String topic, String subscription);

    /** Goes on with one unfinished outgoing transfer of this data directory and returns its handle. */
    Optional<Publication> resume(String transfer);

    /** Returns a handle of a running or unfinished outgoing transfer. */
    Optional<Publication> publication(String transfer);

    /**
     * Gives up an unfinished transfer of this data directory; returns once the ledger has it, so that it is given up
     * also when this process dies then. An outgoing one is given up everywhere, as by {@link Publication#cancel}. Of an
     * incoming one each subscription of this agent discards what it has, drops what still comes, and says so with a receipt
     * {@code FAILED}; it goes out when the subscription is served.
     *
     * <p>Refused when nothing of it is unfinished, when an incoming one is all here already, and when repairs of it were
     * promised to others. Blocks; what a publication calls, as an action that depends on its future, uses
     * {@link Publication#cancel} instead.
     */
    void cancel(String transfer);

    /**
     * Returns how an outgoing transfer of this data directory has ended; nothing when it is not over. One that the ledger
     * does not know is not: a process that dies just after {@link #publish} may leave nothing of it.
     */
    Optional<TransferEnd> endOf(String transfer);

    /**
     * Stops serving, waits for ledger and files, disconnects, unlocks. Unfinished transfers go on at the next open. Called on
     * a thread of the agent, as a listener is, it returns at once, and the agent closes when that has returned.
     */
    @Override
    void close();
}
