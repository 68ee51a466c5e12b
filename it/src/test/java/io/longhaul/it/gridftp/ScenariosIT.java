package io.longhaul.it.gridftp;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What clients do once against a Globus server itself and once against what stands in its place: {@code
 * it/interop/scenarios} compares. Through a front, a broker and a back in every run; with {@code -Dslow} the large ones
 * and the {@link #AGAIN like ones} too, and a front over a directory.
 */
@ExtendWith(TestbedExtension.class)
final class ScenariosIT {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration LONG = Duration.ofMinutes(40);

    /** What asks the server for nothing that another scenario does not ask for, too. */
    private static final String AGAIN = "^(put_buffers|put_stdin|put_verify|put_tree|put_fast|get_stdout|get_stripe"
            + "|get_verify|get_tree|get_fast|sync|third_dp|third_stripe|get_missing|lftp_up)$";

    @Test
    void shouldLookTheSameToClientsThroughBrokers(Testbed testbed) throws IOException {
        compareThroughBrokers(testbed, PATIENCE, "--but", AGAIN);
    }

    @Test
    @Tag("slow")
    void shouldLookTheSameToClientsThroughBrokersWhenTheyAskAgain(Testbed testbed) throws IOException {
        compareThroughBrokers(testbed, PATIENCE, "--only", AGAIN);
    }

    @Test
    @Tag("slow")
    void shouldLookTheSameThroughBrokersWhenThereIsMuch(Testbed testbed) throws IOException {
        compareThroughBrokers(testbed, LONG, "--slow", "--only", "^slow");
    }

    @Test
    @Tag("slow")
    void shouldLookTheSameToClientsOverADirectory(Testbed testbed) throws IOException {
        Programs programs = programs(testbed);
        String server = "127.0.0.1:" + programs.globusServer();
        Node front = front(Network.of(testbed), server).with("--mount", "/=file://" + testbed.directory("root"));

        compare(programs, PATIENCE, server + open(testbed, "theirs"), address(front.start()) + "/in");
    }

    private static String address(Child front) {
        return "127.0.0.1:" + front.awaitEvent("ready").number("port");
    }

    private static Programs programs(Testbed testbed) {
        return Programs.of(testbed, "globus-url-copy", "globus-gridftp-server", "curl");
    }

    private static Node front(Network network, String server) {
        return network.node("front", "bridge", "front", "--listen", "127.0.0.1:0", "--forward-to", server)
                .withMachine("-Xmx256m");
    }

    private static void compareThroughBrokers(Testbed testbed, Duration patience, String... options)
            throws IOException {
        Programs programs = programs(testbed);
        String server = "127.0.0.1:" + programs.globusServer();
        Network network = Network.of(testbed);
        network.broker().start();
        Node back = network.node("back", "bridge", "back", "--endpoint", "site")
                .with("--server", "ftp://" + server + open(testbed, "behind"))
                .withMachine("-Xmx256m");
        Node front = front(network, server).with("--endpoint", "site");
        for (Node end : List.of(back, front)) {
            end.with("--broker", network.address(), "--data", end.data().toString())
                    .start();
        }
        back.child().awaitReady();

        compare(programs, patience, server + open(testbed, "theirs"), address(front.child()), options);
    }

    /** Compares a server, which has a directory, with what stands in its place. */
    private static void compare(
            Programs programs, Duration patience, String direct, String through, String... options) {
        List<String> command = new ArrayList<>(List.of(
                script().toString(), "--jobs", "4", "--place", programs.place().toString()));
        command.addAll(List.of(options));
        command.addAll(List.of("ftp://" + direct, "ftp://" + through));
        Map<String, String> libraries = Map.of("LONGHAUL_CLIENTS", System.getProperty("java.class.path"));
        programs.runFor(patience, libraries, command.toArray(String[]::new));
    }

    /** The server's user is another one. */
    private static Path open(Testbed testbed, String name) throws IOException {
        Path directory = testbed.directory(name);
        return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    private static Path script() {
        Path here = Path.of("").toAbsolutePath();
        return here.resolve(here.endsWith("it") ? "interop/scenarios" : "it/interop/scenarios");
    }
}
