package io.longhaul.it.bench.contender;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A server for SSH with keys of its own, for this user alone. */
final class Ssh {
    private static final String SSHD = "/usr/sbin/sshd";

    private final Path key;
    private final int port;

    private Ssh(Path key, int port) {
        this.key = key;
        this.port = port;
    }

    static List<String> programs() {
        return List.of(SSHD, "ssh", "scp", "ssh-keygen");
    }

    static Ssh serve(Stage where) {
        Path hostKey = where.testbed().file("host_key");
        Path key = where.testbed().file("user_key");
        for (Path each : List.of(hostKey, key)) {
            where.run("ssh-keygen", List.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", each.toString()));
        }
        int port = where.testbed().freePort();
        Path settings = where.write(
                "sshd.conf",
                String.join(
                        "\n",
                        "ListenAddress 127.0.0.1",
                        "Port " + port,
                        "HostKey " + hostKey,
                        "AuthorizedKeysFile " + key + ".pub",
                        "StrictModes no",
                        "UsePAM no",
                        "PidFile none",
                        "PermitRootLogin yes",
                        "Subsystem sftp internal-sftp",
                        ""));
        try {
            // where a server that runs as root leaves its children before login
            if (System.getProperty("user.name").equals("root")) {
                Files.createDirectories(Path.of("/run/sshd"));
            }
        } catch (IOException e) {
            throw new AssertionError("/run/sshd cannot be made", e);
        }
        where.start("sshd", List.of(SSHD, "-D", "-e", "-f", settings.toString()));
        where.awaitPort(port);
        return new Ssh(key, port);
    }

    /** Returns the words that begin a client's command; ssh and scp differ in the letter for the port. */
    List<String> client(String program) {
        return Command.words(
                program,
                "-q",
                "-F",
                "none",
                "-i",
                key.toString(),
                program.equals("scp") ? "-P" : "-p",
                Integer.toString(port),
                "-o",
                "StrictHostKeyChecking=no",
                "-o",
                "UserKnownHostsFile=/dev/null");
    }

    static String address() {
        return System.getProperty("user.name") + "@127.0.0.1";
    }
}
