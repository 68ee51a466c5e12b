package io.longhaul.it.gridftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.it.testbed.Trees;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One to many, from clients that know nothing of topics. */
@ExtendWith(TestbedExtension.class)
final class TopicsIT {
    @Test
    void shouldDeliverToAllOnceWhenClientsStoreInATopic(Testbed testbed) {
        // given
        Programs programs = Programs.of(testbed, "globus-url-copy", "curl");
        Network network = Network.of(testbed);
        Node one = network.subscriber("one", "T");
        Node two = network.subscriber("two", "T");
        Node front = front(testbed, network);
        network.broker().startReady();
        List.of(one, two, front).forEach(Node::start);
        List.of(one, two, front).forEach(node -> node.child().awaitReady());
        String topics = topics(front);
        TestFile.random(programs.file("big"), 1, 20 * TestFile.MIB + 17);
        TestFile.random(programs.file("small"), 2, 100_000);
        TestFile.random(programs.file("last"), 3, 3 * TestFile.MIB);

        // when
        programs.run("globus-url-copy", "-p", "4", "file://" + programs.file("big"), topics + "T/some/big.nc");

        // then
        Delivery.assertSame(one, programs.file("big"), "some/big.nc");
        Delivery.assertSame(two, programs.file("big"), "some/big.nc");
        assertThat(programs.run("curl", "-sS", "-I", topics + "T/some/big.nc")).contains("Content-Length: 20971537");

        // when: one of two is enough
        two.kill();
        String small = programs.file("small").toString();
        programs.run("curl", "-sS", "-Q", "SITE LONGHAUL QUORUM=one", "-T", small, topics + "T/small");

        // then
        Delivery.assertSame(one, programs.file("small"), "small");
        assertThat(programs.fail("curl", "-sSv", "-T", small, topics + "nobodys/small"))
                .contains("nobody subscribes to topic nobodys");

        // when: the front has all of it, and dies while it waits for one that is away
        String last = programs.file("last").toString();
        programs.start("curl", "-sS", "-T", last, topics + "T/last");
        Awaitility.await()
                .atMost(Programs.PATIENCE)
                .until(() -> Trees.files(front.data().resolve("topics/records")).stream()
                                .filter(record -> !record.toString().endsWith(".new"))
                                .count()
                        == 3);
        front.kill();
        two.startReady();
        front.startReady();

        // then
        Delivery.await(one, 3);
        Delivery.await(two, 2);
        Delivery.assertSame(one, programs.file("last"), "last");
        Delivery.assertSame(two, programs.file("last"), "last");
        Delivery.assertSame(two, programs.file("small"), "small");

        // when: its client comes again
        programs.run("curl", "-sS", "-T", last, topics + "T/last");

        // then
        assertThat(one.child().events("delivered")).hasSize(3);
    }

    @Test
    void shouldReachAServerBeforeItsBackGivesAReceipt(Testbed testbed) {
        // given
        Programs programs = Programs.of(testbed, "curl");
        Network network = Network.of(testbed);
        Path served = testbed.directory("served");
        Node back = network.node("back", "bridge", "back", "--endpoint", "site-b", "--server", "file://" + served)
                .with("--broker", network.address(), "--subscribe", "T=/in")
                .with("--data", testbed.directory("back").resolve("data").toString())
                .withMachine("-Xmx256m");
        Node front = front(testbed, network);
        network.broker().startReady();
        back.start();
        front.startReady();
        back.child().awaitReady();
        TestFile.random(programs.file("f"), 1, 3 * TestFile.MIB);

        // when
        programs.run(
                "curl", "-sS", "-T", programs.file("f").toString(), "--ftp-create-dirs", topics(front) + "T/some/f");

        // then
        assertThat(TestFile.digest(served.resolve("in/some/f"))).isEqualTo(TestFile.digest(programs.file("f")));
        back.child().awaitEvent("delivered");
        Awaitility.await()
                .atMost(Programs.PATIENCE)
                .until(() -> Trees.files(back.data().resolve("topics/into/T")).stream()
                        .noneMatch(file -> file.endsWith("f")));
    }

    private static String topics(Node front) {
        return "ftp://127.0.0.1:" + front.child().awaitEvent("ready").number("port") + "/topics/";
    }

    private static Node front(Testbed testbed, Network network) {
        Path data = testbed.directory("front").resolve("data");
        return network.node("front", "bridge", "front", "--listen", "127.0.0.1:" + testbed.freePort())
                .with("--broker", network.address(), "--data", data.toString())
                .withMachine("-Xmx256m");
    }
}
