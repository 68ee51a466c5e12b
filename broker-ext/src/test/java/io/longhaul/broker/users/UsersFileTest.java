package io.longhaul.broker.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "users: {alice: {publish: [a]}} | user alice: expected a password, found none",
                "users: {alice: {password: plain}} | user alice: password: expected pbkdf2-sha256",
                "users: {alice: {password: x, publsh: [a]}} | publsh",
                "user: {} | user",
                "users: [a] | users.yaml",
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
    void shouldSaySoWhenThereIsNoFile() {
        // when then
        assertThatThrownBy(() -> UsersFile.read(file)).hasMessageContaining("expected a file, found none");
    }

    @Test
    void shouldFollowTheFileAndKeepTheUsersWhenItBecomesFaulty() throws IOException {
        // given
        UsersFile.empty().with(account("alice", "a")).write(file);
        Logins logins = Logins.of(file, System::nanoTime, new Random(1));
        assertThat(logins.login("alice", "a", "here")).isPresent();

        // when
        UsersFile.empty().with(account("alice", "new")).write(file);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1));
        logins.refresh();

        // then
        assertThat(logins.login("alice", "a", "here")).isEmpty();
        assertThat(logins.login("alice", "new", "here")).isPresent();

        // when
        Files.writeString(file, "nonsense: [");
        logins.refresh();

        // then
        assertThat(logins.login("alice", "new", "here")).isPresent();
    }

    @Test
    void shouldShutOutAnAddressForAWhileWhenItGuesses() {
        // given
        UsersFile.empty().with(account("alice", "a")).write(file);
        AtomicLong now = new AtomicLong();
        Logins logins = Logins.of(file, now::get, new Random(1));
        for (int i = 0; i < 10; i++) {
            assertThat(logins.login("alice", "guess" + i, "there")).isEmpty();
        }

        // when
        Optional<Account> shutOut = logins.login("alice", "a", "there");
        Optional<Account> elsewhere = logins.login("alice", "a", "here");
        now.addAndGet(Duration.ofSeconds(11).toNanos());
        Optional<Account> later = logins.login("alice", "a", "there");

        // then
        assertThat(shutOut).isEmpty();
        assertThat(elsewhere).isPresent();
        assertThat(later).isPresent();
    }
}
