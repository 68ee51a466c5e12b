package io.longhaul.gridftp.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.topic.PublishedFile.State;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RecordCodecTest {
    private static final PublishedFile FILE = new PublishedFile(
            "00066ddb6aa00000",
            FilePath.of("/T/some/p\u00e4th.nc"),
            1L << 40,
            Instant.parse("2026-01-01T00:00:00.123456789Z"),
            List.of("a", "b"),
            "01a1ffc7662cf3c81578d0014cde6c04",
            State.DELIVERED,
            true);

    @Test
    void shouldReadWhatItWrote() throws IOException {
        assertThat(RecordCodec.decode(RecordCodec.encode(FILE))).isEqualTo(FILE);
    }

    @Test
    void shouldReadARecordOnlyWhenItIsWhole() {
        byte[] bytes = RecordCodec.encode(FILE);

        for (int i = 0; i < bytes.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 1;
            byte[] cut = Arrays.copyOf(bytes, i);

            assertThatThrownBy(() -> RecordCodec.decode(damaged)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> RecordCodec.decode(cut)).isInstanceOf(IOException.class);
        }
    }
}
