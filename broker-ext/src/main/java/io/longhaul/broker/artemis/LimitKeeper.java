package io.longhaul.broker.artemis;

import io.longhaul.broker.limits.Quotas;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Refusals;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.postoffice.RoutingStatus;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.transaction.Transaction;

/** Sees to it that what agents publish keeps to the limits of users and topics. Runs on session threads; never blocks. */
final class LimitKeeper implements ActiveMQServerPlugin {
    private final ActiveMQServer server;
    private final Quotas quotas;
    private final HeldAnswers answers;

    LimitKeeper(ActiveMQServer server, Quotas quotas, HeldAnswers answers) {
        this.server = server;
        this.quotas = quotas;
        this.answers = answers;
    }

    Quotas quotas() {
        return quotas;
    }

    /** A frame of a transfer, and whose it is. */
    private record Sent(String user, String topic, String transfer) {
        static Optional<Sent> of(ServerSession session, Message message) {
            String address = String.valueOf(message.getAddress());
            if (!address.startsWith(Addresses.TOPIC_PREFIX)) {
                return Optional.empty();
            }
            String user = session.getValidatedUser();
            return FrameProperties.transfer(message)
                    .map(transfer -> new Sent(
                            user == null ? "" : user, address.substring(Addresses.TOPIC_PREFIX.length()), transfer));
        }
    }

    @Override
    public void beforeSend(
            ServerSession session, Transaction tx, Message message, boolean direct, boolean noAutoCreateQueue)
            throws ActiveMQException {
        answers.forget();
        Optional<Sent> sent = Sent.of(session, message);
        if (sent.isEmpty() || FrameProperties.isCancel(message)) {
            return;
        }
        Sent frame = sent.get();
        if (FrameProperties.isManifest(message)) {
            if (isKnown(message)) {
                return;
            }
            Optional<String> objection = quotas.begin(frame.user(), frame.topic(), frame.transfer());
            if (objection.isPresent()) {
                throw refusal(ActiveMQExceptionType.SECURITY_EXCEPTION, objection.get());
            }
        } else if (quotas.isRefused(frame.user(), frame.transfer())) {
            throw refusal(ActiveMQExceptionType.SECURITY_EXCEPTION, "transfer " + frame.transfer() + " was not let in");
        } else if (FrameProperties.isPiece(message)) {
            Optional<String> flood = quotas.flood(frame.user(), frame.topic());
            if (flood.isPresent()) {
                throw new ActiveMQException(
                        ActiveMQExceptionType.ADDRESS_FULL, Refusals.message(Refusals.NO_SPACE, flood.get()));
            }
        }
    }

    /** Returns whether it is here already: then it is sent again because its answer was lost, and begins nothing. */
    private boolean isKnown(Message message) {
        byte[] id = message.getDuplicateIDBytes();
        return id != null
                && server.getPostOffice()
                        .getDuplicateIDCache(message.getAddressSimpleString())
                        .contains(id);
    }

    private static ActiveMQException refusal(ActiveMQExceptionType type, String detail) {
        return new ActiveMQException(type, Refusals.message(Refusals.QUOTA, detail));
    }

    @Override
    public void afterSend(
            ServerSession session,
            Transaction tx,
            Message message,
            boolean direct,
            boolean noAutoCreateQueue,
            RoutingStatus result) {
        Optional<Sent> sent = Sent.of(session, message);
        long delayNs = 0;
        LongSupplier owedNs = () -> 0;
        if (sent.isPresent()) {
            Sent frame = sent.get();
            if (FrameProperties.isPiece(message) && result == RoutingStatus.OK) {
                delayNs = quotas.piece(frame.user(), frame.topic(), frame.transfer(), message.getEncodeSize());
                owedNs = () -> quotas.owedNs(frame.user(), frame.topic());
            } else if (FrameProperties.isSeal(message) || FrameProperties.isCancel(message)) {
                quotas.ended(frame.user(), frame.topic(), frame.transfer());
            }
        }
        answers.hold(session, session.getSessionExecutor(), delayNs, owedNs);
        if (session.isClosed()) {
            answers.ended(session); // of its end nothing may be told any more
        }
    }

    /** A manifest that the server could not take has begun nothing. */
    @Override
    public void onSendException(
            ServerSession session,
            Transaction tx,
            Message message,
            boolean direct,
            boolean noAutoCreateQueue,
            Exception failure) {
        if (FrameProperties.isManifest(message)) {
            Sent.of(session, message).ifPresent(frame -> quotas.ended(frame.user(), frame.topic(), frame.transfer()));
        }
    }

    @Override
    public void afterCloseSession(ServerSession session, boolean failed) {
        answers.ended(session);
    }
}
