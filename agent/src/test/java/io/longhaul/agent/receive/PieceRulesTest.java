package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PieceRulesTest {
    private static final long LAST = (1L << 28) - 1;

    @TempDir
    Path directory;

    @Test
    void shouldRefuseLargeBitmapsBeyondTheirShareOfMemoryAndNoSmallOnes() {
        // given
        PieceRules rules = new PieceRules(1L << 40, 40L << 20);
        IncomingTransfers transfers = new Rig(directory).open().pipeline().transfers();
        Incoming first = transfers.begin(Shipment.manifest(1, "first", false, -1), 0);
        Incoming second = transfers.begin(Shipment.manifest(2, "second", false, -1), 0);

        // when
        rules.memory(first, LAST, transfers.active());
        first.have.set((int) LAST);

        // then
        assertThatCode(() -> rules.memory(first, LAST - 1, transfers.active())).doesNotThrowAnyException();
        assertThatThrownBy(() -> rules.memory(second, LAST, transfers.active()))
                .isInstanceOf(RefusedTransfer.class)
                .hasMessageContaining("expected bitmaps of pieces of at most 41943040 bytes");
        assertThatCode(() -> rules.memory(second, PieceRules.FEW_PIECES - 1, transfers.active()))
                .doesNotThrowAnyException();
    }
}
