package io.longhaul.it.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.it.testbed.Topology;
import io.longhaul.it.testbed.Users;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Users, passwords and rights, at one broker. Each test has topics and names of its own, and brokers that link to it. All users
 * are there from the start: a broker that runs looks into their file once a second.
 */
@ExtendWith(TestbedExtension.class)
final class AccessIT {
    private static final int REFUSED = 7;

    private static Network shared;
    private static Path users;

    @BeforeAll
    static void startHub(Testbed testbed) {
        users = testbed.file("users");
        addUser("reader", "--subscribe", "#");
        addUser("writer", "--publish", "#");
        addUser("open-reader", "--subscribe", "open.*");
        addUser("open-writer", "--publish", "open.*");
        addUser("leaf-1", "--link", "--publish", "open.*", "--subscribe", "open.*");
        addUser("leaf-2", "--link", "--publish", "#", "--subscribe", "#");
        addUser("nobroker", "--publish", "#", "--subscribe", "#");
        addUser("leaf-4", "--link", "--publish", "#", "--subscribe", "#");
        addUser("other-leaf", "--link", "--publish", "#", "--subscribe", "#");
        shared = Network.site(testbed, "hub");
        shared.broker().with("--users", users.toString()).startReady();
    }

    @Test
    void shouldServeThoseWithRightsAndRefuseAllOthers(Testbed testbed) {
        // given
        Network network = shared.in(testbed);
        Node subscriber = as("open-reader", network.subscriber("subscriber", "open.data"));
        subscriber.startReady();
        Path source = TestFile.random(testbed.file("file"), 1, 2 * TestFile.MIB);

        // when
        List<Node> refused = List.of(
                network.publisher("nameless", source, "open.data"),
                as("stranger", network.publisher("unknown", source, "open.data")),
                as("open-writer", network.publisher("wrong-password", source, "open.data"))
                        .withVariable("LONGHAUL_PASSWORD", "not this one"),
                as("open-reader", network.publisher("no-right-to-publish", source, "open.data")),
                as("open-writer", network.publisher("other-topic", source, "closed.data")),
                as("open-writer", network.subscriber("no-right-to-subscribe", "open.data")),
                as("open-reader", network.subscriber("subscriber-elsewhere", "closed.data")));
        refused.forEach(Node::start);

        // then
        for (Node node : refused) {
            node.child().expectExit(REFUSED);
            assertOneLine(node.child());
            assertThat(Files.exists(node.data()))
                    .as(node.data() + ": made by a refused command")
                    .isFalse();
            if (Files.exists(node.into())) {
                assertThat(node.into()).isEmptyDirectory();
            }
        }
        as("open-writer", network.publisher("publisher", source, "open.data"))
                .start()
                .expectExit(0);
        Delivery.await(subscriber, 1);
        Delivery.assertSame(subscriber, source, "file");
    }

    @Test
    void shouldRefuseToListenBeyondLoopbackWithoutUsers(Testbed testbed) {
        // given
        Network network = Network.of(testbed);

        // when
        Child broker = network.node(
                        "open-broker",
                        "broker",
                        "--name",
                        "open",
                        "--listen",
                        "0.0.0.0:0",
                        "--data",
                        testbed.directory("open").resolve("data").toString())
                .start();

        // then
        assertThat(broker.awaitExit(Child.PATIENCE)).isIn(2, REFUSED);
        assertThat(broker.story()).contains("0.0.0.0").contains("--users");
    }

