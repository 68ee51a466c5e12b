package io.longhaul.gridftp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.client.ClientConfig;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.Source;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Servers that lack commands which others have, or have them not for everybody. */
final class PoorServersIT extends OneServer {
    private static Code code(CompletableFuture<?> asked) {
        return failure(asked).code();
    }

    private static BackendException failure(CompletableFuture<?> asked) {
        return asked.handle((done, failure) -> {
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    return cause instanceof BackendException known
                            ? known
                            : new BackendException(Code.FAILED, "expected a failure of the back end's, found " + cause);
                })
                .join();
    }

    private Code refused(String text) {
        return refusal(text).code();
    }

    private BackendException refusal(String text) {
        Sink sink = sink();
        sink.write(0, bytes(text)).join();
        return failure(sink.commit(bytes -> {}));
    }

    /** As for strangers at a drop box: they add files, and do nothing else. */
    private void onlyAdd() {
        server.say("RNFR", "550 Permission denied.");
        server.say("DELE", "550 Permission denied.");
        ScriptedServer.Answer store = (client, path) -> {
            client.say("150 ok");
            server.files.put(path, client.receive());
            client.say("226 ok");
        };
        server.on("STOR", (client, path) -> {
            if (server.files.containsKey(path)) {
                client.say("553 Could not create file.");
            } else {
                store.to(client, path);
            }
        });
    }

    @Test
    void shouldStoreUnderItsOwnNameWhenNothingMayBeRenamed() {
        // given
        onlyAdd();

        // when
        put("hello");

        // then
        assertThat(server.files).containsOnlyKeys("/f");
        assertThat(server.files.get("/f")).asString(StandardCharsets.UTF_8).isEqualTo("hello");
        assertThat(code(backend.write(WriteRequest.replace(FILE)))).isEqualTo(Code.DENIED);
        assertThat(server.files.get("/f")).asString(StandardCharsets.UTF_8).isEqualTo("hello");
    }

    @Test
    void shouldStoreNoPartWhenNothingMayBeRenamed() {
        // given
        onlyAdd();

        // then
        WriteRequest append = new WriteRequest(FILE, Kind.APPEND, 0, List.of(), Optional.empty());
        assertThat(code(backend.write(append))).isEqualTo(Code.UNSUPPORTED);
        assertThat(server.files).isEmpty();
    }

    @Test
    void shouldLeaveNothingWhenAFileEndsEarlyUnderItsOwnName() {
        // given
        server.say("RNFR", "502 Command not implemented.");
        Sink aborted = sink();
        aborted.write(0, bytes("hello")).join();

        // then
        assertThatThrownBy(() -> backend.write(WriteRequest.replace(FILE)).join())
                .cause()
                .isInstanceOfSatisfying(
                        BackendException.class, e -> assertThat(e.code()).isEqualTo(Code.UNAVAILABLE));
        assertThat(aborted.temporary()).isEmpty();

        // when
        aborted.abort().join();
        Sink suspended = sink();
        suspended.write(0, bytes("hello")).join();
        suspended.suspend().join();

        // then
        assertThat(server.files).isEmpty();
        put("again");
        assertThat(server.files.get("/f")).asString(StandardCharsets.UTF_8).isEqualTo("again");
    }

    @Test
    void shouldReadAPartWhenTheServerBeginsAtTheBeginningOnly() {
        // given
        server.files.put("/f", "hello world".getBytes(StandardCharsets.UTF_8));
        server.say("REST", "502 Command not implemented.");

        // when
        StringBuilder read = new StringBuilder();
        try (Source source = backend.read(FILE, List.of(new ByteRange(1, 3), new ByteRange(6, 11)))
                .join()) {
            for (Optional<Block> next = source.next().join();
                    next.isPresent();
                    next = source.next().join()) {
                read.append(next.get().bytes().toString(StandardCharsets.UTF_8));
                next.get().bytes().release();
            }
        }

        // then
        assertThat(read).hasToString("elworld");
    }

