package io.longhaul.agent.artemis;

import io.longhaul.agent.link.Inflow;
import io.longhaul.agent.link.Link;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.LinkException.Code;
import io.longhaul.agent.link.LinkListener;
import io.longhaul.agent.link.OfferListener;
import io.longhaul.agent.link.PatientOpener;
import io.longhaul.agent.link.TopicSubscriptions;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Frame;
import io.longhaul.wire.TopicAnswer;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The link to one Artemis broker.
 *
 * <p>One {@link BrokerConnection} at a time; when it fails, the keeper's thread opens the next one, and the
 * {@link SendWindow} sends again what had no outcome. Flows open their sessions anew when they are next polled.
 */
public final class ArtemisLink implements Link {
    private static final Logger LOG = LoggerFactory.getLogger(ArtemisLink.class);
    private static final long PROBE_MILLIS = 500;
    private static final long KNOWN_PAUSE_MILLIS = 10;
    private static final Duration QUESTION_WAIT = Duration.ofSeconds(15); // for the end of an outage
    private static final Duration KNOWN_WAIT = Duration.ofSeconds(20); // brokers take 17 s to see a link lost unnoticed

    /**
     * How a link is set up.
     *
     * @param url the broker's URL, or that of a pair
     * @param user user name, empty for none
     * @param password password, empty for none
     * @param windowBytes most bytes offered and not acknowledged
     * @param consumerWindowBytes most bytes that a flow is sent ahead
     */
    public record Config(String url, String user, String password, long windowBytes, int consumerWindowBytes) {
        @Override
        public String toString() {
            return "Config[url=" + url + ", user=" + user + "]";
        }
    }

    private final Config config;
    private final BrokerPlaces url;
    private final LinkListener listener;
    private final ScheduledExecutorService keeper;
    private final SendWindow window;
    private final Sending sending;
    private final Welcome welcome = new Welcome();
    private final LongSupplier nanoTime;
    private final List<ArtemisInflow> flows = new CopyOnWriteArrayList<>();
    private @Nullable BrokerConnection connection; // guarded by this
    private boolean closed; // guarded by this

    private ArtemisLink(
            Config config,
            BrokerPlaces url,
            LinkListener listener,
            ScheduledExecutorService keeper,
            LongSupplier nanoTime) {
        this.config = config;
        this.url = url;
        this.listener = listener;
        this.keeper = keeper;
        this.nanoTime = nanoTime;
        this.window = new SendWindow(config.windowBytes(), nanoTime);
        this.sending = new Sending(window, listener);
    }

    /**
     * Connects; tries until the timeout is over, but gives up at once when the login is refused, by the broker or
     * a proxy on the way.
     *
     * @param keeper runs reconnects; one thread is enough; the caller shuts it down after {@link #close}
     */
    public static ArtemisLink connect(
            Config config,
            Duration timeout,
            LinkListener listener,
            ScheduledExecutorService keeper,
            LongSupplier nanoTime)
            throws InterruptedException {
        ArtemisLink link = new ArtemisLink(config, BrokerPlaces.parse(config.url()), listener, keeper, nanoTime);
        long deadlineNs = nanoTime.getAsLong() + timeout.toNanos();
        RetryPause pause = new RetryPause();
        while (true) {
            try {
                link.install();
                break;
            } catch (LinkException e) {
                long leftMillis = (deadlineNs - nanoTime.getAsLong()) / 1_000_000;
                if (e.code() != Code.UNREACHABLE || e instanceof RefusingProxy || leftMillis <= 0) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(Math.min(pause.next(e), leftMillis));
            }
        }
        link.keepProbing();
        return link;
    }

    /** Connects in the background, for ever; until then nothing is sent and flows give nothing. */
    public static ArtemisLink start(
            Config config, LinkListener listener, ScheduledExecutorService keeper, LongSupplier nanoTime) {
        ArtemisLink link = new ArtemisLink(config, BrokerPlaces.parse(config.url()), listener, keeper, nanoTime);
        keeper.execute(() -> link.reconnect(new RetryPause()));
        link.keepProbing();
        return link;
    }

