package io.longhaul.broker.artemis;

import io.longhaul.broker.users.LoginDesk;
import io.longhaul.broker.users.Logins.Look;
import io.longhaul.broker.users.RemoteHost;
import io.longhaul.wire.Refusals;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;
import org.apache.activemq.artemis.api.core.Interceptor;
import org.apache.activemq.artemis.core.protocol.core.Channel;
import org.apache.activemq.artemis.core.protocol.core.CoreRemotingConnection;
import org.apache.activemq.artemis.core.protocol.core.Packet;
import org.apache.activemq.artemis.core.protocol.core.impl.ChannelImpl.CHANNEL_ID;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.ActiveMQExceptionMessage;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.CreateSessionMessage;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;

/**
 * Holds back the packet that asks for a session until its login has been looked at; the server sees only those that are right.
 *
 * <p>The server would look at the password on one of the threads that all sessions share, a tenth of a second each. What it asks
 * {@link TopicRights} afterwards, for this session and for every right, is answered from memory. Thread-safe; runs on event
 * loops and the desk's threads.
 */
final class SessionLogins implements Interceptor {
    private final ActiveMQServer server;
    private final LoginDesk desk;

    private SessionLogins(ActiveMQServer server, LoginDesk desk) {
        this.server = server;
        this.desk = desk;
    }

    /** Stands before a server that has not been started. */
    static void guard(ActiveMQServer server, LoginDesk desk) {
        server.getServiceRegistry().addIncomingInterceptor(new SessionLogins(server, desk));
    }

    /** Returns whether the packet may go on to the server now. */
    @Override
    public boolean intercept(Packet packet, RemotingConnection connection) {
        if (!(packet instanceof CreateSessionMessage request)
                || !(connection instanceof CoreRemotingConnection core)
                // elsewhere the server makes no session of it
                || request.getChannelID() != CHANNEL_ID.SESSION.id
                || isOfPair(request)) {
            return true;
        }
        Visit visit = new Visit(request, core);
        desk.take(visit.login(), visit);
        return false;
    }

    /** The partner's secret is no user's: the server compares it itself, and hashes nothing. */
    private boolean isOfPair(CreateSessionMessage request) {
        return server.getConfiguration().getClusterUser().equals(request.getUsername());
    }

    private final class Visit implements LoginDesk.Caller {
        private final CreateSessionMessage request;
        private final CoreRemotingConnection connection;

        Visit(CreateSessionMessage request, CoreRemotingConnection connection) {
            this.request = request;
            this.connection = connection;
        }

        LoginDesk.Login login() {
            return new LoginDesk.Login(
                    user(), password(), RemoteHost.of(String.valueOf(connection.getRemoteAddress())));
        }

        private String user() {
            return request.getUsername() == null ? "" : request.getUsername();
        }

        private String password() {
            return request.getPassword() == null ? "" : request.getPassword();
        }

        @Override
        public boolean isWaiting() {
            return !connection.isDestroyed();
        }

        @Override
        public void answer(Look look) {
            if (!isWaiting()) {
                return;
            }
            Channel channel = connection.getChannel(CHANNEL_ID.SESSION.id, -1);
            Optional<String> unheard = look.unheard();
            if (look.account().isPresent() || (unheard.isPresent() && isInAlready())) {
                // as the connection itself hands on what has passed its interceptors
                synchronized (connection.getTransferLock()) {
                    channel.handlePacket(request);
                }
            } else {
                channel.send(new ActiveMQExceptionMessage(refusal(unheard)));
            }
        }

        /** Others of an address who guess must not keep somebody from another session who has one on this connection. */
        private boolean isInAlready() {
            return desk.logins().recall(user(), password()).isPresent()
                    && server.getSessions(String.valueOf(connection.getID())).stream()
                            .anyMatch(session -> user().equals(session.getUsername()));
        }

        private static ActiveMQException refusal(Optional<String> unheard) {
            return unheard.map(why -> new ActiveMQException(
                            ActiveMQExceptionType.SESSION_CREATION_REJECTED, Refusals.message(Refusals.LATER, why)))
                    .orElseGet(() -> new ActiveMQSecurityException("login refused: unknown user or wrong password"));
        }
    }
}
