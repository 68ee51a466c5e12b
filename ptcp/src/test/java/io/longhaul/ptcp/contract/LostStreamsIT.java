package io.longhaul.ptcp.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a session does when its connections die: all of the contract, and more. */
class LostStreamsIT extends BehindRelayContract {
    /** Longer than a busy machine may stand still: what is to go on must not be lost by that. */
    private static final Duration CONNECT = Duration.ofSeconds(12);

    private static final Duration RESTORE = CONNECT.multipliedBy(2);

    private static final int KILLS = 100;
    private static final int MANY_KILLS = 1000;

    @Override
    PtcpConfig config() {
        Duration second = Duration.ofSeconds(1);
        return PtcpConfig.defaults().withStreams(4).withLimits(CONNECT, second, RESTORE, second);
    }

    @Override
    Relay relay(int target) throws Exception {
        return new Relay(target, 64 * 1024, 0);
    }

    /** Sends both ways until the kills are done, then checks that everything arrived. */
    private void sendWhile(Ends ends, Runnable kills) throws Exception {
        Sending there = new Sending(ends.opener(), OPENERS);
        Sending back = new Sending(ends.acceptor(), ACCEPTORS);
        kills.run();
        long sentThere = there.finish();
        long sentBack = back.finish();
        awaitExactly(ends.acceptor(), sentThere);
        awaitExactly(ends.opener(), sentBack);
        assertThat(ends.opener().received().closed().getCount()).isEqualTo(1);
        assertThat(ends.acceptor().received().closed().getCount()).isEqualTo(1);
    }

    private void killOften(Consumer<Relay.Line> kill, int times, int pauseMillis) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < times; i++) {
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(2))
                    .atMost(PATIENCE)
                    .until(() -> relay().lines().size() >= 4);
            List<Relay.Line> lines = relay().lines();
            kill.accept(lines.get(random.nextInt(lines.size())));
            Awaitility.await()
                    .pollDelay(Duration.ofMillis(1 + random.nextInt(pauseMillis)))
                    .until(() -> true);
        }
    }

    private static void awaitClosed(ByteStream end) throws InterruptedException {
        assertThat(end.received().closed().await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    @Test
    void shouldLoseAndDoubleNothingWhenSingleConnectionsAreReset() throws Exception {
        // given
        Ends ends = connect();

        // when then
        sendWhile(ends, () -> killOften(Relay.Line::reset, KILLS, 60));
    }

    @Test
    @Tag("slow")
    void shouldLoseAndDoubleNothingWhenAThousandConnectionsAreReset() throws Exception {
        // given
        Ends ends = connect();

        // when then
        sendWhile(ends, () -> killOften(Relay.Line::reset, MANY_KILLS, 60));
    }

    @Test
    void shouldLoseAndDoubleNothingWhenSingleConnectionsStandStill() throws Exception {
        // given
        Ends ends = connect();

        // when then
        sendWhile(ends, () -> killOften(Relay.Line::stall, 4, 3000));
    }

    @Test
    void shouldTellHowLongTheOtherEndHasBeenSilent() throws Exception {
        // given
        Ends ends = connect();
        PtcpEnd acceptor = (PtcpEnd) ends.acceptor();
        send(ends.opener(), OPENERS, MIB, MIB);
        Awaitility.await().atMost(PATIENCE).until(() -> silence(acceptor).toMillis() < 1500);

        // when
        relay().setRefusing(true); // another control channel would soon end the silence
        relay().lines().stream().filter(line -> line.number() == 1).forEach(Relay.Line::stall);

        // then
        Awaitility.await().atMost(PATIENCE).until(() -> silence(acceptor).toSeconds() >= 2);
        relay().setRefusing(false);
        Awaitility.await().atMost(PATIENCE).until(() -> silence(acceptor).toMillis() < 1500);
    }

    private static Duration silence(PtcpEnd end) {
        return Duration.ofNanos(end.session().snapshot().silentNanos());
    }

    @Test
    void shouldFailSoonWhenEverythingIsGone() throws Exception {
        // given
        Ends ends = connect();
        send(ends.opener(), OPENERS, MIB, MIB);

        // when
        relay().setRefusing(true);
        relay().lines().forEach(Relay.Line::reset);

        // then
        for (ByteStream end : List.of(ends.opener(), ends.acceptor())) {
            awaitClosed(end);
            assertThat(end.received().cause())
                    .isInstanceOfSatisfying(
                            PtcpException.class, e -> assertThat(e.code()).isEqualTo(PtcpException.Code.LOST));
        }
    }

    @Test
    void shouldFailAfterTheLimitWhenTheControlChannelCannotBeRestored() throws Exception {
        // given
        Ends ends = connect();
        send(ends.opener(), OPENERS, MIB, MIB);
        Awaitility.await().atMost(PATIENCE).until(() -> relay().lines().size() == 5);
        long startNs = System.nanoTime();

        // when
        relay().setRefusing(true);
        relay().lines().stream().filter(line -> line.number() == 1).forEach(Relay.Line::reset);

        // then
        awaitClosed(ends.opener());
        assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isGreaterThan(CONNECT);
        awaitClosed(ends.acceptor());
        assertThat(ends.opener().received().cause())
                .as("both ends have the same limit: whichever gives up first")
                .message()
                .containsAnyOf("no control channel", "every stream of it");
    }
}
