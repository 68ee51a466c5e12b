package io.longhaul.gridftp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.AddressBlock;
import io.longhaul.gridftp.Patience;
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
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Servers that lie, leave, stall and forget. */
final class StrangeServersIT extends OneServer {
    private static CompletableFuture<Entry> commit(Sink sink) {
        return sink.commit(bytes -> {});
    }

    private static String fails(Code code, ThrowingCallable call) {
        StringBuilder message = new StringBuilder();
        assertThatThrownBy(call).cause().isInstanceOfSatisfying(BackendException.class, e -> {
            assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
            message.append(e.getMessage());
        });
        return message.toString();
    }

    @Test
    void shouldFailWhenTheServerSaysAllIsWellToHalfAFile() {
        // given
        server.on("STOR", (client, path) -> {
            client.say("150 ok");
            server.files.put(path, ScriptedServer.part(client.receive(), 3));
            client.say("226 ok");
        });
        Sink sink = sink();
        sink.write(0, bytes("hello")).join();

        // then
        assertThat(fails(Code.UNAVAILABLE, () -> commit(sink).join()))
                .contains("5 bytes")
                .contains("found 3");
        assertThat(server.files).isEmpty();
    }

    @Test
    void shouldLeaveNothingWhenTheServerLeavesInTheMiddle() {
        // given
        server.once("STOR", (client, path) -> {
            client.say("150 ok");
            try (Socket data = client.connection();
                    InputStream in = data.getInputStream()) {
                server.files.put(path, in.readNBytes(3));
                client.say("421 Server is going down.");
                client.leave();
            }
        });
        Sink sink = sink();
        sink.write(0, bytes("hello")).join();

        // then
        assertThat(fails(Code.UNAVAILABLE, () -> commit(sink).join())).contains("421 Server is going down");
        fails(Code.BAD_RANGE, () -> backend.write(resume(5)).join());
        Patience.await().untilAsserted(() -> assertThat(server.files).hasSizeLessThan(2));
        put("again");
        assertThat(server.files).containsOnlyKeys("/f");
    }

    private static WriteRequest resume(long present) {
        return new WriteRequest(FILE, Kind.RESUME, 0, List.of(new ByteRange(0, present)), Optional.empty());
    }

    @Test
    void shouldGoOnWhereTheServerIsWhenItLeftInTheMiddle() {
        // given
        server.once("STOR", (client, path) -> {
            client.say("150 ok");
            try (Socket data = client.connection();
                    InputStream in = data.getInputStream()) {
                server.files.put(path, in.readNBytes(3));
                client.leave();
            }
        });
        server.on("REST", (client, position) -> {
            server.once("STOR", (resumed, path) -> {
                resumed.say("150 ok");
                server.files.put(
                        path,
                        (new String(server.files.get(path), StandardCharsets.UTF_8)
                                                .substring(0, Integer.parseInt(position))
                                        + new String(resumed.receive(), StandardCharsets.UTF_8))
                                .getBytes(StandardCharsets.UTF_8));
                resumed.say("226 ok");
            });
            client.say("350 ok");
        });
        Sink cut = sink();
        cut.write(0, bytes("hello")).join();
        cut.suspend().join();

        // when
        Sink resumed = backend.write(resume(2)).join();
        resumed.write(2, bytes("llo")).join();
        commit(resumed).join();

        // then
        assertThat(server.files).containsOnlyKeys("/f");
        assertThat(server.files.get("/f")).asString(StandardCharsets.UTF_8).isEqualTo("hello");
    }

    @Test
    void shouldGoOnWhenALineEndIsWithinAReply() {
        server.say("FEAT", "211-Features:\r\n SIZE\r\n MLST Type*;Size*;\r\n UTF8\r\n211 End");
        server.say("OPTS", "501 'UTF8 ON\r\n' unrecognized.");

        put("hello");

        assertThat(server.files.get("/f")).asString(StandardCharsets.UTF_8).isEqualTo("hello");
    }

