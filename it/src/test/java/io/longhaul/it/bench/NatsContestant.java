package io.longhaul.it.bench;

import static org.awaitility.Awaitility.await;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Testbed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A NATS server with file storage, receivers that watch an object store, and a put. */
final class NatsContestant implements Contestant {
    private static final String BUCKET = "bench";

    private final Path programs;
    private final int port;

    /** Takes the directory that has the programs nats-server and objectstore. */
    NatsContestant(Testbed testbed, Path programs) {
        this.programs = programs;
        this.port = testbed.freePort();
    }

    @Override
    public List<Child> receivers(Testbed testbed, int count, int files) {
        Path settings = testbed.file("nats.conf");
        String text =
                "listen: 127.0.0.1:" + port + "\njetstream { store_dir: \"" + testbed.directory("store") + "\" }\n";
        try {
            Files.writeString(settings, text);
        } catch (IOException e) {
            throw new UncheckedIOException(settings + ": cannot be written", e);
        }
        testbed.start("nats-server", List.of(program("nats-server"), "-c", settings.toString()), Map.of());
        await().atMost(Child.PATIENCE).pollInterval(Duration.ofMillis(50)).until(this::isListening);
        client(testbed, "bucket").expectExit(0);
        List<Child> receivers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            receivers.add(client(testbed, "get", directory(testbed, i).toString(), Integer.toString(files)));
        }
        receivers.forEach(Child::awaitReady);
        return receivers;
    }

    @Override
    public Child send(Testbed testbed, Path source) {
        return client(testbed, "put", source.toString());
    }

    @Override
    public Path directory(Testbed testbed, int receiver) {
        return testbed.directory("receiver" + receiver);
    }

    private Child client(Testbed testbed, String command, String... more) {
        List<String> line =
                new ArrayList<>(List.of(program("objectstore"), command, "nats://127.0.0.1:" + port, BUCKET));
        line.addAll(List.of(more));
        return testbed.start(command, line, Map.of());
    }

    private boolean isListening() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private String program(String name) {
        return programs.resolve(name).toString();
    }
}
