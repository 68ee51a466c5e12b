package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderClockTest {
    @TempDir
    Path directory;

    private static Clock at(long millis) {
        return Clock.fixed(Instant.ofEpochMilli(millis), ZoneOffset.UTC);
    }

    @Test
    void shouldGrowWhenTheClockStandsStill() throws IOException {
        // given
        OrderClock order = OrderClock.open(directory, at(1000));

        // when
        long first = order.next();
        long second = order.next();

        // then
        assertThat(first).isEqualTo(1000 * 1024);
        assertThat(second).isEqualTo(first + 1);
    }

    @Test
    void shouldGrowWhenTheClockWentBackBeforeARestart() throws IOException {
        // given
        OrderClock before = OrderClock.open(directory, at(1_000_000));
        long last = 0;
        for (int i = 0; i < 5000; i++) {
            last = before.next();
        }

        // when
        long after = OrderClock.open(directory, at(10)).next();

        // then
        assertThat(after).isGreaterThan(last);
    }

    /** A broker that was restarted numbers up to a minute ahead of the clock; who took its file may be restarted, too. */
    @Test
    void shouldGrowBeyondWhatOthersGaveAfterARestart() throws IOException {
        // given
        OrderClock.open(directory, at(1000)).next();
        long other = (1000 + 2 * OrderClock.STRIDE_MILLIS) * 1024;
        OrderClock.open(directory, at(1000)).observe(other);

        // when
        long next = OrderClock.open(directory, at(2000)).next();

        // then
        assertThat(next).isGreaterThan(other);
    }

    @Test
    void shouldNotBelieveANumberFarAheadOfTheClock() throws IOException {
        // given
        OrderClock order = OrderClock.open(directory, at(1000));

        // when
        order.observe(Long.MAX_VALUE - 1);

        // then
        assertThat(order.next()).isEqualTo(1000 * 1024);
        assertThat(OrderClock.open(directory, at(1000)).next()).isLessThan(Long.MAX_VALUE / 2);
    }

    @Test
    void shouldGrowBeyondWhatABrokerGaveWhoseClockIsADayAhead() throws IOException {
        // given
        OrderClock order = OrderClock.open(directory, at(1000));
        long other = OrderClock.open(
                        Files.createDirectory(directory.resolve("other")),
                        at(Duration.ofDays(1).toMillis()))
                .next();

        // when
        order.observe(other);

        // then
        assertThat(order.next()).isGreaterThan(other);
    }

    @Test
    void shouldFollowTheClockWhenTheFileIsDamaged() throws IOException {
        // given
        OrderClock.open(directory, at(1000)).next();
        Files.write(directory.resolve("order"), new byte[12]);
        byte[] bytes = Files.readAllBytes(directory.resolve("order"));
        bytes[3] ^= 1;
        Files.write(directory.resolve("order"), bytes);

        // when
        long next = OrderClock.open(directory, at(2000)).next();

        // then
        assertThat(next).isEqualTo(2000 * 1024);
    }

    @Test
    void shouldWriteItsBoundSeldom() throws IOException {
        // given
        OrderClock order = OrderClock.open(directory, at(1000));
        order.next();
        Files.delete(directory.resolve("order"));

        // when
        for (int i = 0; i < 10_000; i++) {
            order.next();
        }

        // then
        assertThat(directory.resolve("order")).doesNotExist();
    }

    /** A backup takes over whose clock is an hour further back, and a file is published anew. */
    @Test
    void shouldGrowBeyondWhatItsPartnerGaveWhateverTheClocksSay() throws IOException {
        // given
        AtomicLong copied = new AtomicLong();
        OrderClock partner = OrderClock.open(directory, at(10_000_000), copied::set);
        long last = 0;
        for (int i = 0; i < 100_000; i++) {
            last = partner.next();
        }

        // when
        OrderClock order =
                OrderClock.open(Files.createDirectory(directory.resolve("backup")), at(10_000_000 - 3_600_000));
        order.succeed(copied.get());

        // then
        assertThat(order.next()).isGreaterThan(last);
    }

    @Test
    void shouldKnowTheGreatestNumberThatWasGivenOrNotedSinceItWasOpened() throws IOException {
        // given
        OrderClock before = OrderClock.open(directory, at(1000));
        long given = before.next();
        before.observe(given - 1);

        // when
        OrderClock order = OrderClock.open(directory, at(1000));

        // then
        assertThat(before.greatest()).isEqualTo(given);
        assertThat(order.greatest()).isZero();

        // when
        order.observe(given);

        // then
        assertThat(order.greatest()).isEqualTo(given);
    }

    @Test
    void shouldTellItsOwnBoundAtOnceWhenItSucceeds() throws IOException {
        // given
        AtomicLong copied = new AtomicLong();
        OrderClock order = OrderClock.open(directory, at(1000), copied::set);

        // when
        order.succeed(5_000_000_000L);

        // then
        assertThat(copied.get()).isGreaterThan(5_000_000_000L);
        assertThat(order.next()).isBetween(5_000_000_001L, copied.get());
    }
}