    @Test
    void shouldFailWhenTheServerTakesNoByteForTooLong() {
        // given
        ClientConfig impatient = server.config()
                .withLimits(server.config()
                        .limits()
                        .withTimes(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(1)));
        server.once("STOR", (client, path) -> {
            client.say("150 ok");
            client.connection();
        });

        try (GridFtpBackend hasty = backend(impatient)) {
            Sink sink = hasty.write(WriteRequest.replace(FILE)).join();

            // then
            String message = fails(
                    Code.UNAVAILABLE,
                    () -> sink.write(0, Unpooled.buffer(64_000_000).writeZero(64_000_000))
                            .join());
            assertThat(message).contains("timed out");
            sink.abort().join();
        }
    }

    @Test
    void shouldSendWhenTheServerForgetsToSayThatItBegins() {
        server.on("STOR", (client, path) -> {
            server.files.put(path, client.receive());
            client.say("226 ok");
        });

        put("hello");

        assertThat(server.files).containsOnlyKeys("/f");
    }

    @Test
    void shouldStayWithTheServerWhenItNamesAnothersAddress() {
        server.say("EPSV", "500 not understood");
        server.on("PASV", (client, argument) -> {
            int port = client.listen();
            client.say("227 Entering Passive Mode (192,0,2,1," + port / 256 + "," + port % 256 + ")");
        });

        put("hello");

        assertThat(server.files).containsOnlyKeys("/f");
    }

    @Test
    void shouldGoToAnotherHostForDataWhenTheServerNamesOneThatIsAllowed() {
        // given
        server.say("EPSV", "229 ok (|||1|)");
        server.on("PASV", (client, argument) -> {
            int port = client.listen("127.0.0.2");
            client.say("227 Entering Passive Mode (127,0,0,2," + port / 256 + "," + port % 256 + ")");
        });
        ClientConfig config = server.config().withDataHosts(List.of(AddressBlock.parse("127.0.0.2")));

        try (GridFtpBackend elsewhere = backend(config)) {
            // when
            Sink sink = elsewhere.write(WriteRequest.replace(FILE)).join();
            sink.write(0, bytes("hello")).join();
            commit(sink).join();
        }

        // then
        assertThat(server.files).containsOnlyKeys("/f");
    }

    @Test
    void shouldFailWhenAFileEndsEarly() {
        // given
        server.files.put("/f", "0123456789".getBytes(StandardCharsets.UTF_8));
        server.on("RETR", (client, path) -> {
            client.say("150 ok");
            client.send(ScriptedServer.part(server.files.get(path), 4));
            client.say("226 ok");
        });

        try (Source source = backend.read(FILE, List.of(new ByteRange(0, 100))).join()) {
            Block first = source.next().join().orElseThrow();
            assertThat(first.bytes().readableBytes()).isEqualTo(4);
            first.bytes().release();

            // then
            assertThat(fails(Code.UNAVAILABLE, () -> source.next().join())).contains("found the end at 4");
        }
    }

    @Test
    void shouldSeeThatItIsPlacedWhenTheAnswerIsLost() {
        server.once("RNTO", (client, path) -> {
            String temporary = server.files.keySet().iterator().next();
            server.rename(temporary, path);
            client.leave();
        });

        put("hello");

        assertThat(server.files).containsOnlyKeys("/f");
    }

    @Test
    void shouldKeepThePasswordToItselfWhenTheLoginIsRefused() {
        server.say("PASS", "530 Login incorrect.");

        String message = fails(Code.NOT_LOGGED_IN, () -> backend.stat(FILE).join());

        assertThat(message)
                .contains("login as bob")
                .contains("530 Login incorrect")
                .doesNotContain("secret");
    }

    @Test
    void shouldFailWhenMoreBytesWaitForThoseBeforeThemThanThereIsRoomFor() {
        ClientConfig narrow =
                server.config().withLimits(server.config().limits().withWindow(10));
        try (GridFtpBackend careful = backend(narrow)) {
            Sink sink = careful.write(WriteRequest.replace(FILE)).join();
            sink.write(5, bytes("x".repeat(10))).join();

            String message = fails(
                    Code.FAILED,
                    () -> sink.write(15, bytes("x"))
                            .orTimeout(Patience.SECONDS, TimeUnit.SECONDS)
                            .join());

            assertThat(message).contains("bytes at 0 are missing");
            sink.abort().join();
        }
    }

