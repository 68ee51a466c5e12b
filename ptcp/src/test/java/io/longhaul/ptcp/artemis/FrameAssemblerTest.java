package io.longhaul.ptcp.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FrameAssemblerTest {
    private static final String TWO = "00000003" + "010203" + "00000001" + "ff";
    private final FrameAssembler assembler =
            new FrameAssembler(UnpooledByteBufAllocator.DEFAULT, FrameGuard.bounded(100));
    private final List<String> found = new ArrayList<>();
    private final List<ByteBuf> frames = new ArrayList<>();

    private void take(String hex) {
        assembler.take(Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex)), frame -> {
            assertThat(frame.readerIndex()).isEqualTo(4);
            assertThat(frame.capacity()).isEqualTo(4 + frame.readableBytes());
            assertThat(frame.getInt(0)).isEqualTo(frame.readableBytes());
            found.add(ByteBufUtil.hexDump(frame));
            frames.add(frame);
        });
    }

    @Test
    void shouldGiveTheSameFramesWhenSplitAtEveryByte() {
        for (int cut = 0; cut <= TWO.length(); cut += 2) {
            // when
            take(TWO.substring(0, cut));
            take(TWO.substring(cut));

            // then
            assertThat(found).as("cut at %s", cut / 2).containsExactly("010203", "ff");
            found.clear();
        }
        assertThat(frames).allMatch(frame -> frame.refCnt() == 0);
    }

    @Test
    void shouldGiveAllWhenFramesComeTogether() {
        // when
        take(TWO.repeat(3));

        // then
        assertThat(found).containsExactly("010203", "ff", "010203", "ff", "010203", "ff");
    }

    @ParameterizedTest
    @ValueSource(strings = {"00000000", "00000065", "7fffffff", "ffffffff"})
    void shouldRefuseWhenALengthIsOutOfRange(String length) {
        assertThatThrownBy(() -> take(length + "00"))
                .isInstanceOfSatisfying(
                        PtcpException.class, e -> assertThat(e.code()).isEqualTo(PtcpException.Code.PROTOCOL))
                .hasMessageContaining("expected 1..100");
        assertThat(found).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 8 * 1024, 40 * 1024, 300 * 1024})
    void shouldGiveTheSameFrameWhenLargeOneComesInParts(int part) {
        // given
        byte[] packet = new byte[200 * 1024];
        new Random(part).nextBytes(packet);
        ByteBuf whole = Unpooled.buffer()
                .writeInt(packet.length)
                .writeBytes(packet)
                .writeInt(1)
                .writeByte(7);
        FrameAssembler large = new FrameAssembler(UnpooledByteBufAllocator.DEFAULT, FrameGuard.bounded(packet.length));

        // when
        List<byte[]> given = new ArrayList<>();
        while (whole.isReadable()) {
            ByteBuf in = Unpooled.copiedBuffer(whole.readSlice(Math.min(part, whole.readableBytes())));
            large.take(in, frame -> {
                assertThat(frame.capacity()).isEqualTo(4 + frame.readableBytes());
                given.add(ByteBufUtil.getBytes(frame));
                frames.add(frame);
            });
            in.release();
            frames.add(in);
        }

        // then
        assertThat(given).containsExactly(packet, new byte[] {7});
        assertThat(frames).allMatch(frame -> frame.refCnt() == 0);
    }

    @Test
    void shouldNotKeepALargeBufferForAPartOfIt() {
        // given
        FrameAssembler large = new FrameAssembler(UnpooledByteBufAllocator.DEFAULT, FrameGuard.bounded(1 << 20));
        ByteBuf read = Unpooled.buffer(1 << 20).writeInt(1 << 20).writeZero(10 * 1024);

        // when
        large.take(read, frame -> {});

        // then
        assertThat(read.refCnt()).isEqualTo(1);
    }

    @Test
    void shouldTakeNoRoomForWhatItShares() {
        // given
        UnpooledByteBufAllocator own = new UnpooledByteBufAllocator(true);
        FrameAssembler large = new FrameAssembler(own, FrameGuard.bounded(1 << 20));
        ByteBuf read = Unpooled.buffer(64 * 1024).writeInt(1 << 20).writeZero(60 * 1024);

        // when
        large.take(read, frame -> {});

        // then
        assertThat(own.metric().usedDirectMemory()).as("for the length").isEqualTo(4);
        large.release();
        assertThat(own.metric().usedDirectMemory()).isZero();
    }

    @Test
    void shouldGiveBackWhatItSharesWhenReleased() {
        // given
        FrameAssembler large = new FrameAssembler(UnpooledByteBufAllocator.DEFAULT, FrameGuard.bounded(1 << 20));
        ByteBuf read = Unpooled.buffer(64 * 1024).writeInt(1 << 20).writeZero(60 * 1024);
        large.take(read, frame -> {});
        assertThat(read.refCnt()).as("shared").isEqualTo(2);

        // when
        large.release();

        // then
        assertThat(read.refCnt()).isEqualTo(1);
    }

    @Test
    void shouldForgetTheHalfFrameWhenReleased() {
        // given
        take("0000000301");

        // when
        assembler.release();
        take(TWO);

        // then
        assertThat(found).containsExactly("010203", "ff");
    }
}
