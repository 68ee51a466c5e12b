package io.longhaul.agent.artemis;

import io.longhaul.wire.NetworkAnswer;
import io.longhaul.wire.RemovalAnswer;
import java.util.function.Function;

/** One question to a broker from somebody who is no agent. */
public final class BrokerQuestion {
    private static final int CONSUMER_WINDOW = 1024 * 1024;

    private BrokerQuestion() {}

    /**
     * Connects, asks what the broker knows of the network, and disconnects. Throws {@link
     * io.longhaul.agent.link.LinkException}, or {@link IllegalArgumentException} for a bad URL.
     */
    public static NetworkAnswer network(String url, String user, String password) {
        return ask(url, user, password, BrokerConnection::network);
    }

    /** Connects, has the broker take a neighbour out of the network, and disconnects; throws as {@link #network} does. */
    public static RemovalAnswer removal(String url, String user, String password, String broker, boolean force) {
        return ask(url, user, password, connection -> connection.removal(broker, force));
    }

    private static <T> T ask(String url, String user, String password, Function<BrokerConnection, T> question) {
        BrokerConnection.Credentials credentials = new BrokerConnection.Credentials(user, password);
        try (BrokerConnection connection = BrokerPlaces.parse(url).open(credentials, CONSUMER_WINDOW, () -> {})) {
            return question.apply(connection);
        }
    }
}
