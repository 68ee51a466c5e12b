package io.longhaul.gridftp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.longhaul.gridftp.Patience;
import io.longhaul.gridftp.client.ClientConfig;
import io.longhaul.gridftp.client.ClientLimits;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Temporary files at a server of which nothing will become. */
final class LeftFilesIT extends OneServer {
    private static final Duration PATIENCE = Duration.ofSeconds(Patience.SECONDS);

    @Test
    void shouldRemoveWhatWasKeptBeforeItBeginsAnew() {
        // given
        Sink cut = sink();
        cut.write(0, bytes("hello")).join();
        cut.suspend().join();
        assertThat(server.files).hasSize(1);
        CompletableFuture<Integer> there = new CompletableFuture<>();
        server.once("STOR", (client, path) -> {
            there.complete(server.files.size());
            client.say("150 ok");
            server.files.put(path, client.receive());
            client.say("226 ok");
        });

        // when
        put("again");

        // then
        assertThat(there).isCompletedWithValue(0);
    }

    @Test
    void shouldRemoveNothingButWhatAKilledProcessLeftWhenItIsToldOfIt() {
        // given
        String left = new Places(FilePath.ROOT, "test", new Random()).temporary(FILE);
        String others = new Places(FilePath.ROOT, "other", new Random()).temporary(FILE);
        server.files.put(left, new byte[3]);
        server.files.put(others, new byte[4]);
        Sink sink = sink();

        // when
        backend.discard(left).join();
        backend.discard(others).join();
        backend.discard("/f").join();
        backend.discard(sink.temporary().orElseThrow()).join();
        sink.commit(bytes -> {}).join();

        // then
        assertThat(server.files).containsOnlyKeys("/f", others);
    }

    @Test
    void shouldRemoveWhatAKilledProcessLeftWhenItListsTheDirectory() {
        // given
        server.files.put("/kept", new byte[1]);
        Places places = new Places(FilePath.ROOT, "test", new Random());
        Places others = new Places(FilePath.ROOT, "other", new Random());
        server.files.put(places.temporary(FILE), new byte[3]);
        server.files.put(others.temporary(FILE), new byte[4]);

        // when
        List<Entry> entries = backend.list(FilePath.ROOT).join();

        // then
        assertThat(entries).extracting(Entry::name).containsExactly("kept");
        assertThat(server.files.values()).extracting(found -> found.length).containsExactlyInAnyOrder(1, 4);
    }

    @Test
    void shouldRemoveWhatWasBegunWhenNoDataConnectionCameAbout() {
        // given
        server.on("STOR", (client, path) -> {
            server.files.put(path, new byte[0]);
            client.say("425 Failed to establish connection.");
        });

        // when
        CompletableFuture<Sink> begun = backend.write(WriteRequest.replace(FILE));

        // then
        assertThat(begun).failsWithin(PATIENCE);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(server.files).isEmpty());
    }

    @Test
    void shouldRemoveWhatIsLeftWhenTheServerIsBackWithoutAnybodyWhoAsks() {
        // given
        server.on("STOR", (client, path) -> {
            client.say("150 ok");
            server.files.put(path, new byte[3]);
            client.receive();
        });
        ClientLimits limits = ClientLimits.defaults();
        ClientConfig config = server.config()
                .withLimits(limits.withTimes(Duration.ofMillis(200), Duration.ofSeconds(5), Duration.ofSeconds(5)));
        try (GridFtpBackend hasty = backend(config)) {
            Sink sink = hasty.write(WriteRequest.replace(FILE)).join();
            sink.write(0, bytes("hello")).join();
            await().atMost(PATIENCE).until(() -> server.files.size() == 1);
            server.say("USER", "421 Going down.");

            // when
            sink.abort().handle((done, failure) -> done).join();
            await().atMost(PATIENCE).until(this::logins, logins -> logins > 5);
            assertThat(server.files).hasSize(1);
            server.say("USER", "331 Password, please.");

            // then
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(server.files).isEmpty());
        }
    }

    @Test
    void shouldRemoveWhatWasBegunWhenItsDirectoryHasAnotherName() {
        // given
        server.on("STOR", (client, path) -> {
            client.say("150 ok");
            server.files.put(path, new byte[3]);
            client.receive();
            client.say("226 ok");
        });
        server.on(
                "MLST",
                (client, path) -> client.say(
                        path.equals("/d") ? "250-ok\r\n Type=dir; /d\r\n250 End" : "550 No such file or directory"));
        server.say("RNFR", "350 ok");
        server.on("RNTO", (client, to) -> {
            for (String name : Set.copyOf(server.files.keySet())) {
                server.rename(name, to + name.substring("/d".length()));
            }
            client.say("250 ok");
        });
        Sink sink = backend.write(WriteRequest.replace(FilePath.of("/d/f"))).join();
        sink.write(0, bytes("hello")).join();
        await().atMost(PATIENCE).until(() -> server.files.size() == 1);

        // when
        backend.rename(FilePath.of("/d"), FilePath.of("/e")).join();
        assertThat(server.files.keySet().iterator().next()).startsWith("/e/");
        sink.abort().join();

        // then
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(server.files).isEmpty());
    }

    private long logins() {
        return server.commands().stream()
                .filter(line -> line.startsWith("USER"))
                .count();
    }
}