    private void keepProbing() {
        always(window::probe);
        // nobody tells of a connection that failed before it was watched, or before it was this link's
        always(this::connectionFailed);
    }

    /** A timer ends with the first failure, as for want of a thread; the next time may be better. */
    private void always(Runnable task) {
        keeper.scheduleWithFixedDelay(
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException | Error e) {
                        LOG.warn("watching the connection to {}: {}", url, e.toString());
                    }
                },
                PROBE_MILLIS,
                PROBE_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    private void install() {
        BrokerConnection fresh = url.open(
                new BrokerConnection.Credentials(config.user(), config.password()),
                config.consumerWindowBytes(),
                this::connectionFailed);
        synchronized (this) {
            if (closed) {
                fresh.close();
                return;
            }
            welcome.granted();
            connection = fresh;
            notifyAll();
        }
        window.connected(offer -> sending.send(fresh, offer), () -> !fresh.isFailed());
    }

    private void connectionFailed() {
        BrokerConnection old;
        synchronized (this) {
            if (closed || connection == null || !connection.isFailed()) {
                return;
            }
            old = connection;
            connection = null;
        }
        window.disconnected();
        listener.disconnected("connection to " + url + " lost");
        keeper.execute(() -> {
            old.closeQuietly();
            reconnect(new RetryPause());
        });
    }

    private void reconnect(RetryPause pause) {
        synchronized (this) {
            if (closed || connection != null) {
                return;
            }
        }
        try {
            install();
            listener.reconnected();
        } catch (LinkException e) {
            LOG.debug("reconnect to {} failed", url, e);
            tryAgain(pause, e);
        } catch (RuntimeException | Error e) {
            LOG.warn("reconnect to {} failed: {}", url, e.toString());
            giveUpHalfMade();
            tryAgain(pause, new LinkException(LinkException.Code.UNREACHABLE, "cannot connect: " + e, e));
        }
    }

    private void giveUpHalfMade() {
        BrokerConnection half;
        synchronized (this) {
            half = connection;
            connection = null;
        }
        if (half != null) {
            window.disconnected();
            half.closeQuietly();
        }
    }

    private void tryAgain(RetryPause pause, LinkException failure) {
        welcome.failed(failure, listener);
        keeper.schedule(() -> reconnect(pause), pause.next(failure), TimeUnit.MILLISECONDS);
    }

    /** Returns the connection, waiting at most so long for one; null when there is none by then. */
    @SuppressWarnings("WaitNotInLoop") // who wakes too early without a connection asks again
    synchronized @Nullable BrokerConnection connection(Duration wait) throws InterruptedException {
        if (connection == null && !closed && !wait.isZero()) {
            wait(Math.max(1, wait.toMillis()));
        }
        if (closed) {
            throw new LinkException(Code.CLOSED, "link to " + url + " is closed");
        }
        return connection;
    }

    @Override
    public boolean awaitConnection(Duration patience) throws InterruptedException {
        boolean connected = connection(patience) != null;
        welcome.check();
        return connected;
    }

    /** Whether there is a connection now. */
    public synchronized boolean isConnected() {
        return connection != null;
    }

