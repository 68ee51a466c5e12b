package io.longhaul.gridftp.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.FrontLimits;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.Sink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.net.SocketException;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an upload takes from the network while the disk is slow. */
final class ReceptionTest {
    private static final int MIB = 1024 * 1024;

    private final ArrivingBytes arriving = new ArrivingBytes(64 * MIB);
    private final Deque<CompletableFuture<Void>> writes = new ArrayDeque<>();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final DataLink link = new DataLink(channel);
    private StreamReception reception;
    private int commits;

    /** A disk that is done with a write when the test says so. */
    private final class SlowSink implements Sink {
        @Override
        public CompletableFuture<Void> write(long position, ByteBuf bytes) {
            bytes.release();
            writes.add(new CompletableFuture<>());
            return writes.getLast();
        }

        @Override
        public CompletableFuture<Void> force() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Entry> commit(LongConsumer progress) {
            commits++;
            return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<Void> suspend() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> abort() {
            return CompletableFuture.completedFuture(null);
        }
    }

    @BeforeEach
    void begin() {
        channel.pipeline().addLast(link);
        link.secure(Optional.empty());
        receiveAt(true, 0);
    }

    private void receiveAt(boolean isPassive, long expectedBytes) {
        receiveAt(isPassive, expectedBytes, false);
    }

    private void receiveAt(boolean isPassive, long expectedBytes, boolean mayBeFewer) {
        TransferContext context = new TransferContext(
                channel.eventLoop(),
                FrontLimits.defaults(),
                reply -> {},
                Clock.systemUTC(),
                System::nanoTime,
                arriving);
        Arrival arrival = new Arrival(new SlowSink(), 0, List.of(), expectedBytes, mayBeFewer, false, false);
        reception = new StreamReception(context, arrival, MarkerPeriods.NONE, isPassive);
        reception.take(link);
    }

    private void receive(int bytes) {
        reception.bytes(link, Unpooled.wrappedBuffer(new byte[bytes]));
    }

    private boolean isReading() {
        return channel.config().isAutoRead();
    }

    @Test
    void shouldPauseWhenItAloneHasTooMuch() {
        receive(16 * MIB);
        boolean withMuch = isReading();
        receive(1);

        assertThat(withMuch).isTrue();
        assertThat(isReading()).isFalse();
    }

    @Test
    void shouldMakeDoWithLittleWhenOthersHaveTooMuch() {
        // given
        arriving.add(64 * MIB);

        // when
        receive(MIB);
        boolean withLittle = isReading();
        receive(1);

        // then
        assertThat(withLittle).isTrue();
        assertThat(isReading()).isFalse();
        writes.remove().complete(null);
        assertThat(isReading()).isTrue();
    }

    @Test
    void shouldGiveBackWhatTheDiskHas() {
        arriving.add(60 * MIB);
        receive(5 * MIB);
        boolean wasFull = arriving.isFull();

        writes.remove().complete(null);

        assertThat(wasFull).isTrue();
        assertThat(arriving.isFull()).isFalse();
    }

    @Test
    void shouldDropWhatComesForAWhileWhenItIsRefused() {
        // given
        channel.freezeTime();
        receive(16 * MIB);
        receive(MIB);

        // when
        writes.remove().completeExceptionally(new BackendException(Code.NO_SPACE, "/f: No space left on device"));
        writes.remove().complete(null);

        // then
        assertThat(reception.outcome().join().code()).isEqualTo(552);
        assertThat(reception.links()).isEmpty();
        assertThat(isReading()).isTrue();

        // when
        receive(MIB);
        passMillis(9_999);
        boolean wasOpen = channel.isOpen();
        passMillis(1);

        // then
        assertThat(writes).isEmpty();
        assertThat(wasOpen).isTrue();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldNotTakeThePartForTheWholeWhenTheClientIsKilled() {
        // given
        channel.freezeTime();
        receive(MIB);

        // when
        reception.gone(link);
        reception.cut(Reply.of(426, "Control connection lost."));
        passMillis(10);

        // then
        assertThat(commits).isZero();
        assertThat(reception.outcome().join().code()).isEqualTo(426);
    }

    @Test
    void shouldTakeNothingForAnEmptyFileWhenTheClientIsKilled() {
        // given
        channel.freezeTime();
        receiveAt(false, 0);

        // when
        reception.gone(link);
        reception.cut(Reply.of(426, "Control connection lost."));
        passMillis(10);

        // then
        assertThat(commits).isZero();
        assertThat(reception.outcome().join().code()).isEqualTo(426);
    }

    @Test
    void shouldTakeAllForTheWholeWhenTheClientWaits() {
        // given
        channel.freezeTime();
        receive(MIB);

        // when
        reception.gone(link);
        passMillis(10);

        // then
        assertThat(commits).isEqualTo(1);
    }

    /** What a client has not read when it closes its connection ends that with a reset, behind all that it sent. */
    @Test
    void shouldTakeAllForTheWholeWhenAResetComesBehindTheEndOfTls() {
        // given
        channel.freezeTime();
        receive(MIB);
        channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
                // as TLS does, which says its own end first
            }
        });

