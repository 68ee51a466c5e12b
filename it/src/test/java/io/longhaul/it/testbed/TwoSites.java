package io.longhaul.it.testbed;

import java.nio.file.Files;
import java.nio.file.Path;

/** A publisher at site a of an emulated network, broker and subscriber at site b. Nothing runs before it is started. */
public final class TwoSites {
    private static final String BROKER = Wan.ADDRESS_B + ":7400";
    private static final String USER = "traveller";
    private static final String PASSWORD = "a password of the tests";

    private final Testbed testbed;
    private final Wan wan;

    public TwoSites(Testbed testbed, Wan wan) {
        this.testbed = testbed;
        this.wan = wan;
    }

    /** Returns the broker, with a user for everything. */
    public Node broker() {
        Path users = testbed.file("users");
        if (!Files.exists(users)) {
            Network.of(testbed)
                    .node("user", "user", "add", users.toString(), USER, "--publish", "#", "--subscribe", "#")
                    .withVariable("LONGHAUL_PASSWORD", PASSWORD)
                    .start()
                    .expectExit(0);
        }
        return node("broker", "b", "broker", "--name", "broker", "--listen", BROKER, "--users", users.toString())
                .with("--data", testbed.directory("broker").resolve("data").toString());
    }

    public Node subscriber(String topic, String... more) {
        return agent("subscriber", "b", "subscribe", topic)
                .with("--name", "subscriber")
                .with("--into", testbed.directory("subscriber/into").toString())
                .with(more);
    }

    public Node publisher(Path source, String topic, String... more) {
        return agent("publisher", "a", "publish", source.toString(), "--topic", topic)
                .with(more);
    }

    private Node agent(String label, String site, String... arguments) {
        return node(label, site, arguments)
                .with("--broker", BROKER, "--user", USER)
                .with("--data", testbed.directory(label).resolve("data").toString())
                .withVariable("LONGHAUL_PASSWORD", PASSWORD);
    }

    /** Returns any command at a site. */
    public Node node(String label, String site, String... arguments) {
        Node node = Network.of(testbed).node(label, arguments).at(command -> wan.at(site, command));
        wan.environment().forEach(node::withVariable);
        return node;
    }
}
