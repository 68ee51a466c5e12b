package io.longhaul.it.gridftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.gridftp.OtherServers.Running;
import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.OutputLine;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Users of a front who log in at the Globus server behind the back as somebody of their own. */
@ExtendWith(TestbedExtension.class)
final class BridgeLoginsIT {
    private static final int LENGTH = 3_000_000;

    /** Of the server's passwords {@code apw} and {@code bpw}. */
    private static final List<String> SERVER_USERS = List.of(
            "al:abolfhXts5MAo:20001:65534:Al:/tmp:/bin/sh", "robert:cdyF7FTAFLqYs:20002:65534:Robert:/tmp:/bin/sh");

    private static final String LOGINS = """
            users:
              alice:
                login: al
                password-file: alice.secret
              bob:
                login: robert
                password: bpw
              mallory:
                login: al
                password: wrong
            """;

    private Node back;
    private Node front;
    private Running server;
    private String url;

    private void serve(Testbed testbed, Programs programs) throws IOException {
        server = new OtherServers(testbed).globus(SERVER_USERS);
        Files.writeString(programs.file("alice.secret"), "apw\n");
        Path logins = Files.writeString(programs.file("logins.yaml"), LOGINS);
        Network network = Network.of(testbed);
        network.broker().startReady();
        Path users = programs.file("users.yaml");
        Path secret = Files.writeString(programs.file("secret"), "at-the-front\n");
        for (String user : List.of("alice", "bob", "carol", "mallory")) {
            network.run(0, "user", "add", users.toString(), user, "--password-file", secret.toString());
        }
        int port = testbed.freePort();
        url = "127.0.0.1:" + port + "/";
        back = network.node("back", "bridge", "back", "--endpoint", "site", "--server", server.url())
                .with("--logins", logins.toString(), "--broker", network.address())
                .with("--data", testbed.directory("back").resolve("data").toString())
                .withMachine("-Xmx256m");
        front = network.node("front", "bridge", "front", "--listen", "127.0.0.1:" + port, "--endpoint", "site")
                .with("--auth", users.toString(), "--broker", network.address())
                .with("--data", testbed.directory("front").resolve("data").toString())
                .withMachine("-Xmx256m");
        back.start();
        front.startReady();
        back.child().awaitReady();
    }

    private String of(String user, String path) {
        return "ftp://" + user + ":at-the-front@" + url + path;
    }

    private Object owner(String path) throws IOException {
        return Files.getAttribute(server.directory().resolve(path), "unix:uid");
    }

    private static void assertNoPasswords(Child... children) {
        for (Child child : children) {
            assertThat(Stream.concat(child.output().stream(), child.errors().stream()))
                    .extracting(OutputLine::text)
                    .noneMatch(line -> line.contains("apw") || line.contains("bpw") || line.contains("at-the-front"));
        }
    }

    @Test
    void shouldBelongToTheUserAtTheServerWhoSentIt(Testbed testbed) throws IOException {
        // given
        Assumptions.assumeTrue(System.getProperty("user.name").equals("root"), "only root's server becomes its users");
        Programs programs = Programs.of(testbed, "curl", "lftp", "globus-url-copy", "globus-gridftp-server");
        serve(testbed, programs);
        TestFile.random(programs.file("f"), 7, LENGTH);
        String file = programs.file("f").toString();

        // when
        programs.run("curl", "-sS", "-T", file, of("alice", "a"));
        programs.run("curl", "-sS", "-T", file, of("bob", "b"));
        programs.run("curl", "-sS", of("bob", ""), "-Q", "MKD bobs");
        programs.run("globus-url-copy", "-p", "4", "file://" + file, of("bob", "bobs/f"));
        programs.run("curl", "-sS", of("bob", ""), "-Q", "SITE CHMOD 700 bobs");
        programs.run("curl", "-sS", of("alice", ""), "-Q", "SITE CHMOD 600 a");

        // then
        assertThat(List.of(owner("a"), owner("b"), owner("bobs"), owner("bobs/f")))
                .containsExactly(20001, 20002, 20002, 20002);
        assertThat(programs.run("curl", "-sS", of("bob", "bobs/"))).contains("f");

        // then: what one of them has read, and the bridge keeps, is not the other's
        programs.run("curl", "-sS", "-o", programs.file("back").toString(), of("bob", "bobs/f"));
        assertThat(programs.bytes("back")).isEqualTo(programs.bytes("f"));
        programs.fail("curl", "-sS", "-o", programs.file("none").toString(), of("alice", "bobs/f"));
        programs.fail("curl", "-sS", "-T", file, of("alice", "bobs/g"));
        programs.fail("curl", "-sS", of("alice", ""), "-Q", "DELE bobs/f");
        assertThat(programs.file("none")).doesNotExist();

        // then: who has no login, or a refused one, is told so
        assertThat(programs.fail("curl", "-sSv", "-T", file, of("carol", "c")))
                .contains("< 530", "no login at 127.0.0.1:" + server.port() + " for user carol");
        programs.fail("globus-url-copy", "-p", "2", "file://" + file, of("carol", "c"));
        programs.fail("lftp", "-c", "open " + of("carol", "") + "; put " + file + " -o c");
        assertThat(programs.fail("curl", "-sSv", "-T", file, of("mallory", "m")))
                .contains("< 530", "the server said 530 Login incorrect")
                .doesNotContain("wrong");

        // when
        back.kill().startReady();
        programs.run("curl", "-sS", "-T", file, of("alice", "again"));

        // then
        assertThat(owner("again")).isEqualTo(20001);
        assertNoPasswords(front.child(), back.children().get(0), back.child());
    }
}
