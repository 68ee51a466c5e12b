package io.longhaul.it.gridftp;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Testbed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/** Servers of other people that anybody may write to, each with a directory of its own. */
final class OtherServers {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Testbed testbed;

    OtherServers(Testbed testbed) {
        this.testbed = testbed;
    }

    /**
     * A server that runs.
     *
     * @param path that clients know its directory by
     * @param command that starts it
     */
    record Running(Child process, int port, Path directory, String path, List<String> command) {
        String url() {
            return "ftp://127.0.0.1:" + port + path;
        }

        /** Ends what serves single clients; the server itself goes on. */
        void killSessions() {
            ProcessHandle.of(process.pid()).orElseThrow().descendants().forEach(ProcessHandle::destroyForcibly);
        }

        /** Ends it with all that serves clients. */
        void kill() {
            ProcessHandle server = ProcessHandle.of(process.pid()).orElseThrow();
            List<ProcessHandle> sessions = server.descendants().toList();
            server.destroyForcibly();
            // its output ends with the last of them
            sessions.forEach(ProcessHandle::destroyForcibly);
            process.kill();
        }
    }

    /** Starts one that was killed, at the same port. */
    Running again(Running dead) {
        String name = String.valueOf(Path.of(dead.command.get(0)).getFileName());
        return started(name, dead.command, dead.port, dead.directory, dead.path);
    }

    Running globus() throws IOException {
        return globus("-aa", "-anonymous-user", "nobody");
    }

    /**
     * Starts a Globus server for users of the test's own, which become these numbers of the machine.
     *
     * @param users lines of passwd(5), with passwords as crypt(3) had them first: the server knows no others
     */
    Running globus(List<String> users) throws IOException {
        return globus(
                "-password-file", Files.write(testbed.file("passwd"), users).toString());
    }

    private Running globus(String... logins) throws IOException {
        Path directory = open(testbed.directory("globus"));
        int port = testbed.freePort();
        List<String> command = new ArrayList<>(List.of("globus-gridftp-server", "-c", "/dev/null"));
        command.addAll(List.of(logins));
        command.addAll(List.of("-control-interface", "127.0.0.1", "-data-interface", "127.0.0.1"));
        command.addAll(List.of("-p", Integer.toString(port)));
        return started("globus-gridftp-server", command, port, directory, directory + "/");
    }

    /**
     * Starts one.
     *
     * @param more settings beside the usual
     */
    Running vsftpd(String... more) throws IOException {
        Path root = testbed.directory("vsftpd");
        Path directory = open(testbed.directory("vsftpd/pub"));
        Files.createDirectories(Path.of("/run/vsftpd/empty"));
        int port = testbed.freePort();
        Path settings = Files.write(
                testbed.file("vsftpd.conf"),
                List.of(
                        "listen=YES",
                        "listen_address=127.0.0.1",
                        "listen_port=" + port,
                        "background=NO",
                        "seccomp_sandbox=NO",
                        "anonymous_enable=YES",
                        "no_anon_password=YES",
                        "anon_root=" + root,
                        "anon_upload_enable=YES",
                        "anon_mkdir_write_enable=YES",
                        "anon_other_write_enable=YES",
                        "anon_world_readable_only=NO",
                        "anon_umask=022",
                        "write_enable=YES",
                        "xferlog_enable=NO",
                        "secure_chroot_dir=/run/vsftpd/empty",
                        String.join("\n", more)));
        return started("vsftpd", List.of("vsftpd", settings.toString()), port, directory, "/pub/");
    }

    /**
     * Starts one.
     *
     * @param settings for anonymous users beside the usual
     */
    Running proftpd(String... settings) throws IOException {
        Path root = open(testbed.directory("proftpd"));
        int port = testbed.freePort();
        Path place = testbed.directory("proftpd-own");
        Path file = Files.write(
                testbed.file("proftpd.conf"),
                List.of(
                        "ServerName test",
                        "ServerType standalone",
                        "DefaultServer on",
                        "DefaultAddress 127.0.0.1",
                        "SocketBindTight on",
                        "UseIPv6 off",
                        "Port " + port,
                        "User nobody",
                        "Group nogroup",
                        "PidFile " + place.resolve("pid"),
                        "ScoreboardFile " + place.resolve("scoreboard"),
                        "DelayTable " + place.resolve("delay"),
                        "SystemLog " + place.resolve("log"),
                        "TransferLog NONE",
                        "WtmpLog off",
                        "RequireValidShell off",
                        "UseFtpUsers off",
                        "<Anonymous " + root + ">",
                        "User nobody",
                        "Group nogroup",
                        "UserAlias anonymous nobody",
                        "AnonRequirePassword off",
                        String.join("\n", settings),
                        "</Anonymous>"));
        return started("proftpd", List.of("proftpd", "-n", "-c", file.toString()), port, root, "/");
    }

    /** The servers' users are others. */
    private static Path open(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        return directory;
    }

    private Running started(String name, List<String> command, int port, Path directory, String path) {
        Child process = testbed.start(name, command, Map.of("PATH", System.getenv("PATH") + ":/usr/sbin"));
        Awaitility.await().atMost(PATIENCE).until(() -> listens(port));
        return new Running(process, port, directory, path, command);
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