    private BrokerConnection connected(String what, long endNs) {
        try {
            BrokerConnection current = connection(Duration.ofNanos(endNs - nanoTime.getAsLong()));
            if (current != null) {
                return current;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new LinkException(Code.UNREACHABLE, what + ": broker " + url + " is not reachable now");
    }

    @Override
    public TopicSubscriptions topic(String topic) {
        welcome.check();
        TopicAnswer answer = connected("query of " + topic, soon()).topic(topic);
        return new TopicSubscriptions(new LinkedHashSet<>(answer.subscriptions()), answer.unknownBehind());
    }

    @Override
    public void offer(String address, Frame frame, String deduplication, int priority, OfferListener offerListener)
            throws InterruptedException {
        window.put(sequence -> new Offer(sequence, address, frame, deduplication, priority, offerListener));
    }

    @Override
    public boolean drain(Duration timeout) throws InterruptedException {
        return window.drain(timeout);
    }

    @Override
    public Inflow subscribe(String topic, String subscription, String owner) {
        String what = "subscription " + subscription + " of topic " + topic;
        QueueConfiguration queue =
                Queues.durable(Addresses.subscriptionQueue(topic, subscription), Addresses.topic(topic));
        long endNs = nanoTime.getAsLong() + KNOWN_WAIT.toNanos();
        return new PatientOpener(() -> known(flow(queue, owner, what, endNs), topic, what, endNs), endNs, nanoTime)
                .get();
    }

    private long soon() {
        return nanoTime.getAsLong() + QUESTION_WAIT.toNanos();
    }

    /** Files published at any broker that can be reached must come here from now on, so all must know. */
    private Inflow known(Inflow flow, String topic, String what, long endNs) {
        try {
            for (long pause = KNOWN_PAUSE_MILLIS; ; pause = Math.min(2 * pause, RetryPause.MOST_MILLIS)) {
                String unknownTo =
                        connected("query of " + topic, endNs).topic(topic).unknownTo();
                if (unknownTo.isEmpty()) {
                    return flow;
                }
                if (nanoTime.getAsLong() - endNs > 0) {
                    throw new LinkException(Code.UNREACHABLE, what + ": not known in the network: " + unknownTo);
                }
                TimeUnit.MILLISECONDS.sleep(pause);
            }
        } catch (InterruptedException e) {
            flow.close();
            Thread.currentThread().interrupt();
            throw new LinkException(Code.UNREACHABLE, what + ": interrupted", e);
        } catch (RuntimeException e) {
            flow.close();
            throw e;
        }
    }

    @Override
    public Inflow inbox(String agent, String owner) {
        return flow(Queues.inbox(Addresses.inbox(agent)), owner, "agent name " + agent, soon());
    }

    @Override
    public Inflow endpoint(String name, String owner) {
        return flow(Queues.inbox(Addresses.endpoint(name)), owner, "endpoint " + name, soon());
    }

    @Override
    public Inflow receipts(String topic, String agent) {
        QueueConfiguration queue = Queues.durable(Addresses.receiptsQueue(topic, agent), Addresses.receipts(topic));
        return flow(queue, "", "receipts of topic " + topic, soon());
    }

    @Override
    public void requireReceipts(String topic) {
        String what = "receipts of topic " + topic;
        connected(what, soon()).ask(what, session -> Queues.tryReceipts(session, topic));
    }

    @Override
    public Inflow holders(String topic, String agent) {
        return flow(Queues.holders(topic, agent), "", "holders of topic " + topic, soon());
    }

    private Inflow flow(QueueConfiguration queue, String owner, String what, long endNs) {
        ArtemisInflow flow = new ArtemisInflow(this, queue, owner, what, flows::remove);
        flow.open(connected(what, endNs));
        flows.add(flow);
        return flow;
    }

    @Override
    public void forgetReceipts(String topic, String agent) {
        removeQueue(Addresses.receiptsQueue(topic, agent), "queue of receipts of topic " + topic);
    }

    @Override
    public void unsubscribe(String topic, String subscription) {
        String what = "subscription " + subscription + " of topic " + topic;
        if (!removeQueue(Addresses.subscriptionQueue(topic, subscription), what)) {
            throw Failures.noSubscription(url, topic, subscription);
        }
    }

    @Override
    public void forgetInbox(String agent) {
        removeQueue(Addresses.inbox(agent), "agent name " + agent);
    }

    private boolean removeQueue(String queue, String what) {
        return connected("removal", soon()).ask("removal of " + what, on -> Queues.deleteIfExists(on, queue, what));
    }

    @Override
    public void close() {
        BrokerConnection last;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            last = connection;
            connection = null;
            notifyAll();
        }
        flows.forEach(ArtemisInflow::close);
        for (Offer offer : window.close()) {
            offer.listener.refused(new LinkException(Code.CLOSED, "link to " + url + " is closed"));
        }
        if (last != null) {
            last.closeQuietly();
        }
    }
}
