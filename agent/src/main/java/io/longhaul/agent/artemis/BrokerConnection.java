package io.longhaul.agent.artemis;

import io.longhaul.agent.link.LinkException;
import io.longhaul.ptcp.UnknownHost;
import io.longhaul.ptcp.artemis.BrokerUrl;
import io.longhaul.wire.NetworkAnswer;
import io.longhaul.wire.Refusals;
import io.longhaul.wire.RemovalAnswer;
import io.longhaul.wire.TopicAnswer;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.api.core.client.SessionFailureListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to the broker, from its opening to its first failure; never reconnects.
 *
 * <p>Sends go through {@code send} by one thread at a time; queries are serialised; flows open sessions of their own.
 */
final class BrokerConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerConnection.class);
    private static final int MIB = 1024 * 1024;

    /** Above the largest piece, so that a piece is one packet and one journal record. */
    private static final int MIN_LARGE_MESSAGE = 16 * MIB;

    private static final int CONFIRMATION_WINDOW = 16 * MIB;
    private static final long TTL_MILLIS = 15_000;
    static final long CHECK_MILLIS = 5_000;
    private static final long CALL_TIMEOUT_MILLIS = 15_000;
    private static final int THREADS = 8;

    private final ServerLocator locator;
    private final ClientSessionFactory factory;
    private final Credentials credentials;
    private final int consumerWindowBytes;
    private final ClientSession control;
    private final ClientSession sending;
    private final ClientProducer producer;
    private final Questions questions = new Questions(); // guarded by itself
    private final AtomicBoolean failed = new AtomicBoolean();

    /** User and password of every session; empty for none. */
    record Credentials(String user, String password) {
        @Override
        public String toString() {
            return "Credentials[user=" + user + "]";
        }
    }

    private BrokerConnection(
            ServerLocator locator, ClientSessionFactory factory, Credentials credentials, int consumerWindowBytes)
            throws ActiveMQException {
        this.locator = locator;
        this.factory = factory;
        this.credentials = credentials;
        this.consumerWindowBytes = consumerWindowBytes;
        this.control = session();
        this.sending = session();
        this.producer = sending.createProducer();
        control.start();
        sending.start();
    }

    /** Connects and logs in; throws {@link LinkException} UNREACHABLE or UNAUTHENTICATED. */
    static BrokerConnection open(BrokerUrl url, Credentials credentials, int consumerWindowBytes, Runnable onFailure) {
        ServerLocator locator = locator(url);
        ConnectWatch watch = new ConnectWatch();
        locator.setProtocolManagerFactory(watch);
        locator.setConsumerWindowSize(consumerWindowBytes);
        try {
            ClientSessionFactory factory = locator.createSessionFactory();
            BrokerConnection connection = new BrokerConnection(locator, factory, credentials, consumerWindowBytes);
            connection.watch(onFailure);
            return connection;
        } catch (Exception e) {
            locator.close();
            throw openFailure(url, watch, e);
        } catch (Error e) {
            locator.close(); // with its threads, for want of which it may have failed
            throw e;
        }
    }

    private static LinkException openFailure(BrokerUrl url, ConnectWatch watch, Exception e) {
        if (e instanceof ActiveMQException known && known.getType() == ActiveMQExceptionType.SECURITY_EXCEPTION) {
            return new LinkException(
                    LinkException.Code.UNAUTHENTICATED,
                    "broker " + url + ": login refused: unknown user or wrong password",
                    e);
        }
        Optional<String> later = Refusals.detail(Refusals.LATER, e);
        if (later.isPresent()) {
            return new BusyBroker("broker " + url + ": login not looked at: " + later.get(), e);
        }
        String why = watch.reason().isEmpty() ? guess(url) : watch.reason();
        String line = "broker " + url + ": cannot connect" + (why.isEmpty() ? "" : ": " + why);
        return watch.isRefusedByProxy()
                ? new RefusingProxy(line, e)
                : new LinkException(LinkException.Code.UNREACHABLE, line, e);
    }

    /** Artemis's own transport tells nobody why. */
    private static String guess(BrokerUrl url) {
        if (url.parallel()) {
            return "";
        } else if (new InetSocketAddress(url.host(), url.port()).isUnresolved()) {
            return UnknownHost.words(url.host());
        }
        return "expected a broker's port for plain clients (--listen-core) " + (url.tls() ? "with TLS" : "without TLS");
    }

    private static ServerLocator locator(BrokerUrl url) {
        ServerLocator locator = ActiveMQClient.createServerLocatorWithoutHA(Transports.of(url));
        locator.setReconnectAttempts(0)
                .setInitialConnectAttempts(1)
                .setUseGlobalPools(false)
                .setThreadPoolMaxSize(THREADS)
                .setScheduledThreadPoolMaxSize(2)
                .setMinLargeMessageSize(MIN_LARGE_MESSAGE)
                .setConfirmationWindowSize(CONFIRMATION_WINDOW)
                .setProducerWindowSize(-1)
                .setBlockOnDurableSend(false)
                .setBlockOnAcknowledge(false)
                .setAckBatchSize(0)
                .setConnectionTTL(TTL_MILLIS)
                .setClientFailureCheckPeriod(CHECK_MILLIS)
                .setCallTimeout(CALL_TIMEOUT_MILLIS)
                .addIncomingInterceptor(new DeliveryOrder());
        return locator;
    }

    private void watch(Runnable onFailure) {
        control.addFailureListener(new SessionFailureListener() {
            @Override
            public void connectionFailed(ActiveMQException exception, boolean failedOver) {
                fail(onFailure);
            }

            @Override
            public void connectionFailed(ActiveMQException exception, boolean failedOver, String scaleDownTarget) {
                fail(onFailure);
            }

            @Override
            public void beforeReconnect(ActiveMQException exception) {
                fail(onFailure);
            }
        });
    }

    private void fail(Runnable onFailure) {
        if (failed.compareAndSet(false, true)) {
            onFailure.run();
        }
    }

    boolean isFailed() {
        return failed.get() || factory.isClosed() || control.isClosed();
    }

    /** Opens a session that commits sends and acknowledgements one by one. */
    ClientSession session() throws ActiveMQException {
        boolean login = !credentials.user().isEmpty();
        return factory.createSession(
                login ? credentials.user() : null, login ? credentials.password() : null, false, true, true, false, 0);
    }

    int consumerWindowBytes() {
        return consumerWindowBytes;
    }

    ClientProducer producer() {
        return producer;
    }

    /** A question to the broker. */
    interface Question<T> {
        T ask(ClientSession session) throws ActiveMQException;
    }

    /** Asks the broker on the control session; throws {@link LinkException}. */
    <T> T ask(String what, Question<T> question) {
        // not the session's own monitor: who cleans up after a failure takes that, and must not wait for an answer
        synchronized (questions) {
            try {
                return question.ask(control);
            } catch (ActiveMQException e) {
                throw Failures.translate(what, e);
            }
        }
    }

    /** Asks who subscribes to a topic, anywhere in the network; throws {@link LinkException}. */
    TopicAnswer topic(String topic) {
        return ask("query of " + topic, session -> questions.topic(session, topic));
    }

    /** Asks what the broker knows of the network; throws {@link LinkException}. */
    NetworkAnswer network() {
        return ask("query of the network", questions::network);
    }

    /** Has the broker take a neighbour out of the network; throws {@link LinkException}. */
    RemovalAnswer removal(String broker, boolean force) {
        return ask("removal of " + broker, session -> questions.removal(session, broker, force));
    }

    void closeQuietly() {
        try {
            close();
        } catch (RuntimeException e) {
            LOG.debug("closing a connection", e);
        }
    }

    @Override
    public void close() {
        boolean usable = !isFailed();
        failed.set(true);
        // after a failure the factory must not be asked for its connection: it would make another one
        try {
            if (usable) {
                factory.close();
            } else {
                factory.cleanup();
            }
        } finally {
            locator.close();
        }
    }
}
