package io.longhaul.broker.users;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.users.LoginDesk.Login;
import io.longhaul.broker.users.Logins.Look;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoginDeskTest {
    private static final Login RIGHT = new Login("alice", "a", "here");
    private static final Login WRONG = new Login("alice", "guess", "there");

    @TempDir
    Path directory;

    private final LoginThreads threads = new LoginThreads("test-login", 1, 1);
    private final CountDownLatch held = new CountDownLatch(1);
    private final List<String> log = new ArrayList<>();
    private Logins logins;
    private LoginDesk desk;

    @BeforeEach
    void open() {
        Path file = directory.resolve("users.yaml");
        PasswordHash hash = PasswordHash.of(new char[] {'a'}, new Random(1), PasswordHash.LEAST_ITERATIONS);
        UsersFile.empty().with(Account.of("alice", hash, List.of(), List.of())).write(file);
        logins = Logins.of(file, () -> 0, new Random(1));
        desk = new LoginDesk(logins, threads, (kind, line) -> log.add(line));
    }

    @AfterEach
    void close() {
        held.countDown();
        desk.close();
    }

    private static final class Visitor implements LoginDesk.Caller {
        private final CompletableFuture<Look> answer = new CompletableFuture<>();
        private volatile boolean gone;
        private volatile String thread = "";

        @Override
        public boolean isWaiting() {
            return !gone;
        }

        @Override
        public void answer(Look look) {
            thread = Thread.currentThread().getName();
            assertThat(answer.complete(look)).as("answered once").isTrue();
        }

        Look awaited() {
            return answer.orTimeout(10, TimeUnit.SECONDS).join();
        }
    }

    private Visitor ask(Login login) {
        Visitor visitor = new Visitor();
        desk.take(login, visitor);
        return visitor;
    }

    private void holdTheThread() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        threads.offer(() -> {
            begun.countDown();
            try {
                held.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldCompareAPasswordOnAThreadOfItsOwn() {
        // when
        Visitor right = ask(RIGHT);
        Look look = right.awaited();

        // then
        assertThat(look.account()).map(Account::name).contains("alice");
        assertThat(right.thread).startsWith("test-login-");
        assertThat(ask(WRONG).awaited()).isEqualTo(new Look(Optional.empty(), Optional.empty()));
    }

    @Test
    void shouldAnswerAtOnceWhoWasHereBeforeWhenOthersWait() throws InterruptedException {
        // given
        ask(RIGHT).awaited();
        ask(WRONG).awaited();
        holdTheThread();

        // when
        Visitor right = ask(RIGHT);
        Visitor wrong = ask(WRONG);

        // then
        assertThat(right.answer)
                .isCompletedWithValueMatching(look -> look.account().isPresent());
        assertThat(wrong.answer)
                .isCompletedWithValueMatching(
                        look -> look.account().isEmpty() && look.unheard().isEmpty());
    }

    @Test
    void shouldRefuseUnheardAndSaySoWhenTooManyWait() throws InterruptedException {
        // given
        holdTheThread();
        Visitor waiting = ask(RIGHT);

        // when
        Visitor tooMany = ask(RIGHT);

        // then
        assertThat(waiting.answer).isNotDone();
        assertThat(tooMany.answer)
                .isCompletedWithValueMatching(look -> look.unheard().orElse("").contains("1 logins wait already"));
        assertThat(log)
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .contains("user \"alice\"", "from here", "refused unheard", "1 logins wait")
                        .doesNotContain("password"));

        // when
        held.countDown();

        // then
        assertThat(waiting.awaited().account()).isPresent();
    }

    @Test
    void shouldNotLookForWhoHasGoneMeanwhile() throws InterruptedException {
        // given
        holdTheThread();
        Visitor gone = ask(RIGHT);

        // when
        gone.gone = true;
        held.countDown();
        CompletableFuture<String> after = new CompletableFuture<>();
        // the one place is taken until the thread has looked at who has gone
        while (!threads.offer(() -> after.complete("ran"))) {
            Thread.onSpinWait();
        }
        after.orTimeout(10, TimeUnit.SECONDS).join();

        // then
        assertThat(gone.answer).isNotDone();
        assertThat(logins.recall("alice", "a")).isEmpty();
    }

    @Test
    void shouldNotShowThePasswordWhenALoginIsPrinted() {
        assertThat(new Login("alice", "secret", "here").toString()).doesNotContain("secret");
    }
}
