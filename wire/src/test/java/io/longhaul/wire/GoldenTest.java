package io.longhaul.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Version 1 of the protocol, byte by byte.
 *
 * <p>These files never change: a change of the code that makes one fail breaks what lies in brokers and ledgers.
 */
final class GoldenTest {

    static List<Frame> control() {
        return Frames.control();
    }

    static Stream<Piece> pieces() {
        return Stream.of(Frames.range(), Frames.hole(), Frames.packPiece());
    }

    @ParameterizedTest
    @MethodSource("control")
    void shouldReadVersion1WhenAFrameIsJson(Frame frame) {
        // given
        String golden = golden(frame.type().wireName() + ".json");
        Map<String, Object> properties =
                new HashMap<>(Map.of("lh_version", 1, "lh_type", frame.type().wireName()));
        properties.put("lh_crc", Frames.crc(golden.getBytes(StandardCharsets.UTF_8)));
        if (!Frames.OF_NO_TRANSFER.contains(frame.type())) {
            properties.put("lh_transfer", "0199a1b2c3d4e5f60718293a4b5c6d7e");
        }

        // when
        Frame read =
                FrameCodec.decode(new Envelope(properties, ByteBuffer.wrap(golden.getBytes(StandardCharsets.UTF_8))));

        // then
        assertThat(read).isEqualTo(frame);
    }

    @ParameterizedTest
    @MethodSource("control")
    void shouldWriteVersion1WhenAFrameIsJson(Frame frame) {
        assertThat(new String(FrameCodec.toJson(frame), StandardCharsets.UTF_8))
                .isEqualTo(golden(frame.type().wireName() + ".json"));
    }

    @ParameterizedTest
    @MethodSource("pieces")
    void shouldWriteAndReadVersion1WhenAFrameIsAPiece(Piece piece) {
        // given
        String golden = golden("piece-" + piece.header().kind().name().toLowerCase(java.util.Locale.ROOT) + ".hex");

        // when
        byte[] header = PieceHeaderCodec.encode(piece.header());

        // then
        assertThat(HexFormat.of().formatHex(header)).isEqualTo(golden);
        assertThat(PieceHeaderCodec.decode(HexFormat.of().parseHex(golden))).isEqualTo(piece.header());
    }

    @Test
    void shouldWriteAndReadVersion1WhenAFrameIsAParcel() {
        // given
        Envelope golden = new Envelope(
                Map.of("lh_version", 1, "lh_type", "parcel", "lh_sender", "front-1", "lh_crc", 0x364B3FB7),
                ByteBuffer.wrap("abc".getBytes(StandardCharsets.US_ASCII)));

        // when, then
        assertThat(FrameCodec.encode(Frames.parcel())).isEqualTo(golden);
        assertThat(FrameCodec.decode(golden)).isEqualTo(Frames.parcel());
    }

    @Test
    void shouldWriteVersion1WhenThereIsAPack() {
        ByteBuffer pack = Frames.pack();
        byte[] bytes = new byte[pack.remaining()];
        pack.get(bytes);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(golden("pack.hex"));
    }

    @Test
    void shouldDigestATreeAsVersion1() {
        // given
        TreeDigest digest = new TreeDigest();
        byte[] ofNothing = Digests.sha256().digest();
        byte[] ofAbc = Digests.sha256().digest("abc".getBytes(StandardCharsets.US_ASCII));

        // when
        digest.add(Frames.DIRECTORY, ofNothing);
        digest.add(Frames.SMALL_FILE, ofAbc);
        digest.add(Frames.LINK, ofNothing);

        // then
        assertThat(digest.hex()).isEqualTo(golden("tree-digest.hex"));
    }

    @Test
    void shouldWriteAndReadVersion1WhenAReceiptIsSigned() {
        // given
        byte[] golden = golden("receipt-signed.json").getBytes(StandardCharsets.UTF_8);

        // when, then
        assertThat(FrameCodec.fromJson(golden, Receipt.class)).isEqualTo(Frames.signedReceipt());
        assertThat(FrameCodec.toJson(Frames.signedReceipt())).isEqualTo(golden);
    }

    @Test
    void shouldWriteAndReadVersion1WhenATopicAnswerSaysThatMoreMaySubscribe() {
        // given
        byte[] golden = golden("topic-answer-unknown.json").getBytes(StandardCharsets.UTF_8);
        TopicAnswer answer = Frames.topicAnswer("broker hub waits for the link to leaf");

        // when, then
        assertThat(FrameCodec.fromJson(golden, TopicAnswer.class)).isEqualTo(answer);
        assertThat(FrameCodec.toJson(answer)).isEqualTo(golden);
    }

    @Test
    void shouldWriteAndReadVersion1WhenARepairRequestNamesItsTopic() {
        // given
        byte[] golden = golden("repair-request-topic.json").getBytes(StandardCharsets.UTF_8);
        RepairRequest request = Frames.repairRequest("climate.daily");

        // when, then
        assertThat(FrameCodec.fromJson(golden, RepairRequest.class)).isEqualTo(request);
        assertThat(FrameCodec.toJson(request)).isEqualTo(golden);
    }

