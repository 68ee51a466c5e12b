package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.core.io.IOCallback;
import org.junit.jupiter.api.Test;

class HeldAnswersTest {
    private static final String SESSION = "session";
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long HOURS_NS = TimeUnit.HOURS.toNanos(5);

    private final List<Runnable> timed = new ArrayList<>();
    private final List<Long> delays = new ArrayList<>();
    private final List<String> given = new ArrayList<>();
    private long nowNs = 100;
    private long owedNs = Long.MAX_VALUE;
    private final HeldAnswers answers = new HeldAnswers(() -> nowNs, (delayNs, task) -> {
        delays.add(delayNs);
        timed.add(task);
    });

    private IOCallback answer(String name) {
        return new IOCallback() {
            @Override
            public void done() {
                given.add(name);
            }

            @Override
            public void onError(int code, String text) {
                given.add(name + " failed");
            }
        };
    }

    private IOCallback send(String session, long delayNs, String name) {
        answers.forget();
        answers.hold(session, Runnable::run, delayNs, () -> owedNs);
        return answers.gated(answer(name));
    }

    private void pass(long ns) {
        nowNs += ns;
        List<Runnable> due = List.copyOf(timed);
        timed.clear();
        due.forEach(Runnable::run);
    }

    @Test
    void shouldGiveAnAnswerAtOnceWhenNothingIsHeld() {
        // when
        send(SESSION, 0, "a").done();

        // then
        assertThat(given).containsExactly("a");
        assertThat(timed).isEmpty();
    }

    @Test
    void shouldHoldAnAnswerUntilItIsDueAndWritten() {
        // given
        IOCallback early = send(SESSION, 50, "a");

        // when
        early.done();

        // then
        assertThat(given).isEmpty();
        assertThat(delays).containsExactly(50L);
        pass(50);
        assertThat(given).containsExactly("a");

        // when
        IOCallback late = send(SESSION, 50, "b");
        pass(60);

        // then
        assertThat(given).containsExactly("a");
        late.done();
        assertThat(given).containsExactly("a", "b");
    }

    @Test
    void shouldKeepTheOrderOfASessionAndLetOthersPass() {
        // given
        IOCallback first = send(SESSION, 50, "first");
        IOCallback second = send(SESSION, 0, "second");

        // when
        second.done();
        first.onError(1, "disk");
        send("other", 0, "other").done();

        // then
        assertThat(given).containsExactly("other");
        pass(50);
        assertThat(given).containsExactly("other", "first failed", "second");
    }

    /** A limit may be raised while a window of bytes waits for what it was. */
    @Test
    void shouldGiveAnswersWithinASecondWhenNothingIsOwedAnyMore() {
        // given
        send(SESSION, HOURS_NS, "first").done();
        send(SESSION, 2 * HOURS_NS, "second").done();
        pass(SECOND_NS);
        assertThat(given).isEmpty();

        // when
        owedNs = 0;
        pass(SECOND_NS);

        // then
        assertThat(given).containsExactly("first", "second");
    }

    @Test
    void shouldAskNoMoreWhenTheSessionHasEnded() {
        // given
        send(SESSION, HOURS_NS, "first").done();

        // when
        answers.ended(SESSION);
        pass(SECOND_NS);

        // then
        assertThat(timed).isEmpty();
        assertThat(given).isEmpty();
    }

    @Test
    void shouldNotHoldTheAnswerOfAnotherFrame() {
        // given
        answers.hold(SESSION, Runnable::run, 50, () -> owedNs);

        // when
        answers.forget();
        answers.gated(answer("next")).done();

        // then
        assertThat(given).containsExactly("next");
    }
}
