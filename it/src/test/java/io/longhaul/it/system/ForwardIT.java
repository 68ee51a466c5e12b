package io.longhaul.it.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.PartFiles;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.it.testbed.Topology;
import io.longhaul.it.testbed.Trees;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A broker between others that keeps nothing. */
@ExtendWith(TestbedExtension.class)
final class ForwardIT {
    private static final String TOPIC = "forward";
    private static final int REFUSED = 7;
    private static final long MOST_ON_DISK = 16L * TestFile.MIB;

    private static long size(Path directory) {
        return Trees.files(directory).stream()
                .mapToLong(file -> file.toFile().length())
                .sum();
    }

    @Test
    void shouldLoseNothingAndKeepNothingWhenTheRelayIsKilled(Testbed testbed) {
        // given
        Network a = Network.site(testbed, "a");
        Network relay = Network.site(testbed, "relay", a);
        relay.broker().with("--forward-only");
        Network b = Network.site(testbed, "b", relay);
        Network.startAll(List.of(a, relay, b));
        Topology.awaitLink("relay", "a", a);
        Topology.awaitLink("b", "relay", a);
        Node subscriber = b.subscriber("at-b", TOPIC);
        subscriber.startReady();
        Path source = TestFile.random(testbed.file("file.bin"), 3, 96 * TestFile.MIB);
        Path data = testbed.directory("relay").resolve("data");

        // when
        Node publisher = a.publisher("publisher", source, TOPIC, "--wait", "1");
        publisher.start();
        PartFiles.awaitBytes(subscriber, 16 * TestFile.MIB);
        relay.broker().kill();
        long whenKilled = size(data);
        relay.broker().startReady();

        // then
        publisher.child().expectExit(0);
        Delivery.assertSame(subscriber, source, "file.bin");
        assertThat(List.of(whenKilled, size(data))).allMatch(bytes -> bytes < MOST_ON_DISK);
    }

    @Test
    @Tag("slow")
    void shouldKeepWhatIsOwedAtTheBrokerBeforeTheRelay(Testbed testbed) {
        // given
        Network a = Network.site(testbed, "a");
        Network relay = Network.site(testbed, "relay", a);
        relay.broker().with("--forward-only");
        Network b = Network.site(testbed, "b", relay);
        Network.startAll(List.of(a, relay, b));
        Topology.awaitLink("relay", "a", a);
        Topology.awaitLink("b", "relay", a);
        Node subscriber = b.subscriber("at-b", TOPIC);
        subscriber.startReady();
        b.broker().kill();
        Path source = TestFile.random(testbed.file("file.bin"), 4, 48 * TestFile.MIB);

        // when
        a.publisher("publisher", source, TOPIC).start().expectExit(0);
        relay.broker().kill().startReady();
        a.broker().kill().startReady();
        b.broker().startReady();

        // then
        Delivery.await(subscriber, 1);
        Delivery.assertSame(subscriber, source, "file.bin");
    }

    @Test
    void shouldRefuseAgentsAndTheDirectoryOfAnotherKind(Testbed testbed) {
        // given
        Network relay = Network.site(testbed, "relay");
        relay.broker().with("--forward-only").startReady();

        // when
        Child subscriber = relay.subscriber("local", TOPIC).start().expectExit(REFUSED);
        relay.broker().kill();
        Child keeper = relay.node("keeper", "broker", "--name", "relay", "--listen", "127.0.0.1:0")
                .with("--data", testbed.directory("relay").resolve("data").toString())
                .start()
                .expectExit(2);

        // then
        assertThat(subscriber.errors())
                .anyMatch(line -> line.text().contains("broker relay only forwards: subscribe and publish at another"));
        assertThat(keeper.errors()).anyMatch(line -> line.text().contains("found one of the other kind"));
    }
}
