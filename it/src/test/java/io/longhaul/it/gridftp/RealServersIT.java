package io.longhaul.it.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.client.ClientConfig;
import io.longhaul.gridftp.client.Credentials;
import io.longhaul.gridftp.client.ServerUrl;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.server.GridFtpBackend;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.Source;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.longhaul.it.gridftp.OtherServers.Running;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Servers that know nothing of Longhaul, as back ends. */
@ExtendWith(TestbedExtension.class)
final class RealServersIT {
    private static final int BLOCK = 200_000;
    private static final byte[] BYTES = random(3_333_333);
    private static final String FOREIGN = "naïve \u4e2d";
    private static final List<String> NAMES =
            List.of("a b", FOREIGN, "it's \"quoted\"", "100%25 *[x]?", "-la", " blanks ");

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(7).nextBytes(bytes);
        return bytes;
    }

    private static FilePath path(String text) {
        return FilePath.of(text);
    }

    private static GridFtpBackend backend(Running server, boolean extended) {
        ClientConfig config = ClientConfig.of(ServerUrl.parse(server.url()), Credentials.anonymous());
        return GridFtpBackend.open(config.withExtended(extended), "it", System::nanoTime, new Random());
    }

    /** Writes blocks from a position to another, each two in the other order. */
    private static void write(Sink sink, int from, int to) {
        for (int at = from; at < to; at += 2 * BLOCK) {
            for (int start : new int[] {at + BLOCK, at}) {
                if (start < to) {
                    int end = Math.min(to, start + BLOCK);
                    sink.write(start, Unpooled.wrappedBuffer(BYTES, start, end - start))
                            .join();
                }
            }
        }
    }

    private static Entry put(Backend backend, String path, Kind kind, int from, int to, ByteRange... present) {
        WriteRequest request = new WriteRequest(path(path), kind, 0, List.of(present), Optional.empty());
        Sink sink = backend.write(request).join();
        write(sink, from, to);
        return sink.commit(bytes -> {}).join();
    }

    private static byte[] get(Backend backend, String path, ByteRange range) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (Source source = backend.read(path(path), List.of(range)).join()) {
            Optional<Block> next = source.next().join();
            while (next.isPresent()) {
                byte[] bytes = new byte[next.get().bytes().readableBytes()];
                next.get().bytes().readBytes(bytes).release();
                all.writeBytes(bytes);
                next = source.next().join();
            }
        }
        return all.toByteArray();
    }

    private static void assertFails(Code code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        BackendException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** Does everything once. */
    private static void exercise(Running server, boolean extended, List<String> names) throws IOException {
        Path directory = server.directory();
        ByteRange all = new ByteRange(0, Long.MAX_VALUE);
        try (GridFtpBackend backend = backend(server, extended)) {
            backend.makeDirectory(path("/d")).join();
            assertThat(put(backend, "/d/f", Kind.REPLACE, 0, BYTES.length).length())
                    .isEqualTo(BYTES.length);
            assertThat(directory.resolve("d/f")).hasBinaryContent(BYTES);
            assertThat(get(backend, "/d/f", all)).isEqualTo(BYTES);
            assertThat(get(backend, "/d/f", new ByteRange(1000, 500_000)))
                    .isEqualTo(Arrays.copyOfRange(BYTES, 1000, 500_000));
            assertThat(backend.checksum(path("/d/f"), ChecksumAlgorithm.MD5, all, done -> {})
                            .join())
                    .isEqualTo(md5(BYTES));

            put(backend, "/d/f", Kind.REPLACE, 0, BLOCK);
            put(backend, "/d/f", Kind.APPEND, 0, 10);
            put(backend, "/d/f", Kind.OVERLAY, BLOCK - 5, BLOCK + 20);
            assertThat(directory.resolve("d/f")).hasBinaryContent(Arrays.copyOf(BYTES, BLOCK + 20));
            put(backend, "/d/empty", Kind.REPLACE, 0, 0);
            backend.deleteFile(path("/d/empty")).join();
            Instant time = Instant.parse("2001-02-03T04:05:06Z");
            backend.setModified(path("/d/f"), time).join();
            assertThat(backend.stat(path("/d/f")).join().modified()).isEqualTo(time);

            for (String name : names) {
                put(backend, "/d/" + name, Kind.REPLACE, 0, 100);
            }
            assertThat(backend.list(path("/d")).join())
                    .extracting(Entry::name)
                    .containsExactlyInAnyOrderElementsOf(names(directory.resolve("d")))
                    .containsAll(names)
                    .hasSize(names.size() + 1);
            backend.rename(path("/d/f"), path("/d/a b")).join();
            assertThat(backend.stat(path("/d/a b")).join().length()).isEqualTo(BLOCK + 20);

            assertFails(
                    Code.NOT_FOUND,
                    () -> backend.read(path("/none"), List.of(all)).join());
            assertFails(Code.NOT_FOUND, () -> put(backend, "/none/f", Kind.REPLACE, 0, 1));
            assertFails(Code.IS_A_DIRECTORY, () -> put(backend, "/d", Kind.REPLACE, 0, 1));
            assertFails(
                    Code.NOT_EMPTY, () -> backend.removeDirectory(path("/d")).join());
            assertFails(Code.EXISTS, () -> backend.makeDirectory(path("/d")).join());
            for (String name : names) {
                backend.deleteFile(path("/d/" + name)).join();
            }
            backend.removeDirectory(path("/d")).join();
            assertThat(names(directory)).isEmpty();
        }
    }

    private static String md5(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** Kills the server's side of an upload and goes on with it. */
    private static void resume(Running server, boolean extended) throws IOException {
        int half = 10 * BLOCK;
        try (GridFtpBackend backend = backend(server, extended)) {
            Sink cut = backend.write(WriteRequest.replace(path("/f"))).join();
            write(cut, 0, half);
            CompletableFuture<Void> forced = cut.force();
            // a server may keep a buffer to itself until it is full
            write(cut, half, half + 6 * BLOCK);
            forced.join();
            server.killSessions();
            assertFails(Code.UNAVAILABLE, () -> cut.commit(bytes -> {}).join());

            put(backend, "/f", Kind.RESUME, half, BYTES.length, new ByteRange(0, half));

            assertThat(server.directory().resolve("f")).hasBinaryContent(BYTES);
            Sink given = backend.write(WriteRequest.replace(path("/g"))).join();
            write(given, 0, half);
            server.killSessions();
            given.abort().join();
            assertThat(names(server.directory())).containsExactly("f");
        }
    }

    @Test
    void shouldServeGlobusInModeSAndModeE(Testbed testbed) throws IOException {
        Programs.of(testbed, "globus-gridftp-server");
        Running server = new OtherServers(testbed).globus();

        // it leaves out what is not ASCII, so that another file would be meant
        List<String> names =
                NAMES.stream().filter(name -> !name.equals(FOREIGN)).toList();
        exercise(server, false, names);
        exercise(server, true, names);
        try (GridFtpBackend backend = backend(server, true)) {
            put(backend, "/nave ", Kind.REPLACE, 0, 1);
            assertFails(Code.BAD_NAME, () -> put(backend, "/" + FOREIGN.substring(0, 6), Kind.REPLACE, 0, 2));
            assertFails(Code.BAD_NAME, () -> backend.deleteFile(path("/naïve ")).join());
            assertFails(
                    Code.BAD_NAME,
                    () -> backend.makeDirectory(path("/d" + FOREIGN)).join());
        }
        assertThat(names(server.directory())).containsExactly("nave ");
    }

    @Test
    void shouldGoOnWhenASessionOfGlobusIsKilled(Testbed testbed) throws IOException {
        Programs.of(testbed, "globus-gridftp-server");
        Running server = new OtherServers(testbed).globus();

        resume(server, true);
        Files.delete(server.directory().resolve("f"));
        resume(server, false);
    }

    @Test
    void shouldServeVsftpdWhichHasNeitherFactsNorChecksums(Testbed testbed) throws IOException {
        Programs.of(testbed, "vsftpd");
        Running server = new OtherServers(testbed).vsftpd();

        exercise(server, true, NAMES);
        resume(server, true);
    }

    @Test
    void shouldStoreWholeFilesAtVsftpdWhereStrangersOnlyAddThem(Testbed testbed) throws IOException {
        // given
        Programs.of(testbed, "vsftpd");
        Running server = new OtherServers(testbed).vsftpd("anon_other_write_enable=NO");

        try (GridFtpBackend backend = backend(server, true)) {
            // when
            put(backend, "/f", Kind.REPLACE, 0, BYTES.length);

            // then
            assertThat(server.directory().resolve("f")).hasBinaryContent(BYTES);
            assertFails(Code.DENIED, () -> put(backend, "/f", Kind.REPLACE, 0, 1));
            assertFails(Code.UNSUPPORTED, () -> put(backend, "/f", Kind.APPEND, 0, 1));
            assertThat(names(server.directory())).containsExactly("f");
            assertThat(server.directory().resolve("f")).hasBinaryContent(BYTES);
        }
    }

    @Test
    void shouldServeVsftpdUnderTlsWhereItWaitsForTheClientsLastWord(Testbed testbed) throws IOException {
        // given
        Programs programs = Programs.of(testbed, "vsftpd", "openssl");
        Path certificate = programs.file("cert.pem");
        Path key = programs.file("key.pem");
        String request = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost"
                + " -addext subjectAltName=IP:127.0.0.1 -keyout " + key + " -out " + certificate;
        programs.run(request.split(" "));
        Running server = new OtherServers(testbed)
                .vsftpd(
                        "ssl_enable=YES",
                        "allow_anon_ssl=YES",
                        "force_anon_logins_ssl=YES",
                        "force_anon_data_ssl=YES",
                        "rsa_cert_file=" + certificate,
                        "rsa_private_key_file=" + key);
        ClientConfig config = ClientConfig.of(ServerUrl.parse(server.url()), Credentials.anonymous())
                .withTls(Optional.of(certificate));

        try (GridFtpBackend backend = GridFtpBackend.open(config, "it", System::nanoTime, new Random())) {
            // when
            put(backend, "/f", Kind.REPLACE, 0, BYTES.length);

            // then
            assertThat(get(backend, "/f", new ByteRange(0, Long.MAX_VALUE))).isEqualTo(BYTES);
            assertThat(backend.list(path("/")).join()).extracting(Entry::name).containsExactly("f");
        }
    }

    @Test
    void shouldServeProftpdWhichReplacesAndRestartsNothing(Testbed testbed) throws IOException {
        Programs.of(testbed, "proftpd");
        Running server = new OtherServers(testbed).proftpd();

        exercise(server, true, NAMES);
    }

    @Test
    void shouldGoOnWhenASessionOfProftpdIsKilled(Testbed testbed) throws IOException {
        Programs.of(testbed, "proftpd");
        Running server = new OtherServers(testbed).proftpd("AllowStoreRestart on", "AllowOverwrite on");

        resume(server, true);
    }
}
