package io.longhaul.it.gridftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code globus-url-copy -MC}: one upload, several destinations. */
@ExtendWith(TestbedExtension.class)
final class MulticastIT {
    private static final String GUC = "globus-url-copy";

    @Test
    void shouldStoreAtEveryDestinationWhenGlobusUrlCopyAsks(Testbed testbed) throws IOException {
        // given
        Programs programs = Programs.of(testbed, GUC, "globus-gridftp-server");
        Path one = testbed.directory("one");
        Path two = testbed.directory("two");
        Path theirs = testbed.directory("theirs");
        Files.setPosixFilePermissions(theirs, PosixFilePermissions.fromString("rwxrwxrwx"));
        String server = "127.0.0.1:" + programs.globusServer();
        long port = Network.of(testbed)
                .node("front", "bridge", "front", "--listen", "127.0.0.1:0", "--forward-to", server)
                .with("--mount", "/one=file://" + one, "--mount", "/two=file://" + two)
                .with("--also-known-as", "site-two.example:2811=/two")
                .withMachine("-Xmx256m")
                .startReady()
                .awaitEvent("ready")
                .number("port");
        TestFile.random(programs.file("f"), 1, 20 * TestFile.MIB + 17);
        String first = "ftp://127.0.0.1:" + port + "/one/f";
        String source = "file://" + programs.file("f");
        Path all = programs.file("all");
        Path some = programs.file("some");
        Files.write(
                all,
                List.of(
                        first,
                        "ftp://127.0.0.1:" + port + "/two/f",
                        "ftp://site-two.example:2811/a%20name",
                        "ftp://" + server + theirs + "/f"));
        Files.write(some, List.of(first + "2", "ftp://127.0.0.1:1/f", "ftp://127.0.0.1:" + port + "/two/f2"));

        // when
        programs.run(GUC, "-p", "4", "-MC", all.toString(), source);
        String refused = programs.fail(GUC, "-MC", some.toString(), source);

        // then
        for (Path stored : List.of(
                one.resolve("f"),
                two.resolve("f"),
                two.resolve("a name"),
                theirs.resolve("f"),
                one.resolve("f2"),
                two.resolve("f2"))) {
            assertThat(Files.mismatch(programs.file("f"), stored))
                    .as("%s", stored)
                    .isEqualTo(-1);
        }
        assertThat(refused).contains("1 of 3 places failed", "GMC_ERROR=", "ftp://127.0.0.1:1/f");
    }
}
