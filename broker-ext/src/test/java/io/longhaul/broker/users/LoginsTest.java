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
        assertThat(logins.look("alice", "a", "here").account()).isPresent();

        // when
        UsersFile.empty().with(account("alice", "new")).write(file);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1));
        logins.refresh();

        // then
        assertThat(logins.look("alice", "a", "here").account()).isEmpty();
        assertThat(logins.look("alice", "new", "here").account()).isPresent();

        // when
        Files.writeString(file, "nonsense: [");
        logins.refresh();

        // then
        assertThat(logins.look("alice", "new", "here").account()).isPresent();
    }

    @Test
    void shouldShutOutAnAddressForAWhileWhenItGuesses() {
        // given
        UsersFile.empty().with(account("alice", "a")).write(file);
        AtomicLong now = new AtomicLong();
        Logins logins = Logins.of(file, now::get, new Random(1));
        for (int i = 0; i < 10; i++) {
            assertThat(logins.look("alice", "guess" + i, "there").account()).isEmpty();
        }

        // when
        Optional<Account> shutOut = logins.look("alice", "a", "there").account();
        Optional<Account> elsewhere = logins.look("alice", "a", "here").account();
        now.addAndGet(Duration.ofSeconds(11).toNanos());
        Optional<Account> later = logins.look("alice", "a", "there").account();

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
        assertThat(logins.look("alice", "guess0", "there").unheard()).isEmpty();
        assertThat(logins.look("alice", "guess0", "there").unheard())
                .as("again")
                .isEmpty();

        // when
        for (int i = 1; i < 10; i++) {
            logins.look("alice", "guess" + i, "there").account();
        }

        // then
        assertThat(logins.look("alice", "guess0", "there"))
                .isEqualTo(new Logins.Look(Optional.empty(), Optional.empty()));
        assertThat(logins.look("alice", "a", "there").account()).isEmpty();
        assertThat(logins.look("alice", "a", "there").unheard())
                .hasValueSatisfying(why -> assertThat(why).contains("there"));
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
            assertThat(logins.look("gone", "g", "there").account()).isEmpty();
        }

        // then
        assertThat(logins.look("alice", "a", "there").account()).isPresent();

        // when
        UsersFile.change(file, users -> users.with(account("gone", "g")));
        logins.refresh();

        // then
        assertThat(logins.look("gone", "g", "there").account()).isPresent();
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
            logins.look("alice", "guess" + i, "there").account();
        }

        // when
        meanwhile.set(() -> {
            now.addAndGet(Duration.ofSeconds(11).toNanos());
            UsersFile.empty().with(account("alice", "new")).write(file);
            logins.refresh();
        });

        // then
        assertThat(logins.look("alice", "a", "there").account()).isEmpty();
        assertThat(logins.look("alice", "a", "here").account()).isEmpty();
        assertThat(logins.look("alice", "new", "here").account()).isPresent();
    }

    /** The server asks for rights with the login of the session, again and again: others of its address are not to take them away. */
    @Test
    void shouldRecallWhoIsInWhenOthersOfTheAddressGuess() {
        // given
        UsersFile.empty().with(account("alice", "a")).write(file);
        Logins logins = Logins.of(file, () -> 0, new Random(1));
        logins.look("alice", "a", "there");

        // when
        for (int i = 0; i < 10; i++) {
            logins.look("alice", "guess" + i, "there");
        }

        // then
        assertThat(logins.recall("alice", "a")).isPresent();
        assertThat(logins.recall("alice", "guess0")).isEmpty();
        assertThat(logins.glance("alice", "a", "there"))
                .hasValueSatisfying(look -> assertThat(look.unheard()).isPresent());
    }

    @Test
    void shouldRememberWhoseAccountStaysWhenTheFileIsReadAgain() throws IOException {
        // given
        UsersFile.empty()
                .with(account("alice", "a"))
                .with(account("bob", "b"))
                .with(account("carol", "c"))
                .write(file);
        Logins logins = Logins.of(file, () -> 0, new Random(1));
        logins.look("alice", "a", "here");
        logins.look("bob", "b", "here");
        logins.look("carol", "c", "here");

        // when
        UsersFile.change(
                file,
                users -> users.with(account("bob", "new")).without("carol").with(account("dave", "d")));
        Files.setLastModifiedTime(file, FileTime.fromMillis(1));
        logins.refresh();

        // then
        assertThat(logins.recall("alice", "a")).isPresent();
        assertThat(logins.glance("alice", "a", "here").flatMap(Logins.Look::account))
                .isPresent();
        assertThat(logins.recall("bob", "b")).isEmpty();
        assertThat(logins.glance("bob", "b", "here")).isEmpty();
        assertThat(logins.recall("carol", "c")).isEmpty();
    }

    @Test
    void shouldTellNothingWithoutALookWhenAPasswordWasNeverRight() {
        // given
        UsersFile.empty().with(account("alice", "a")).write(file);
        Logins logins = Logins.of(file, () -> 0, new Random(1));

        // when, then
        assertThat(logins.glance("alice", "a", "here")).isEmpty();
        assertThat(logins.recall("alice", "a")).isEmpty();
        assertThat(logins.recall("nobody", "")).isEmpty();
    }
}