        // when
        channel.pipeline().fireUserEventTriggered(SslCloseCompletionEvent.SUCCESS);
        channel.pipeline().fireExceptionCaught(new SocketException("Connection reset"));
        reception.gone(link);
        passMillis(10);

        // then
        assertThat(link.isBroken()).isFalse();
        assertThat(commits).isEqualTo(1);
    }

    @Test
    void shouldNotTakeThePartForTheWholeWhenAResetComesInPlaceOfTheEnd() {
        channel.freezeTime();
        receive(MIB);

        channel.pipeline().fireExceptionCaught(new SocketException("Connection reset"));
        passMillis(10);

        assertThat(commits).isZero();
        assertThat(reception.outcome().join().code()).isEqualTo(426);
    }

    /** Who says how long a file is at least may send more. */
    @Test
    void shouldNotTakeMoreThanWasSaidForTheWholeWhenTheClientIsKilled() {
        // given
        channel.freezeTime();
        receiveAt(true, MIB);
        receive(MIB + 1);

        // when
        reception.gone(link);
        reception.orphan(Reply.of(426, "Control connection lost."));
        passMillis(10);

        // then
        assertThat(commits).isZero();
        assertThat(reception.outcome().join().code()).isEqualTo(426);
    }

    @Test
    void shouldTakeMoreThanWasSaidForTheWholeWhenTheClientWaits() {
        // given
        channel.freezeTime();
        receiveAt(true, MIB);
        receive(MIB + 1);

        // when
        reception.gone(link);
        passMillis(10);

        // then
        assertThat(commits).isEqualTo(1);
    }

    @Test
    void shouldTakeWhatWasSaidForTheWholeWhenTheClientIsKilled() {
        // given
        channel.freezeTime();
        receiveAt(true, MIB);
        receive(MIB);

        // when
        reception.orphan(Reply.of(426, "Control connection lost."));
        reception.gone(link);
        passMillis(10);

        // then
        assertThat(commits).isEqualTo(1);
    }

    @Test
    void shouldTakeWhatWasSaidForTheWholeWhenTlsHasNoEnd() {
        // given
        channel.freezeTime();
        receiveAt(true, MIB);
        receive(MIB);

        // when
        channel.pipeline().fireUserEventTriggered(new SslCloseCompletionEvent(new SocketException("closed")));
        reception.gone(link);
        passMillis(10);

        // then
        assertThat(commits).isEqualTo(1);
    }

    @Test
    void shouldNotTakeWhatWasSaidForTheWholeWhenAResetComesInPlaceOfTheEnd() {
        // given
        channel.freezeTime();
        receiveAt(true, MIB);
        receive(MIB);

        // when
        channel.pipeline().fireExceptionCaught(new SocketException("Connection reset"));
        passMillis(10);

        // then
        assertThat(commits).isZero();
        assertThat(reception.outcome().join().code()).isEqualTo(426);
    }

    @Test
    void shouldTakeNothingForAPartWhenTheClientsFileEndsBeforeIt() {
        // given
        channel.freezeTime();
        receiveAt(true, MIB, true);

        // when
        reception.gone(link);
        passMillis(1000);
        assertThat(commits).isZero();
        passMillis(1000);

        // then
        assertThat(commits).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldNotTakeLessForAPartWhenTheClientIsKilled(int came) {
        // given
        channel.freezeTime();
        receiveAt(true, MIB, true);
        if (came > 0) {
            receive(came);
        }

        // when
        reception.gone(link);
        passMillis(1000);
        reception.orphan(Reply.of(426, "Control connection lost."));
        passMillis(1000);

        // then
        assertThat(commits).isZero();
        assertThat(reception.outcome().join().code()).isEqualTo(426);
    }

    private void passMillis(int millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }
}
