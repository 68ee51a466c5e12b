package io.longhaul.it.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who comes late gets what an archive retains, whoever published it and wherever the archive is. */
@ExtendWith(TestbedExtension.class)
final class ArchiveIT {
    private static final String TOPIC = "archived";

    private static void publish(Network site, Path source, String name) {
        site.publish("publisher", source, TOPIC, "--name", name, "--wait", "1");
    }

    @Test
    void shouldCatchUpFromAnotherSiteWhenItIsLateAndKilledMeanwhile(Testbed testbed) {
        // given
        Network hub = Network.site(testbed, "hub");
        Network leaf = Network.site(testbed, "leaf", hub);
        Network.startAll(List.of(hub, leaf));
        Topology.awaitLink("leaf", "hub", hub);
        hub.archive("archive", TOPIC).startReady();
        Path large = TestFile.random(testbed.file("large"), 1, 64 * TestFile.MIB + 1);
        Path older = TestFile.random(testbed.file("older"), 2, TestFile.MIB);
        Path newer = TestFile.random(testbed.file("newer"), 3, 2 * TestFile.MIB);
        Path empty = TestFile.random(testbed.file("empty"), 4, 0);
        publish(hub, large, "large");
        publish(hub, older, "twice");
        publish(hub, newer, "twice");
        publish(hub, empty, "empty");
        Node late = leaf.subscriber("late", TOPIC, "--since", "all");

        // when
        late.start();
        PartFiles.awaitBytes(late, 16 * TestFile.MIB);
        late.kill().start();

        // then
        await().atMost(Child.PATIENCE)
                .untilAsserted(() -> assertThat(late.into().resolve("large")).isRegularFile());
        late.child().awaitError(line -> line.contains("all that is retained"), "a line that says so");
        await().atMost(Child.PATIENCE)
                .untilAsserted(() -> assertThat(late.into().resolve("twice")).hasSameBinaryContentAs(newer));
        Delivery.assertSame(late, large, "large");
        Delivery.assertSame(late, empty, "empty");
    }

    @Test
    void shouldRetainNoMoreThanItIsTold(Testbed testbed) {
        // given
        Network site = Network.of(testbed);
        site.broker().startReady();
        Node archive = site.archive("archive", TOPIC, "--retain", TOPIC + "=4MiB");
        archive.startReady();
        for (int i = 0; i < 4; i++) {
            publish(site, TestFile.random(testbed.file("file" + i), i, 2 * TestFile.MIB), "file" + i);
        }

        // when
        archive.child().awaitError(line -> line.contains("no longer retained"), "a line that says what goes");
        Path archived = archive.home().resolve("data").resolve("archive").resolve(TOPIC);
        await().atMost(Child.PATIENCE)
                .untilAsserted(() -> assertThat(Trees.files(archived))
                        .extracting(file -> file.getFileName().toString())
                        .containsExactlyInAnyOrder("file2", "file3"));

        // then
        Node late = site.subscriber("late", TOPIC, "--since", "1h", "--count", "2");
        late.start().expectExit(0);
        assertThat(Trees.visible(late.into())).containsExactlyInAnyOrder("file2", "file3");
    }
}
