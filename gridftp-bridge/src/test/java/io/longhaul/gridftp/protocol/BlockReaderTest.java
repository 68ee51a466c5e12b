package io.longhaul.gridftp.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** GFD.20 section 3.4.2. */
final class BlockReaderTest {
    private static final String TWO_BLOCKS = "00 0000000000000003 0000000000000005 616263"
            + " 00 0000000000000002 0000000000000000 6465"
            + " 48 0000000000000000 0000000000000002";

    private final List<String> seen = new ArrayList<>();
    private final BlockReader reader = new BlockReader(1000, 64);

    private final BlockReader.Target target = new BlockReader.Target() {
        @Override
        public void header(BlockHeader header) {
            seen.add("header " + header.count());
        }

        @Override
        public void payload(long position, ByteBuf bytes) {
            for (int i = 0; i < bytes.readableBytes(); i++) {
                seen.add(position + i + ":" + (char) bytes.getByte(i));
            }
            bytes.release();
        }

        @Override
        public void endOfData(BlockHeader header) {
            seen.add("end " + header.offset());
        }
    };

    private static ByteBuf hex(String digits) {
        return Unpooled.wrappedBuffer(HexFormat.of().parseHex(digits.replace(" ", "")));
    }

    @Test
    void shouldReadTheSameWhenBytesAreSplitAnywhere() {
        ByteBuf all = hex(TWO_BLOCKS);
        for (int at = 1; at < all.readableBytes(); at++) {
            // given
            seen.clear();
            BlockReader split = new BlockReader(1000, 64);

            // when
            split.read(all.slice(0, at), target);
            split.read(all.slice(at, all.readableBytes() - at), target);

            // then
            assertThat(seen)
                    .containsExactly("header 3", "5:a", "6:b", "7:c", "header 2", "0:d", "1:e", "header 0", "end 2");
            assertThat(split.isBetweenBlocks()).isTrue();
        }
    }

    @Test
    void shouldLeaveTheNextTransfersBytesWhenAPartEnds() {
        ByteBuf bytes = hex("08 0000000000000000 0000000000000000 00 0000000000000001");

        reader.read(bytes, target);

        assertThat(seen).containsExactly("header 0", "end 0");
        assertThat(bytes.readableBytes()).isEqualTo(9);
    }

    @Test
    void shouldEndAfterThePayloadWhenTheBlockWithDataSaysSo() {
        reader.read(hex("08 0000000000000001 0000000000000007 61"), target);

        assertThat(seen).containsExactly("header 1", "7:a", "end 7");
    }

    @Test
    void shouldNotBeBetweenBlocksWhenItEndsWithinOne() {
        reader.read(hex("00 0000000000000003 0000000000000005 61"), target);

        assertThat(reader.isBetweenBlocks()).isFalse();
        assertThat(reader.hasCarried()).isTrue();
    }

    @Test
    void shouldTakeTheBytesWhenABlockHasFlagsThatSayNothingOfThem() {
        for (String flags : List.of("80", "20", "10", "04")) {
            // given
            seen.clear();

            // when
            new BlockReader(1000, 64).read(hex(flags + " 0000000000000001 0000000000000007 61"), target);

            // then
            assertThat(seen).as(flags).containsExactly("header 1", "7:a");
        }
    }

    @Test
    void shouldRefuseWhenTheNumbersAreNone() {
        assertRefused("00 0000000000000001 ffffffffffffffff", false);
        assertRefused("00 0000000000000001 7fffffffffffffff", false);
        assertRefused("00 ffffffffffffffff 0000000000000000", true);
        assertRefused("00 0000000000001000 0000000000000000", true);
        assertRefused("02 0000000000000001 0000000000000000", true);
        assertRefused("48 0000000000000000 0000000000000000", true);
        assertRefused("48 0000000000000000 0000000000000041", true);
        assertRefused("04 0000000000000000 0000000000000000", true);
    }

    private void assertRefused(String digits, boolean foreign) {
        assertThatThrownBy(() -> new BlockReader(1000, 64).read(hex(digits), target))
                .isInstanceOfSatisfying(
                        ProtocolException.class, e -> assertThat(e.isForeign()).isEqualTo(foreign));
    }

    @Test
    void shouldTakeItForAStrangersWhenItIsAnotherProtocol() {
        ByteBuf request = Unpooled.copiedBuffer("GET / HTTP/1.1\r\nHost: x\r\n\r\n", StandardCharsets.US_ASCII);

        assertThatThrownBy(() -> reader.read(request, target))
                .isInstanceOfSatisfying(
                        ProtocolException.class, e -> assertThat(e.isForeign()).isTrue());
    }

    @Test
    void shouldWriteWhatItReadsWhenAHeaderIsSent() {
        ByteBuf written = Unpooled.buffer();

        BlockHeader.endOfFile(2).write(written);

        assertThat(written).isEqualTo(hex("48 0000000000000000 0000000000000002"));
        assertThat(BlockHeader.read(written)).isEqualTo(BlockHeader.endOfFile(2));
    }

    @Test
    void shouldBeCompleteWhenAsManyPartsHaveEndedAsTheEofSays() {
        // given
        EodCount count = new EodCount();

        // when
        count.endOfData();
        count.header(BlockHeader.endOfFile(2));

        // then
        assertThat(count.isComplete()).isFalse();
        count.endOfData();
        assertThat(count.isComplete()).isTrue();
        assertThatThrownBy(count::endOfData).isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> count.header(BlockHeader.endOfFile(2))).isInstanceOf(ProtocolException.class);
    }
}