    @Test
    void shouldWriteAndReadVersion1WhenAReportTellsOfALinkThatIsSilent() {
        // given
        byte[] golden = golden("broker-report-silent.json").getBytes(StandardCharsets.UTF_8);
        BrokerReport report = Frames.report(List.of(), 9000);

        // when, then
        assertThat(FrameCodec.fromJson(golden, BrokerReport.class)).isEqualTo(report);
        assertThat(FrameCodec.toJson(report)).isEqualTo(golden);
    }

    @Test
    void shouldWriteAndReadVersion1WhenAReportTellsOfFramesThatAreHeld() {
        // given
        byte[] golden = golden("broker-report-held.json").getBytes(StandardCharsets.UTF_8);
        BrokerReport report = Frames.report(List.of(), 5, 4096, 0);

        // when, then
        assertThat(FrameCodec.fromJson(golden, BrokerReport.class)).isEqualTo(report);
        assertThat(FrameCodec.toJson(report)).isEqualTo(golden);
    }

    @Test
    void shouldWriteAndReadVersion1WhenAReportTellsOfALinkThatFails() {
        // given
        byte[] golden = golden("broker-report-failing.json").getBytes(StandardCharsets.UTF_8);
        BrokerReport report = Frames.report(
                List.of(new BrokerReport.FailingLink("hub.example:7400", "login", "unknown user or wrong password")));

        // when, then
        assertThat(FrameCodec.fromJson(golden, BrokerReport.class)).isEqualTo(report);
        assertThat(FrameCodec.toJson(report)).isEqualTo(golden);
    }

    @Test
    void shouldWriteAndReadVersion1WhenAReportTellsOfAQueueThatRunsDry() {
        // given
        byte[] golden = golden("broker-report-drains.json").getBytes(StandardCharsets.UTF_8);
        BrokerReport report = new BrokerReport("hub", 9, 0, 1, List.of(), List.of(), 7, 0);

        // when, then
        assertThat(FrameCodec.fromJson(golden, BrokerReport.class)).isEqualTo(report);
        assertThat(FrameCodec.toJson(report)).isEqualTo(golden);
    }

    @Test
    void shouldWriteAndReadVersion1WhenAReportTellsOfAnOrder() {
        // given
        byte[] golden = golden("broker-report-order.json").getBytes(StandardCharsets.UTF_8);
        BrokerReport report = new BrokerReport("hub", 9, 0, 1, List.of(), List.of(), 0, 1843200000000123L);

        // when, then
        assertThat(FrameCodec.fromJson(golden, BrokerReport.class)).isEqualTo(report);
        assertThat(FrameCodec.toJson(report)).isEqualTo(golden);
    }

    @Test
    void shouldWriteAndReadVersion1WhenOneTransferIsAskedFor() {
        // given
        byte[] golden = golden("retained-query-transfer.json").getBytes(StandardCharsets.UTF_8);
        RetainedQuery query = RetainedQuery.of(3, "climate.daily", "site-b", "site-b", Frames.TRANSFER);

        // when, then
        assertThat(FrameCodec.fromJson(golden, RetainedQuery.class)).isEqualTo(query);
        assertThat(FrameCodec.toJson(query)).isEqualTo(golden);
    }

    @Test
    void shouldWriteAndReadVersion1WhenATimeIsCountedFromTheClockOfWhoAsks() {
        // given
        byte[] golden = golden("retained-query-asked.json").getBytes(StandardCharsets.UTF_8);
        RetainedQuery query = new RetainedQuery(
                3, "climate.daily", "site-b", "site-b", 1_700_000_000_000L, 1_700_003_600_000L, -1, "", "");

        // when, then
        assertThat(FrameCodec.fromJson(golden, RetainedQuery.class)).isEqualTo(query);
        assertThat(FrameCodec.toJson(query)).isEqualTo(golden);
    }

    @Test
    void shouldSignTheBytesOfVersion1() {
        // given
        Receipt receipt = Frames.signedReceipt();

        // when
        byte[] signed = ReceiptEncoding.encode(receipt, receipt.proof().orElseThrow());

        // then
        assertThat(HexFormat.of().formatHex(signed)).isEqualTo(golden("receipt-signed.hex"));
        assertThat(ReceiptSignature.holds(receipt)).isTrue();
        assertThat(ReceiptSignature.hash(receipt))
                .isEqualTo("98500f09d29cf1e73840bee47bb63b38be3ca364d27ea0daff11f87b278dc549");
    }

    @Test
    void rfc3720AppendixB4() {
        // the RFC lists the bytes of the checksum with the least significant one first
        assertThat(Frames.crc(ByteBuffer.allocate(32))).isEqualTo(0x8A9136AA);
        assertThat(Frames.hole().header().crc32c()).isEqualTo(0x8A9136AA);
    }

    @Test
    void fips180ExampleOfOneBlock() {
        byte[] digest = Digests.sha256().digest("abc".getBytes(StandardCharsets.US_ASCII));
        assertThat(HexFormat.of().formatHex(digest)).isEqualTo(Frames.DIGEST_OF_ABC);
    }

    private static String golden(String name) {
        Optional<InputStream> found = Optional.ofNullable(GoldenTest.class.getResourceAsStream("/golden/v1/" + name));
        try (InputStream in = found.orElseThrow(() -> new AssertionError("no golden file " + name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
