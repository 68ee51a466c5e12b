package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlignedBuffersTest {
    @Test
    void shouldLendFewBuffersAndEachAgain() {
        List<ByteBuffer> taken = new ArrayList<>();
        try {
            // when
            for (ByteBuffer each = AlignedBuffers.take(); each != null; each = AlignedBuffers.take()) {
                taken.add(each);
            }

            // then
            assertThat(taken).hasSizeBetween(1, 8);
            assertThat(taken).allSatisfy(each -> {
                assertThat(each.capacity()).isGreaterThanOrEqualTo(AlignedBuffers.BYTES);
                assertThat(each.alignmentOffset(0, DirectWrites.ALIGNMENT)).isZero();
            });
        } finally {
            taken.forEach(AlignedBuffers::giveBack);
        }
        ByteBuffer again = AlignedBuffers.take();
        assertThat(taken).anyMatch(each -> each == again);
        AlignedBuffers.giveBack(again);
    }
}
