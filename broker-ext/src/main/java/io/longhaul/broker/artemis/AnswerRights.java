package io.longhaul.broker.artemis;

import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.Logins;
import io.longhaul.wire.Refusals;
import io.longhaul.wire.WireException;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * Who may say what to an agent's inbox, which is open to all, where the agent believes it.
 *
 * <p>What an archive tells a late subscription of what it retains is believed as if it had been published: only who may
 * publish the topic tells it. Who asks for pieces gets them: only who may subscribe to the topic asks, and names it, since the
 * holder serves what is of that topic.
 */
final class AnswerRights implements ActiveMQServerPlugin {
    private final Logins logins;

    AnswerRights(Logins logins) {
        this.logins = logins;
    }

    @Override
    public void beforeSend(
            ServerSession session, Transaction tx, Message message, boolean direct, boolean noAutoCreateQueue)
            throws ActiveMQException {
        Optional<String> retained;
        Optional<String> wanted;
        try {
            retained = FrameProperties.retainedTopic(message);
            wanted = FrameProperties.repairTopic(message);
        } catch (WireException e) {
            throw refusal("an answer or a request that is none: " + e.getMessage());
        }
        String user = session.getValidatedUser();
        if (retained.isPresent() && !may(user, account -> account.mayPublish(retained.get()))) {
            throw refusal("user " + user + " may not tell what is retained of topic " + retained.get()
                    + ": expected the right to publish it");
        }
        if (wanted.isPresent() && wanted.get().isEmpty()) {
            throw refusal(
                    "a request for pieces that names no topic: expected one of an agent that is not older than this"
                            + " broker");
        }
        if (wanted.isPresent() && !may(user, account -> account.maySubscribe(wanted.get()))) {
            throw refusal("user " + user + " may not ask for pieces of topic " + wanted.get()
                    + ": expected the right to subscribe to it");
        }
    }

    private boolean may(@Nullable String user, Predicate<Account> right) {
        return Optional.ofNullable(user).flatMap(logins::account).filter(right).isPresent();
    }

    private static ActiveMQException refusal(String detail) {
        return new ActiveMQException(
                ActiveMQExceptionType.SECURITY_EXCEPTION, Refusals.message(Refusals.BAD_FRAME, detail));
    }
}