    @Test
    void shouldCarryOnlyWhatTheLinkAccountMayWhenBrokersAreJoined(Testbed testbed) {
        // given
        Network hub = shared.in(testbed);
        Network leaf = Network.site(testbed, "leaf-1", hub);
        linkedAs("leaf-1", leaf);
        leaf.broker().startReady();
        Topology.awaitLink("leaf-1", "hub", leaf);
        Node atHub = as("reader", hub.subscriber("at-hub", "open.up"));
        Node hidden = as("reader", hub.subscriber("hidden", "closed.up"));
        Node atLeaf = leaf.subscriber("at-leaf", "open.down");
        Node greedy = leaf.subscriber("greedy", "closed.down");
        List.of(atHub, hidden, atLeaf, greedy).forEach(Node::start);
        List.of(atHub, hidden, atLeaf, greedy).forEach(node -> node.child().awaitReady());
        Path source = TestFile.random(testbed.file("file"), 2, 3 * TestFile.MIB);

        // when
        Child up = leaf.publisher("up", source, "open.up", "--wait", "1").start();
        Child down = as("writer", hub.publisher("down", source, "open.down", "--wait", "1"))
                .start();
        Child closedUp = leaf.publisher("closed-up", source, "closed.up").start();
        Child closedDown = as("writer", hub.publisher("closed-down", source, "closed.down"))
                .start();

        // then
        up.expectExit(0);
        down.expectExit(0);
        Delivery.assertSame(atHub, source, "file");
        Delivery.assertSame(atLeaf, source, "file");
        closedUp.expectExit(REFUSED);
        closedDown.expectExit(REFUSED);
        Delivery.assertNothingVisible(hidden);
        Delivery.assertNothingVisible(greedy);
    }

    /** The leaf's broker still believes that it may: it took the file while the hub, which knows better, was away. */
    @Test
    void shouldDropWhatTheLinkAccountMayNoLongerPublish(Testbed testbed) {
        // given
        Network hub = shared.in(testbed);
        Network leaf = Network.site(testbed, "leaf-2", hub);
        linkedAs("leaf-2", leaf);
        leaf.broker().startReady();
        Topology.awaitLink("leaf-2", "hub", leaf);
        Node atHub = as("reader", hub.subscriber("once-at-hub", "once.open"));
        atHub.startReady();
        Path source = TestFile.random(testbed.file("file"), 3, 3 * TestFile.MIB);

        // when
        hub.broker().kill();
        leaf.publisher("publisher", source, "once.open").start().expectExit(0);
        addUser("leaf-2", "--link", "--publish", "other.*", "--subscribe", "#");
        hub.broker().startReady();

        // then
        hub.broker()
                .child()
                .awaitError(
                        line -> line.contains("its account may not send to lh.topic.once.open"),
                        "a line on what was dropped");
        Delivery.assertNothingVisible(atHub);
    }

    @Test
    void shouldSayWhyWhenALinkIsRefused(Testbed testbed) {
        // given
        Network leaf = Network.site(testbed, "leaf-3", shared);
        linkedAs("nobroker", leaf);

        // when
        leaf.broker().startReady();

        // then
        leaf.broker().child().awaitError(line -> line.contains("may not link brokers"), "a line that says why");
        leaf.subscriber("unready", "any", "--connect-timeout", "2s").start().expectExit(3);
    }

    @Test
    void shouldKeepABrokersNameForItsAccountWhenAnotherMayLinkToo(Testbed testbed) {
        // given
        Network hub = shared.in(testbed);
        Network leaf = Network.site(testbed, "leaf-4", hub);
        linkedAs("leaf-4", leaf);
        leaf.broker().startReady();
        Topology.awaitLink("leaf-4", "hub", leaf);
        leaf.subscriber("at-leaf-4", "any").startReady();
        leaf.broker().kill();
        hub.broker().kill().startReady();
        Network namesake = Network.namesake(testbed, "namesake", "leaf-4", hub);
        linkedAs("other-leaf", namesake);

        // when
        namesake.broker().startReady();

        // then
        namesake.broker().child().awaitError(line -> line.contains("linked with another account"), "why");
        namesake.broker().kill();
        leaf.broker().startReady();
        leaf.subscriber("at-leaf-4-again", "any").startReady();
    }

    private static void addUser(String name, String... rights) {
        Users.add(users, name, "secret of " + name, rights);
    }

    private static void linkedAs(String user, Network site) {
        site.broker().with("--link-user", user).withVariable("LONGHAUL_LINK_PASSWORD", "secret of " + user);
    }

    private static Node as(String user, Node node) {
        return node.with("--user", user).withVariable("LONGHAUL_PASSWORD", "secret of " + user);
    }

    private static void assertOneLine(Child child) {
        List<String> lines = child.messages();
        assertThat(lines).as(child.label() + ": lines on standard error").hasSize(1);
        assertThat(lines.get(0)).doesNotContain("Exception").doesNotContain("secret");
    }
}
