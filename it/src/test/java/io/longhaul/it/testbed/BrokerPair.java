package io.longhaul.it.testbed;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.awaitility.core.ConditionTimeoutException;

/** Two brokers of one name, of which one lives, and perhaps their witness. Nothing runs before it is started. */
public final class BrokerPair {
    private static final String NAME = "pair";
    private final Testbed testbed;
    private final Optional<Network> witness;
    private final String firstAddress;
    private final String secondAddress;
    private final Node first;
    private final Node second;

    private final String parameters;

    private BrokerPair(Testbed testbed, Optional<Network> witness, String parameters) {
        this.testbed = testbed;
        this.witness = witness;
        this.parameters = parameters;
        this.firstAddress = "127.0.0.1:" + testbed.freePort();
        this.secondAddress = "127.0.0.1:" + testbed.freePort();
        this.first = broker("first", firstAddress).with("--backup", secondAddress + parameters);
        this.second = broker("second", secondAddress).with("--backup-of", firstAddress + parameters);
        witness.ifPresent(third ->
                List.of(first, second).forEach(broker -> broker.with("--witness", third.address() + parameters)));
    }

    /** Returns a pair that a third broker decides for. */
    public static BrokerPair witnessed(Testbed testbed) {
        return secured(testbed, "");
    }

    /** Returns one whose brokers are reached with these parameters of URLs, such as those of TLS. */
    public static BrokerPair secured(Testbed testbed, String parameters) {
        return new BrokerPair(testbed, Optional.of(Network.site(testbed, "witness")), parameters);
    }

    /** Returns a pair that nobody decides for. */
    public static BrokerPair lone(Testbed testbed) {
        return new BrokerPair(testbed, Optional.empty(), "");
    }

    private Node broker(String label, String address) {
        return node(label, "broker", "--name", NAME, "--listen", address)
                .withMachine("-Xmx768m")
                .with("--data", testbed.directory(label).resolve("data").toString());
    }

    /** Starts all, and waits until the backup is in sync. */
    public BrokerPair startInSync() {
        witness.ifPresent(third -> third.broker().start());
        first.start();
        second.start();
        awaitRole(second, "backup");
        awaitRole(first, "primary");
        return this;
    }

    /** Returns the third broker. */
    public Node witness() {
        return third().broker();
    }

    /** Returns the third broker, with those who connect to it. */
    public Network third() {
        return witness.orElseThrow();
    }

    /** Returns the one that begins as the primary. */
    public Node first() {
        return first;
    }

    /** Returns the one that begins as the backup. */
    public Node second() {
        return second;
    }

    /** Returns the second one as it is started on the operator's word. */
    public Node secondTakingOver() {
        return broker("second", secondAddress).with("--backup-of", firstAddress + parameters, "--take-over");
    }

    /** Waits until the process that was started last says that it is this. */
    public static void awaitRole(Node broker, String role) {
        try {
            await().atMost(Child.PATIENCE).until(() -> role(broker).equals(role));
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(
                    broker.label() + ": is " + role(broker) + ", expected " + role + '\n'
                            + broker.child().story(),
                    e);
        }
    }

    /** Returns what the process that was started last said last that it is; empty before it did. */
    public static String role(Node broker) {
        List<String> roles = roles(broker);
        return roles.isEmpty() ? "" : roles.get(roles.size() - 1);
    }

    /** Returns all that the process that was started last said that it is, in order. */
    public static List<String> roles(Node broker) {
        return broker.child().events("pair").stream()
                .map(each -> each.text("role"))
                .toList();
    }

    /** Returns the URL of both. */
    public String address() {
        return firstAddress + "," + secondAddress + parameters;
    }

    public Node subscriber(String name, String topic) {
        return agent(name, "subscribe", topic, "--name", name)
                .with("--into", testbed.directory(name + "/into").toString());
    }

    /** Returns one that ends when its file is at the broker. */
    public Node publisher(String name, Path source, String topic, String... more) {
        return agent(name, "publish", source.toString(), "--topic", topic).with(more);
    }

    private Node agent(String label, String... arguments) {
        return node(label, arguments)
                .with("--broker", address())
                .with("--data", testbed.directory(label).resolve("data").toString())
                .withMachine("-Xmx256m");
    }

    private Node node(String label, String... arguments) {
        return new Node(testbed, label, testbed.directory(label), List.of(arguments)).with("--json");
    }
}
