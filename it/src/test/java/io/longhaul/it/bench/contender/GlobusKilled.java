package io.longhaul.it.bench.contender;

import static org.awaitility.Awaitility.await;

import io.longhaul.it.testbed.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** globus-url-copy to its server, one of them killed in the middle; the user starts again, from the beginning. */
public final class GlobusKilled {

    private static final Duration LOOK = Duration.ofMillis(2);

    /** Who is killed. */
    public enum Victim {
        CLIENT,
        SERVER
    }

    private GlobusKilled() {}

    /**
     * Runs one transfer.
     *
     * @param victim killed when half of the bytes have arrived: a copy that takes half a second leaves no time to aim better
     */
    public static Interrupted run(Stage stage, Path source, Optional<Victim> victim) {
        Path into = stage.publicDirectory("into");
        Path target = into.resolve(source.getFileName());
        int port = stage.testbed().freePort();
        Child server = Globus.serverAt(stage, port);
        Trial.settle();
        List<String> command = List.of("globus-url-copy", "file://" + source, "ftp://127.0.0.1:" + port + target);
        Child client = stage.start("client", command);
        long started = client.startedNanos();
        long again = 0;
        if (victim.isPresent()) {
            Child first = client;
            await().pollInterval(LOOK)
                    .pollDelay(Duration.ZERO)
                    .atMost(Child.PATIENCE)
                    .until(() -> size(target) >= size(source) / 2 || !first.isAlive());
            if (!client.isAlive()) {
                throw new AssertionError("the transfer had ended before anything was killed");
            }
            again = size(target);
            if (victim.get() == Victim.SERVER) {
                // it has a child for each session
                ProcessHandle.of(server.pid())
                        .ifPresent(handle -> handle.descendants().forEach(ProcessHandle::destroyForcibly));
                server.kill();
                client.awaitExit(Child.PATIENCE);
                Globus.serverAt(stage, port);
            } else {
                client.kill();
            }
            client = stage.start("client", command);
        }
        stage.finish(client);
        stage.sync(target, into);
        double seconds = Stage.seconds(started, System.nanoTime());
        Trial.compare(source, target);
        return new Interrupted(seconds, List.of(again));
    }

    private static long size(Path file) {
        try {
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            throw new AssertionError(file + ": length cannot be read", e);
        }
    }
}
