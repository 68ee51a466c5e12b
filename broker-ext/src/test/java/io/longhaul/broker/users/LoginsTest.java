package io.longhaul.broker.users;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoginsTest {
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
                List.of(),
                List.of());
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

    /** Who goes on asking with a right login must be able to tell. */
    @Test
    void shouldTellALoginThatIsNotLookedAtFromOneThatIsWrong() throws IOException {
        // given
        UsersFile.empty().with(account("alice", "a")).write(file);
        Logins logins = Logins.of(file, () -> 0, new Random(1));
        assertThat(logins.look("alice", "guess0", "there").barred()).isFalse();
        assertThat(logins.look("alice", "guess0", "there").barred()).as("again").isFalse();

        // when
        for (int i = 1; i < 10; i++) {
            logins.login("alice", "guess" + i, "there");
        }

        // then
        assertThat(logins.look("alice", "guess0", "there")).isEqualTo(new Logins.Look(Optional.empty(), false));
        assertThat(logins.look("alice", "a", "there")).isEqualTo(new Logins.Look(Optional.empty(), true));
        assertThat(logins.look("alice", "a", "here").account()).isPresent();
    }

    /** An agent goes on with the login that it has, also when its user was removed; others of its address are not to suffer. */
    @Test
    void shouldShutNobodyOutWhenOneWrongLoginIsRepeated() {
        // given
        UsersFile.empty().with(account("alice", "a")).write(file);
        Logins logins = Logins.of(file, System::nanoTime, new Random(1));

        // when
        for (int i = 0; i < 20; i++) {
            assertThat(logins.login("gone", "g", "there")).isEmpty();
        }

        // then
        assertThat(logins.login("alice", "a", "there")).isPresent();

        // when
        UsersFile.change(file, users -> users.with(account("gone", "g")));
        logins.refresh();

        // then
        assertThat(logins.login("gone", "g", "there")).isPresent();
    }

    @Test
    void shouldRefuseWhoseAccountChangesWhileThePasswordIsLookedAt() {
        // given
        UsersFile.empty().with(account("alice", "a")).write(file);
        AtomicLong now = new AtomicLong();
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        Logins logins = Logins.of(
                file,
                () -> {
                    meanwhile.getAndSet(() -> {}).run();
                    return now.get();
                },
                new Random(1));
        for (int i = 0; i < 10; i++) {
            logins.login("alice", "guess" + i, "there");
        }

        // when
        meanwhile.set(() -> {
            now.addAndGet(Duration.ofSeconds(11).toNanos());
            UsersFile.empty().with(account("alice", "new")).write(file);
            logins.refresh();
        });

        // then
        assertThat(logins.login("alice", "a", "there")).isEmpty();
        assertThat(logins.login("alice", "a", "here")).isEmpty();
        assertThat(logins.login("alice", "new", "here")).isPresent();
    }
}
