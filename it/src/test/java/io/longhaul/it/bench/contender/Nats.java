package io.longhaul.it.bench.contender;

import io.longhaul.it.testbed.Child;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A NATS server with file storage, receivers that watch an object store, and a put. The server holds more than the 128 MiB
 * of its default before it refuses, as a put of its client has up to 500 MiB under way while the disk is busy.
 */
public final class Nats implements Contender {
    private static final String BUCKET = "bench";
    private static final String OBJECTS = "1000";

    private Stage stage;
    private int port;
    private List<Child> receivers = List.of();
    private int sent;
    private Path last;

    @Override
    public List<String> programs() {
        return List.of("nats-server", "objectstore");
    }

    @Override
    public void start(Stage where, int count) {
        stage = where;
        port = where.testbed().freePort();
        Path settings =
                stage.write("nats.conf", """
                listen: 127.0.0.1:%d
                jetstream { store_dir: "%s" }
                """.formatted(port, where.testbed().directory("store")));
        stage.start("nats-server", List.of("nats-server", "-c", settings.toString()));
        stage.awaitPort(port);
        stage.finish(client("bucket", "bucket"));
        receivers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            receivers.add(client("get", "get", directory(i).toString(), OBJECTS));
        }
        receivers.forEach(Child::awaitReady);
    }

    @Override
    public double run(Path source) {
        last = source;
        sent++;
        Child put = client("put", "put", source.toString());
        stage.finish(put);
        long end = Stage.lastDelivered(receivers, sent);
        // each has a new watcher now, which no longer counts
        receivers.forEach(receiver -> receiver.awaitEvents("ready", sent + 1, Child.PATIENCE));
        return Stage.seconds(put.startedNanos(), end);
    }

    @Override
    public Path arrived(int receiver) {
        return directory(receiver).resolve(last.getFileName());
    }

    private Path directory(int receiver) {
        return stage.testbed().directory("receiver" + receiver);
    }

    private Child client(String label, String command, String... more) {
        List<String> line = new ArrayList<>(List.of("objectstore", command, "nats://127.0.0.1:" + port, BUCKET));
        line.addAll(List.of(more));
        return stage.start(label, line);
    }
}
