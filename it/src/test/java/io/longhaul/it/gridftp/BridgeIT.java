package io.longhaul.it.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A real client at a front that does not wait for the server: a directory behind a back, which is away. */
@ExtendWith(TestbedExtension.class)
final class BridgeIT {
    private static final String GUC = "globus-url-copy";
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

    private void assertServed(String name, Programs programs, String source) throws IOException {
        assertThat(Files.mismatch(root.resolve(name), programs.file(source))).isEqualTo(-1);
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
