package io.longhaul.gridftp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Temporary files at a server of which nothing will become. */
final class LeftFilesIT extends OneServer {
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
}
