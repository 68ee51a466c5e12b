package io.longhaul.it.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.BrokerPair;
import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.PartFiles;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.it.testbed.Trees;
import io.longhaul.it.testbed.Users;
import io.longhaul.it.testbed.Wan;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A pair over two sites, with users: the network falls apart between them, with the witness on either side. */
@ExtendWith(TestbedExtension.class)
final class PairPartitionIT {
    private static final String TOPIC = "partition";
    private static final String USER = "pair";
    private static final String PASSWORD = "a password of the tests";
    private static final int WITNESS_PORT = 7401;
    private static final String FIRST = Wan.ADDRESS_A + ":7400";
    private static final String SECOND = Wan.ADDRESS_B + ":7400";
    private static final long LENGTH = 48 * TestFile.MIB;

    /** Both brokers, in sync. */
    private record Both(Node first, Node second) {
        static Both start(Testbed testbed, Wan wan, String witnessSite) {
            Path users = testbed.file("users");
            Users.add(users, USER, PASSWORD, "--publish", "#", "--subscribe", "#", "--link");
            String witness = Wan.address(witnessSite) + ":" + WITNESS_PORT;
            node(testbed, wan, witnessSite, "witness", "broker", "--name", "witness", "--listen", witness)
                    .with("--users", users.toString())
                    .start();
            Both both = new Both(
                    broker(testbed, wan, "a", "first", FIRST).with("--backup", SECOND),
                    broker(testbed, wan, "b", "second", SECOND).with("--backup-of", FIRST));
            for (Node each : List.of(both.first(), both.second())) {
                each.with("--witness", witness, "--users", users.toString()).start();
            }
            BrokerPair.awaitRole(both.second(), "backup");
            return both;
        }
    }

    @Test
    void shouldLoseNothingWhenThePrimaryIsCutOffWithItsPublisher(Testbed testbed) {
        // given
        Wan wan = Wan.orSkip(testbed, new Wan.Link("2ms", "0", "1000mbit"), 1);
        Both both = Both.start(testbed, wan, "b");
        Node subscriber = subscriber(testbed, wan, "b");
        subscriber.startReady();
        Path source = TestFile.random(testbed.file("file.bin"), 1, LENGTH);
        Node publisher = publisher(testbed, wan, source, subscriber);

        // when
        wan.cut();
        BrokerPair.awaitRole(both.second(), "alone");
        Path other = TestFile.random(testbed.file("other.bin"), 2, 4 * TestFile.MIB);
        agent(testbed, wan, "b", "other", "publish", other.toString(), "--topic", TOPIC)
                .start()
                .expectExit(0);
        wan.heal();

        // then
        BrokerPair.awaitRole(both.first(), "backup");
        assertThat(BrokerPair.roles(both.first())).containsSubsequence("primary", "over", "backup");
        publisher.child().expectExit(0);
        Delivery.await(subscriber, 2, Child.PATIENCE);
        Delivery.assertSame(subscriber, source, "file.bin");
        Delivery.assertSame(subscriber, other, "other.bin");
    }

    /** What waits for the line to the backup when that falls silent is answered once the primary lives alone. */
    @Test
    void shouldGoOnWhenTheBackupIsCutOffWhileAFileIsOnItsWay(Testbed testbed) {
        // given
        Wan wan = Wan.orSkip(testbed, new Wan.Link("2ms", "0", "1000mbit"), 1);
        Both both = Both.start(testbed, wan, "a");
        Node subscriber = subscriber(testbed, wan, "a");
        subscriber.startReady();
        Path source = TestFile.random(testbed.file("file.bin"), 1, LENGTH);
        Node publisher = publisher(testbed, wan, source, subscriber);

        // when
        wan.cut();
        BrokerPair.awaitRole(both.first(), "alone");

        // then
        publisher.child().expectExit(0);
        Delivery.await(subscriber, 1, Child.PATIENCE);
        Delivery.assertSame(subscriber, source, "file.bin");
        wan.heal();
        BrokerPair.awaitRole(both.second(), "backup");
    }

    /**
     * It has been started anew within its process meanwhile, and knows by its copy that it may live. As one does whose witness was
     * away, which {@link PairIT} tests in each build.
     */
    @Test
    @Tag("slow")
    void shouldLoseNothingWhenTheBackupWasCutOffBeforeItHasToTakeOver(Testbed testbed) {
        // given
        Wan wan = Wan.orSkip(testbed, new Wan.Link("2ms", "0", "1000mbit"), 1);
        Both both = Both.start(testbed, wan, "a");
        Node subscriber = subscriber(testbed, wan, "a");
        subscriber.startReady().terminate();
        subscriber.child().expectExit(0);

        // when
        wan.cut();
        BrokerPair.awaitRole(both.second(), "copying");
        BrokerPair.awaitRole(both.first(), "alone");
        Path source = TestFile.random(testbed.file("file.bin"), 1, LENGTH);
        agent(testbed, wan, "a", "publisher", "publish", source.toString(), "--topic", TOPIC)
                .start()
                .expectExit(0);
        wan.heal();
        BrokerPair.awaitRole(both.second(), "backup");
        both.first().kill();
        Trees.delete(both.first().data());

        // then
        BrokerPair.awaitRole(both.second(), "alone");
        subscriber.start();
        Delivery.await(subscriber, 1, Child.PATIENCE);
        Delivery.assertSame(subscriber, source, "file.bin");
    }

    private static Node subscriber(Testbed testbed, Wan wan, String site) {
        return agent(testbed, wan, site, "subscriber", "subscribe", TOPIC, "--name", "subscriber")
                .with("--into", testbed.directory("subscriber/into").toString());
    }

    /** Returns one that waits for a receipt, with its file on its way. */
    private static Node publisher(Testbed testbed, Wan wan, Path source, Node subscriber) {
        Node publisher = agent(testbed, wan, "a", "publisher", "publish", source.toString(), "--topic", TOPIC)
                .with("--wait", "1");
        publisher.start();
        PartFiles.awaitBytes(subscriber, LENGTH / 4);
        return publisher;
    }

    private static Node broker(Testbed testbed, Wan wan, String site, String label, String listen) {
        return node(testbed, wan, site, label, "broker", "--name", "pair", "--listen", listen)
                .with("--link-user", USER)
                .withVariable("LONGHAUL_LINK_PASSWORD", PASSWORD)
                .withMachine("-Xmx768m");
    }

    private static Node agent(Testbed testbed, Wan wan, String site, String label, String... arguments) {
        return node(testbed, wan, site, label, arguments)
                .with("--broker", FIRST + "," + SECOND, "--user", USER)
                .withVariable("LONGHAUL_PASSWORD", PASSWORD)
                .withMachine("-Xmx256m");
    }

    private static Node node(Testbed testbed, Wan wan, String site, String label, String... arguments) {
        Node node = Network.of(testbed).node(label, arguments).at(command -> wan.at(site, command));
        wan.environment().forEach(node::withVariable);
        return node.with("--data", testbed.directory(label).resolve("data").toString());
    }
}
