package io.longhaul.gridftp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.FilePath;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RemainsTest {
    @Test
    void shouldRemoveAPartWhenNobodyHasGoneOnWithIt() {
        // given
        AtomicLong now = new AtomicLong();
        Remains remains = new Remains(now::get);
        remains.keep(FilePath.of("/f"), new Remains.Part("/.f", new ByteRanges(), true, new Pieces()));
        assertThat(remains.hasUnwanted()).isFalse();

        // when
        now.addAndGet(Remains.KEPT.toNanos() + 1);

        // then
        assertThat(remains.hasUnwanted()).isTrue();
        assertThat(remains.takeUnwanted()).containsExactly("/.f");
    }
}
