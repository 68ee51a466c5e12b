package io.longhaul.broker.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.broker.limits.Limit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsersFileTest {
    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void name() {
        file = directory.resolve("users.yaml");
    }

    private static Account account(String name, String password) {
        return Account.of(
                name,
                PasswordHash.of(password.toCharArray(), new Random(name.hashCode()), PasswordHash.LEAST_ITERATIONS),
                List.of(new TopicPattern("climate.*")),
                List.of(new TopicPattern("#")));
    }

    @Test
    void shouldPutNoFileInThePlaceOfSomethingElse() throws IOException {
        // given
        Files.createDirectory(file);

        // then
        assertThatThrownBy(() -> UsersFile.empty().write(file))
                .isInstanceOf(UsersException.class)
                .hasMessage("users file " + file + ": expected a file, found something else");
        assertThat(directory).isDirectoryContaining(Files::isDirectory);
    }

    @Test
    void shouldSayWhatItIsThatCannotBeRead() throws IOException {
        // given
        Path binary = Files.write(directory.resolve("b"), new byte[] {(byte) 0xFF});

        // then
        assertThatThrownBy(() -> UsersFile.read(directory))
                .hasMessage("users file " + directory + ": cannot be read: Is a directory");
        assertThatThrownBy(() -> UsersFile.read(binary))
                .hasMessage("users file " + binary + ": cannot be read: expected text in UTF-8, found other bytes");
    }

    @Test
    void shouldKeepTheLimitsOfAUser() throws IOException {
        // given
        Limit limit = new Limit(50L << 20, 4, 10L << 30, 200);
        Account plain = account("bob", "b");
        UsersFile.empty()
                .with(plain)
                .with(new Account(
                        "ann",
                        plain.password(),
                        List.of(),
                        List.of(),
                        false,
                        false,
                        FileRights.ALL,
                        Optional.of(limit)))
                .write(file);

        // when
        UsersFile read = UsersFile.read(file);

        // then
        assertThat(read.account("ann").orElseThrow().limit()).hasValue(limit);
        assertThat(read.account("bob").orElseThrow().limit()).isEmpty();
        Files.writeString(file, Files.readString(file).replace("transfers: 4", "transfers: -4"));
        assertThatThrownBy(() -> UsersFile.read(file)).hasMessageContaining("user ann: limit transfers: expected 0");
        Files.writeString(file, Files.readString(file).replace("transfers: -4", "speed: 4"));
        assertThatThrownBy(() -> UsersFile.read(file)).hasMessageContaining("speed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "# nobody yet\n", "---\n", "---\n# nobody yet\n", "users:\n"})
    void shouldKnowNobodyWhenTheFileSaysNothing(String text) throws IOException {
        // given
        Files.writeString(file, text);

        // when then
        assertThat(UsersFile.read(file).account("alice")).isEmpty();
    }

    @Test
    void shouldReadWhatItWroteAndHideItFromOthers() throws IOException {
        // given
        UsersFile.empty()
                .with(account("alice", "a"))
                .with(account("bob", "b"))
                .without("bob")
                .write(file);

        // when
        UsersFile read = UsersFile.read(file);

        // then
        assertThat(read.names()).containsExactly("alice");
        Account alice = read.account("alice").orElseThrow();
        assertThat(alice.password().matches("a".toCharArray())).isTrue();
        assertThat(alice.password().matches("b".toCharArray())).isFalse();
        assertThat(alice.password().matches(new char[0])).isFalse();
        assertThat(alice.mayPublish("climate.daily")).isTrue();
        assertThat(alice.mayPublish("weather")).isFalse();
        assertThat(alice.maySubscribe("weather")).isTrue();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void shouldKeepThePermissionsOfAFileThatIsThere() throws IOException {
        // given
        UsersFile.empty().write(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        // when
        UsersFile.change(file, users -> users.with(account("alice", "a")));

        // then
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
        assertThat(UsersFile.read(file).names()).containsExactly("alice");
    }

    @Test
    void shouldChangeTheFileThatALinkNames() throws IOException {
        // given
        UsersFile.empty().write(file);
        Path link = Files.createSymbolicLink(directory.resolve("link.yaml"), file);

        // when
        UsersFile.change(link, users -> users.with(account("alice", "a")));

        // then
        assertThat(link).isSymbolicLink();
        assertThat(UsersFile.read(file).names()).containsExactly("alice");
    }

    @Test
    void shouldKeepEveryUserWhenManyAreAddedAtTheSameTime() {
        // given
        List<Account> accounts =
                IntStream.range(0, 8).mapToObj(i -> account("user-" + i, "p")).toList();

        // when
        accounts.parallelStream().forEach(account -> UsersFile.change(file, users -> users.with(account)));

        // then
        assertThat(UsersFile.read(file).names()).hasSize(8);
    }

    @Test
    void shouldSaySoWhenAnotherProcessDoesNotFinishWriting() throws IOException {
        // given
        try (UsersFileReplacement other = UsersFileReplacement.of(file)) {
            // when then
            assertThatThrownBy(() -> UsersFileReplacement.of(file, Duration.ZERO))
                    .isInstanceOf(UsersException.class)
                    .hasMessageContaining("another process is writing it")
                    .hasMessageContaining("remove " + file + ".new");
            other.write("users: {}".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(UsersFile.read(file).names()).isEmpty();
        assertThat(directory.resolve("users.yaml.new")).doesNotExist();
    }

    @Test
    void shouldLeaveTheFileAloneWhenTheChangeFails() {
        // given
        UsersFile.empty().with(account("alice", "a")).write(file);

        // when
        assertThatThrownBy(() -> UsersFile.change(file, users -> users.with(account("a/b", "a"))))
                .isInstanceOf(UsersException.class);

        // then
        assertThat(UsersFile.read(file).names()).containsExactly("alice");
        assertThat(directory.resolve("users.yaml.new")).doesNotExist();
    }

    @Test
    void shouldKeepRightsOnFilesWhenTheyAreWritten() throws IOException {
        // given
        Account ann = account("ann", "a");
        FileRights files = new FileRights(
                "/home/ann",
                Optional.of(List.of(
                        new FileRights.PathRight("/", FileRights.Right.READ),
                        new FileRights.PathRight("/in coming", FileRights.Right.WRITE))));
        Account limited = new Account(
                "ann", ann.password(), ann.publish(), ann.subscribe(), false, true, files, Optional.empty());

        // when
        UsersFile.empty().with(limited).with(account("bob", "b")).write(file);

        // then
        assertThat(UsersFile.read(file).account("ann").orElseThrow().files()).isEqualTo(files);
        assertThat(UsersFile.read(file).account("bob").orElseThrow().files()).isEqualTo(FileRights.ALL);
        assertThat(Files.readString(file)).contains("path: /in coming", "rights: write");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "root: data | root: expected / or a path",
                "root: /a/../b | without . and ..",
                "root: \"/a\\u2028/../b\" | without . and ..",
                "root: \"/a/../b\\u0085\" | without . and ..",
                "root: \"/a\\u2029/.\" | without . and ..",
                "paths: [{path: /a, rights: all}] | rights of path /a: expected read or write, found all",
                "paths: [{path: /a/, rights: read}] | path: expected / or a path",
                "paths: [{rights: read}] | path: expected / or a path",
                "paths: [{path: /a, rights: read}, {path: /a, rights: write}] | expected each path once",
                "paths: [{path: /a, right: read}] | right",
                "paths: [~] | user ann: paths: entry 1: expected something, found nothing",
                "publish: [a, ~] | user ann: publish: entry 2: expected something, found nothing"
            })
    void shouldNameTheFaultWhenRightsOnFilesAreWrong(String fields, String expected) throws IOException {
        PasswordHash password = PasswordHash.of(new char[] {'x'}, new Random(1), PasswordHash.LEAST_ITERATIONS);
        Files.writeString(file, "users: {ann: {password: '" + password + "', " + fields + "}}");

        assertThatThrownBy(() -> UsersFile.read(file))
                .isInstanceOf(UsersException.class)
                .hasMessageContaining(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "users: {alice: {publish: [a]}} | user alice: expected a password, found none",
                "users: {alice: {password: plain}} | user alice: password: expected pbkdf2-sha256",
                "users: {alice: {password: x, publsh: [a]}} | publsh",
                "user: {} | unknown field 'user', expected one of [users]",
                "users: {alice: {password: x, publish: [a], publish: ['#']}} | Duplicate field 'publish'",
                "users: {alice: {password: x}, alice: {password: y}} | Duplicate field 'alice'",
                "'users: {}\n---\nusers: {}' | users.yaml",
                "users: {alice: {password: x, publish: [&t climate], subscribe: [*t]}} | found the alias *t, which is not",
                "users: [a] | users: expected one 'key: value' a line, found something else (line 1, column 8)",
                "users: {alice: 5} | users: alice: expected one 'key: value' a line",
                "users: {alice: {password: x, publish: a}} | users: alice: publish: expected a list such as [a, b]",
                "users: {alice: {password: x, publish: [[a]]}} | users: alice: publish: entry 1: expected text",
                "users: {alice: {password: x, link: maybe}} | users: alice: link: expected true or false",
                "users: {alice: {password: x, limits: {rate: 5MiB}}} | users: alice: limits: rate: expected a whole number",
                "'users: {a: [' | expected the node content, found '<stream end>' while parsing a flow node (line 1, column 13)",
                "'{' | users.yaml"
            })
    void shouldNameTheFaultWhenFileIsWrong(String text, String expected) throws IOException {
        // given
        Files.writeString(file, text);

        // when then
        assertThatThrownBy(() -> UsersFile.read(file))
                .isInstanceOf(UsersException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(expected);
    }

    @Test
    void shouldKeepThatAnonymousHasNoPassword() throws IOException {
        // given
        Files.writeString(file, "users: {anonymous: {password: none, root: /pub}}");

        // when
        UsersFile.read(file).with(account("bob", "b")).write(file);

        // then
        Account anonymous = UsersFile.read(file).account("anonymous").orElseThrow();
        assertThat(anonymous.password()).isSameAs(PasswordHash.NONE);
        assertThat(anonymous.password().matches("none".toCharArray())).isFalse();
        assertThat(anonymous.password().matches(new char[0])).isFalse();
    }

    @Test
    void shouldTakeATopicThatLooksLikeANumberAsItStandsThere() throws IOException {
        // given
        PasswordHash password = PasswordHash.of(new char[] {'x'}, new Random(1), PasswordHash.LEAST_ITERATIONS);
        Files.writeString(file, "users: {ann: {password: '" + password + "', publish: [2026.10, no]}}");

        // when
        Account ann = UsersFile.read(file).account("ann").orElseThrow();

        // then
        assertThat(ann.mayPublish("2026.10")).isTrue();
        assertThat(ann.mayPublish("no")).isTrue();
    }

    @Test
    void shouldKnowNobodyWhenAllOfItAreComments() throws IOException {
        Files.writeString(file, "# nobody yet\n");

        assertThat(UsersFile.read(file).names()).isEmpty();
    }

    @Test
    void shouldRefuseAUserWithoutAPassword() throws IOException {
        Files.writeString(file, "users: {bob: {password: none}}");

        assertThatThrownBy(() -> UsersFile.read(file)).hasMessageContaining("user bob: expected a password");
    }

    @Test
    void shouldSaySoWhenThereIsNoFile() {
        // when then
        assertThatThrownBy(() -> UsersFile.read(file)).hasMessageContaining("expected a file, found none");
    }
}
