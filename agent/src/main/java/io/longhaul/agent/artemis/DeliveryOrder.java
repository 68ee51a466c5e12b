package io.longhaul.agent.artemis;

import io.longhaul.agent.link.Link;
import org.apache.activemq.artemis.api.core.Interceptor;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.protocol.core.Packet;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.SessionReceiveMessage;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;

/**
 * Has messages taken in the order in which the broker sent them.
 *
 * <p>The broker sends by priority, and Artemis's consumer sorts once more what waits in it. But an acknowledgement covers
 * everything that was sent before: of a message that has overtaken others it would cover those, too, which are not on disk
 * here, and theirs, later, would name what the broker no longer knows of.
 */
final class DeliveryOrder implements Interceptor {
    @Override
    public boolean intercept(Packet packet, RemotingConnection connection) {
        if (packet instanceof SessionReceiveMessage delivery) {
            Message message = delivery.getMessage();
            if (message.getPriority() != Link.NORMAL_PRIORITY) {
                message.setPriority((byte) Link.NORMAL_PRIORITY);
            }
        }
        return true;
    }
}
