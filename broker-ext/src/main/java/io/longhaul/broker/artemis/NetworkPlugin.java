package io.longhaul.broker.artemis;

import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.Logins;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Frame;
import io.longhaul.wire.NetworkAnswer;
import io.longhaul.wire.NetworkQuery;
import io.longhaul.wire.Refusals;
import io.longhaul.wire.RemovalAnswer;
import io.longhaul.wire.RemovalRequest;
import io.longhaul.wire.TopicAnswer;
import io.longhaul.wire.TopicQuery;
import io.longhaul.wire.WireException;
import java.util.List;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.postoffice.RoutingStatus;
import org.apache.activemq.artemis.core.security.SecurityAuth;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.impl.RoutingContextImpl;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where agents and the network meet: queues come and go, messages are for somebody elsewhere, questions are asked. */
final class NetworkPlugin implements ActiveMQServerPlugin {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkPlugin.class);
    private static final SimpleString BROKER = SimpleString.of(Addresses.BROKER);
    private static final SimpleString TOPICS = SimpleString.of(Addresses.TOPIC_PREFIX);

    private final ActiveMQServer server;
    private final Network network;
    private final Routes routes;
    private final Optional<Logins> logins;
    private final String self;

    /** Takes the users; without any, everybody is an operator. */
    NetworkPlugin(ActiveMQServer server, Network network, Routes routes, Optional<Logins> logins, String self) {
        this.server = server;
        this.network = network;
        this.routes = routes;
        this.logins = logins;
        this.self = self;
    }

    /** A name is claimed once in the whole network. */
    @Override
    public void beforeCreateQueue(QueueConfiguration queue) throws ActiveMQException {
        String name = queue.getName().toString();
        Optional<String> elsewhere = Addresses.isClaimed(name) ? routes.next(name) : Optional.empty();
        if (elsewhere.isPresent()) {
            throw new ActiveMQException(
                    ActiveMQExceptionType.ILLEGAL_STATE,
                    Refusals.message(
                            Refusals.NAME_IN_USE,
                            OneConsumer.inWords(name) + " is kept at another broker, in the direction of "
                                    + elsewhere.get()));
        }
    }

    @Override
    public void afterCreateQueue(Queue queue) {
        String name = queue.getName().toString();
        if (Network.isKept(name)) {
            network.kept(name);
        }
    }

    @Override
    public void afterDestroyQueue(
            Queue queue,
            SimpleString address,
            SecurityAuth session,
            boolean checkConsumerCount,
            boolean removeConsumers,
            boolean autoDeleteAddress) {
        String name = queue.getName().toString();
        if (Network.isKept(name)) {
            network.dropped(name);
        }
    }

    /**
     * What is published says which queues were known to run dry; what is for an agent elsewhere goes into the queue of the
     * link that leads there, in the same breath.
     */
    @Override
    public void beforeSend(
            ServerSession session, Transaction tx, Message message, boolean direct, boolean noAutoCreateQueue)
            throws ActiveMQException {
        SimpleString address = message.getAddressSimpleString();
        if (address != null && address.startsWith(TOPICS)) {
            String drains = network.reporter().drains().known();
            if (!drains.isEmpty()) {
                FrameProperties.entered(message, drains);
            }
        }
        if (address == null || !Addresses.isPersonal(address.toString())) {
            return;
        }
        Optional<String> next = routes.next(address.toString());
        if (LocalQueues.areAt(server.getPostOffice(), address)) {
            return;
        }
        if (next.isEmpty()) {
            if (Addresses.isEndpoint(address.toString())) {
                throw ParcelRules.nobodyKeeps(address.toString());
            }
            return;
        }
        Message copy = message.copy(server.getStorageManager().generateID());
        FrameProperties.relay(copy, Routes.by(next.get(), address.toString()), address.toString());
        try {
            // whatever the transaction is: agents commit each message by itself
            server.getPostOffice().route(copy, new RoutingContextImpl(null), direct);
        } catch (ActiveMQException e) {
            throw e;
        } catch (Exception e) {
            throw new ActiveMQException(ActiveMQExceptionType.INTERNAL_ERROR, "cannot relay to " + address, e);
        }
    }

    @Override
    public void afterSend(
            ServerSession session,
            Transaction tx,
            Message message,
            boolean direct,
            boolean noAutoCreateQueue,
            RoutingStatus result) {
        if (!BROKER.equals(message.getAddressSimpleString()) || !FrameProperties.isQuery(message)) {
            return;
        }
        try {
            Frame question = FrameProperties.decode(message);
            String user = String.valueOf(session.getValidatedUser());
            network.execute("a question", () -> answer(question, user));
        } catch (WireException e) {
            LOG.warn("{}: a question that is none: {}", Addresses.BROKER, e.getMessage());
        }
    }

    private void answer(Frame question, String user) throws Exception {
        if (question instanceof TopicQuery query) {
            List<String> names = network.subscriptions(query.topic());
            reply(
                    query.replyTo(),
                    new TopicAnswer(
                            query.topic(),
                            names.subList(0, Math.min(names.size(), TopicAnswer.MOST_NAMES)),
                            network.unknownTo(query.topic()),
                            network.unknownBehind(query.topic())));
        } else if (question instanceof NetworkQuery query) {
            reply(
                    query.replyTo(),
                    new NetworkAnswer(self, network.reporter().reports().all()));
        } else if (question instanceof RemovalRequest request) {
            if (mayOperate(user)) {
                network.remove(request)
                        .thenAccept(answer -> network.execute("an answer", () -> reply(request.replyTo(), answer)));
            } else {
                reply(request.replyTo(), forbidden(request, user));
            }
        }
    }

    private boolean mayOperate(String user) {
        return logins.isEmpty()
                || logins.get().account(user).filter(Account::mayOperate).isPresent();
    }

    private RemovalAnswer forbidden(RemovalRequest request, String user) {
        String text = "user " + user + " is no operator of broker " + self + " (longhaul user add --operate)";
        return new RemovalAnswer(self, request.broker(), text, 0, 0, 0);
    }

    private void reply(String address, Frame answer) throws Exception {
        server.getPostOffice()
                .route(FrameProperties.passing(server.getStorageManager().generateID(), address, answer), false);
    }
}
