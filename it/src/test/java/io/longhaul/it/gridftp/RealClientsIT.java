package io.longhaul.it.gridftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Pem;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.it.testbed.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The front as clients see it that know nothing of Longhaul. */
@ExtendWith(TestbedExtension.class)
final class RealClientsIT {
    private static final String GUC = "globus-url-copy";

    private Path root = Path.of("");
    private String url = "";

    private void serve(Testbed testbed, String... options) {
        root = testbed.directory("root");
        Child front = Network.of(testbed)
                .node("front", "bridge", "front", "--listen", "127.0.0.1:0", "--mount", "/=file://" + root)
                .with(options)
                .withMachine("-Xmx256m")
                .startReady();
        url = "127.0.0.1:" + front.awaitEvent("ready").number("port");
    }

    private byte[] served(String name) throws IOException {
        return Files.readAllBytes(root.resolve(name));
    }

    private static Path tree(Path directory) throws IOException {
        for (int i = 0; i < 20; i++) {
            Path file = directory.resolve("a/b" + i % 3 + "/file " + i);
            Files.createDirectories(file.getParent());
            TestFile.random(file, i, i * 1000L);
        }
        return directory;
    }

    /** Compares names and bytes: most clients carry neither times nor modes. */
    private static void assertSame(Path expected, Path found) throws IOException {
        List<String> names = names(expected);
        assertThat(names(found)).isEqualTo(names);
        for (String name : names) {
            assertThat(Files.mismatch(expected.resolve(name), found.resolve(name)))
                    .as(name)
                    .isEqualTo(-1);
        }
    }

    private static List<String> names(Path directory) {
        return Trees.files(directory).stream()
                .map(file -> directory.relativize(file).toString())
                .sorted()
                .toList();
    }

    @Test
    void shouldCarryTheBytesWhenGlobusUrlCopyUsesAnyMode(Testbed testbed) throws IOException {
        // given
        Programs programs = Programs.of(testbed, GUC);
        serve(testbed);
        TestFile.random(programs.file("big"), 1, 20 * TestFile.MIB + 17);
        TestFile.random(programs.file("empty"), 1, 0);

        for (List<String> mode :
                List.of(List.of("-nodcau"), List.of("-p", "1"), List.of("-p", "4"), List.of("-fast"))) {
            for (String name : List.of("big", "empty")) {
                // when
                copy(programs, mode, "file://" + programs.file(name), "ftp://" + url + "/" + name);
                copy(programs, mode, "ftp://" + url + "/" + name, "file://" + programs.file("back"));

                // then
                assertThat(served(name)).as("%s %s", mode, name).isEqualTo(programs.bytes(name));
                assertThat(programs.bytes("back")).as("%s %s", mode, name).isEqualTo(programs.bytes(name));
            }
        }
    }

    private static void copy(Programs programs, List<String> options, String... ends) {
        List<String> command = new ArrayList<>(List.of(GUC));
        command.addAll(options);
        command.addAll(List.of(ends));
        programs.run(command.toArray(String[]::new));
    }

    @Test
    void shouldCarryTreesPartsAndChecksumsWhenGlobusUrlCopyAsks(Testbed testbed) throws IOException {
        // given
        Programs programs = Programs.of(testbed, GUC);
        serve(testbed);
        Path tree = tree(programs.file("tree"));
        TestFile.random(programs.file("f"), 2, 100_000);

        // when
        programs.run(GUC, "-r", "-cd", "-fast", "-p", "2", "file://" + tree + "/", "ftp://" + url + "/tree/");
        programs.run(GUC, "-r", "-cd", "-p", "2", "ftp://" + url + "/tree/", "file://" + programs.file("back") + "/");
        programs.run(GUC, "-verify-checksum", "-p", "2", "file://" + programs.file("f"), "ftp://" + url + "/f");
        programs.run(GUC, "-off", "1000", "-len", "500", "file://" + programs.file("f"), "ftp://" + url + "/part");

        // then
        assertSame(tree, root.resolve("tree"));
        assertSame(tree, programs.file("back"));
        assertThat(served("f")).isEqualTo(programs.bytes("f"));
        assertThat(served("part")).hasSize(1500).endsWith(Arrays.copyOfRange(programs.bytes("f"), 1000, 1500));
        assertThat(programs.fail(GUC, "ftp://" + url + "/none", "file://" + programs.file("none")))
                .contains("No such file or directory");
    }

