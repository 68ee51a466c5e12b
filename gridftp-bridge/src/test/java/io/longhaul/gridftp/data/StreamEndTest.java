package io.longhaul.gridftp.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.FrontLimits;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.spi.Sink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long the end of a MODE S upload of unknown length is not believed. */
final class StreamEndTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final DataLink link = new DataLink(channel);
    private StreamReception reception;
    private int commits;
    private long nowNs;

    @BeforeEach
    void begin() {
        channel.freezeTime();
        channel.pipeline().addLast(link);
        link.secure(Optional.empty());
        TransferContext context = new TransferContext(
                channel.eventLoop(),
                FrontLimits.defaults(),
                reply -> {},
                Clock.systemUTC(),
                () -> nowNs,
                new ArrivingBytes(1024));
        Sink sink = (Sink) Proxy.newProxyInstance(
                Sink.class.getClassLoader(), new Class<?>[] {Sink.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("write")) {
                        ((ByteBuf) arguments[1]).release();
                    } else if (method.getName().equals("commit")) {
                        commits++;
                        return new CompletableFuture<>();
                    }
                    return CompletableFuture.completedFuture(null);
                });
        Arrival arrival = new Arrival(sink, 0, List.of(), 0, false, false, false);
        reception = new StreamReception(context, arrival, MarkerPeriods.NONE, true);
        reception.take(link);
        reception.bytes(link, Unpooled.wrappedBuffer(new byte[1]));
    }

    private void passMillis(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    /** What is interrupted, or killed on a busy machine, needs a while from one end to the other. */
    @Test
    void shouldNotTakeThePartForTheWholeWhenTheClientTakesAWhileToEnd() {
        // given
        nowNs += TimeUnit.SECONDS.toNanos(3);

        // when
        reception.gone(link);
        passMillis(200);
        reception.cut(Reply.of(426, "Control connection lost."));
        passMillis(100);

        // then
        assertThat(commits).isZero();
        assertThat(reception.outcome().join().code()).isEqualTo(426);
    }

    @ParameterizedTest
    @CsvSource({"0, 2", "10, 2", "1000, 100", "3600000, 250"})
    void shouldTakeAllForTheWholeWithinAShareOfTheTimeThatItTook(long tookMillis, int millis) {
        // given
        nowNs += TimeUnit.MILLISECONDS.toNanos(tookMillis);

        // when
        reception.gone(link);
        passMillis(millis - 1);
        int before = commits;
        passMillis(1);

        // then
        assertThat(before).isZero();
        assertThat(commits).isEqualTo(1);
    }
}
