package io.longhaul.it.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.PartFiles;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An agent that publishes what appears in a directory. */
@ExtendWith(TestbedExtension.class)
final class WatchIT {
    private static final String TOPIC = "watched";

    @Test
    void shouldPublishOnceWhenAgentIsKilledMeanwhile(Testbed testbed) {
        // given
        Network network = Network.of(testbed);
        network.broker().startReady();
        Node subscriber = network.subscriber("subscriber", TOPIC);
        subscriber.startReady();
        Path out = testbed.directory("out");
        Path source = TestFile.random(out.resolve("first.bin"), 11, 96 * TestFile.MIB);
        Node agent = network.node("agent", "agent", "--name", "agent", "--broker", network.address())
                .with("--data", testbed.directory("agent").resolve("data").toString())
                // so rarely that what goes on has ended before the file can be found again
                .with("--watch", out + "=" + TOPIC, "--scan-interval", "5s");
        agent.startReady();
        PartFiles.awaitFirst(subscriber);

        // when
        agent.kill().startReady();
        Delivery.await(subscriber, 1);
        TestFile.random(out.resolve("second.bin"), 12, 1);
        Delivery.await(subscriber, 2);

        // then
        assertThat(subscriber.events("delivered"))
                .extracting(line -> line.text("path"))
                .satisfiesExactly(
                        first -> assertThat(first).endsWith("first.bin"),
                        second -> assertThat(second).endsWith("second.bin"));
        Delivery.assertSame(subscriber, source, "first.bin");
    }
}
