package io.longhaul.broker.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class QuotasTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Map<String, Limit> users = new HashMap<>();
    private long nowNs = -7;
    private long backlog;
    private Runnable whileBacklogsAreLookedAt = () -> {};
    private Quotas quotas = quotas(Limit.NONE);

    private Quotas quotas(Limit ofClimate) {
        List<Quotas.Topics> topics = ofClimate.equals(Limit.NONE)
                ? List.of()
                : List.of(new Quotas.Topics("climate.*", topic -> topic.startsWith("climate."), ofClimate));
        return new Quotas(
                user -> new Quotas.User(users.getOrDefault(user, Limit.NONE), topic -> topic.equals("t")),
                topics,
                which -> {
                    whileBacklogsAreLookedAt.run();
                    return which.test("t") || which.test("climate.x") ? backlog : 0;
                },
                () -> nowNs);
    }

    @Test
    void shouldLetEverythingPassWhenNothingIsLimited() {
        // then
        assertThat(quotas.begin("ann", "t", "x")).isEmpty();
        assertThat(quotas.piece("ann", "t", "x", 1L << 40)).isZero();
        assertThat(quotas.flood("ann", "t")).isEmpty();
        assertThat(quotas.figures()).isEmpty();
    }

    @Test
    void shouldDelayByTheDebtWhenMoreThanASecondsWorthComes() {
        // given
        users.put("ann", Limit.NONE.with("rate", 1000));

        // then
        assertThat(quotas.piece("ann", "t", "x", 1000)).isZero();
        assertThat(quotas.piece("ann", "t", "x", 500)).isEqualTo(SECOND / 2);
        assertThat(quotas.piece("ann", "t", "x", 500)).isEqualTo(SECOND);
        assertThat(quotas.piece("bob", "t", "y", 5000)).isZero();

        // when
        nowNs += 10 * SECOND;

        // then
        assertThat(quotas.piece("ann", "t", "x", 1500)).isEqualTo(SECOND / 2);
        assertThat(quotas.figures()).containsExactly(new QuotaFigures("user ann", 3, 0, 1));
    }

    @Test
    void shouldOweNothingOnceTheLimitIsAnotherOne() {
        // given
        users.put("ann", Limit.NONE.with("rate", 1000));
        quotas.piece("ann", "t", "x", 5000);
        assertThat(quotas.owedNs("ann", "t")).isEqualTo(4 * SECOND);
        assertThat(quotas.owedNs("bob", "t")).isZero();

        // when
        users.put("ann", Limit.NONE.with("rate", 2000));

        // then
        assertThat(quotas.owedNs("ann", "t")).isZero();
    }

    @Test
    void shouldDelayByTheSlowerOneWhenUserAndTopicHaveRates() {
        // given
        quotas = quotas(Limit.NONE.with("pieces", 2));
        users.put("ann", Limit.NONE.with("rate", 1000));

        // then
        assertThat(quotas.piece("ann", "climate.x", "x", 100)).isZero();
        assertThat(quotas.piece("ann", "climate.y", "x", 100)).isZero();
        assertThat(quotas.piece("bob", "climate.x", "y", 100)).isEqualTo(SECOND / 2);
        assertThat(quotas.piece("ann", "other", "x", 1300)).isEqualTo(SECOND / 2);
    }

    @Test
    void shouldRefuseATransferAndAllThatFollowsWhenAsManyAreUnderWay() {
        // given
        users.put("ann", Limit.NONE.with("transfers", 2));
        quotas.begin("ann", "t", "a");
        quotas.begin("ann", "t", "b");

        // when
        assertThat(quotas.begin("ann", "t", "c"))
                .hasValue("user ann has 2 transfers under way, expected at most 2 with this one; it may begin when one"
                        + " of them has ended");

        // then
        assertThat(quotas.isRefused("ann", "c")).isTrue();
        assertThat(quotas.isRefused("bob", "c")).isFalse();
        assertThat(quotas.begin("ann", "t", "a")).as("the same manifest again").isEmpty();

        // when
        quotas.ended("ann", "t", "a");

        // then
        assertThat(quotas.begin("ann", "t", "c")).isEmpty();
        assertThat(quotas.isRefused("ann", "c")).isFalse();
        assertThat(quotas.figures()).containsExactly(new QuotaFigures("user ann", 0, 1, 2));
    }

    @Test
    void shouldLetInNoMoreThanMayWhenTwoBeginAtTheSameTime() throws InterruptedException {
        // given
        users.put("ann", Limit.NONE.with("transfers", 1));
        quotas = quotas(Limit.NONE.with("backlog", 1000));
        AtomicReference<Optional<String>> ofSecond = new AtomicReference<>();
        Thread second = new Thread(() -> ofSecond.set(quotas.begin("ann", "climate.y", "b")));
        whileBacklogsAreLookedAt = () -> {
            whileBacklogsAreLookedAt = () -> {};
            second.start();
            while (second.isAlive() && second.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
        };

        // when
        Optional<String> ofFirst = quotas.begin("ann", "climate.x", "a");
        second.join();

        // then
        assertThat(ofFirst).isEmpty();
        assertThat(ofSecond.get()).isPresent();
    }

    @Test
    void shouldNotCountATransferWithTheUserWhenTheTopicRefusesIt() {
        // given
        users.put("ann", Limit.NONE.with("transfers", 1));
        quotas = quotas(Limit.NONE.with("backlog", 1000));
        backlog = 1000;

        // when
        assertThat(quotas.begin("ann", "climate.x", "a")).isPresent();

        // then
        assertThat(quotas.begin("ann", "t", "b")).isEmpty();
    }

    @Test
    void shouldTellNothingOfAUserWhoseLimitIsGone() {
        // given
        users.put("ann", Limit.NONE.with("transfers", 2));
        quotas.begin("ann", "t", "a");

        // when
        users.remove("ann");

        // then
        assertThat(quotas.figures()).isEmpty();
    }

    @Test
    void shouldNotCountATransferWhenNothingOfItCameForLong() {
        // given
        users.put("ann", Limit.NONE.with("transfers", 1));
        quotas.begin("ann", "t", "a");
        nowNs += Quota.IDLE_NS;
        quotas.piece("ann", "t", "a", 1);

        // when
        nowNs += Quota.IDLE_NS;

        // then
        assertThat(quotas.begin("ann", "t", "b")).isPresent();
        nowNs++;
        assertThat(quotas.begin("ann", "t", "b")).isEmpty();
    }

    @Test
    void shouldCountATransferWhoseManifestCameBeforeTheLaunch() {
        // given
        users.put("ann", Limit.NONE.with("transfers", 1));

        // when
        quotas.piece("ann", "t", "old", 1);

        // then
        assertThat(quotas.begin("ann", "t", "new")).isPresent();
    }

    @Test
    void shouldRefuseATransferWhenTooMuchWaits() {
        // given
        users.put("ann", Limit.NONE.with("backlog", 100));
        quotas = quotas(Limit.NONE.with("backlog", 200));
        backlog = 99;
        assertThat(quotas.begin("ann", "t", "a")).isEmpty();

        // when
        backlog = 150;

        // then
        assertThat(quotas.begin("ann", "t", "b").orElseThrow())
                .contains("user ann has 150 bytes waiting", "expected less than 100");
        assertThat(quotas.begin("bob", "climate.x", "c")).isEmpty();
        backlog = 200;
        assertThat(quotas.begin("bob", "climate.x", "d").orElseThrow()).contains("topic climate.* has 200 bytes");
    }

    @Test
    void shouldLetATransferThatIsUnderWayComeAgainWhenTooMuchWaits() {
        // given
        users.put("ann", Limit.NONE.with("backlog", 100));
        quotas.begin("ann", "t", "a");

        // when
        backlog = 150;

        // then
        assertThat(quotas.begin("ann", "t", "a")).isEmpty();
        assertThat(quotas.begin("ann", "t", "b")).isPresent();
    }

    @Test
    void shouldRefusePiecesForNowWhenSomebodyDoesNotWaitForAnswers() {
        // given
        users.put("ann", Limit.NONE.with("rate", 1000));

        // when
        quotas.piece("ann", "t", "x", Quota.MOST_BYTES_AHEAD + 1000);
        assertThat(quotas.flood("ann", "t")).isEmpty();
        quotas.piece("ann", "t", "x", 1);

        // then
        assertThat(quotas.flood("ann", "t").orElseThrow()).contains("user ann");
        nowNs += SECOND;
        assertThat(quotas.flood("ann", "t")).isEmpty();
    }

    @Test
    void shouldHoldALinkUpWhenItsAccountIsAheadOfItsRate() {
        // given
        users.put("site-b", new Limit(1000, 1, 0, 0));

        // when
        quotas.carried("site-b", 1500);

        // then
        assertThat(quotas.pauseNs("site-b")).isEqualTo(SECOND / 2);
        nowNs += SECOND / 2;
        assertThat(quotas.pauseNs("site-b")).isZero();
        assertThat(quotas.pauseNs("nobody")).isZero();
    }

    @Test
    void shouldBeginAnewWhenAUsersLimitChanges() {
        // given
        users.put("ann", Limit.NONE.with("rate", 10));
        quotas.piece("ann", "t", "x", 1000);

        // when
        users.put("ann", Limit.NONE.with("rate", 100));

        // then
        assertThat(quotas.piece("ann", "t", "x", 100)).isZero();
    }

    @Test
    void shouldNameWhatIsWrongWithALimit() {
        assertThatThrownBy(() -> Limit.NONE.with("rate", -1)).hasMessage("limit rate: expected 0 or more, found -1");
        assertThatThrownBy(() -> Limit.NONE.with("transfers", 10_001)).hasMessageContaining("at most 10000");
        assertThatThrownBy(() -> Limit.NONE.with("speed", 1)).hasMessageContaining("expected one of [rate,");
    }
}
