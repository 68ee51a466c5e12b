package io.longhaul.it.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.OutputLine;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.it.testbed.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Real clients at a front, a directory behind a back, a broker between them, and any of them killed. */
@ExtendWith(TestbedExtension.class)
final class BridgeIT {
    private static final String GUC = "globus-url-copy";
    private static final long SIZE = 96 * TestFile.MIB + 17;

    /** What a mirror asks for at a time, and the headers of blocks. */
    private static final long WINDOW = 34 * TestFile.MIB;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Network network;
    private Node back;
    private Node front;
    private Path root;
    private String url;

    private void serve(Testbed testbed, String... options) {
        network = Network.of(testbed);
        network.broker().startReady();
        root = testbed.directory("root");
        int port = testbed.freePort();
        url = "ftp://127.0.0.1:" + port + "/";
        back = network.node("back", "bridge", "back", "--endpoint", "site", "--server", "file://" + root)
                .with("--broker", network.address())
                .with("--data", testbed.directory("back").resolve("data").toString())
                .withMachine("-Xmx256m");
        front = network.node("front", "bridge", "front", "--listen", "127.0.0.1:" + port, "--endpoint", "site")
                .with("--broker", network.address())
                .with("--data", testbed.directory("front").resolve("data").toString())
                .with(options)
                .withMachine("-Xmx256m");
        back.start();
        front.startReady();
        back.child().awaitReady();
    }

    /** Waits until some of a file has come to the other end. */
    private static void awaitBytes(Path directory, long bytes) {
        await().pollInterval(Duration.ofMillis(5)).atMost(PATIENCE).until(() -> largest(directory) >= bytes);
    }

    private static long largest(Path directory) {
        return Trees.files(directory).stream()
                .mapToLong(file -> file.toFile().length())
                .max()
                .orElse(0);
    }

    /** Returns what the back had received when a file was delivered. */
    private long received(String name) {
        String path = "\"/" + name + "\"";
        await().atMost(PATIENCE)
                .until(() -> deliveries().stream().anyMatch(line -> line.text().contains(path)));
        List<OutputLine> ends = deliveries();
        return ends.get(ends.size() - 1).number("blockBytesReceived");
    }

    private List<OutputLine> deliveries() {
        return back.child().events("transfer");
    }

    private void assertServed(String name, Programs programs, String source) throws IOException {
        assertThat(Files.mismatch(root.resolve(name), programs.file(source))).isEqualTo(-1);
    }

    @Test
    void shouldCarryTheBytesWhenAnyProcessIsKilled(Testbed testbed) throws IOException {
        // given
        Programs programs = Programs.of(testbed, GUC);
        serve(testbed);
        for (int i = 0; i < 3; i++) {
            TestFile.random(programs.file("f" + i), i, SIZE);
        }

        // when the back is killed, the first command goes on
        Child upload = programs.start(GUC, "-p", "4", "file://" + programs.file("f0"), url + "f0");
        awaitBytes(root.resolve(".longhaul"), 12 * TestFile.MIB);
        back.kill().startReady();
        upload.expectExit(0);

        // then
        assertServed("f0", programs, "f0");

        // when the broker is
        upload = programs.start(GUC, "-p", "4", "file://" + programs.file("f1"), url + "f1");
        awaitBytes(root.resolve(".longhaul"), 12 * TestFile.MIB);
        network.broker().kill().startReady();
        upload.expectExit(0);

        // then
        assertServed("f1", programs, "f1");

        // when the front is, the same command again goes on, and what has crossed does not cross again
        long before = received("f1");
        upload = programs.start(GUC, "-p", "4", "file://" + programs.file("f2"), url + "f2");
        awaitBytes(root.resolve(".longhaul"), 20 * TestFile.MIB);
        front.kill();
        assertThat(upload.awaitExit(PATIENCE)).isNotZero();
        assertThat(root.resolve("f2")).doesNotExist();
        front.startReady();
        programs.run(GUC, "-p", "4", "file://" + programs.file("f2"), url + "f2");

        // then
        assertServed("f2", programs, "f2");
        assertThat(received("f2") - before).isBetween(SIZE, SIZE + WINDOW);

        // when a file is read that was not changed just now, and read again
        Files.setLastModifiedTime(root.resolve("f2"), FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));
        programs.run(GUC, "-p", "4", url + "f2", "file://" + programs.file("back"));
        programs.run(GUC, "-p", "4", url + "f2", "file://" + programs.file("again"));

        // then
        assertThat(Files.mismatch(programs.file("back"), programs.file("f2"))).isEqualTo(-1);
        assertThat(Files.mismatch(programs.file("again"), programs.file("f2"))).isEqualTo(-1);
        List<OutputLine> reads = front.child().awaitEvents("transfer", 3, PATIENCE);
        assertThat(reads.get(2).number("blockBytesReceived"))
                .as("read from the network once")
                .isEqualTo(reads.get(1).number("blockBytesReceived"))
                .isBetween(SIZE, SIZE + WINDOW);
    }

    @Test
    void shouldArriveWhenTheClientIsGoneAndTheServerComesLater(Testbed testbed) throws IOException {
        // given
        Programs programs = Programs.of(testbed, GUC);
        serve(testbed, "--reply", "spooled");
        TestFile.random(programs.file("f"), 7, 3 * TestFile.MIB);
        back.kill();

        // when
        programs.run(GUC, "file://" + programs.file("f"), url + "f");
        front.kill().startReady();
        back.startReady();

        // then
        await().atMost(PATIENCE).until(() -> Files.exists(root.resolve("f")));
        assertServed("f", programs, "f");
    }
}
