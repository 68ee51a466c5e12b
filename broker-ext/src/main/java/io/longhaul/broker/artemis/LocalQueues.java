package io.longhaul.broker.artemis;

import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.postoffice.BindingType;
import org.apache.activemq.artemis.core.postoffice.Bindings;
import org.apache.activemq.artemis.core.postoffice.PostOffice;
import org.apache.activemq.artemis.core.postoffice.QueueBinding;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;

/** The queues at this broker. */
final class LocalQueues {
    private LocalQueues() {}

    /** Returns all of a server that is active. */
    static Stream<Queue> of(ActiveMQServer server) {
        return server.getPostOffice()
                .getAllBindings()
                .filter(QueueBinding.class::isInstance)
                .map(binding -> ((QueueBinding) binding).getQueue());
    }

    /**
     * Looks through the queues for some of an address. What Artemis keeps for the question ({@link Bindings#hasLocalBinding})
     * is false for a moment whenever a queue of the address comes, goes or changes, be it that of a neighbour whose link is
     * lost.
     */
    static boolean areAt(PostOffice office, SimpleString address) throws ActiveMQException {
        try {
            Bindings bindings = office.lookupBindingsForAddress(address);
            return bindings != null
                    && bindings.getBindings().stream().anyMatch(each -> each.getType() == BindingType.LOCAL_QUEUE);
        } catch (ActiveMQException e) {
            throw e;
        } catch (Exception e) {
            throw new ActiveMQException(ActiveMQExceptionType.INTERNAL_ERROR, "cannot look up " + address, e);
        }
    }
}
