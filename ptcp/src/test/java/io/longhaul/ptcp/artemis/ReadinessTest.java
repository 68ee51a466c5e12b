package io.longhaul.ptcp.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.net.RecordedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

final class ReadinessTest {
    @Test
    void shouldCallEachWaitingWriterOnceWhenReadyAgain() {
        // given
        Readiness readiness = new Readiness();
        List<String> called = new ArrayList<>();
        assertThat(readiness.isReadyOrEnrol(() -> called.add("never"))).isTrue();
        readiness.set(false);
        assertThat(readiness.isReadyOrEnrol(() -> {
                    called.add("failing");
                    throw new IllegalStateException("test");
                }))
                .isFalse();
        assertThat(readiness.isReadyOrEnrol(() -> called.add("second"))).isFalse();

        // when
        readiness.set(true);
        readiness.set(true);

        // then
        assertThat(called).containsExactly("failing", "second");
        assertThat(readiness.isReadyOrEnrol(() -> called.add("never"))).isTrue();
    }

    @Test
    void shouldSayNothingOfAWriterWhoseThreadsHaveEnded() {
        // given
        Readiness readiness = new Readiness();
        readiness.set(false);
        readiness.isReadyOrEnrol(() -> {
            throw new RejectedExecutionException("the pool of this test has ended");
        });
        RecordedLog.clear();

        // when
        readiness.set(true);

        // then
        assertThat(RecordedLog.texts()).noneMatch(text -> text.contains("the pool of this test has ended"));
    }
}
