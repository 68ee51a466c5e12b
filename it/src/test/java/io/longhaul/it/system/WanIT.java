package io.longhaul.it.system;

import static org.awaitility.Awaitility.await;

import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.PartFiles;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.it.testbed.TwoSites;
import io.longhaul.it.testbed.Wan;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A file crosses a long network that loses packets, and all of them for a while. */
@ExtendWith(TestbedExtension.class)
final class WanIT {
    private static final String TOPIC = "wan";
    private static final Wan.Link LOSSY = new Wan.Link("50ms", "0.1%", "100mbit");

    /** A file that has gone a part of its way. */
    private record Journey(Wan wan, Node publisher, Node subscriber, Path source) {
        static Journey begin(Testbed testbed, int seed) {
            Wan wan = Wan.orSkip(testbed, LOSSY, seed);
            TwoSites sites = new TwoSites(testbed, wan);
            sites.broker().startReady();
            Node subscriber = sites.subscriber(TOPIC);
            subscriber.startReady();
            Path source = TestFile.random(testbed.file("far.bin"), seed, 64 * TestFile.MIB);
            Node publisher = sites.publisher(source, TOPIC, "--wait", "1");
            publisher.start();
            PartFiles.awaitBytes(subscriber, 8 * TestFile.MIB);
            return new Journey(wan, publisher, subscriber, source);
        }

        void assertArrival() {
            publisher.child().expectExit(0);
            Delivery.await(subscriber, 1);
            Delivery.assertSame(subscriber, source, "far.bin");
        }
    }

    @Test
    void shouldDeliverWhenTheLinkIsCutForSeconds(Testbed testbed) {
        // given
        Journey journey = Journey.begin(testbed, 1);

        // when
        journey.wan().cut();
        await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
        journey.wan().heal();

        // then
        journey.assertArrival();
    }

    @Test
    @Tag("slow")
    void shouldDeliverWhenTheLinkIsCutForLongerThanASessionLives(Testbed testbed) {
        // given
        Journey journey = Journey.begin(testbed, 2);

        // when
        journey.wan().cut();
        journey.publisher()
                .child()
                .awaitError(line -> line.contains("lost"), "a line that tells of the lost connection");
        journey.wan().heal();

        // then
        journey.assertArrival();
    }
}