    @Test
    void shouldCarryTheBytesWhenTheOtherEndIsAServerToo(Testbed testbed) throws IOException {
        // given
        Programs programs = Programs.of(testbed, GUC, "globus-gridftp-server");
        serve(testbed);
        String other = "127.0.0.1:" + programs.globusServer();
        Path theirs = testbed.directory("theirs");
        open(theirs);
        TestFile.random(root.resolve("f"), 3, 5 * TestFile.MIB);

        for (String parallelism : List.of("1", "4")) {
            // when
            programs.run(GUC, "-p", parallelism, "ftp://" + url + "/f", "ftp://" + other + theirs + "/f" + parallelism);
            programs.run(
                    GUC,
                    "-p",
                    parallelism,
                    "ftp://" + other + theirs + "/f" + parallelism,
                    "ftp://" + url + "/g" + parallelism);
            programs.run(GUC, "-p", parallelism, "-dp", "ftp://" + url + "/f", "ftp://" + url + "/h" + parallelism);

            // then
            assertThat(served("g" + parallelism)).isEqualTo(served("f"));
            assertThat(served("h" + parallelism)).isEqualTo(served("f"));
        }
        programs.run(GUC, "ftp://" + url + "/f", "ftp://" + other + theirs + "/s");
        assertThat(Files.readAllBytes(theirs.resolve("s"))).isEqualTo(served("f"));
    }

