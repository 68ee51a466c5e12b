package io.longhaul.it.testbed;

import java.nio.file.Path;

/** A publisher at site a of an emulated network, broker and subscriber at site b. Nothing runs before it is started. */
public final class TwoSites {
    private static final String BROKER = Wan.ADDRESS_B + ":7400";

    private final Testbed testbed;
    private final Wan wan;

    public TwoSites(Testbed testbed, Wan wan) {
        this.testbed = testbed;
        this.wan = wan;
    }

    /** Returns the broker, with a user for everything. */
    public Node broker() {
        String users = Traveller.users(testbed).toString();
        return node("broker", "b", "broker", "--name", "broker", "--listen", BROKER, "--users", users)
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
        return Traveller.as(node(label, site, arguments).with("--broker", BROKER))
                .with("--data", testbed.directory(label).resolve("data").toString());
    }

    /** Returns any command at a site. */
    public Node node(String label, String site, String... arguments) {
        Node node = Network.of(testbed).node(label, arguments).at(command -> wan.at(site, command));
        wan.environment().forEach(node::withVariable);
        return node;
    }
}
