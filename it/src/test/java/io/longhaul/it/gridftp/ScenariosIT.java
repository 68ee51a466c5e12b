package io.longhaul.it.gridftp;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What clients do once against a Globus server itself and once against a front: {@code it/interop/scenarios} compares. The
 * quick ones, in one run; all of them with {@code -Dslow}.
 */
@ExtendWith(TestbedExtension.class)
final class ScenariosIT {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final String QUICK =
            "^(put_p4|put_part_p2|put_tree_fast|get_p4|get_tree|third_pp|third_out|get_missing_p2|gfal_names|arc)$";

    @Test
    void shouldLookTheSameToClientsAsAServerDoes(Testbed testbed) throws IOException {
        compare(testbed, QUICK);
    }

    @Test
    @Tag("slow")
    void shouldLookTheSameInEveryScenario(Testbed testbed) throws IOException {
        compare(testbed, ".");
    }

    private static void compare(Testbed testbed, String scenarios) throws IOException {
        Programs programs = Programs.of(testbed, "globus-url-copy", "globus-gridftp-server", "curl");
        Path theirs = testbed.directory("theirs");
        Files.setPosixFilePermissions(theirs, PosixFilePermissions.fromString("rwxrwxrwx"));
        Child front = Network.of(testbed)
                .node(
                        "front",
                        "bridge",
                        "front",
                        "--listen",
                        "127.0.0.1:0",
                        "--mount",
                        "/=file://" + testbed.directory("root"))
                .withMachine("-Xmx256m")
                .startReady();
        int server = programs.globusServer();
        long port = front.awaitEvent("ready").number("port");

        programs.runFor(
                PATIENCE,
                script().toString(),
                "--place",
                programs.place().toString(),
                "--only",
                scenarios,
                "ftp://127.0.0.1:" + server + theirs,
                "ftp://127.0.0.1:" + port + "/in");
    }

    private static Path script() {
        Path here = Path.of("").toAbsolutePath();
        return here.resolve(here.endsWith("it") ? "interop/scenarios" : "it/interop/scenarios");
    }
}
