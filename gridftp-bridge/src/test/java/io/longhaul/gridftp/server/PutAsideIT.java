package io.longhaul.gridftp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that puts no file in the place of another one, and whoever replaces one there ended in between. */
final class PutAsideIT extends OneServer {
    private static final int OLD = 10;
    private static final int NEW = 5;

    /** What a process before this one used. */
    private final Places before = new Places(FilePath.ROOT, "test", new Random());

    private final String aside = before.aside(FILE).orElseThrow();

    @BeforeEach
    void replaceNothing() {
        server.replaceNothing();
    }

    private void put() {
        Sink sink = sink();
        sink.write(0, Unpooled.wrappedBuffer(new byte[NEW])).join();
        sink.commit(bytes -> {}).join();
    }

    private void assertOnly(int length) {
        assertThat(server.files).containsOnlyKeys("/f");
        assertThat(server.files.get("/f")).hasSize(length);
    }

    @Test
    void shouldReplaceTheFileWhenTheServerDoesNot() {
        server.files.put("/f", new byte[OLD]);
        server.files.put(aside, new byte[1]);

        put();

        assertOnly(NEW);
    }

    @Test
    void shouldLeaveTheFileWhenItIsRenamedOntoItself() {
        server.files.put("/f", new byte[OLD]);

        backend.rename(FILE, FILE).join();

        assertOnly(OLD);
    }

    @Test
    void shouldLeaveTheFileWhenADirectoryIsToHaveItsName() {
        // given
        server.files.put("/f", new byte[OLD]);
        server.files.put("/d", new byte[0]);
        server.on(
                "MLST",
                (client, path) -> client.say(
                        "250-ok\r\n Type=" + (path.equals("/f") ? "file" : "dir") + "; " + path + "\r\n250 End"));

        // then
        assertThatThrownBy(() -> backend.rename(FilePath.of("/d"), FILE).join())
                .hasMessageContaining("/f: Not a directory");
        assertThat(server.files).containsOnlyKeys("/f", "/d");
        assertThat(server.files.get("/f")).hasSize(OLD);
    }

    @Test
    void shouldPutTheOldFileBackWhenTheNewOneIsRefused() {
        // given
        server.files.put("/f", new byte[OLD]);
        server.on("RNTO", (client, path) -> {
            if (server.files.containsKey(path) || server.files.get(client.renaming).length == NEW) {
                client.say("553 Rename failed.");
            } else {
                server.rename(client.renaming, path);
                client.say("250 ok");
            }
        });

        // when
        assertThatThrownBy(this::put).hasCauseInstanceOf(BackendException.class);

        // then
        assertThat(backend.stat(FILE).join().length()).isEqualTo(OLD);
        assertThat(server.files).doesNotContainKey(aside);
    }

    @Test
    void shouldPutTheOldFileBackWhenTheSessionEndsInBetween() {
        // given
        server.files.put("/f", new byte[OLD]);
        server.on("RNTO", (client, path) -> {
            if (server.files.containsKey(path)) {
                client.say("550 Rename failed.");
            } else if (path.equals("/f") && !client.renaming.equals(aside)) {
                server.replaceNothing();
                client.leave();
            } else {
                server.rename(client.renaming, path);
                client.say("250 ok");
            }
        });

        // when
        assertThatThrownBy(this::put).hasCauseInstanceOf(BackendException.class);

        // then
        assertThat(backend.stat(FILE).join().length()).isEqualTo(OLD);
        put();
        assertOnly(NEW);
    }

    @Test
    void shouldPutTheOldFileBackWhenAProcessBeforeWasKilledInBetween() {
        // given
        server.files.put(aside, new byte[OLD]);
        server.files.put(before.temporary(FILE), new byte[NEW]);

        // when it is listed
        assertThat(backend.list(FilePath.ROOT).join()).extracting(Entry::name).containsExactly("f");

        // then
        assertOnly(OLD);

        // when it is looked at
        server.rename("/f", aside);
        assertThat(backend.stat(FILE).join().length()).isEqualTo(OLD);

        // then
        assertOnly(OLD);
    }

    @Test
    void shouldForgetTheOldFileWhenTheNewOneHadItsName() {
        // given
        server.files.put("/f", new byte[NEW]);
        server.files.put(aside, new byte[OLD]);

        // when it is listed
        assertThat(backend.list(FilePath.ROOT).join()).extracting(Entry::name).containsExactly("f");

        // then
        assertOnly(NEW);

        // when it is removed
        server.files.put(aside, new byte[OLD]);
        backend.deleteFile(FILE).join();

        // then
        assertThat(server.files).isEmpty();
    }

    @Test
    void shouldLeaveWhatOthersPutAside() {
        String others =
                new Places(FilePath.ROOT, "other", new Random()).aside(FILE).orElseThrow();
        server.files.put(others, new byte[OLD]);

        assertThat(backend.list(FilePath.ROOT).join()).isEmpty();

        assertThat(server.files).containsOnlyKeys(others);
    }

    @Test
    void shouldKeepTheOldFileWhenItIsPutAsideWhileItsDirectoryIsListed() {
        // given
        server.files.put("/f", new byte[OLD]);
        server.once("MLSD", (client, path) -> {
            client.say("150 ok");
            client.send(("Type=file;Size=1; f\r\nType=file;Size=1; " + aside.substring(1) + "\r\n")
                    .getBytes(StandardCharsets.UTF_8));
            server.rename("/f", aside);
            client.say("226 ok");
        });

        // when
        backend.list(FilePath.ROOT).join();

        // then
        assertThat(backend.stat(FILE).join().length()).isEqualTo(OLD);
    }

    @Test
    void shouldKeepTheOldFileWhenItIsPutAsideBeforeItIsReplaced() {
        // given
        server.files.put("/f", new byte[OLD]);
        server.once("RNTO", (client, path) -> {
            client.say("550 Rename failed.");
            server.once("MLST", (looking, there) -> {
                looking.say("250-ok\r\n Type=file;Size=1; /f\r\n250 End");
                server.rename("/f", aside);
                server.say("RNTO", "550 Rename failed.");
            });
        });

        // when
        assertThatThrownBy(this::put).hasCauseInstanceOf(BackendException.class);

        // then
        server.replaceNothing();
        assertThat(backend.stat(FILE).join().length()).isEqualTo(OLD);
    }

    @Test
    void shouldFindTheFileWhenItIsReplacedWhileSomebodyLooks() {
        // given
        server.files.put("/f", new byte[OLD]);
        server.once("MLST", (client, path) -> {
            put();
            client.say("550 No such file or directory");
        });

        // then
        assertThat(backend.stat(FILE).join().length()).isEqualTo(NEW);
    }

    @Test
    void shouldReplaceTheFileWhenItsNameIsAsLongAsANameMayBe() {
        // given
        FilePath longest = FilePath.of("/" + "x".repeat(255));
        server.files.put(longest.toString(), new byte[OLD]);

        // when
        Sink sink = backend.write(WriteRequest.replace(longest)).join();
        sink.write(0, Unpooled.wrappedBuffer(new byte[NEW])).join();
        sink.commit(bytes -> {}).join();

        // then
        assertThat(server.files).containsOnlyKeys(longest.toString());
        assertThat(server.files.get(longest.toString())).hasSize(NEW);

        // when a process before was killed in between
        server.rename(longest.toString(), before.aside(longest).orElseThrow());
        backend.list(FilePath.ROOT).join();

        // then
        assertThat(backend.stat(longest).join().length()).isEqualTo(NEW);
    }
}