    @Test
    void shouldLookIntoTheListingWhenTheServerTellsNoLength() {
        // given
        server.say("FEAT", "502 Command not implemented.");
        server.say("SIZE", "502 Command not implemented.");
        server.on("CWD", (client, path) -> client.say(path.equals("/") ? "250 ok" : "550 Failed to change directory."));
        server.on("LIST", (client, argument) -> {
            client.say("150 ok");
            StringBuilder lines = new StringBuilder("total 1\r\n");
            server.files.forEach((path, bytes) -> lines.append("-rw-r--r-- 1 ftp ftp " + bytes.length + " Nov 21 2024 ")
                    .append(path.substring(1))
                    .append("\r\n"));
            client.send(lines.toString().getBytes(StandardCharsets.UTF_8));
            client.say("226 ok");
        });

        // when
        put("hello");

        // then
        assertThat(server.files).containsOnlyKeys("/f");
        Entry found = backend.stat(FILE).join();
        assertThat(found.length()).isEqualTo(5);
        assertThat(found.name()).isEqualTo("f");
        assertThat(code(backend.stat(FilePath.of("/none")))).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void shouldPutZerosBeforeAPartThatBeginsFarBehindTheEndOfTheFile() {
        // given
        server.files.put("/f", "old".getBytes(StandardCharsets.UTF_8));
        ClientConfig narrow =
                server.config().withLimits(server.config().limits().withWindow(4));

        // when
        try (GridFtpBackend careful = backend(narrow)) {
            Sink sink = careful.write(new WriteRequest(FILE, Kind.OVERLAY, 0, List.of(), Optional.empty()))
                    .join();
            sink.write(8, bytes("hello")).join();
            sink.commit(bytes -> {}).join();
        }

        // then
        assertThat(server.files).containsOnlyKeys("/f");
        assertThat(server.files.get("/f")).asString(StandardCharsets.UTF_8).isEqualTo("old\0\0\0\0\0hello");
    }

    @Test
    void shouldPutAPartTogetherWhenItsFirstBytesComeAfterManyOthers() {
        // given
        server.files.put("/f", "0123456789".getBytes(StandardCharsets.UTF_8));
        byte[] most = new byte[9 * 1024 * 1024];
        WriteRequest part = new WriteRequest(FILE, Kind.OVERLAY, 0, List.of(), Optional.empty());

        // when
        Sink sink = backend.write(part.from(2)).join();
        sink.write(5, Unpooled.wrappedBuffer(most)).join();
        sink.write(2, bytes("cde")).join();
        sink.commit(bytes -> {}).join();

        // then
        assertThat(server.files).containsOnlyKeys("/f");
        assertThat(server.files.get("/f"))
                .hasSize(5 + most.length)
                .startsWith("01cde\0".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldNotTakeAFileForMissingWhenTheServerIsBusy() {
        // given
        server.files.put("/f", new byte[3]);
        server.say("FEAT", "502 Command not implemented.");
        server.say("SIZE", "450 Try again later.");

        // then
        assertThat(code(backend.stat(FILE))).isEqualTo(Code.UNAVAILABLE);
    }

    @Test
    void shouldLeaveItToTheSenderHowOftenWhenTheServerKeepsHalfOfAFileEachTime() {
        // given
        server.on("STOR", (client, path) -> {
            client.say("150 ok");
            server.files.put(path, ScriptedServer.part(client.receive(), 3));
            client.say("226 ok");
        });

        // when
        List<BackendException> failures =
                Stream.generate(() -> refusal("hello")).limit(6).toList();

        // then
        assertThat(failures).allMatch(each -> each.code() == Code.UNAVAILABLE && each.isDifferent());
    }

    @Test
    void shouldKeepAWholeFileUnderItsOwnNameWhenItCannotBeLookedAt() {
        // given
        server.say("RNFR", "502 Command not implemented.");
        AtomicInteger looks = new AtomicInteger();
        server.on("MLST", (client, path) -> {
            if (!server.files.containsKey(path)) {
                client.say(path.equals("/") ? "250-ok\r\n Type=dir; /\r\n250 End" : "550 No such file");
            } else if (looks.incrementAndGet() > 1) {
                client.leave();
            } else {
                client.say("250-ok\r\n Type=file;Size=5; /f\r\n250 End");
            }
        });
        Sink sink = sink();
        sink.write(0, bytes("hello")).join();

        // when
        Entry stored = sink.commit(bytes -> {}).join();

        // then
        assertThat(stored.length()).isEqualTo(5);
        assertThat(stored.name()).isEqualTo("f");
        assertThat(server.commands()).noneMatch(command -> command.startsWith("DELE"));
        assertThat(server.files).containsOnlyKeys("/f");
    }

    @Test
    void shouldWriteUnderItsOwnNameWhereNothingMayBeRenamedAfterItWasElsewhere() {
        // given
        server.on("MLST", (client, path) -> {
            if (server.files.containsKey(path)) {
                client.say("250-ok\r\n Type=file;Size=5; " + path + "\r\n250 End");
            } else {
                boolean isDirectory = path.equals("/") || path.equals("/incoming");
                client.say(isDirectory ? "250-ok\r\n Type=dir; /\r\n250 End" : "550 No such file");
            }
        });
        put("hello");
        server.say("RNFR", "550 Permission denied.");

        // when
        Sink sink =
                backend.write(WriteRequest.replace(FilePath.of("/incoming/g"))).join();
        sink.write(0, bytes("hello")).join();
        sink.commit(bytes -> {}).join();

        // then
        assertThat(server.files).containsOnlyKeys("/f", "/incoming/g");

        // when
        server.files.remove("/f");

        // then
        assertThat(refused("hello")).isEqualTo(Code.DENIED);
        put("hello");
        assertThat(server.files).containsOnlyKeys("/f", "/incoming/g");
    }
}
