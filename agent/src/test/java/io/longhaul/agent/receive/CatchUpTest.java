package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.link.Delivery;
import io.longhaul.agent.link.Inflow;
import io.longhaul.agent.link.MemoryLink;
import io.longhaul.wire.RetainedAnswer;
import io.longhaul.wire.RetainedQuery;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatchUpTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Duration AWAY = Duration.ofMinutes(40);

    @TempDir
    Path directory;

    private Rig rig;
    private Inflow questions;

    @BeforeEach
    void connect() {
        rig = new Rig(directory);
        questions = rig.network.connect("archive", 1 << 20).holders(Shipment.TOPIC, "archive");
    }

    /** Starts it with that duration, and returns since when it asks. */
    private Instant asksSince(Duration ago) throws InterruptedException {
        rig.sinceAgo = Optional.of(ago);
        rig.open();
        return Instant.ofEpochMilli(asked().sinceMillis());
    }

    private RetainedQuery asked() throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            rig.run(SECOND);
            RetainedQuery newest = null;
            for (Delivery each = next(); each != null; each = next()) {
                newest = (RetainedQuery) each.frame().orElseThrow();
            }
            if (newest != null) {
                return newest;
            }
        }
        throw new AssertionError("nothing was asked");
    }

    private @Nullable Delivery next() throws InterruptedException {
        return questions.poll(Duration.ZERO);
    }

    private void answerWithNothing(boolean unfinished) throws InterruptedException {
        RetainedAnswer answer = new RetainedAnswer(
                asked().request(), Shipment.TOPIC, Rig.SUBSCRIPTION, "archive", List.of(), false, unfinished);
        rig.pipeline().inbox(answer);
        rig.run(SECOND);
    }

    private void killAndComeBackLater() {
        rig.kill();
        rig.clock = Clock.offset(rig.clock, AWAY);
    }

    @Test
    void shouldHaveCaughtUpOnceArchivesHaveToldWhatTheyRetain() throws InterruptedException {
        // given
        rig.since = Optional.of(Instant.EPOCH);
        rig.open().run(60 * SECOND);
        assertThat(rig.pipeline().catchUp().hasCaughtUp()).isFalse();

        // when
        answerWithNothing(true);

        // then
        assertThat(rig.pipeline().catchUp().hasCaughtUp()).isTrue();
    }

    @Test
    void shouldHaveCaughtUpWhenNothingOfBeforeIsWanted() {
        assertThat(rig.open().pipeline().catchUp().hasCaughtUp()).isTrue();
    }

    @Test
    void shouldAskEveryFourSecondsWhenNoArchiveAnswers() {
        // given
        rig.since = Optional.of(Instant.EPOCH);
        rig.open().run(60 * SECOND);
        long before = questions.backlog();

        // when
        rig.run(40 * SECOND);

        // then
        assertThat(questions.backlog() - before).isBetween(9L, 11L);
    }

    @Test
    void shouldNotGatherQuestionsWhileTheNetworkIsAway() {
        // given
        rig.since = Optional.of(Instant.EPOCH);
        rig.open().run(60 * SECOND);
        rig.link().weather(MemoryLink.Weather.DOWN);

        // when
        rig.run(200 * SECOND);

        // then
        assertThat(rig.link().inFlight()).isLessThanOrEqualTo(1);

        // when
        rig.link().weather(MemoryLink.Weather.FAIR);
        long before = questions.backlog();
        rig.run(10 * SECOND);

        // then
        assertThat(questions.backlog()).isGreaterThan(before);
    }

    /** So that an archive whose clock says something else knows how long ago that is. */
    @Test
    void shouldTellItsClockWhenItCountsFromThat() throws InterruptedException {
        // given
        rig.sinceAgo = Optional.of(Duration.ofHours(1));

        // when
        rig.open();

        // then
        assertThat(asked().askedMillis()).isEqualTo(rig.clock.millis());
    }

    @Test
    void shouldTellNoClockWhenTheTimeWasGiven() throws InterruptedException {
        // given
        rig.since = Optional.of(Instant.EPOCH);

        // when
        rig.open();

        // then
        assertThat(asked().askedMillis()).isZero();
    }

    @Test
    void shouldAskFromTheSameTimeOnWhenItWasKilledBeforeAllHadCome() throws InterruptedException {
        // given
        Instant first = asksSince(Duration.ofHours(1));
        answerWithNothing(true);
        answerWithNothing(true);
        assertThat(first).isEqualTo(rig.clock.instant().minus(Duration.ofHours(1)));

        // when
        killAndComeBackLater();

        // then
        assertThat(asksSince(Duration.ofHours(1))).isEqualTo(first);
        assertThat(rig.notices)
                .contains("goes on to catch up with topic " + Shipment.TOPIC + " since " + first
                        + ", as asked for at an earlier start");
    }

    @Test
    void shouldCountFromTheNextStartWhenAllHadCome() throws InterruptedException {
        // given
        Instant first = asksSince(Duration.ofHours(1));
        answerWithNothing(false);
        answerWithNothing(false);

        // when
        killAndComeBackLater();

        // then
        assertThat(asksSince(Duration.ofHours(1))).isEqualTo(first.plus(AWAY));
    }

    @Test
    void shouldCountAnewWhenAnotherDurationIsGiven() throws InterruptedException {
        // given
        Instant first = asksSince(Duration.ofHours(1));

        // when
        killAndComeBackLater();

        // then
        assertThat(asksSince(Duration.ofHours(2))).isEqualTo(first.plus(AWAY).minus(Duration.ofHours(1)));
    }
}
