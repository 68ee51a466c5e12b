package io.longhaul.broker;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** The brokers of one test, on free ports, and clients of them; closed in reverse. */
final class Brokers {
    private final Path directory;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Takes where the brokers keep their data. */
    Brokers(Path directory) {
        this.directory = directory;
    }

    BrokerConfig config(String name) {
        return BrokerConfig.of(name, directory.resolve(name))
                .withListen("127.0.0.1:0")
                .withListenCore(List.of("127.0.0.1:0"));
    }

    /** Returns the link to a broker, for the configuration of another one. */
    static BrokerConfig.Links to(Broker hub) {
        return new BrokerConfig.Links(List.of("127.0.0.1:" + hub.port()), "", "", 0, false);
    }

    /**
     * Launches one where one listened before: whoever dials that port meanwhile may be given the very port for it, by the
     * system, and has it for a moment.
     */
    Broker relaunch(BrokerConfig config) {
        return Patience.await()
                .ignoreExceptionsMatching(
                        e -> e instanceof BrokerException known && known.code() == BrokerException.Code.CANNOT_LISTEN)
                .until(() -> launch(config), Broker::isRunning);
    }

    Broker launch(BrokerConfig config) {
        Broker broker = Broker.launch(config);
        opened.push(broker);
        return broker;
    }

    /** Returns a client; empty for no user. */
    Client connect(Broker broker, String user) throws Exception {
        Client client = Client.connect(broker.corePort(), user, "secret", Map.of());
        opened.push(client);
        return client;
    }

    void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }
}
