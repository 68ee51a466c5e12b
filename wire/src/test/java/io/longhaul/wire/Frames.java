package io.longhaul.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;

/** One example of every frame, the same at every call; the golden files hold their encoded forms. */
final class Frames {
    static final TransferId TRANSFER = TransferId.parse("0199a1b2c3d4e5f60718293a4b5c6d7e");
    static final String DIGEST_OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    static final Entry LARGE_FILE =
            new Entry(7, "year/däta.bin", EntryType.FILE, 0640, 1_700_000_000_123_456_789L, 5_000_000_000L, "");
    static final Entry SMALL_FILE = new Entry(2, "a/abc", EntryType.FILE, 0644, 1_600_000_000_000_000_000L, 3, "");
    static final Entry DIRECTORY = new Entry(1, "a", EntryType.DIRECTORY, 0755, -1, 0, "");
    static final Entry LINK = new Entry(3, "a/link", EntryType.SYMLINK, 0777, 0, 0, "../a/abc");

    /** Frames that say nothing of one transfer. */
    static final Set<FrameType> OF_NO_TRANSFER = Set.of(
            FrameType.LEASE_REQUEST,
            FrameType.TOPIC_QUERY,
            FrameType.TOPIC_ANSWER,
            FrameType.NETWORK_QUERY,
            FrameType.NETWORK_ANSWER,
            FrameType.BROKER_REPORT,
            FrameType.RETAINED_QUERY,
            FrameType.RETAINED_ANSWER,
            FrameType.REMOVAL_REQUEST,
            FrameType.REMOVAL_ANSWER);

    private Frames() {}

    static Manifest manifest() {
        return new Manifest(
                TRANSFER,
                "climate.daily",
                "2026/räin \"x\"\n.nc",
                false,
                1024 * 1024,
                5_000_000_000L,
                0644,
                1_700_000_000_123_456_789L,
                "station-1",
                1_700_000_001_000L);
    }

    static Piece range() {
        ByteBuffer body = ByteBuffer.wrap("abc".getBytes(StandardCharsets.US_ASCII));
        return new Piece(header(5, PieceHeader.Kind.RANGE, 5L << 20, body, Optional.of(LARGE_FILE)), body);
    }

    static Piece hole() {
        int length = 32;
        PieceHeader header = new PieceHeader(
                TRANSFER,
                6,
                PieceHeader.Kind.HOLE,
                6L << 20,
                length,
                crc(ByteBuffer.allocate(length)),
                Optional.empty());
        return new Piece(header, ByteBuffer.allocate(0));
    }

    static ByteBuffer pack() {
        ByteBuffer pack = ByteBuffer.allocate(1000);
        PackCodec.append(pack, DIRECTORY, ByteBuffer.allocate(0));
        PackCodec.append(pack, SMALL_FILE, ByteBuffer.wrap("abc".getBytes(StandardCharsets.US_ASCII)));
        PackCodec.append(pack, LINK, ByteBuffer.allocate(0));
        return pack.flip().slice();
    }

    static Piece packPiece() {
        ByteBuffer pack = pack();
        return new Piece(header(0, PieceHeader.Kind.PACK, 0, pack, Optional.empty()), pack);
    }

    private static PieceHeader header(
            long index, PieceHeader.Kind kind, long offset, ByteBuffer body, Optional<Entry> entry) {
        return new PieceHeader(TRANSFER, index, kind, offset, body.remaining(), crc(body), entry);
    }

    static int crc(ByteBuffer body) {
        CRC32C crc = new CRC32C();
        crc.update(body.duplicate());
        return (int) crc.getValue();
    }

    static Seal seal() {
        return new Seal(TRANSFER, 5_000_000_000L, DIGEST_OF_ABC, 4769, 1);
    }

