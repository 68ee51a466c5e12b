package io.longhaul.agent.artemis;

import io.longhaul.ptcp.artemis.ConnectListener;
import org.apache.activemq.artemis.core.protocol.core.impl.ActiveMQClientProtocolManager;
import org.apache.activemq.artemis.core.protocol.core.impl.ActiveMQClientProtocolManagerFactory;
import org.apache.activemq.artemis.spi.core.remoting.ClientProtocolManager;

/**
 * Remembers why the last attempt to connect failed: Artemis itself learns no more than that it did.
 *
 * <p>One for each locator; its connectors are told about it through their protocol manager.
 */
final class ConnectWatch extends ActiveMQClientProtocolManagerFactory {
    private static final long serialVersionUID = 1L;
    private volatile String reason = "";
    private volatile boolean refusedByProxy;

    /** Returns the last reason; empty when there is none. */
    String reason() {
        return reason;
    }

    /** Whether a proxy did not take the credentials for it. */
    boolean isRefusedByProxy() {
        return refusedByProxy;
    }

    @Override
    public ClientProtocolManager newProtocolManager() {
        return new Watched();
    }

    private final class Watched extends ActiveMQClientProtocolManager implements ConnectListener {
        @Override
        public void cannotConnect(String why, boolean loginRefused) {
            reason = why;
            refusedByProxy = loginRefused;
        }
    }
}
