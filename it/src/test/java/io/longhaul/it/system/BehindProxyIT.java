package io.longhaul.it.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.HttpProxy;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.it.testbed.Topology;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Agents that reach their broker, and brokers that reach another one, through an HTTP proxy. */
@ExtendWith(TestbedExtension.class)
final class BehindProxyIT {
    private static final String TOPIC = "behind.proxy.";
    private static final int UNREACHABLE = 3;

    /** The least that a publisher opens: control, and two of its streams. */
    private static final int PUBLISHERS_TUNNELS = 3;

    /** A link has a control channel and a stream at least. */
    private static final int LINKS_TUNNELS = 2;

    private static Network shared;

    @BeforeAll
    static void startBroker(Testbed testbed) {
        shared = Network.of(testbed);
        shared.broker().startReady();
    }

    @ParameterizedTest
    @EnumSource(HttpProxy.Scheme.class)
    void shouldPublishAndReceiveWhenTheProxyKnowsTheUser(
            HttpProxy.Scheme scheme, Testbed testbed, @TempDir Path directory) {
        // given
        HttpProxy proxy = HttpProxy.start(testbed, directory, scheme);
        Network network = shared.in(testbed);
        String topic = TOPIC + scheme.name().toLowerCase(Locale.ROOT);
        Node subscriber = behind(proxy, network, HttpProxy.PASSWORD, "subscriber", "subscribe", topic)
                .with("--name", "subscriber-" + scheme)
                .with("--into", testbed.directory("subscriber/into").toString());
        subscriber.startReady();
        Path source = TestFile.random(testbed.file("file"), 1, 5 * TestFile.MIB);

        // when
        publisher(proxy, network, HttpProxy.PASSWORD, "publisher", source)
                .with("--topic", topic)
                .start()
                .expectExit(0);
        Child refused = publisher(proxy, network, "not this one", "stranger", source)
                .with("--topic", topic, "--connect-timeout", "1h")
                .start()
                .expectExit(UNREACHABLE); // at once: a proxy may lock an account that it refuses too often

        // then
        Delivery.assertSame(subscriber, source, "file");
        Awaitility.await().atMost(Child.PATIENCE).until(() -> proxy.tunnels(network.address()) >= PUBLISHERS_TUNNELS);
        assertThat(refused.errors())
                .singleElement()
                .satisfies(line -> assertThat(line.text())
                        .contains(network.address(), "cannot connect", "proxy 127.0.0.1", "407")
                        .doesNotContain("Exception", "not this one"));
    }

    /** A site that may dial out by a proxy alone: its broker does as an agent would, in both directions. */
    @ParameterizedTest
    @EnumSource(HttpProxy.Scheme.class)
    void shouldLinkASiteWhenTheProxyKnowsItsBroker(HttpProxy.Scheme scheme, Testbed testbed, @TempDir Path directory) {
        // given
        HttpProxy proxy = HttpProxy.start(testbed, directory, scheme);
        Network hub = shared.in(testbed);
        String word = scheme.name().toLowerCase(Locale.ROOT);
        Network leaf = linked(proxy, hub, HttpProxy.PASSWORD, testbed, "leaf-" + word);
        Network refused = linked(proxy, hub, "not this one", testbed, "refused-" + word);

        // when
        Network.startAll(List.of(leaf, refused));
        Node atLeaf = leaf.subscriber("at-leaf-" + word, TOPIC + "out." + word);
        Node atHub = hub.subscriber("at-hub-" + word, TOPIC + "in." + word);
        atLeaf.startReady();
        atHub.startReady();
        Topology.awaitLink("leaf-" + word, "broker", hub);
        Path source = TestFile.random(testbed.file("file"), 1, 5 * TestFile.MIB);
        hub.publish("from-hub", source, TOPIC + "out." + word, "--wait", "1");
        leaf.publish("from-leaf", source, TOPIC + "in." + word, "--wait", "1");

        // then
        Delivery.assertSame(atLeaf, source, "file");
        Delivery.assertSame(atHub, source, "file");
        assertThat(refused.broker()
                        .child()
                        .awaitError(line -> line.contains("link to"), "a line about the link")
                        .text())
                .contains(hub.address(), "not yet", "proxy 127.0.0.1", "407")
                .doesNotContain("Exception", "not this one");

        // when
        leaf.broker().child().terminate();

        // then
        Awaitility.await().atMost(Child.PATIENCE).until(() -> proxy.tunnels(hub.address()) >= LINKS_TUNNELS);
    }

    /** A broker that opens its one link through the proxy. */
    private static Network linked(HttpProxy proxy, Network hub, String password, Testbed testbed, String name) {
        Network site = Network.site(testbed, name);
        site.broker()
                .with("--link", proxy.brokerUrl(hub.address()))
                .withVariable("LONGHAUL_PROXY_USER", HttpProxy.USER)
                .withVariable("LONGHAUL_PROXY_PASSWORD", password);
        return site;
    }

    private static Node publisher(HttpProxy proxy, Network network, String password, String name, Path source) {
        return behind(proxy, network, password, name, "publish", source.toString())
                .with("--wait", "1");
    }

    private static Node behind(HttpProxy proxy, Network network, String password, String name, String... command) {
        Node node = network.node(name, command);
        return node.with("--broker", proxy.brokerUrl(network.address()))
                .with("--data", node.data().toString())
                .withMachine("-Xmx256m")
                .withVariable("LONGHAUL_PROXY_USER", HttpProxy.USER)
                .withVariable("LONGHAUL_PROXY_PASSWORD", password);
    }
}
