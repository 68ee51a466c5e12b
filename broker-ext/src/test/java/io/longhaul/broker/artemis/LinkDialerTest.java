package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LinkDialerTest {
    @Test
    void shouldSayWhatFailedAndNotInWhichClass() {
        // given
        AtomicReference<Throwable> told = new AtomicReference<>();
        CompletableFuture<String> opened = new CompletableFuture<>();
        opened.thenApply(String::length).whenComplete((length, failure) -> told.set(failure));

        // when
        opened.completeExceptionally(new IllegalStateException("hub:7400: Connection refused"));

        // then
        assertThat(LinkDialer.reason(told.get())).isEqualTo("hub:7400: Connection refused");
        assertThat(LinkDialer.reason(new IllegalStateException("alone"))).isEqualTo("alone");
    }
}
