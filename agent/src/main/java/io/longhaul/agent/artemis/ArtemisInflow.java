package io.longhaul.agent.artemis;

import io.longhaul.agent.link.Delivery;
import io.longhaul.agent.link.Inflow;
import io.longhaul.agent.link.LinkException;
import io.longhaul.wire.Refusals;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.core.client.impl.ClientConsumerInternal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A flow from one queue: a session and consumer on the link's current connection, opened anew after each outage.
 *
 * <p>Used by one thread; {@link #close} may come from another.
 */
final class ArtemisInflow implements Inflow {
    private static final Logger LOG = LoggerFactory.getLogger(ArtemisInflow.class);

    /** So long nobody minds to wait for the end of a wait. */
    private static final Duration SHORT_WAIT = Duration.ofMillis(50);

    private final ArtemisLink link;
    private final QueueConfiguration queue;
    private final String owner;
    private final String what;
    private final Consumer<ArtemisInflow> onClose;
    private @Nullable Opened opened; // guarded by this
    private boolean closed; // guarded by this

    /** The session and consumer on one connection. */
    private record Opened(BrokerConnection on, ClientSession session, ClientConsumerInternal consumer) {
        boolean isUsable() {
            return !on.isFailed() && !session.isClosed() && !consumer.isClosed();
        }
    }

    /** What {@link #acknowledge} needs to know of a delivery. */
    private record Token(Opened opened, ClientMessage message) {}

    ArtemisInflow(
            ArtemisLink link, QueueConfiguration queue, String owner, String what, Consumer<ArtemisInflow> onClose) {
        this.link = link;
        this.queue = queue;
        this.owner = owner;
        this.what = what;
        this.onClose = onClose;
    }

    /** Creates the queue when it is missing and claims it; throws {@link LinkException}. */
    synchronized Opened open(BrokerConnection on) {
        ClientSession session = null;
        try {
            session = on.session();
            if (!owner.isEmpty()) {
                session.addMetaData(Refusals.OWNER, owner);
            }
            createQueue(session);
            // which alone tells what has come already
            ClientConsumerInternal consumer = (ClientConsumerInternal) session.createConsumer(queue.getName());
            session.start();
            Opened fresh = new Opened(on, session, consumer);
            opened = fresh;
            return fresh;
        } catch (ActiveMQException e) {
            closeQuietly(session);
            throw Failures.translate(what, e);
        }
    }

    private void createQueue(ClientSession session) throws ActiveMQException {
        try {
            if (queue.isTemporary() || !session.queueQuery(queue.getName()).isExists()) {
                session.createQueue(queue);
            }
        } catch (ActiveMQException e) {
            if (e.getType() != ActiveMQExceptionType.QUEUE_EXISTS) {
                throw e;
            }
        }
    }

    @Override
    public @Nullable Delivery poll(Duration timeout) throws InterruptedException {
        Opened current = usable(timeout);
        if (current == null) {
            return null;
        }
        try {
            if (timeout.compareTo(SHORT_WAIT) <= 0 && !comes(current.consumer(), timeout)) {
                return null;
            }
            ClientMessage message = current.consumer().receive(Math.max(1, timeout.toMillis()));
            return message == null ? null : Messages.decode(message, new Token(current, message));
        } catch (ActiveMQInterruptedException e) {
            throw (InterruptedException) new InterruptedException(what).initCause(e);
        } catch (ActiveMQException e) {
            LOG.debug("{}: flow interrupted", what, e);
            return null;
        }
    }

    /**
     * Waits until a message is there; returns false when none came. The consumer's own wait asks the broker after each one in
     * vain whether there is more, and waits for its answer, but ends with the consumer.
     */
    private static boolean comes(ClientConsumerInternal consumer, Duration timeout) throws InterruptedException {
        long leftNs = timeout.toNanos();
        long endNs = System.nanoTime() + leftNs;
        synchronized (consumer) { // by which it announces what comes
            while (leftNs > 0 && consumer.getBufferSize() == 0 && !consumer.isClosed()) {
                TimeUnit.NANOSECONDS.timedWait(consumer, leftNs);
                leftNs = endNs - System.nanoTime();
            }
            return consumer.getBufferSize() > 0;
        }
    }

    private @Nullable Opened usable(Duration timeout) throws InterruptedException {
        synchronized (this) {
            if (closed) {
                throw new LinkException(LinkException.Code.CLOSED, what + ": flow is closed");
            }
            if (opened != null && opened.isUsable()) {
                return opened;
            }
        }
        BrokerConnection on = link.connection(timeout);
        if (on == null || on.isFailed()) {
            return null;
        }
        try {
            return open(on);
        } catch (LinkException e) {
            if (e.code() == LinkException.Code.UNREACHABLE) {
                return null;
            }
            throw e;
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the very session that delivered it, not one like it
    public void acknowledge(Delivery last) {
        Token token = (Token) last.token();
        synchronized (this) {
            if (token.opened() != opened) {
                return;
            }
        }
        try {
            token.message().acknowledge();
        } catch (ActiveMQException e) {
            LOG.debug("{}: acknowledgement lost with its connection", what, e);
        }
    }

    @Override
    public long backlog() {
        Opened current;
        synchronized (this) {
            current = opened;
        }
        if (current == null || !current.isUsable()) {
            return -1;
        }
        try {
            return current.on()
                    .ask(what, session -> session.queueQuery(queue.getName()).getMessageCount());
        } catch (LinkException e) {
            LOG.debug("{}: backlog unknown", what, e);
            return -1;
        }
    }

    @Override
    public void close() {
        Opened last;
        synchronized (this) {
            closed = true;
            last = opened;
            opened = null;
        }
        onClose.accept(this);
        if (last != null && !last.on().isFailed()) {
            closeQuietly(last.session());
        }
    }

    private static void closeQuietly(@Nullable ClientSession session) {
        try {
            if (session != null) {
                session.close();
            }
        } catch (ActiveMQException | RuntimeException e) {
            LOG.debug("closing a session", e);
        }
    }
}
