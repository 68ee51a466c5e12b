package io.longhaul.broker.artemis;

import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.TopicPattern;
import io.longhaul.broker.users.UsersFile;
import io.longhaul.wire.Names;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.activemq.artemis.api.core.ActiveMQDisconnectedException;
import org.apache.activemq.artemis.core.security.impl.SecurityStoreImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the connections of users whose account has changed, so that they log in anew. The server asks for rights when
 * something is sent and when a consumer is made, not while one is served: somebody who was removed would be served on.
 * Links see to themselves.
 */
final class AccountWatch {
    private static final Logger LOG = LoggerFactory.getLogger(AccountWatch.class);
    private final ActiveMQServer server;
    private final Supplier<UsersFile> users;
    private UsersFile before;

    /** What of an account counts for who is in with it. */
    record State(String password, List<TopicPattern> publish, List<TopicPattern> subscribe) {
        static Optional<State> of(Optional<Account> account) {
            return account.map(known -> new State(known.password().toString(), known.publish(), known.subscribe()));
        }
    }

    /** Takes where the users are found as they are at the time. */
    AccountWatch(ActiveMQServer server, Supplier<UsersFile> users) {
        this.server = server;
        this.users = users;
        this.before = users.get();
    }

    /** Looks once; always on the same thread. */
    void round() {
        UsersFile now = users.get();
        if (now == before) {
            return;
        }
        forget();
        Map<RemotingConnection, String> ended = new LinkedHashMap<>();
        for (ServerSession session : List.copyOf(server.getSessions())) {
            String user = session.getUsername();
            RemotingConnection connection = session.getRemotingConnection();
            if (user != null && connection != null && isChanged(user, before, now)) {
                ended.put(connection, user);
            }
        }
        before = now;
        ended.forEach(this::end);
    }

    /** The server remembers for a while who has logged in; whoever loses the connection may be back at once. */
    private void forget() {
        if (server.getSecurityStore() instanceof SecurityStoreImpl store) {
            store.invalidateAuthenticationCache();
            store.invalidateAuthorizationCache();
        }
    }

    /** Returns whether somebody who logged in before would have to do so again, or has other rights now. */
    static boolean isChanged(String user, UsersFile before, UsersFile now) {
        return !State.of(before.account(user)).equals(State.of(now.account(user)));
    }

    private void end(RemotingConnection connection, String user) {
        LOG.info(
                "connection of user {} from {} ended: the account has changed",
                Names.shown(user),
                connection.getRemoteAddress());
        server.getRemotingService().removeConnection(connection.getID());
        connection.fail(new ActiveMQDisconnectedException("the account of user " + user + " has changed"));
    }
}
