package io.longhaul.broker.artemis;

import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.Logins;
import io.longhaul.wire.Refusals;
import io.longhaul.wire.WireException;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.transaction.Transaction;

/**
 * Sees to it that only who may publish a topic tells a late subscription what is retained of it: what an archive tells is
 * believed as if it had been published.
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
        Optional<String> topic;
        try {
            topic = FrameProperties.retainedTopic(message);
        } catch (WireException e) {
            throw refusal("an answer that is none: " + e.getMessage());
        }
        if (topic.isEmpty()) {
            return;
        }
        String user = session.getValidatedUser();
        boolean may = Optional.ofNullable(user)
                .flatMap(logins::account)
                .filter((Account account) -> account.mayPublish(topic.get()))
                .isPresent();
        if (!may) {
            throw refusal("user " + user + " may not tell what is retained of topic " + topic.get()
                    + ": expected the right to publish it");
        }
    }

    private static ActiveMQException refusal(String detail) {
        return new ActiveMQException(
                ActiveMQExceptionType.SECURITY_EXCEPTION, Refusals.message(Refusals.BAD_FRAME, detail));
    }
}
