package io.longhaul.gridftp.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.Accounts;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Directory;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that change or show files without a transfer. */
final class FileCommandsIT {
    @TempDir
    private Path place;

    private Path root;
    private Fronts front;
    private FtpClient client;

    @BeforeEach
    void start() {
        root = place.resolve("root");
        front = Fronts.of(root, Fronts.config(), Accounts.anonymous());
        client = FtpClient.anonymous(front.port());
    }

    @AfterEach
    void stop() {
        client.close();
        front.close();
    }

    private void file(String name) throws IOException {
        Files.createDirectories(root.resolve(name).resolveSibling("."));
        Files.writeString(root.resolve(name), name);
    }

    private List<String> listing(String command) {
        Socket data = FtpClient.open(client.passive());
        client.send(command);
        String lines = new String(FtpClient.readAll(data), StandardCharsets.UTF_8);
        assertThat(client.last()).startsWith("226");
        return lines.lines().toList();
    }

    @Test
    void shouldTakeMoreBlanksThanOneWhenNoNameFollows() throws IOException {
        file(" f");

        client.expect(250, "SITE  CHMOD  640  f");
        client.expect(250, "SITE  UTIME  20210203040506  f");
        client.expect(213, "MFMT  20210203040506  f");
        client.expect(213, "CKSM  MD5 0 -1  f");
        client.expect(200, "OPTS  RETR  Parallelism=2,2,2;");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve(" f"))))
                .isEqualTo("rw-r-----");
    }

    @Test
    void shouldTakeANameWithALineEndThatIsNoControl() throws IOException {
        file("a\u2028b");

        client.expect(250, "SITE UTIME a\u2028b 20200101000000 20210203040506 20200101000000 UTC");
        client.expect(213, "CKSM MD5 0 -1 a\u2028b");
        assertThat(listing("ERET P 0 1 a\u2028b")).containsExactly("a");
    }

    @Test
    void shouldSetModesAndTimesWhenAsked() throws IOException {
        file("f g");

        client.expect(250, "SITE CHMOD 0640 f g");
        client.expect(250, "SITE UTIME f g 20200101000000 20210203040506 20200101000000 UTC");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve("f g"))))
                .isEqualTo("rw-r-----");
        assertThat(Files.getLastModifiedTime(root.resolve("f g")).toInstant())
                .isEqualTo(Instant.parse("2021-02-03T04:05:06Z"));
        assertThat(client.expect(213, "MFF Modify=20220304050607;UNIX.mode=0600; f g"))
                .isEqualTo("213 Modify=20220304050607;UNIX.mode=0600; f g");
        assertThat(client.expect(250, "MLST f g")).contains("Modify=20220304050607", "UNIX.mode=0600");
        client.expect(501, "SITE CHMOD 4755 f g");
        client.expect(504, "MFF Modify=20220304050607;UNIX.owner=root; f g");
        client.expect(550, "SITE CHMOD 644 none");
        assertThat(client.expect(250, "MLST f g")).contains("Modify=20220304050607", "UNIX.mode=0600");
    }

    @Test
    void shouldRefuseATimeWhenAGlobusServerTakesNone() throws IOException {
        // given
        file("f");
        Instant before = Files.getLastModifiedTime(root.resolve("f")).toInstant();

        // then
        client.expect(501, "MFMT 18000101000000 f");
        client.expect(501, "SITE UTIME 19691231235959 f");
        client.expect(501, "SITE UTIME f 20200101000000 19691231235959 20200101000000 UTC");
        client.expect(501, "MFF Modify=19691231235959; f");
        assertThat(Files.getLastModifiedTime(root.resolve("f")).toInstant()).isEqualTo(before);
        client.expect(213, "MFMT 19700101000000 f");
    }

    @Test
    void shouldRemoveATreeAndNoLinksTargetWhenAsked() throws IOException {
        file("kept/f");
        for (int i = 0; i < 300; i++) {
            file("tree/a/d" + i + "/f");
        }
        Files.createSymbolicLink(root.resolve("tree/a/link"), root.resolve("kept"));
        Files.createSymbolicLink(root.resolve("tree/out"), place);

        client.expect(250, "SITE RDEL tree");

        assertThat(front.everything()).containsExactly("kept/f");
        assertThat(root.resolve("tree")).doesNotExist();
        assertThat(place).exists();
        client.expect(250, "SITE RDEL kept/f");
        client.expect(550, "SITE RDEL tree");
        client.expect(501, "SITE RDEL /");
    }

    /** Shows files as servers do that do not tell a link from what it points to. */
    private static Backend withoutLinks(Backend backend) {
        return (Backend) Proxy.newProxyInstance(
                FileCommandsIT.class.getClassLoader(),
                new Class<?>[] {Backend.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "stat" -> backend.stat((FilePath) arguments[0]).thenApply(FileCommandsIT::plain);
                    case "list" ->
                        backend.list((FilePath) arguments[0])
                                .thenApply(entries -> entries.stream()
                                        .map(FileCommandsIT::plain)
                                        .toList());
                    default -> method.invoke(backend, arguments);
                });
    }

    /** As a server does whose directory with the link must not be changed. */
    private static Backend withoutLinksAndKeeping(FilePath link, Backend backend) {
        Backend blind = withoutLinks(backend);
        return (Backend) Proxy.newProxyInstance(
                FileCommandsIT.class.getClassLoader(),
                new Class<?>[] {Backend.class},
                (proxy, method, arguments) -> method.getName().equals("deleteFile") && arguments[0].equals(link)
                        ? CompletableFuture.failedFuture(new BackendException(Code.IS_A_DIRECTORY, link + ": refused"))
                        : method.invoke(blind, arguments));
    }

    private static Entry plain(Entry entry) {
        return new Entry(
                entry.name(), entry.type(), entry.length(), entry.modified(), entry.writable(), Optional.empty());
    }

    @Test
    void shouldRemoveNoLinksTargetWhenNobodySaysWhatIsALink() throws IOException {
        // given
        file("kept/f");
        file("tree/a/b/f");
        Files.createDirectory(root.resolve("tree/empty"));
        Files.createSymbolicLink(root.resolve("tree/a/link"), root.resolve("kept"));
        Files.createSymbolicLink(root.resolve("top"), root.resolve("kept"));
        front.close();
        front = Fronts.of(root, Fronts.config(), Accounts.anonymous(), FileCommandsIT::withoutLinks);

        // when
        try (FtpClient blind = FtpClient.anonymous(front.port())) {
            blind.expect(250, "SITE RDEL tree");
            blind.expect(250, "SITE RDEL top");
        }

        // then
        assertThat(front.everything()).containsExactly("kept/f");
        assertThat(root.resolve("tree")).doesNotExist();
        assertThat(root.resolve("top")).doesNotExist();
    }

    @Test
    void shouldEmptyNoLinksTargetWhenTheLinkCannotBeRemoved() throws IOException {
        // given
        file("kept/f");
        file("tree/f");
        Files.createSymbolicLink(root.resolve("tree/link"), root.resolve("kept"));
        front.close();
        front = Fronts.of(
                root,
                Fronts.config(),
                Accounts.anonymous(),
                backend -> withoutLinksAndKeeping(FilePath.of("/tree/link"), backend));

        // when
        try (FtpClient blind = FtpClient.anonymous(front.port())) {
            assertThat(blind.expect(550, "SITE RDEL tree")).contains("/tree/link");
        }

        // then
        assertThat(root.resolve("kept/f")).exists();
        assertThat(root.resolve("tree/link")).exists();
    }

    @Test
    void shouldListWhatMatchesWhenTheNameIsAPattern() throws IOException {
        for (String name : List.of("d/a.nc", "d/b.nc", "d/c.txt", "d/[x].nc", "d/.h.nc")) {
            file(name);
        }

        assertThat(listing("NLST d/*.nc")).containsExactly("d/[x].nc", "d/a.nc", "d/b.nc");
        assertThat(listing("NLST d/[x].nc")).containsExactly("d/[x].nc");
        client.expect(250, "CWD d");
        assertThat(listing("NLST -a ?.*")).containsExactly("a.nc", "b.nc", "c.txt");
        assertThat(listing("LIST [ab].nc")).hasSize(2).allMatch(line -> line.endsWith(".nc") && line.startsWith("-rw"));
        client.passive();
        client.expect(550, "NLST *.none");
    }

    @Test
    void shouldAskOnceWhenADirectoryIsListed() throws IOException {
        // given
        file("d/f");
        List<String> asked = new CopyOnWriteArrayList<>();
        front.close();
        front = Fronts.of(root, Fronts.config(), Accounts.anonymous(), backend -> noting(asked, backend));
        client.close();
        client = FtpClient.anonymous(front.port());

        // then
        assertThat(listing("NLST d")).containsExactly("f");
        assertThat(listing("LIST d")).hasSize(1);
        assertThat(asked).containsExactly("list", "list");
        asked.clear();
        assertThat(listing("NLST d/f")).containsExactly("d/f");
        assertThat(asked).containsExactly("list", "stat");
        asked.clear();
        assertThat(listing("MLSD d")).hasSize(3);
        assertThat(asked).containsExactly("directory");
    }

    @Test
    void shouldListTenThousandEntriesAndNoMoreWhenThereIsNoConnectionForThem() {
        for (int entries : List.of(10_000, 10_001)) {
            // given
            front.close();
            front = Fronts.of(root, Fronts.config(), Accounts.anonymous(), backend -> having(entries, backend));

            // then
            try (FtpClient many = FtpClient.anonymous(front.port())) {
                many.expect(entries == 10_000 ? 250 : 504, "MLSC");
                many.expect(entries == 10_000 ? 213 : 504, "STAT /");
            }
        }
    }

    private static Backend having(int entries, Backend backend) {
        List<Entry> all = IntStream.range(0, entries)
                .mapToObj(name -> new Entry("f" + name, Entry.Type.FILE, 0, Instant.EPOCH, true, Optional.empty()))
                .toList();
        return (Backend) Proxy.newProxyInstance(
                FileCommandsIT.class.getClassLoader(),
                new Class<?>[] {Backend.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "list" -> CompletableFuture.completedFuture(all);
                    case "directory" ->
                        CompletableFuture.completedFuture(
                                new Directory(backend.stat(FilePath.ROOT).join(), all));
                    default -> method.invoke(backend, arguments);
                });
    }

    private static Backend noting(List<String> asked, Backend backend) {
        return (Backend) Proxy.newProxyInstance(
                FileCommandsIT.class.getClassLoader(), new Class<?>[] {Backend.class}, (proxy, method, arguments) -> {
                    asked.add(method.getName());
                    return method.invoke(backend, arguments);
                });
    }

    @Test
    void shouldChangeNothingWhenItIsNotSaidWhat() throws IOException {
        // given
        file("f");
        client.expect(257, "MKD d");
        client.expect(250, "CWD d");

        // then
        for (String verb :
                List.of("RMD", "DELE", "MKD", "RNFR", "RNTO", "SIZE", "MDTM", "RETR", "STOR", "APPE", "CWD", "XCWD")) {
            client.expect(501, verb);
        }
        for (String command : List.of(
                "SITE CHMOD 700 ",
                "SITE UTIME 20200101000000 ",
                "MFMT 20200101000000 ",
                "MFF Modify=20200101000000; ")) {
            client.expect(501, command);
        }
        client.expect(350, "RNFR ../f");
        client.expect(550, "RNFR none");
        client.expect(503, "RNTO g");
        client.expect(350, "RNFR ../f");
        client.expect(501, "RNFR");
        client.expect(503, "RNTO g");
        assertThat(root.resolve("d")).isEmptyDirectory();
        assertThat(root.resolve("f")).exists();
    }

    @Test
    void shouldListOneLineWhenANameHasLineEndsInIt() throws IOException {
        file("d/a\r\nType=file;Size=1; b");

        assertThat(listing("NLST d")).containsExactly("a??Type=file;Size=1; b");
        assertThat(listing("MLSD d")).hasSize(3);
        assertThat(listing("LIST d")).hasSize(1);
    }

    @Test
    void shouldSayWhyWhenSomethingCannotBeDone() {
        client.expect(250, "SITE SETNETSTACK tcp");
        client.expect(250, "SITE SETDISKSTACK default");
        client.expect(500, "SITE SETNETSTACK udt");
        assertThat(client.expect(504, "SITE SYMLINKFROM a")).contains("links");
        assertThat(client.expect(504, "SITE CHGRP users a")).contains("group");
        assertThat(client.expect(504, "SITE TRNC 0 a")).contains("whole");
        client.expect(500, "SITE NOSUCH");
    }

    @Test
    void shouldMeanWhereSessionsBeginWhenAPathBeginsWithATilde() throws IOException {
        // given
        file("d/f");
        file("~x");
        client.expect(250, "CWD d");

        // then
        client.expect(213, "SIZE ~/d/f");
        client.expect(550, "SIZE ~x");
        client.expect(250, "CWD ~");
        assertThat(client.expect(257, "PWD")).contains("\"/\"");
        client.expect(213, "SIZE ~x");
    }

    @Test
    void shouldTellNoFactsWhenNoneIsChosen() throws IOException {
        // given
        file("f");

        // when
        assertThat(client.expect(200, "OPTS MLST size;type;")).contains("200 MLST OPTS Type;Size;");
        client.expect(200, "OPTS MLST");

        // then
        assertThat(client.expect(250, "MLST f")).contains("\n  f\n");
    }

    /** Trees of old have names in Latin-1: each is refused, and the session goes on with the others. */
    @Test
    void shouldGoOnWhenManyNamesAreNoText() {
        for (int name = 0; name < 100; name++) {
            client.send(("MKD caf\u00e9" + name + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            assertThat(client.reply()).startsWith("501 Expected UTF-8");
        }
        client.expect(257, "MKD other");
    }
}
