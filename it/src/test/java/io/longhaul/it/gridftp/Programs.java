package io.longhaul.it.gridftp;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Testbed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/** Programs of other people, run to their end. */
final class Programs {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Testbed testbed;
    private final Path place;

    private Programs(Testbed testbed, Path place) {
        this.testbed = testbed;
        this.place = place;
    }

    /** Skips the test, loudly, where one of the programs is missing. */
    static Programs of(Testbed testbed, String... wanted) {
        for (String program : wanted) {
            Assumptions.assumeTrue(isThere(program), () -> {
                String missing = program + " is missing; ./verify installs it as root on Debian";
                System.err.println("NOT TESTED: the front with " + program + "; " + missing);
                return missing;
            });
        }
        return new Programs(testbed, testbed.directory("here"));
    }

    private static boolean isThere(String program) {
        return Stream.concat(Stream.of(System.getenv("PATH").split(":")), Stream.of("/usr/sbin"))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    /** Returns the directory of their own files. */
    Path place() {
        return place;
    }

    Path file(String name) {
        return place.resolve(name);
    }

    byte[] bytes(String name) {
        try {
            return Files.readAllBytes(file(name));
        } catch (IOException e) {
            throw new AssertionError(name + " cannot be read", e);
        }
    }

    /** Runs one, which must succeed, and returns what it printed. */
    String run(String... command) {
        Child child = start(command);
        child.expectExit(0);
        return text(child);
    }

    /** Runs one that may take longer than others, with more in its environment; it must succeed. */
    void runFor(Duration patience, Map<String, String> more, String... command) {
        Child child = start(more, command);
        int code = child.awaitExit(patience);
        if (code != 0) {
            throw new AssertionError(child.label() + ": exit code " + code + ", expected 0\n" + child.story());
        }
    }

    /** Runs one, which must fail, and returns what it printed. */
    String fail(String... command) {
        Child child = start(command);
        if (child.awaitExit(PATIENCE) == 0) {
            throw new AssertionError(child.label() + ": succeeded\n" + child.story());
        }
        return text(child);
    }

    /** Starts one that is to be ended, or to end, later. */
    Child start(String... command) {
        return start(Map.of(), command);
    }

    private Child start(Map<String, String> more, String... command) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("GFAL_PYTHONBIN", "/usr/bin/python3");
        environment.put("PATH", System.getenv("PATH") + ":/usr/sbin");
        return testbed.start(String.valueOf(Path.of(command[0]).getFileName()), List.of(command), environment);
    }

    private static String text(Child child) {
        List<String> lines = new ArrayList<>();
        child.output().forEach(line -> lines.add(line.text()));
        child.errors().forEach(line -> lines.add(line.text()));
        return String.join("\n", lines);
    }

    /** Starts a Globus server for anonymous users; returns its port. */
    int globusServer() {
        int port = testbed.freePort();
        List<String> command = new ArrayList<>(List.of(
                "globus-gridftp-server",
                "-c",
                "/dev/null",
                "-aa",
                "-control-interface",
                "127.0.0.1",
                "-data-interface",
                "127.0.0.1",
                "-fs-whitelist",
                "file,gridftp_multicast",
                "-p",
                Integer.toString(port)));
        if (System.getProperty("user.name").equals("root")) {
            // nobody else may serve as root
            command.addAll(List.of("-anonymous-user", "nobody"));
        }
        testbed.start("globus-gridftp-server", command, Map.of("PATH", System.getenv("PATH") + ":/usr/sbin"));
        Awaitility.await().atMost(PATIENCE).until(() -> listens(port));
        return port;
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
