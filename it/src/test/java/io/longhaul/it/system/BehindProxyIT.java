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
import java.nio.file.Path;
import java.util.Locale;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Agents that reach their broker through an HTTP proxy. */
@ExtendWith(TestbedExtension.class)
final class BehindProxyIT {
    private static final String TOPIC = "behind.proxy.";
    private static final int UNREACHABLE = 3;

    /** The least that a publisher opens: control, and two of its streams. */
    private static final int PUBLISHERS_TUNNELS = 3;

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
                .with("--topic", topic, "--timeout", "2s")
                .start()
                .expectExit(UNREACHABLE);

        // then
        Delivery.assertSame(subscriber, source, "file");
        Awaitility.await().atMost(Child.PATIENCE).until(() -> proxy.tunnels(network.address()) >= PUBLISHERS_TUNNELS);
        assertThat(refused.errors())
                .singleElement()
                .satisfies(line -> assertThat(line.text())
                        .contains(network.address(), "cannot connect", "proxy 127.0.0.1", "407")
                        .doesNotContain("Exception", "not this one"));
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
