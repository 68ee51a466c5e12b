package io.longhaul.broker.artemis;

import io.longhaul.wire.Addresses;
import io.longhaul.wire.Refusals;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.ServerConsumer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.impl.AckReason;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * Messages that pass a broker which only forwards.
 *
 * <h2>Design</h2>
 * A message is in memory only, and the neighbour that it came from hears that it was taken when it has left all queues
 * here: when whoever it was for has it. Until then the neighbour keeps it, so that a crash here loses nothing; and what is
 * here is bounded by the neighbours' windows. For the server the message is not durable, so that nothing of it is written;
 * what goes out says again what it said when it came. One that comes twice, because a link was lost, waits for the first.
 *
 * <p>Queues, which are what is remembered of demand, are on disk. A broker that finds none, because it has lost its disk as
 * well, does not say for a while that nobody wants a message: those who do may not have had the time to say so.
 *
 * <p>Nobody may subscribe or publish here, as there is nothing to keep it in. Thread-safe.
 */
final class Forwards implements ActiveMQServerPlugin {
    private static final String KEY = "lh_passing";
    private static final long HEARD_NS = TimeUnit.SECONDS.toNanos(30);

    private final String self;
    private final LongSupplier nanoTime;
    private final long launchedNs;
    private volatile boolean remembering;
    private final Map<Id, Passing> passing = new ConcurrentHashMap<>();

    /** What duplicates have in common. */
    private record Id(String address, ByteBuffer bytes) {
        static Optional<Id> of(Message message) {
            byte[] id = message.getDuplicateIDBytes();
            return id == null
                    ? Optional.empty()
                    : Optional.of(new Id(String.valueOf(message.getAddress()), ByteBuffer.wrap(id)));
        }
    }

    Forwards(String self, LongSupplier nanoTime) {
        this.self = self;
        this.nanoTime = nanoTime;
        this.launchedNs = nanoTime.getAsLong();
    }

    /** A message on its way through. */
    final class Passing {
        private final boolean durable;
        private final Optional<Id> id;
        private final List<Runnable> whenGone = new ArrayList<>(); // guarded by this
        private int queues; // guarded by this; fewer than none when it leaves some before all are known
        private boolean routed; // guarded by this

        private Passing(boolean durable, Optional<Id> id) {
            this.durable = durable;
            this.id = id;
        }

        /** It is in so many queues; {@code gone} runs once it has left them. */
        void routed(int into, Runnable gone) {
            id.ifPresent(known -> passing.put(known, this));
            synchronized (this) {
                queues += into;
                routed = true;
                whenGone.add(gone);
            }
            look();
        }

        /** It came again and was not routed; {@code gone} runs once the first one has left. */
        void again(Runnable gone) {
            id.flatMap(known -> Optional.ofNullable(passing.get(known)))
                    .ifPresentOrElse(first -> first.then(gone), gone);
        }

        /** Runs something once it is gone, at once when it is. */
        private void then(Runnable task) {
            synchronized (this) {
                whenGone.add(task);
            }
            look();
        }

        private void leave() {
            synchronized (this) {
                queues--;
            }
            look();
        }

        private void look() {
            List<Runnable> due;
            synchronized (this) {
                if (!routed || queues > 0) {
                    return;
                }
                due = List.copyOf(whenGone);
                whenGone.clear();
            }
            id.ifPresent(known -> passing.remove(known, this));
            due.forEach(Runnable::run);
        }
    }

    /** Takes a message in that has not been routed yet: nothing of it will be written. */
    Passing begin(Message message) {
        Passing one = new Passing(message.isDurable(), Id.of(message));
        message.setDurable(false);
        message.setUserContext(KEY, one);
        return one;
    }

    /** Queues of neighbours were there at the launch: what is wanted is known. */
    void remembering() {
        remembering = true;
    }

    /** Returns whether those who want something may not have had the time to say so since the launch. */
    boolean isIgnorant() {
        return !remembering && nanoTime.getAsLong() - launchedNs < HEARD_NS;
    }

    /** Returns a message as it came from a neighbour. */
    static ICoreMessage asItCame(Message message) {
        if (message.getUserContext(KEY) instanceof Passing one && one.durable) {
            ICoreMessage copy = message.toCore().copy();
            copy.setDurable(true);
            return copy;
        }
        return message.toCore();
    }

    @Override
    public void messageAcknowledged(
            @Nullable Transaction tx, MessageReference reference, AckReason reason, @Nullable ServerConsumer consumer) {
        if (reference.getMessage().getUserContext(KEY) instanceof Passing one) {
            one.leave();
        }
    }

    @Override
    public void beforeCreateQueue(QueueConfiguration queue) throws ActiveMQException {
        String name = String.valueOf(queue.getName());
        if (name.startsWith(Addresses.SUBSCRIPTION_PREFIX)
                || name.startsWith(Addresses.INBOX_PREFIX)
                || name.startsWith(Addresses.RECEIPTS_PREFIX)
                || name.startsWith(Addresses.HOLDERS_PREFIX)) {
            throw refusal();
        }
    }

    @Override
    public void beforeSend(
            ServerSession session, Transaction tx, Message message, boolean direct, boolean noAutoCreateQueue)
            throws ActiveMQException {
        String address = String.valueOf(message.getAddress());
        if (!address.startsWith(Addresses.BROKER)) {
            throw refusal();
        }
    }

    private ActiveMQException refusal() {
        return new ActiveMQException(
                ActiveMQExceptionType.SECURITY_EXCEPTION,
                Refusals.message(
                        Refusals.FORBIDDEN, "broker " + self + " only forwards: subscribe and publish at another one"));
    }
}