    @Test
    void shouldSayWhatIsALinkWhenItLooksAtWhatItPointsTo() {
        // given
        server.say("CWD", "250 ok");
        server.on("MLSD", (client, path) -> {
            client.say("150 ok");
            client.send("Type=OS.unix=slink:/kept; l\r\n".getBytes(StandardCharsets.UTF_8));
            client.say("226 ok");
        });

        // when
        Entry link = backend.list(FilePath.ROOT).join().get(0);

        // then
        assertThat(link.isDirectory()).isTrue();
        assertThat(link.unix().orElseThrow().linkTarget()).contains("/kept");
    }

    @Test
    void shouldListTheOthersWhenANameHasALineEndInIt() {
        // given
        server.on("MLSD", (client, path) -> {
            client.say("150 ok");
            String lines = "Type=file; a\nb\r\nType=file; c\rd\r\nType=OS.unix=slink:/x; e\nf g\r\nType=file; h\r\n";
            client.send(lines.getBytes(StandardCharsets.UTF_8));
            client.say("226 ok");
        });

        // then
        assertThat(backend.list(FilePath.ROOT).join())
                .extracting(Entry::name)
                .containsExactly("a\nb", "c\rd", "e\nf g", "h");
    }

    @Test
    void shouldNotTakeAListingForWholeWhenItsConnectionBroke() {
        // given
        server.on("MLSD", (client, path) -> {
            client.say("150 ok");
            try (Socket connection = client.connection()) {
                connection.setSendBufferSize(16 * 1024);
                // more than buffers hold: the client has read some of it when it is written
                connection
                        .getOutputStream()
                        .write("Type=file;Size=1; a\r\n".repeat(100_000).getBytes(StandardCharsets.UTF_8));
                connection.setSoLinger(true, 0);
            }
            client.say("226 ok");
        });

        // then
        assertThat(fails(Code.FAILED, () -> backend.list(FilePath.ROOT).join())).contains("its connection broke");
    }

    @Test
    void shouldBelieveTheServerWhenItSaysThatADirectoryMayNotBeRemoved() {
        // given
        server.say("MLST", "250-ok\r\n Type=dir; /d\r\n250 End");
        server.files.put("/x", new byte[1]);

        // then
        server.say("RMD", "550 d: Permission denied");
        fails(Code.DENIED, () -> backend.removeDirectory(FilePath.of("/d")).join());
        server.say("RMD", "550 Remove directory operation failed.");
        goes("/d", "/d");
        fails(Code.NOT_EMPTY, () -> backend.removeDirectory(FilePath.of("/d")).join());
    }

    @Test
    void shouldSayThatADirectoryIsNotEmptyWhenTheServerOnlySaysThatItCannotTakeItsName() {
        // given
        server.say("MLST", "250-ok\r\n Type=dir; /d\r\n250 End");
        server.say("RNFR", "350 ok");
        server.say("RNTO", "550 Rename failed.");
        server.files.put("/x", new byte[1]);

        // then
        fails(
                Code.NOT_EMPTY,
                () -> backend.rename(FilePath.of("/d"), FilePath.of("/e")).join());

        // when
        server.files.clear();

        // then
        fails(
                Code.EXISTS,
                () -> backend.rename(FilePath.of("/d"), FilePath.of("/e")).join());
    }

    /** Has the server say where one is who goes to a place. */
    private void goes(String place, String there) {
        server.on("CWD", (client, path) -> {
            server.say("PWD", "257 \"" + (path.equals(place) ? there : path) + "\" is the current directory");
            client.say("250 ok");
        });
    }

    @Test
    void shouldNotSayThatADirectoryIsNotEmptyWhenItMayBeALink() {
        server.say("MLST", "250-ok\r\n Type=dir; /d\r\n250 End");
        server.files.put("/x", new byte[1]);
        server.say("RMD", "550 Remove directory operation failed.");

        fails(Code.DENIED, () -> backend.removeDirectory(FilePath.of("/d")).join());
        goes("/d", "/elsewhere");
        fails(Code.DENIED, () -> backend.removeDirectory(FilePath.of("/d")).join());
    }
}
