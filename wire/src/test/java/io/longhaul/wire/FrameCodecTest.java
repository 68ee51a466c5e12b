package io.longhaul.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FrameCodecTest {

    static List<Frame> control() {
        return Frames.control();
    }

    static Stream<Piece> pieces() {
        return Stream.of(Frames.range(), Frames.hole(), Frames.packPiece());
    }

    @Test
    void shouldHaveAnExampleWhenThereIsAType() {
        assertThat(Stream.of(control().stream(), pieces(), Stream.of(Frames.parcel()))
                        .flatMap(frames -> frames)
                        .map(Frame::type))
                .contains(FrameType.values());
    }

    @ParameterizedTest
    @MethodSource("control")
    void shouldComeBackTheSameWhenAFrameIsEncoded(Frame frame) {
        assertThat(FrameCodec.decode(FrameCodec.encode(frame))).isEqualTo(frame);
    }

    @ParameterizedTest
    @MethodSource("pieces")
    void shouldComeBackTheSameWhenAPieceIsEncoded(Piece piece) {
        // when
        Envelope envelope = FrameCodec.encode(piece);

        // then
        assertThat(FrameCodec.decode(envelope)).isEqualTo(piece);
        assertThat(envelope.properties())
                .containsEntry(FrameCodec.INDEX, piece.header().index());
    }

    @Test
    void shouldCountTheLinksThatAnOfferHasCrossed() {
        // given
        Envelope sent = FrameCodec.encode(RepairOffer.of(Frames.TRANSFER, "archive", 0));
        Map<String, Object> arrived = new HashMap<>(sent.properties());
        arrived.put(FrameCodec.VIA, "site-a/hub/");

        // when
        Frame offer = FrameCodec.decode(new Envelope(arrived, sent.body()));

        // then
        assertThat(offer).isEqualTo(new RepairOffer(Frames.TRANSFER, "archive", 0, 2));
    }

    @ParameterizedTest
    @MethodSource("control")
    void shouldRefuseWhenTheJsonEndsAtAnyByte(Frame frame) {
        // given
        Envelope whole = FrameCodec.encode(frame);

        for (int length = 0; length < whole.body().limit(); length++) {
            // when
            Envelope cut = new Envelope(whole.properties(), whole.body().slice(0, length));

            // then
            assertThatThrownBy(() -> FrameCodec.decode(cut)).isInstanceOf(WireException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("control")
    void shouldRefuseWhenABitOfTheJsonIsFlipped(Frame frame) {
        // given
        byte[] json = FrameCodec.toJson(frame);
        Random random = seeded(20261121);

        for (int round = 0; round < 500; round++) {
            byte[] flipped = json.clone();
            flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));

            // when, then
            Envelope damaged = new Envelope(FrameCodec.encode(frame).properties(), ByteBuffer.wrap(flipped));
            assertThatThrownBy(() -> FrameCodec.decode(damaged))
                    .isInstanceOf(WireException.class)
                    .hasMessageContaining("expected CRC-32C");
            // what passes the checksum is refused by its content or read, and never fails otherwise
            decodeOrRefuse(with(frame, flipped));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "true",
                "17",
                "\"text\"",
                "[]",
                "{",
                "{}",
                "{}{}",
                "\u0000\u0001\u0002",
                "<xml/>",
                "[[[[[[[[[[[[]]]]]]]]]]]]",
                "{\"transfer\":null}",
                "{\"transfer\":{}}",
                "{\"transfer\":[1]}"
            })
    void shouldRefuseWhenTheBodyIsGarbage(String body) {
        for (Frame frame : control()) {
            Envelope garbage = with(frame, body);
            assertThatThrownBy(() -> FrameCodec.decode(garbage)).isInstanceOf(WireException.class);
        }
    }

    @Test
    void shouldRefuseWhenTheBodyIsLargerThanAnyControlFrame() {
        // given
        ByteBuffer large = ByteBuffer.allocate(Limits.MAX_CONTROL_BYTES + 1);
        Envelope envelope = new Envelope(FrameCodec.encode(Frames.seal()).properties(), large);

        // when, then
        assertThatThrownBy(() -> FrameCodec.decode(envelope))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("1048577");
    }

    @Test
    void shouldReadAFrameWhenANewerPeerSaysMore() {
        // given
        String json = json(Frames.seal()).replace("{", "{\"compression\":{\"kind\":\"none\",\"level\":[1,2]},");

        // when, then
        assertThat(FrameCodec.decode(with(Frames.seal(), json))).isEqualTo(Frames.seal());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"pieces\":4769 | \"pieces\":\"4769\"",
                "\"pieces\":4769 | \"pieces\":4769.5",
                "\"pieces\":4769 | \"pieces\":-1",
                "\"pieces\":4769 | \"pieces\":99999999999999999999999",
                "\"pieces\":4769 | \"pieces\":null",
                "\"pieces\":4769 | \"pieces\":4769,\"pieces\":1",
                "\"pieces\":4769 | \"pieces_\":4769",
                "\"length\":5000000000 | \"length\":9223372036854775807",
                "ba7816bf | BA7816BF",
                "ba7816bf | ba7816b",
            })
    void shouldRefuseWhenASealIsBroken(String found, String instead) {
        // given
        String json = json(Frames.seal());
        assertThat(json).contains(found);

        // when, then
        Envelope broken = with(Frames.seal(), json.replace(found, instead));
        assertThatThrownBy(() -> FrameCodec.decode(broken)).isInstanceOf(WireException.class);
    }

    @Test
    void shouldRefuseWhenAnOutcomeIsANumberOrUnknown() {
        for (String outcome : List.of("0", "\"ETERNAL\"", "\"delivered\"", "\"\"")) {
            Envelope broken = with(Frames.receipt(), json(Frames.receipt()).replace("\"DELIVERED\"", outcome));
            assertThatThrownBy(() -> FrameCodec.decode(broken)).isInstanceOf(WireException.class);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"unknownTo\" | \"unknownTo_\"",
                "\"subscriptions\" | \"subscriptions_\"",
                "\"site-b\" | null",
                "\"site-b\" | 7",
                "[\"archive\",\"site-b\"] | {}",
                "\"the link to leaf\" | null",
                "\"the link to leaf\" | 1",
                "\"the link to leaf\" | \"\",\"topic\":\"t\"",
            })
    void shouldRefuseWhenATopicAnswerIsBroken(String found, String instead) {
        // given
        TopicAnswer answer = Frames.topicAnswer("the link to leaf");
        String json = json(answer);
        assertThat(json).contains(found);

        // when, then
        Envelope broken = with(answer, json.replace(found, instead));
        assertThatThrownBy(() -> FrameCodec.decode(broken)).isInstanceOf(WireException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"request\" | \"request_\"",
                "\"afterOrder\":-1 | \"afterOrder\":\"-1\"",
                "\"afterTransfer\":\"\" | \"afterTransfer\":null",
                "\"transfer\":\"01 | \"transfer\":\"0G",
                "\"transfer\":\"01 | \"transfer\":null,\"x\":\"",
            })
    void shouldRefuseWhenAQuestionForOneTransferIsBroken(String found, String instead) {
        // given
        RetainedQuery query = RetainedQuery.of(3, "climate.daily", "site-b", "site-b", Frames.TRANSFER);
        String json = json(query);
        assertThat(json).contains(found);

        // when, then
        Envelope broken = with(query, json.replace(found, instead));
        assertThatThrownBy(() -> FrameCodec.decode(broken)).isInstanceOf(WireException.class);
    }

    @Test
    void shouldRefuseWhenAListHoldsNull() {
        // given
        LeaseRequest request = new LeaseRequest("r", "t", "s", List.of(Frames.TRANSFER), Addresses.BROKER);

        // when, then
        Envelope broken = with(request, json(request).replace("\"" + Frames.TRANSFER + "\"", "null"));
        assertThatThrownBy(() -> FrameCodec.decode(broken)).isInstanceOf(WireException.class);
    }

    @Test
    void shouldNameWhatWasExpectedWhenAPropertyIsWrong() {
        assertRefused(FrameCodec.VERSION, 2, "protocol version: expected 1, found 2");
        assertRefused(FrameCodec.VERSION, 1L, "property lh_version: expected Integer, found Long");
        assertRefused(FrameCodec.VERSION, null, "property lh_version: expected Integer, found none");
        assertRefused(FrameCodec.TYPE, "teleport\n", "found \"teleport\\n\"");
        assertRefused(FrameCodec.TYPE, null, "property lh_type: expected String, found none");
        assertRefused(FrameCodec.TRANSFER, null, "property lh_transfer: expected String, found none");
        assertRefused(FrameCodec.TRANSFER, "0".repeat(32), "property lh_transfer: expected " + Frames.TRANSFER);
        assertRefused(FrameCodec.INDEX, 6L, "property lh_index: expected 5 as in the header, found 6");
        assertRefused(Frames.seal(), FrameCodec.CRC, null, "property lh_crc: expected Integer, found none");
        assertRefused(FrameCodec.PIECE, "text", "property lh_piece: expected byte[], found String");
    }

    private static void assertRefused(String property, Object value, String message) {
        assertRefused(Frames.range(), property, value, message);
    }

    private static void assertRefused(Frame frame, String property, Object value, String message) {
        Envelope sound = FrameCodec.encode(frame);
        Map<String, Object> properties = new HashMap<>(sound.properties());
        properties.put(property, value);
        assertThatThrownBy(() -> FrameCodec.decode(new Envelope(properties, sound.body())))
                .isInstanceOf(WireException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldRefuseWhenABodyIsShorterOrLongerThanItsHeaderSays() {
        for (Piece piece : pieces().toList()) {
            for (int difference : new int[] {-1, 1}) {
                int length = piece.body().remaining() + difference;
                if (length >= 0) {
                    Envelope lying = new Envelope(FrameCodec.encode(piece).properties(), ByteBuffer.allocate(length));
                    assertThatThrownBy(() -> FrameCodec.decode(lying)).isInstanceOf(WireException.class);
                }
            }
        }
    }

    @Test
    void shouldNeverFailOtherwiseWhenEverythingIsRandom() {
        Random random = seeded(4711);
        List<FrameType> types = List.of(FrameType.values());
        for (int round = 0; round < 5_000; round++) {
            byte[] header = new byte[random.nextInt(120)];
            byte[] body = new byte[random.nextInt(200)];
            random.nextBytes(header);
            random.nextBytes(body);
            FrameType type = types.get(random.nextInt(types.size()));
            Map<String, Object> properties = new HashMap<>(Map.of(
                    FrameCodec.VERSION, 1, FrameCodec.TYPE, type.wireName(), FrameCodec.PIECE, header, "other", 7));
            decodeOrRefuse(new Envelope(properties, ByteBuffer.wrap(body)));
        }
    }

    @Test
    void shouldLeaveTheBodyWhereItWasWhenDecoding() {
        // given
        byte[] padded = ("....." + json(Frames.seal()) + "!!").getBytes(StandardCharsets.UTF_8);
        ByteBuffer body = ByteBuffer.wrap(padded, 5, padded.length - 7);

        // when
        FrameCodec.decode(new Envelope(FrameCodec.encode(Frames.seal()).properties(), body));

        // then
        assertThat(body.position()).isEqualTo(5);
    }

    @Test
    void shouldReadWhatALedgerKeepsWhenItIsJson() {
        assertThat(FrameCodec.fromJson(FrameCodec.toJson(Frames.manifest()), Manifest.class))
                .isEqualTo(Frames.manifest());
    }

    private static void decodeOrRefuse(Envelope envelope) {
        try {
            assertThat(FrameCodec.decode(envelope)).isNotNull();
        } catch (WireException expected) {
            assertThat(expected.getMessage()).isNotBlank();
        }
    }

    private static Envelope with(Frame frame, String body) {
        return with(frame, body.getBytes(StandardCharsets.UTF_8));
    }

    /** The properties of a frame with another body, whose checksum is right. */
    private static Envelope with(Frame frame, byte[] body) {
        Map<String, Object> properties = new HashMap<>(FrameCodec.encode(frame).properties());
        properties.put(FrameCodec.CRC, Frames.crc(body));
        return new Envelope(properties, ByteBuffer.wrap(body));
    }

    private static String json(Frame frame) {
        return new String(FrameCodec.toJson(frame), StandardCharsets.UTF_8);
    }

    /** A fixed seed makes every run the same. */
    private static Random seeded(long seed) {
        return new Random(seed);
    }

    @Test
    void shouldTellFramesApartWhenTheirBitmapsDiffer() {
        RepairRequest one = Frames.repairRequest();
        byte[] other = Arrays.copyOf(one.bitmap(), 1);
        assertThat(new RepairRequest(one.transfer(), one.subscription(), one.asker(), one.first(), other, ""))
                .isNotEqualTo(one);
        assertThat(Frames.repairRequest()).isEqualTo(one).hasSameHashCodeAs(one);
    }
}
