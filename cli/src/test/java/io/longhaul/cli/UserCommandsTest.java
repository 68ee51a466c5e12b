package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.UsersFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserCommandsTest {
    private static final Map<String, String> SESAME = Map.of("LONGHAUL_PASSWORD", "sesame");

    @TempDir
    Path home;

    private String file;

    @BeforeEach
    void name() {
        file = home.resolve("users.yaml").toString();
    }

    private List<String> run(Map<String, String> variables, String input, String... arguments) {
        try (TestEnvironment world = new TestEnvironment(home, input, variables)) {
            assertThat(world.run(arguments)).as(() -> world.err().toString()).isZero();
            return world.out();
        }
    }

    private String refusal(String... arguments) {
        try (TestEnvironment world = new TestEnvironment(home)) {
            assertThat(world.run(arguments)).isEqualTo(ExitCodes.USAGE);
            assertThat(world.out()).isEmpty();
            assertThat(world.err()).hasSize(1);
            return world.err().get(0);
        }
    }

    private Account account(String name) {
        return UsersFile.read(Path.of(file)).account(name).orElseThrow();
    }

    private boolean hasPassword(String name, String password) {
        return account(name).password().matches(password.toCharArray());
    }

    @Test
    void shouldWriteUsersFileWhenUserIsAdded() {
        // given
        run(Map.of(), "from input\nmore", "user", "add", file, "alice", "--publish", "a.*", "--subscribe", "#");
        assertThat(hasPassword("alice", "from input")).isTrue();

        // when
        List<String> out = run(SESAME, "", "user", "add", file, "alice", "--limit", "transfers=4", "--json");

        // then
        assertThat(out)
                .containsExactly(
                        "{\"event\":\"user\",\"name\":\"alice\",\"file\":\"" + file
                                + "\",\"publish\":[],\"subscribe\":[],\"link\":false,\"operate\":false,\"root\":\"/\",\"readPaths\":[],\"writePaths\":[],\"limits\":{\"transfers\":4},\"replaced\":true}");
        assertThat(Path.of(file)).content().contains("alice").doesNotContain("sesame", "from input");
    }

    @Test
    void shouldKeepRightsAndPermissionsWhenPasswordIsChanged() throws IOException {
        // given
        run(SESAME, "", "user", "add", file, "alice", "--publish", "a.*", "--link", "--limit", "rate=1MiB");
        Files.setPosixFilePermissions(Path.of(file), PosixFilePermissions.fromString("rw-r-----"));
        Account before = account("alice");

        // when
        List<String> out = run(Map.of(), "open\n", "user", "passwd", file, "alice");

        // then
        assertThat(out).containsExactly("changed the password of user alice in " + file);
        assertThat(hasPassword("alice", "open")).isTrue();
        assertThat(hasPassword("alice", "sesame")).isFalse();
        assertThat(account("alice"))
                .usingRecursiveComparison()
                .ignoringFields("password")
                .isEqualTo(before);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(file))))
                .isEqualTo("rw-r-----");
    }

    @Test
    void shouldTakeWhatIsTypedTwiceAtATerminal() {
        // given
        run(SESAME, "", "user", "add", file, "alice");

        // when
        try (TestEnvironment world = new TestEnvironment(home).typing("open", "open")) {
            assertThat(world.run("user", "passwd", file, "alice")).isZero();
        }

        // then
        assertThat(hasPassword("alice", "open")).isTrue();

        // when
        try (TestEnvironment world = new TestEnvironment(home).typing("secret-1", "secret-2")) {
            assertThat(world.run("user", "passwd", file, "alice")).isEqualTo(ExitCodes.USAGE);
            assertThat(world.err().get(0)).contains("expected the same twice").doesNotContain("secret-");
        }

        // then
        assertThat(hasPassword("alice", "open")).isTrue();
    }

    @Test
    void shouldRemoveOneUserAndKeepTheOthers() {
        // given
        run(SESAME, "", "user", "add", file, "alice");
        run(SESAME, "", "user", "add", file, "bob", "--operate");

        // when
        List<String> out = run(Map.of(), "", "user", "remove", file, "alice", "--json");

        // then
        assertThat(out)
                .containsExactly("{\"event\":\"user\",\"name\":\"alice\",\"file\":\"" + file + "\",\"removed\":true}");
        assertThat(UsersFile.read(Path.of(file)).names()).containsExactly("bob");
        assertThat(account("bob").mayOperate()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"remove", "passwd"})
    void shouldNameTheNearestUserWhenThereIsNoneOfThisName(String command) throws IOException {
        // given
        run(SESAME, "", "user", "add", file, "alice");
        byte[] before = Files.readAllBytes(Path.of(file));

        // when
        String why = refusal("user", command, file, "alcie");

        // then
        assertThat(why).contains(file + ": expected a user \"alcie\", found none; the nearest is alice");
        assertThat(Path.of(file)).hasBinaryContent(before);
        assertThat(home.resolve("users.yaml.new")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"remove", "passwd", "list"})
    void shouldSaySoWhenThereIsNoFile(String command) {
        // given
        String[] all = {"user", command, file, "alice"};
        String[] arguments = command.equals("list") ? List.of(all).subList(0, 3).toArray(String[]::new) : all;

        // when then
        assertThat(refusal(arguments)).contains("users file " + file + ": expected a file, found none");
        assertThat(home.resolve("users.yaml")).doesNotExist();
        assertThat(home.resolve("users.yaml.new")).doesNotExist();
    }

    @Test
    void shouldListWhoMayDoWhat() throws IOException {
        // given
        run(SESAME, "", "user", "add", file, "site-b", "--publish", "a.*", "--subscribe", "#", "--link");
        run(SESAME, "", "user", "add", file, "ann", "--root", "/home/ann", "--read-path", "/", "--write-path", "/in");
        run(SESAME, "", "user", "add", file, "bob", "--limit", "rate=1KiB,pieces=2");

        // when
        List<String> text = run(Map.of(), "", "user", "list", file);
        List<String> json = run(Map.of(), "", "user", "list", file, "--json");

        // then
        assertThat(text)
                .containsExactly(
                        "ann: no topics; root /home/ann; read /; write /in",
                        "bob: no topics; limit rate=1024 pieces=2",
                        "site-b: publish a.*; subscribe #; link");
        assertThat(json.get(0))
                .startsWith("{\"event\":\"user\",\"name\":\"ann\"")
                .contains("\"readPaths\":[\"/\"],\"writePaths\":[\"/in\"]");
        assertThat(json).noneMatch(line -> line.contains("pbkdf2"));
    }

    @Test
    void shouldRefusePasswordWhenThereIsNone() {
        // then
        assertThat(refusal("user", "add", file, "bob")).contains("no password");
        assertThat(home.resolve("users.yaml")).doesNotExist();
    }

    /** Runs 'user add' with these bytes on standard input; returns why it is refused. */
    private String refusalOf(byte[] input) {
        try (TestEnvironment world = new TestEnvironment(home)) {
            Environment usual = world.environment();
            Environment fed = new Environment(
                    new Environment.Streams(
                            new ByteArrayInputStream(input),
                            usual.streams().out(),
                            usual.streams().err()),
                    usual.variables(),
                    usual.nanoTime(),
                    usual.screen(),
                    usual.secret(),
                    usual.stop(),
                    usual.threads());
            assertThat(new Invocation(fed, "user", "add", file, "alice").run()).isEqualTo(ExitCodes.USAGE);
            assertThat(Path.of(file)).doesNotExist();
            return world.err().get(0);
        }
    }

    @Test
    void shouldRefuseAPasswordThatNobodyCouldTypeAgain() {
        assertThat(refusalOf(new byte[] {'a', (byte) 0xFF, '\n'})).contains("standard input: expected text in UTF-8");
        assertThat(refusalOf(new byte[100_000])).contains("standard input: expected a line of at most 65536 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"add", "passwd", "remove"})
    void shouldShowTheFilesNameEscapedInOneLine(String command) {
        // given
        String odd = home.resolve("a\nb").toString();
        run(SESAME, "", "user", "add", odd, "alice");

        // then
        assertThat(run(SESAME, "", "user", command, odd, "alice"))
                .singleElement()
                .asString()
                .endsWith("a\\nb");
    }
}