    static Receipt receipt() {
        return new Receipt(
                TRANSFER,
                "climate.daily",
                "archive",
                "site-b",
                Receipt.Outcome.DELIVERED,
                5_000_000_000L,
                DIGEST_OF_ABC,
                "2026/rain.nc",
                1_700_000_009_000L,
                "",
                Optional.empty());
    }

    /** The receipt above, seventh of a chain, with the key of RFC 8032, section 7.1, test 1; signed by another program. */
    static Receipt signedReceipt() {
        return receipt()
                .withProof(new ReceiptProof(
                        7,
                        DIGEST_OF_ABC,
                        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
                        "6d115791f639aae59c29fd490dc2f75823c3d7bf148255215108ec5400111d5a"
                                + "5fec28d5f9b5789eac82970f16242f954a2bfbdd250c66a9e027ad561570310e"));
    }

    static Parcel parcel() {
        return new Parcel("front-1", ByteBuffer.wrap("abc".getBytes(StandardCharsets.US_ASCII)));
    }

    static RepairRequest repairRequest() {
        return repairRequest("");
    }

    static RepairRequest repairRequest(String topic) {
        return new RepairRequest(TRANSFER, "archive", "site-b", 64, new byte[] {5, 0, (byte) 0x80}, topic);
    }

    /** Every frame that travels as JSON. */
    static List<Frame> control() {
        return List.of(
                manifest(),
                seal(),
                new Cancel(TRANSFER, "source changed"),
                receipt(),
                new LeaseRequest("r-1", "climate.daily", "archive", List.of(TRANSFER), Addresses.BROKER),
                new LeaseGrant("r-1", TRANSFER, "archive", "station-1", Long.MAX_VALUE),
                new RepairQuery(TRANSFER, "climate.daily", "archive", "site-b"),
                RepairOffer.of(TRANSFER, "station-1", 1),
                repairRequest(),
                new RepairRefusal(TRANSFER, "station-1", "the file changed"),
                new TopicQuery("climate.daily", "lh.answer.0a1b"),
                topicAnswer(""),
                new NetworkQuery("lh.answer.0a1b"),
                new NetworkAnswer("hub", List.of(report())),
                report(),
                new RetainedQuery(
                        3, "climate.daily", "site-b", "site-b", 1_700_000_000_000L, 0, 41, TRANSFER.toString(), ""),
                new RetainedAnswer(
                        3,
                        "climate.daily",
                        "site-b",
                        "archive",
                        List.of(new RetainedAnswer.Retained(42, manifest(), seal())),
                        true,
                        false),
                new RemovalRequest("site-b", true, "lh.answer.0a1b"),
                new RemovalAnswer("hub", "site-b", "site-b is linked to hub", 3, 42, 3_145_728));
    }

    static TopicAnswer topicAnswer(String unknownBehind) {
        return new TopicAnswer(
                "climate.daily", List.of("archive", "site-b"), "broker hub does not know of it yet", unknownBehind);
    }

    static BrokerReport report() {
        return report(List.of());
    }

    static BrokerReport report(List<BrokerReport.FailingLink> failing) {
        return report(failing, 0);
    }

    static BrokerReport report(List<BrokerReport.FailingLink> failing, long silentMillis) {
        return report(failing, 0, 0, silentMillis);
    }

    static BrokerReport report(
            List<BrokerReport.FailingLink> failing, long heldFrames, long heldBytes, long silentMillis) {
        return new BrokerReport(
                "hub",
                1_700_000_000_000L,
                4,
                17,
                List.of(new BrokerReport.LinkReport(
                        "leaf",
                        true,
                        true,
                        4,
                        10,
                        10_485_760,
                        1,
                        2,
                        512,
                        1_048_576,
                        0,
                        3,
                        3_145_728,
                        heldFrames,
                        heldBytes,
                        silentMillis)),
                failing);
    }

    /** The checksum of a body, as frames that are no pieces carry it. */
    static int crc(byte[] body) {
        CRC32C crc = new CRC32C();
        crc.update(body);
        return (int) crc.getValue();
    }
}
