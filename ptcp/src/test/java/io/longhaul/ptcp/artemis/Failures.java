package io.longhaul.ptcp.artemis;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.SessionFailureListener;

/**
 * Writes down what a session's failure listener is told.
 *
 * @param lost before the client tries to connect again
 * @param told after it did, or gave up
 */
record Failures(List<ActiveMQException> lost, List<ActiveMQException> told) implements SessionFailureListener {
    static Failures of(ClientSession session) {
        Failures failures = new Failures(new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>());
        session.addFailureListener(failures);
        return failures;
    }

    @Override
    public void beforeReconnect(ActiveMQException exception) {
        lost.add(exception);
    }

    @Override
    public void connectionFailed(ActiveMQException exception, boolean failedOver) {
        told.add(exception);
    }

    @Override
    public void connectionFailed(ActiveMQException exception, boolean failedOver, String scaleDownTarget) {
        told.add(exception);
    }
}