    /** The server's user is another one. */
    private static void open(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @Test
    void shouldCarryTheBytesWhenGfalDelaysThePassiveAddress(Testbed testbed) throws IOException {
        Programs programs = Programs.of(testbed, "gfal-copy");
        serve(testbed);
        TestFile.random(programs.file("f"), 4, 100_000);

        programs.run("gfal-copy", "-K", "ADLER32", "file://" + programs.file("f"), "ftp://" + url + "/f");
        programs.run("gfal-copy", "ftp://" + url + "/f", "file://" + programs.file("back"));

        assertThat(programs.bytes("back")).isEqualTo(programs.bytes("f"));
        assertThat(programs.run("gfal-ls", "-l", "ftp://" + url + "/")).contains("100000");
        assertThat(programs.fail("gfal-stat", "ftp://" + url + "/none")).contains("No such file or directory");
    }

    @Test
    void shouldCarryTheBytesWhenCurlAndLftpUseTls(Testbed testbed) throws IOException {
        // given
        Programs programs = Programs.of(testbed, "curl", "lftp", "openssl");
        Path secret = Files.writeString(programs.file("secret"), "secret\n");
        Pem pem = Pem.in(testbed);
        String certificate = pem.certificate().toString();
        Path users = programs.file("users.yaml");
        Network.of(testbed).run(0, "user", "add", users.toString(), "bob", "--password-file", secret.toString());
        serve(
                testbed,
                "--auth",
                users.toString(),
                "--tls-cert",
                certificate,
                "--tls-key",
                pem.key().toString(),
                "--require-tls");
        TestFile.random(programs.file("f"), 5, 3_000_000);
        TestFile.random(programs.file("left"), 8, 700_000); // the system has all of it before the front has any
        Path tree = tree(programs.file("tree"));
        String file = programs.file("f").toString();

        // when
        String[] curl = {"curl", "-sS", "--ssl-reqd", "--cacert", certificate, "-u", "bob:secret"};
        programs.run(with(curl, "-T", file, "ftp://" + url + "/f"));
        programs.run(with(curl, "-T", programs.file("left").toString(), "ftp://" + url + "/left"));
        programs.run(with(curl, "-o", programs.file("back").toString(), "ftp://" + url + "/f"));
        programs.run(with(curl, "-a", "-T", file, "ftp://" + url + "/f"));
        String refused = programs.fail("curl", "-sS", "-u", "bob:secret", "ftp://" + url + "/f");
        programs.run(
                "lftp",
                "-c",
                "set net:max-retries 1; set net:timeout 10; set ssl:ca-file " + certificate
                        + "; set ftp:ssl-force true; set ftp:ssl-protect-data true; open -u bob,secret ftp://" + url
                        + "; mirror -R " + tree + " tree; mirror tree " + programs.file("mirror"));

        // then
        assertThat(programs.bytes("back")).isEqualTo(programs.bytes("f"));
        assertThat(served("left")).isEqualTo(programs.bytes("left"));
        assertThat(served("f")).hasSize(6_000_000);
        assertThat(refused).contains("530");
        assertSame(tree, programs.file("mirror"));
    }

    @Test
    void shouldCarryTreesAndTimesWhenNcftpIsUsed(Testbed testbed) throws IOException {
        Programs programs = Programs.of(testbed, "ncftpput", "ncftpget");
        serve(testbed);
        Path tree = tree(programs.file("tree"));
        String[] server = url.split(":", 2);

        programs.run("ncftpput", "-V", "-R", "-P", server[1], server[0], "/", tree.toString());
        programs.run(
                "ncftpget",
                "-V",
                "-R",
                "-P",
                server[1],
                server[0],
                Files.createDirectory(programs.file("back")).toString(),
                "/tree");

        assertSame(tree, root.resolve("tree"));
        assertSame(tree, programs.file("back/tree"));
        assertThat(Files.getLastModifiedTime(root.resolve("tree/a/b1/file 1")).toMillis() / 1000)
                .isEqualTo(
                        Files.getLastModifiedTime(tree.resolve("a/b1/file 1")).toMillis() / 1000);
    }

    @Test
    void shouldListByPatternAndGoOnAfterAbortWhenPythonAsks(Testbed testbed) throws IOException {
        Programs programs = Programs.of(testbed, "python3");
        serve(testbed);
        TestFile.random(root.resolve("f.nc"), 7, 30 * TestFile.MIB); // more than sockets hold
        String[] server = url.split(":", 2);

        String said = programs.run(
                "python3",
                "-c",
                """
                import ftplib, sys
                ftp = ftplib.FTP()
                ftp.connect(sys.argv[1], int(sys.argv[2]))
                ftp.login()
                print(ftp.nlst('*.nc'))
                data = ftp.transfercmd('RETR f.nc')
                data.recv(10)
                print(ftp.abort())
                data.close()
                print(ftp.getresp())
                with open(sys.argv[3], 'wb') as back:
                    ftp.retrbinary('RETR f.nc', back.write, rest=1000)
                print(ftp.quit())
                """,
                server[0],
                server[1],
                programs.file("back").toString());

        assertThat(said).contains("['f.nc']", "426 ", "226 Abort successful", "221 ");
        assertThat(programs.bytes("back"))
                .isEqualTo(Arrays.copyOfRange(served("f.nc"), 1000, (int) (30 * TestFile.MIB)));
    }

    private static String[] with(String[] command, String... more) {
        String[] all = Arrays.copyOf(command, command.length + more.length);
        System.arraycopy(more, 0, all, command.length, more.length);
        return all;
    }

    @Test
    void shouldListRangeAndResumeWhenCurlAsks(Testbed testbed) throws IOException {
        // given
        Programs programs = Programs.of(testbed, "curl");
        serve(testbed);
        TestFile.random(programs.file("f"), 6, 200_000);
        Files.write(root.resolve("f"), Arrays.copyOf(programs.bytes("f"), 50_000));
        String back = programs.file("back").toString();

        // when
        programs.run("curl", "-sS", "-C", "50000", "-T", programs.file("f").toString(), "ftp://" + url + "/f");
        programs.run("curl", "-sS", "-P", "-", "-r", "100-199", "-o", back, "ftp://" + url + "/f");

        // then
        assertThat(served("f")).isEqualTo(programs.bytes("f"));
        assertThat(programs.bytes("back")).isEqualTo(Arrays.copyOfRange(programs.bytes("f"), 100, 200));
        assertThat(programs.run("curl", "-sS", "ftp://" + url + "/"))
                .contains("200000")
                .endsWith(" f");
    }
}
