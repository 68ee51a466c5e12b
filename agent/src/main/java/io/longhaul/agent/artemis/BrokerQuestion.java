package io.longhaul.agent.artemis;

import io.longhaul.wire.NetworkAnswer;

/** One question to a broker from somebody who is no agent. */
public final class BrokerQuestion {
    private static final int CONSUMER_WINDOW = 1024 * 1024;

    private BrokerQuestion() {}

    /**
     * Connects, asks what the broker knows of the network, and disconnects. Throws {@link
     * io.longhaul.agent.link.LinkException}, or {@link IllegalArgumentException} for a bad URL.
     */
    public static NetworkAnswer network(String url, String user, String password) {
        BrokerConnection.Credentials credentials = new BrokerConnection.Credentials(user, password);
        try (BrokerConnection connection = BrokerPlaces.parse(url).open(credentials, CONSUMER_WINDOW, () -> {})) {
            return connection.network();
        }
    }
}
