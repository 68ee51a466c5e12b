package io.longhaul.it.system;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.SmallDisk;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A full disk is told with path, needed and free; the work goes on when there is space, and nothing is lost. */
@ExtendWith(TestbedExtension.class)
final class FullDiskIT {
    private static final String TOPIC = "full.disk";
    private static final int REFUSED = 7;

    /** For the disks of agents: tests of it have topics and names of their own. */
    private static Network shared;

    @BeforeAll
    static void startBroker(Testbed testbed) {
        shared = Network.of(testbed);
        shared.broker().startReady();
    }

    @Test
    void shouldPauseSubscriberAndGoOnWhenItsDiskHasSpaceAgain(Testbed testbed) {
        // given
        Network network = shared.in(testbed);
        String topic = TOPIC + ".subscriber";
        Node subscriber = network.subscriber("full", topic);
        SmallDisk disk = SmallDisk.mount(testbed, subscriber.into(), 160 * TestFile.MIB);
        subscriber.startReady();
        disk.leave(20 * TestFile.MIB);
        Path source = TestFile.random(testbed.file("large.bin"), 1, 64 * TestFile.MIB);

        // when
        network.publisher("publisher", source, topic).start().expectExit(0);
        subscriber.child().awaitError(tellsOfSpace(subscriber.into()), "a line with path, needed and free");
        Delivery.assertNothingVisibleBut(subscriber, "ballast");
        disk.free();

        // then
        Delivery.await(subscriber, 1);
        Delivery.assertSame(subscriber, source, "large.bin");
    }

    @Test
    void shouldRefuseToSpoolAndGoOnWhenPublishersDiskHasSpaceAgain(Testbed testbed) {
        // given
        Network network = shared.in(testbed);
        String topic = TOPIC + ".publisher";
        Node subscriber = network.subscriber("roomy", topic);
        subscriber.startReady();
        Path source = TestFile.random(testbed.file("large.bin"), 2, 64 * TestFile.MIB);
        Node publisher = network.publisher("publisher", source, topic, "--spool", "--wait", "1");
        SmallDisk disk = SmallDisk.mount(testbed, publisher.home(), 512 * TestFile.MIB);
        disk.leave(20 * TestFile.MIB);

        // when
        publisher.start();
        publisher.child().awaitError(tellsOfSpace(publisher.home()), "a line with path, needed and free");
        disk.free();
        if (publisher.child().awaitExit(Child.PATIENCE) == REFUSED) { // it waits for some time only
            publisher.start();
        }

        // then
        publisher.child().expectExit(0);
        Delivery.assertSame(subscriber, source, "large.bin");
    }

    @Test
    void shouldStopIntakeAtBrokersFloorAndGoOnWhenItsDiskHasSpaceAgain(Testbed testbed) {
        // given
        Network network = Network.of(testbed, "--disk-floor", "48MiB");
        SmallDisk disk = SmallDisk.mount(testbed, network.broker().home(), 1536 * TestFile.MIB);
        network.broker().startReady();
        Node subscriber = network.subscriber("subscriber", TOPIC);
        subscriber.startReady();
        disk.leave(40 * TestFile.MIB);
        Path source = TestFile.random(testbed.file("large.bin"), 3, 64 * TestFile.MIB);

        // when
        Node publisher = network.publisher("publisher", source, TOPIC, "--wait", "1");
        publisher.start();
        for (Child told : List.of(network.broker().child(), publisher.child())) {
            told.awaitError(tellsOfSpace(network.broker().home()), "a line with path, needed and free");
        }
        disk.free();

        // then
        publisher.child().expectExit(0);
        Delivery.assertSame(subscriber, source, "large.bin");
    }

    private static Predicate<String> tellsOfSpace(Path directory) {
        return line -> line.contains(directory.toString())
                && line.matches(".*\\d.*\\d.*")
                && line.contains("need")
                && line.contains("free");
    }
}
