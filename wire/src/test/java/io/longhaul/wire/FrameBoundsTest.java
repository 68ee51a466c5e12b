package io.longhaul.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What frames refuse when they are made, so that no broken one exists, from the wire or from code. */
final class FrameBoundsTest {
    private static final TransferId ID = Frames.TRANSFER;
    private static final String DIGEST = Frames.DIGEST_OF_ABC;

    @ParameterizedTest
    @ValueSource(strings = {"/etc/passwd", "..", "../../x", "a/../../b", "", "a\0b", "a//b"})
    void shouldRefuseAManifestWhenItsNameLeadsOut(String name) {
        assertThatThrownBy(() -> manifest(name, 4096, 1, 0644)).isInstanceOf(WireException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "4095, 1, 0644",
        "0, 1, 0644",
        "-4096, 1, 0644",
        "4194305, 1, 0644",
        "2147483647, 1, 0644",
        "4096, -2, 0644",
        "4096, 1152921504606846977, 0644",
        "4096, 9223372036854775807, 0644",
        "4096, 8796093022208, 0644", // 2^31 pieces
        "4096, 1, 010000",
        "4096, 1, -1",
    })
    void shouldRefuseAManifestWhenANumberIsAbsurd(int pieceSize, long length, String mode) {
        assertThatThrownBy(() -> manifest("a", pieceSize, length, Integer.parseInt(mode, 8)))
                .isInstanceOf(WireException.class);
    }

    @ParameterizedTest
    @CsvSource({"4096, -1", "4096, 0", "4096, 1", "4194304, 1099511627776", "4194304, 9007199216992256"})
    void shouldTakeAManifestWhenItsNumbersAreInBounds(int pieceSize, long length) {
        assertThatCode(() -> manifest("a", pieceSize, length, 07777)).doesNotThrowAnyException();
    }

    private static Manifest manifest(String name, int pieceSize, long length, int mode) {
        return new Manifest(ID, "t", name, false, pieceSize, length, mode, 0, "p", 0);
    }

    @Test
    void shouldRefuseASealWhenANumberIsAbsurd() {
        assertThatThrownBy(() -> new Seal(ID, -1, DIGEST, 0, 0)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> new Seal(ID, 0, DIGEST, -1, 0)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> new Seal(ID, 0, DIGEST, Limits.MAX_PIECES + 1, 0))
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() -> new Seal(ID, 0, DIGEST, 0, Limits.MAX_ENTRIES + 1))
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() -> new Seal(ID, 0, "", 0, 0)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> new Seal(ID, 0, DIGEST + "0", 0, 0)).isInstanceOf(WireException.class);
    }

    @Test
    void shouldRefuseAReceiptWhenItClaimsADeliveryWithoutDigestOrPath() {
        assertThatThrownBy(() -> receipt(Receipt.Outcome.DELIVERED, "", "a")).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> receipt(Receipt.Outcome.DELIVERED, DIGEST, "")).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> receipt(Receipt.Outcome.KEPT, DIGEST, "../a")).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> receipt(Receipt.Outcome.FAILED, "x", "")).isInstanceOf(WireException.class);
        assertThat(receipt(Receipt.Outcome.FAILED, "", "").digest()).isEmpty();
    }

    private static Receipt receipt(Receipt.Outcome outcome, String digest, String path) {
        return new Receipt(ID, "t", "s", "a", outcome, 0, digest, path, 0, "", Optional.empty());
    }

    @Test
    void shouldCutAReasonWhenItIsLong() {
        String essay = "x".repeat(5000);
        assertThat(new Cancel(ID, essay).reason()).hasSize(Limits.MAX_REASON);
        assertThat(new RepairRefusal(ID, "h", essay).reason()).hasSize(Limits.MAX_REASON);
    }

    @Test
    void shouldRefuseARepairRequestWhenItsBitmapReachesBeyondTheLastPiece() {
        byte[] onlyTheSecond = {2};
        assertThatThrownBy(() -> new RepairRequest(ID, "s", "a", Limits.MAX_PIECES - 1, onlyTheSecond, ""))
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() -> new RepairRequest(ID, "s", "a", -1, onlyTheSecond, ""))
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() -> new RepairRequest(ID, "s", "a", 0, new byte[Limits.MAX_CONTROL_BYTES], ""))
                .isInstanceOf(WireException.class);
    }

    @Test
    void shouldNotChangeWhenTheBitmapGivenChanges() {
        // given
        byte[] bitmap = {1};
        RepairRequest request = new RepairRequest(ID, "s", "a", 0, bitmap, "t");

        // when
        bitmap[0] = 7;
        request.bitmap()[0] = 9;

        // then
        assertThat(request.bitmap()).containsExactly(1);
    }

    @Test
    void shouldRefuseLeasesAndOffersWhenTheyAreOutOfBounds() {
        List<TransferId> tooMany = Collections.nCopies(1001, ID);
        assertThatThrownBy(() -> new LeaseRequest("r", "t", "s", tooMany, "lh.broker"))
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() -> new LeaseGrant("r", ID, "s", "h", -1)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> new LeaseGrant("r r", ID, "s", "h", 1)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> RepairOffer.of(ID, "h", 3)).isInstanceOf(WireException.class);
    }

    @Test
    void shouldRefuseAParcelWhenItIsTooLongOrFromNobodyOrDamaged() {
        // given
        ByteBuffer longest = ByteBuffer.allocate(Limits.MAX_PARCEL_BYTES);
        Envelope damaged = new Envelope(
                Map.of("lh_version", 1, "lh_type", "parcel", "lh_sender", "front-1", "lh_crc", 1), longest);

        // when, then
        assertThat(FrameCodec.decode(FrameCodec.encode(new Parcel("a", longest))))
                .isEqualTo(new Parcel("a", longest));
        assertThatThrownBy(() -> new Parcel("a", ByteBuffer.allocate(Limits.MAX_PARCEL_BYTES + 1)))
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() -> new Parcel("a b", longest)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> new Parcel("", longest)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> FrameCodec.decode(damaged)).hasMessageContaining("CRC-32C");
    }

    @Test
    void shouldRefuseAPieceWhenItsBodyDoesNotFitItsKind() {
        // given
        PieceHeader hole = Frames.hole().header();
        PieceHeader range = new PieceHeader(ID, 0, PieceHeader.Kind.RANGE, 0, 4, 0, Optional.empty());

        // when, then
        assertThatThrownBy(() -> new Piece(hole, ByteBuffer.allocate(32)))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expected a body of 0 bytes, found 32");
        assertThatThrownBy(() -> new Piece(range, ByteBuffer.allocate(3))).isInstanceOf(WireException.class);
    }
}
