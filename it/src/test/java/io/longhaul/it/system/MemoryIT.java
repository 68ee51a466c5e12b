package io.longhaul.it.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.JavaCommand;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.it.testbed.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Memory does not grow with the file, nor a broker's beyond its heap with those that stand still. */
@ExtendWith(TestbedExtension.class)
final class MemoryIT {
    private static final String TOPIC = "memory";
    private static final String AGENT = "-Xmx256m";
    private static final String BROKER = "-Xmx512m";

    /** Some more than the manual says that a broker of this heap bears beside whatever else it does. */
    private static final int STANDING_STILL = 10;

    /** More than the broker keeps of one in memory. */
    private static final long EACH = 112 * TestFile.MIB;

    /** Beyond the heap: direct buffers, code, threads, metadata. */
    private static final long BESIDES = 384 * TestFile.MIB;

    @Test
    void shouldStayWithinBoundsWhenFileIsMuchLargerThanTheHeap(Testbed testbed) throws IOException {
        // 768 MiB of bytes that must travel, three times an agent's heap
        carry(testbed, TestFile.random(testbed.file("large"), 1, 768 * TestFile.MIB));
    }

    @Test
    @Tag("slow")
    void shouldStayWithinBoundsWhenFileHasTwentyGibibytes(Testbed testbed) throws IOException {
        carry(testbed, TestFile.sparse(testbed.file("huge"), 2, 20 * TestFile.GIB, 20 * 64, 100_000));
    }

    @Test
    void shouldStayWithinHeapWhenManySubscriptionsStandStillAndReturnAtOnce(Testbed testbed) throws IOException {
        // given
        Network network = Network.of(testbed);
        Node broker = network.broker().withMachine(BROKER, JavaCommand.COLLECTOR, "-XX:MaxNewSize=64m");
        broker.startReady();
        Node agent = network.node("agent", "agent", "--name", "agent", "--broker", network.address())
                .with("--data", testbed.directory("agent").resolve("data").toString())
                .withMachine("-Xmx512m", JavaCommand.COLLECTOR);
        for (int i = 0; i < STANDING_STILL; i++) {
            agent.with("--subscribe", TOPIC + i + "=" + testbed.directory("into" + i));
        }
        agent.startReady().pause();
        Path source = TestFile.random(testbed.file("owed"), 3, EACH);

        // when
        for (int i = 0; i < STANDING_STILL; i++) {
            network.publish("publisher" + i, source, TOPIC + i);
        }
        agent.child().resume();

        // then
        Delivery.await(agent, STANDING_STILL, Duration.ofMinutes(5));
        for (int i = 0; i < STANDING_STILL; i++) {
            assertThat(Files.mismatch(testbed.directory("into" + i).resolve("owed"), source))
                    .as("into%d: first byte that differs", i)
                    .isEqualTo(-1);
        }
        assertThat(broker.children()).as("lives of the broker").hasSize(1);
        assertThat(broker.child().isAlive()).as("broker lives").isTrue();
    }

    private static void carry(Testbed testbed, Path source) throws IOException {
        // given
        Network network = Network.of(testbed);
        Node broker = network.broker().withMachine(BROKER, JavaCommand.COLLECTOR, "-XX:NativeMemoryTracking=summary");
        broker.startReady();
        Node subscriber = network.subscriber("subscriber", TOPIC)
                .withMachine(AGENT, JavaCommand.COLLECTOR, "-XX:NativeMemoryTracking=summary");
        subscriber.startReady();

        // when
        Node publisher =
                network.publisher("publisher", source, TOPIC, "--wait", "1").withMachine(AGENT, JavaCommand.COLLECTOR);
        publisher.start();
        long publisherPeak = 0;
        do {
            publisherPeak = Math.max(publisherPeak, peak(publisher.child()));
        } while (!publisher.child().awaitEnd(Duration.ofMillis(100)));
        publisher.child().expectExit(0);
        Delivery.await(subscriber, 1, Duration.ofMinutes(10));

        // then
        long brokerPeak = peak(broker.child());
        long subscriberPeak = peak(subscriber.child());
        System.out.printf(
                "%s: %d MiB; peak resident MiB: publisher %d, broker %d, subscriber %d%n",
                source.getFileName(),
                Files.size(source) / TestFile.MIB,
                publisherPeak / TestFile.MIB,
                brokerPeak / TestFile.MIB,
                subscriberPeak / TestFile.MIB);
        System.out.println("broker: " + broker.child().nativeMemory() + "; subscriber: "
                + subscriber.child().nativeMemory());
        assertThat(publisherPeak).as("publisher: peak resident bytes").isLessThan(256 * TestFile.MIB + BESIDES);
        assertThat(subscriberPeak).as("subscriber: peak resident bytes").isLessThan(256 * TestFile.MIB + BESIDES);
        assertThat(brokerPeak).as("broker: peak resident bytes").isLessThan(512 * TestFile.MIB + 2 * BESIDES);
        Path copy = subscriber.into().resolve(source.getFileName());
        assertThat(Files.size(copy)).isEqualTo(Files.size(source));
        assertThat(Trees.allocated(copy))
                .isLessThanOrEqualTo(Trees.allocated(source) + Files.size(source) / 100 + TestFile.MIB);
    }

    private static long peak(Child child) {
        return child.memory("VmHWM");
    }
}
