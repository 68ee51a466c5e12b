package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SplitterTest {
    private static final int PACKET = 64 * 1024;
    private static final int WINDOW = 256 * 1024;
    private final Splitter splitter = splitter(WINDOW);

    private static ResendRoom room(long bytes) {
        return new ResendRoom(bytes, bytes, new WindowBudget(0));
    }

    private static Splitter splitter(long limit) {
        return new Splitter(PACKET, room(WINDOW), limit, UnpooledByteBufAllocator.DEFAULT);
    }

    private static ByteBuf bytes(int length) {
        return Unpooled.buffer(length).writeZero(length);
    }

    private Packet send(int stream) {
        Packet packet = splitter.take(PACKET);
        assertThat(packet).isNotNull();
        packet.sent(stream, 0);
        return packet;
    }

    @Test
    void shouldLoseNothingWhenWritesHaveAnyLength() {
        // given
        long seed = Long.getLong("longhaul.seed", 20_261_121L);
        System.out.println("SplitterTest seed " + seed);
        Random random = new Random(seed);
        byte[] stream = new byte[3_000_000];
        random.nextBytes(stream);
        ByteBuf found = Unpooled.buffer(stream.length);
        List<ByteBuf> given = new ArrayList<>();

        // when
        for (int at = 0; at < stream.length || splitter.hasNext(); ) {
            int length = Math.min(stream.length - at, random.nextInt(random.nextBoolean() ? 100 : 150_000));
            ByteBuf written = Unpooled.copiedBuffer(stream, at, length);
            given.add(written);
            splitter.add(written);
            at += length;
            for (Packet packet = splitter.take(PACKET); packet != null; packet = splitter.take(PACKET)) {
                assertThat(packet.position()).isEqualTo(found.writerIndex());
                assertThat(packet.length()).isBetween(1, PACKET);
                ByteBuf taken = packet.take();
                found.writeBytes(taken);
                taken.release();
            }
            splitter.acknowledged(splitter.position(), splitter.position() + random.nextInt(WINDOW) + 1);
        }

        // then
        assertThat(found.array()).as("seed %s", seed).isEqualTo(stream);
        assertThat(given).allMatch(written -> written.refCnt() == 0);
    }

    @Test
    void shouldMakeOnePacketWhenManySmallOnesWait() {
        // given
        for (int i = 0; i < 100; i++) {
            splitter.add(bytes(50));
        }

        // when
        Packet packet = send(1);

        // then
        assertThat(packet.length()).isEqualTo(5000);
        assertThat(splitter.queuedBytes()).isZero();
        splitter.release();
    }

    @Test
    void shouldStopWhenTheOthersLimitOrTheOwnWindowIsReached() {
        // given
        Splitter limited = splitter(100);
        limited.add(bytes(1000));
        splitter.add(bytes(2 * WINDOW));
        splitter.acknowledged(0, 10L * WINDOW);

        // when
        Packet packet = limited.take(PACKET);
        long sent = 0;
        while (splitter.hasNext()) {
            sent += send(1).length();
        }

        // then
        assertThat(packet).isNotNull();
        assertThat(packet.length()).isEqualTo(100);
        assertThat(limited.take(PACKET)).isNull();
        assertThat(sent).isEqualTo(WINDOW);
        assertThat(splitter.take(PACKET)).isNull();
        limited.release();
        splitter.release();
    }

    @Test
    void shouldCutSmallerPacketsForAStreamThatIsGivenLittleAtOnce() {
        // given
        splitter.add(bytes(2 * PACKET));

        // when
        Packet slow = splitter.take(PACKET / 4);
        Packet fast = splitter.take(2 * PACKET);

        // then
        assertThat(slow).isNotNull();
        assertThat(slow.length()).isEqualTo(PACKET / 4);
        assertThat(fast).isNotNull();
        assertThat(fast.position()).isEqualTo(slow.end());
        assertThat(fast.length()).isEqualTo(PACKET);
        splitter.release();
    }

    @Test
    void shouldSendNoMoreThanItKeptWhenItGaveTheRestBack() {
        // given
        splitter.acknowledged(0, 10L * WINDOW);

        // when
        boolean gaveBack = splitter.giveBack(PACKET);
        splitter.add(bytes(2 * PACKET));
        send(1);

        // then
        assertThat(gaveBack).isTrue();
        assertThat(splitter.givenBackBytes()).isEqualTo(10L * WINDOW - PACKET);
        assertThat(splitter.take(PACKET)).isNull();
        splitter.release();
    }

    /** The other end did not know yet that something was given back, or does: both mean the same. */
    @Test
    void shouldCountWhatItGaveBackWhenALimitComes() {
        // given
        splitter.giveBack(PACKET);
        splitter.add(bytes(2 * WINDOW));
        send(1);

        // when then
        assertThat(splitter.acknowledged(0, WINDOW)).isFalse();
        assertThat(splitter.take(PACKET)).isNull();
        assertThat(splitter.acknowledged(0, WINDOW + PACKET)).isTrue();
        send(1);
        assertThat(splitter.take(PACKET)).isNull();
        splitter.release();
    }

    @Test
    void shouldGiveNothingBackWhenBytesWait() {
        // given
        splitter.add(bytes(100));

        // when then
        assertThat(splitter.giveBack(PACKET)).isFalse();
        splitter.take(PACKET);
        assertThat(splitter.giveBack(PACKET)).isTrue();
        assertThat(splitter.giveBack(PACKET)).isFalse();
        splitter.release();
    }

    @Test
    void shouldGiveOutFirstAndOnceWhenAStreamIsLost() {
        // given
        splitter.add(bytes(5 * PACKET / 2 + PACKET));
        Packet one = send(1);
        Packet two = send(2);
        Packet three = send(1);

        // when
        long bytes = splitter.lost(1);

        // then
        assertThat(bytes).isEqualTo(2 * PACKET);
        assertThat(splitter.oldest()).as("the oldest that a stream carries").isSameAs(two);
        assertThat(send(2)).isSameAs(one);
        assertThat(send(2)).isSameAs(three);
        assertThat(send(2).position()).isEqualTo(3L * PACKET);
        assertThat(two.stream()).isEqualTo(2);
        assertThat(splitter.waitsFor(1)).isFalse();
        assertThat(splitter.lost(1)).isZero();
        splitter.release();
    }

    @Test
    void shouldBlameNobodyWhenAllThatIsMissingWaitsForAStream() {
        // given
        splitter.add(bytes(2 * PACKET));
        send(1);
        Packet second = send(2);

        // when then
        splitter.lost(2);
        assertThat(splitter.oldest()).isNotSameAs(second);
        splitter.lost(1);
        assertThat(splitter.oldest()).isNull();
        splitter.release();
    }

    @Test
    void shouldNotGiveOutAgainWhenALostPacketIsAcknowledged() {
        // given
        splitter.add(bytes(PACKET));
        Packet packet = send(1);
        splitter.lost(1);

        // when
        splitter.acknowledged(packet.end(), WINDOW);

        // then
        assertThat(splitter.hasNext()).isFalse();
        assertThat(splitter.take(PACKET)).isNull();
    }

    @Test
    void shouldReleaseWhenItIsAcknowledged() {
        // given
        ByteBuf written = bytes(2 * PACKET);
        splitter.add(written);
        send(1);
        Packet second = send(1);

        // when then
        assertThat(splitter.acknowledged(PACKET, 2L * WINDOW)).isTrue();
        assertThat(written.refCnt()).isPositive();
        assertThat(splitter.acknowledged(second.end(), 2L * WINDOW)).isTrue();
        assertThat(written.refCnt()).isZero();
        assertThat(splitter.acknowledged(PACKET, WINDOW)).isFalse();
    }

    @Test
    void shouldRefuseWhenMoreIsAcknowledgedThanWasSent() {
        // given
        splitter.add(bytes(100));
        send(1);

        // when then
        assertThatThrownBy(() -> splitter.acknowledged(101, WINDOW))
                .isInstanceOf(PtcpException.class)
                .hasMessage("an acknowledgement up to 101, sent is 100");
        splitter.release();
    }

    @Test
    void shouldReleaseEverythingWhenItIsDropped() {
        // given
        List<ByteBuf> written = List.of(bytes(PACKET + 10), bytes(100), bytes(PACKET), bytes(0));
        written.forEach(splitter::add);
        send(1);
        splitter.lost(1);

        // when
        splitter.release();

        // then
        assertThat(written).allMatch(bytes -> bytes.refCnt() == 0);
        assertThat(splitter.hasNext()).isFalse();
    }
}
