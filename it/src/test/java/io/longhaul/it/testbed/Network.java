package io.longhaul.it.testbed;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One broker, and nodes that know it. Nothing runs before it is started. Several can be joined to a network of sites. */
public final class Network {
    /** Agents get little memory, so that many fit on a small machine. */
    private static final String AGENT_HEAP = "-Xmx256m";

    private static final String BROKER_HEAP = "-Xmx768m";

    private final Testbed testbed;
    private final String address;
    private final Node broker;

    private Network(Testbed testbed, String label, String name, String... brokerArguments) {
        this.testbed = testbed;
        this.address = "127.0.0.1:" + testbed.freePort();
        this.broker = node(label, "broker", "--name", name, "--listen", address())
                .withMachine(BROKER_HEAP)
                .with("--data", testbed.directory(label).resolve("data").toString())
                .with(brokerArguments);
    }

    private Network(Testbed testbed, String address, Node broker) {
        this.testbed = testbed;
        this.address = address;
        this.broker = broker;
    }

    /** Returns a network whose broker gets further arguments. */
    public static Network of(Testbed testbed, String... brokerArguments) {
        return new Network(testbed, "broker", "broker", brokerArguments);
    }

    /** Returns one site of several: its broker has this name, and links to those of other sites. */
    public static Network site(Testbed testbed, String name, Network... links) {
        return namesake(testbed, name, name, links);
    }

    /** Returns a site whose broker gives a name that another one may have, too; the testbed knows it by its label. */
    public static Network namesake(Testbed testbed, String label, String name, Network... links) {
        Network site = new Network(testbed, label, name);
        for (Network to : links) {
            site.broker.with("--link", to.address());
        }
        return site;
    }

    /** Starts the brokers of several sites at the same time, and waits until all serve. */
    public static void startAll(List<Network> sites) {
        sites.forEach(site -> site.broker.start());
        sites.forEach(site -> site.broker.child().awaitReady());
    }

    public Node broker() {
        return broker;
    }

    /** Returns the broker's address. */
    public String address() {
        return address;
    }

    /** Returns the same network for agents who reach its broker through a wire. */
    public Network behind(CountedWire wire) {
        return new Network(testbed, wire.address(), broker);
    }

    /** Returns the same network for agents with their homes in another testbed: of one of several tests that share a broker. */
    public Network in(Testbed other) {
        return new Network(other, address, broker);
    }

    /** Returns a subscriber with data and target directory of its own. */
    public Node subscriber(String name, String topic, String... more) {
        Path home = testbed.directory(name);
        return node(
                        name,
                        "subscribe",
                        topic,
                        "--name",
                        name,
                        "--into",
                        testbed.directory(name + "/into").toString())
                .with("--data", home.resolve("data").toString(), "--broker", address())
                .withMachine(AGENT_HEAP)
                .with(more);
    }

    /** Returns several subscribers NAME1, NAME2, ... of a topic. */
    public List<Node> subscribers(String name, int count, String topic, String... more) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            nodes.add(subscriber(name + i, topic, more));
        }
        return nodes;
    }

    /** Returns a publisher with a data directory of its own. */
    public Node publisher(String name, Path source, String topic, String... more) {
        Path home = testbed.directory(name);
        return node(name, "publish", source.toString(), "--topic", topic, "--broker", address())
                .with("--data", home.resolve("data").toString())
                .withMachine(AGENT_HEAP)
                .with(more);
    }

    /** Returns an agent that keeps every transfer of a topic for later repairs. */
    public Node archive(String name, String topic, String... more) {
        Path home = testbed.directory(name);
        return node(name, "agent", "--name", name, "--broker", address(), "--archive", topic)
                .with("--data", home.resolve("data").toString())
                .withMachine(AGENT_HEAP)
                .with(more);
    }

    /** Publishes a file for a test that is not about who publishes; in no process of its own. */
    public Answer publish(String name, Path source, String topic, String... more) {
        String data = testbed.directory(name).resolve("data").toString();
        List<String> command =
                new ArrayList<>(List.of("publish", source.toString(), "--topic", topic, "--broker", address()));
        command.addAll(List.of("--data", data));
        command.addAll(List.of(more));
        return run(0, command.toArray(String[]::new));
    }

    /** Runs a command to its end, for what it prints; in no process of its own. */
    public Answer run(int exitCode, String... arguments) {
        List<String> command = new ArrayList<>(List.of(arguments));
        command.add("--json");
        return Answer.of(exitCode, Map.of("HOME", testbed.directory().toString()), command);
    }

    /** Returns a node of any command, with JSON output. */
    public Node node(String label, String... arguments) {
        Node node = new Node(testbed, label, testbed.directory(label), List.of(arguments));
        return node.with("--json");
    }
}
