package io.longhaul.ptcp.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpSnapshot;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PtcpPerfRecordsTest {
    private static final PerfOrder ORDER = PerfOrder.ofTime(Duration.ofSeconds(10), true);
    private static final PerfReport REPORT = new PerfReport(
            5,
            6,
            7,
            8,
            2,
            List.of(new PtcpSnapshot.Stream(1, 100, 200), new PtcpSnapshot.Stream(9, Long.MAX_VALUE, 0)));

    private final List<Object> found = new ArrayList<>();
    private final RecordDecoder decoder = new RecordDecoder(new Recorder());

    /** Notes orders and reports, and before each report how many test bytes came. */
    private final class Recorder implements RecordDecoder.Records {
        private int testBytes;

        @Override
        public void order(PerfOrder order) {
            found.add(order);
        }

        @Override
        public void testBytes(int count) {
            testBytes += count;
        }

        @Override
        public void report(PerfReport report) {
            found.add(testBytes);
            found.add(report);
        }
    }

    private static ByteBuf conversation() {
        ByteBuf all = Unpooled.buffer();
        ORDER.write(all);
        RecordType.TEST.write(all, 3);
        all.writeZero(3);
        RecordType.TEST.write(all, 70);
        all.writeZero(70);
        REPORT.write(all);
        return all;
    }

    private static ByteBuf hex(String text) {
        return Unpooled.wrappedBuffer(HexFormat.of().parseHex(text));
    }

    @Test
    void shouldWriteDocumentedBytesWhenOrderIsGiven() {
        // given
        ByteBuf out = Unpooled.buffer();

        // when
        PerfOrder.ofBytes(258, false).write(out);

        // then
        assertThat(HexFormat.of().formatHex(out.array(), 0, out.writerIndex()))
                .isEqualTo("01000010" + "50455246" + "01" + "01" + "01" + "00" + "0000000000000102");
    }

    @Test
    void shouldReadAllWhenRecordsComeTogether() {
        // when
        decoder.decode(conversation());

        // then
        assertThat(found).containsExactly(ORDER, 73, REPORT);
    }

    @Test
    void shouldReadTheSameWhenBytesAreCutAnywhere() {
        for (int cut = 1; cut < conversation().readableBytes(); cut++) {
            // given
            found.clear();
            ByteBuf all = conversation();

            // when
            RecordDecoder fresh = new RecordDecoder(new Recorder());
            fresh.decode(all.readSlice(cut));
            fresh.decode(all);

            // then
            assertThat(found).as("cut at " + cut).containsExactly(ORDER, 73, REPORT);
        }
    }

    @Test
    void shouldReadTheSameWhenBytesComeOneByOne() {
        // given
        ByteBuf all = conversation();

        // when
        while (all.isReadable()) {
            decoder.decode(all.readSlice(1));
        }

        // then
        assertThat(found).containsExactly(ORDER, 73, REPORT);
    }

    @Test
    void shouldIgnoreWhatLaterVersionsAppend() {
        // when
        decoder.decode(hex("01000012" + "50455246" + "01010100" + "0000000000000001" + "ffff"));

        // then
        assertThat(found).containsExactly(PerfOrder.ofBytes(1, false));
    }

    @ParameterizedTest
    @CsvSource({
        "47455420, a record of type 1 to 3",
        "00000000, a record of type 1 to 3",
        "0100000f, a record ORDER of 15 bytes",
        "01000101, a record ORDER of 257 bytes",
        "02000000, a record TEST of 0 bytes",
        "03ffffff, a record REPORT of 16777215 bytes",
        "01000010 50545243 01010100 0000000000000001, expected \"PERF\"",
        "01000010 50455246 09010100 0000000000000001, a test of version 9",
        "01000010 50455246 01030100 0000000000000001, a test of direction 3 and limit 1",
        "01000010 50455246 01010100 0000000000000000, a test of 0 bytes",
        "01000010 50455246 01010200 7fffffffffffffff, a test of 9223372036854 ms"
    })
    void shouldNameWhatIsWrongWhenBytesAreNoTest(String bytes, String complaint) {
        assertThatThrownBy(() -> decoder.decode(hex(bytes.replace(" ", ""))))
                .isInstanceOf(PtcpException.class)
                .hasMessageContaining(complaint);
    }

    @Test
    void shouldRefuseWhenTextComes() {
        assertThatThrownBy(() -> decoder.decode(Unpooled.copiedBuffer("GET / HTTP/1.1\r\n", StandardCharsets.US_ASCII)))
                .isInstanceOfSatisfying(
                        PtcpException.class, e -> assertThat(e.code()).isEqualTo(PtcpException.Code.PROTOCOL))
                .hasMessageContaining("no test");
    }

    @Test
    void shouldRefuseWhenReportNamesMoreThanItHas() {
        // given
        ByteBuf out = Unpooled.buffer();
        RecordType.REPORT.write(out, PerfReport.LEAST_BYTES);
        out.writeZero(PerfReport.LEAST_BYTES - Integer.BYTES).writeInt(1);

        // then
        assertThatThrownBy(() -> decoder.decode(out)).hasMessageContaining("a report of 1 streams in 0 bytes");
    }

    @Test
    void shouldRefuseWhenReportHasNegativeNumber() {
        // given
        ByteBuf out = Unpooled.buffer();
        new PerfReport(-1, 0, 0, 0, 0, List.of()).write(out);

        // then
        assertThatThrownBy(() -> decoder.decode(out)).hasMessageContaining("negative number -1");
    }

    @Test
    void shouldLeaveOutStreamsWhenThereAreTooMany() {
        // given
        ByteBuf out = Unpooled.buffer();

        // when
        new PerfReport(1, 1, 1, 1, 1, Collections.nCopies(1000, new PtcpSnapshot.Stream(1, 1, 1))).write(out);
        decoder.decode(out);

        // then
        assertThat(((PerfReport) found.get(1)).streams()).hasSize(PerfReport.MOST_STREAMS);
    }
}
