package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.wire.TransferId;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
    private final Halt halt = new Halt();
    private final Cutter cutter =
            new Cutter(new TransferId(1, 2), 4096, new PieceBuffers(8192), halt, System::nanoTime);

    @Test
    void shouldTellTheTakerWhenTheReaderMeetsAnErrorOfTheMachine() {
        // given
        ReadAhead.Source source = any -> {
            throw new NoClassDefFoundError("expected by the test");
        };

        // when, then
        try (ReadAhead ahead = ReadAhead.start(source, cutter, 2, halt, Runnable::run, System::nanoTime)) {
            assertThatThrownBy(ahead::take)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("expected by the test");
        }
    }
}
