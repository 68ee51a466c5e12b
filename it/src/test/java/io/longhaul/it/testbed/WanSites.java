package io.longhaul.it.testbed;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sites of an emulated network with a broker each, joined by links that cross it, and agents beside their site's broker.
 * Nothing runs before it is started.
 */
public final class WanSites {
    private static final String PORT = ":7400";
    private static final String AGENT_HEAP = "-Xmx128m";
    private static final String BRIDGE_HEAP = "-Xmx512m";

    private final Testbed testbed;
    private final Wan wan;
    private final Map<String, Node> brokers = new TreeMap<>();

    public WanSites(Testbed testbed, Wan wan) {
        this.testbed = testbed;
        this.wan = wan;
    }

    /** Adds a broker, {@code broker-SITE}, with links to those of other sites. */
    public Node addBroker(String site, String... links) {
        Node broker = at(site, "broker-" + site, "broker", "--name", "broker-" + site)
                .with("--listen", "0.0.0.0" + PORT)
                .with("--users", Traveller.users(testbed).toString())
                .with(
                        "--data",
                        testbed.directory("broker-" + site).resolve("data").toString())
                .withMachine("-Xmx384m");
        for (String link : links) {
            broker.with("--link", Wan.address(link) + PORT);
        }
        brokers.put(site, links.length == 0 ? broker : Traveller.linking(broker));
        return broker;
    }

    public Node broker(String site) {
        return brokers.get(site);
    }

    public Collection<Node> brokers() {
        return brokers.values();
    }

    public Node subscriber(String site, String name, String topic) {
        return subscriber(site, site, name, topic);
    }

    /** Returns a subscriber at a site without a broker, with that of another site as its own. */
    public Node subscriber(String site, String brokerSite, String name, String topic) {
        return agent(site, brokerSite, name, "subscribe", topic, "--name", name)
                .with("--into", testbed.directory(name + "/into").toString());
    }

    public Node publisher(String site, String name, Path source, String topic, String... more) {
        return agent(site, site, name, "publish", source.toString(), "--topic", topic)
                .with(more);
    }

    /** Returns the front or the back of a bridge at a site with a broker; {@code which} says which. */
    public Node bridge(String site, String which, String... more) {
        return agent(site, site, which, "bridge", which).with(more).withMachine(BRIDGE_HEAP);
    }

    private Node agent(String site, String brokerSite, String name, String... arguments) {
        return Traveller.as(at(site, name, arguments).with("--broker", Wan.address(brokerSite) + PORT))
                .with("--data", testbed.directory(name).resolve("data").toString())
                .withMachine(AGENT_HEAP);
    }

    private Node at(String site, String label, String... arguments) {
        Node node = Network.of(testbed).node(label, arguments).at(command -> wan.at(site, command));
        wan.environment().forEach(node::withVariable);
        return node;
    }
}
