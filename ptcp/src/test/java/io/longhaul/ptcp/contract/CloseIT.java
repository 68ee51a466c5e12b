package io.longhaul.ptcp.contract;

import static io.longhaul.ptcp.contract.AbstractTransportContract.MIB;
import static io.longhaul.ptcp.contract.AbstractTransportContract.OPENERS;
import static io.longhaul.ptcp.contract.AbstractTransportContract.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.contract.AbstractTransportContract.Ends;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A close for which much is still to be sent. */
final class CloseIT {
    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final int WINDOW = 256 * 1024;

    private final AbstractPtcpContract pair = new AbstractPtcpContract() {
        @Override
        PtcpConfig config() {
            PtcpConfig defaults = PtcpConfig.defaults();
            return defaults.withStreams(2)
                    .withSizes(16 * 1024, WINDOW)
                    .withLimits(defaults.connectTimeout(), defaults.stallLimit(), LIMIT, defaults.keepAlive());
        }
    };

    @AfterEach
    void disconnect() throws Exception {
        pair.disconnect();
    }

    private static void awaitClosed(ByteStream end) throws InterruptedException {
        assertThat(end.received().closed().await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    /** A window in each tenth of a second. */
    private static void readSlowly(ByteStream reader, long bytes) {
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(100)).until(() -> {
            reader.setReading(true);
            reader.setReading(false);
            return reader.received().count() >= bytes;
        });
        reader.setReading(true);
    }

    @Test
    void shouldGiveEverythingWhenTheReaderTakesLongerThanTheLimit() throws Exception {
        // given
        Ends ends = pair.connect();
        ends.acceptor().setReading(false);
        ends.opener().write(Unpooled.wrappedBuffer(new RandomBytes(OPENERS).next(8 * MIB)));
        long startNs = System.nanoTime();

        // when
        ends.opener().close();
        readSlowly(ends.acceptor(), 8 * MIB);

        // then
        for (ByteStream end : List.of(ends.opener(), ends.acceptor())) {
            awaitClosed(end);
            assertThat(end.received().cause()).isNull();
        }
        boolean isLong = Duration.ofNanos(System.nanoTime() - startNs).compareTo(LIMIT.multipliedBy(2)) > 0;
        AbstractTransportContract.awaitExactly(ends.acceptor(), 8 * MIB);
        assumeTrue(isLong, "much more came at a time than a window: this machine is too busy");
    }

    @Test
    void shouldSayThatItIsLostWhenTheReaderNeverGoesOn() throws Exception {
        // given
        Ends ends = pair.connect();
        ends.acceptor().setReading(false);
        ends.opener().write(Unpooled.wrappedBuffer(new RandomBytes(OPENERS).next(MIB)));

        // when
        ends.opener().close();

        // then
        for (ByteStream end : List.of(ends.opener(), ends.acceptor())) {
            awaitClosed(end);
            assertThat(end.received().cause())
                    .isInstanceOfSatisfying(
                            PtcpException.class, e -> assertThat(e.code()).isEqualTo(PtcpException.Code.LOST));
        }
        // whoever looks first says it; the other one hears nothing of it
        assertThat(List.of(ends.opener(), ends.acceptor()))
                .anySatisfy(end ->
                        assertThat(end.received().cause()).hasMessageContaining("nothing moves while it is closed: "));
    }
}
