package io.longhaul.gridftp.content;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.post.Message;
import io.longhaul.gridftp.post.Number128;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class EarlyBlocksTest {
    private static final int LENGTH = 1024 * 1024;

    private final EarlyBlocks early = new EarlyBlocks();

    private static Message.Block block(int content) {
        return new Message.Block(new Number128(0, content), 0, LENGTH, ByteBuffer.allocate(LENGTH));
    }

    @Test
    void shouldGiveABlockOnceAndToWhoeverPullsFromItsSender() {
        // given
        early.add("holder", block(1), 0);

        // when
        var others = early.take(new Number128(0, 1), "other");
        var first = early.take(new Number128(0, 1), "holder");
        var second = early.take(new Number128(0, 1), "holder");

        // then
        assertThat(others).isEmpty();
        assertThat(first).isPresent();
        assertThat(second).isEmpty();
    }

    @Test
    void shouldForgetTheOldestWhenThereAreMany() {
        // when
        for (int i = 0; i < 20; i++) {
            early.add("holder", block(i), i);
        }

        // then
        assertThat(early.take(new Number128(0, 0), "holder")).isEmpty();
        assertThat(early.take(new Number128(0, 19), "holder")).isPresent();
    }

    @Test
    void shouldForgetWhatNobodyTook() {
        // given
        early.add("holder", block(1), 0);
        early.add("holder", block(2), Duration.ofSeconds(9).toNanos());

        // when
        early.forget(Duration.ofSeconds(11).toNanos());

        // then
        assertThat(early.take(new Number128(0, 1), "holder")).isEmpty();
        assertThat(early.take(new Number128(0, 2), "holder")).isPresent();
    }
}
