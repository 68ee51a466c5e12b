package io.longhaul.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CallbacksTest {
    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    static Stream<Throwable> faults() {
        return Stream.of(
                new IllegalStateException("index is closed"),
                new NoClassDefFoundError("com/example/Index"),
                new IOException("not declared"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void shouldGoOnWhateverTheApplicationThrows(Throwable fault) {
        assertThatCode(() -> Callbacks.call("a listener", () -> sneak(fault))).doesNotThrowAnyException();
    }

    @SuppressWarnings("unchecked") // what other languages need not declare
    private static <T extends Throwable> void sneak(Throwable fault) throws T {
        throw (T) fault;
    }

    @Test
    void shouldTakeAwayTheInterruptThatTheApplicationLeaves() {
        Callbacks.call("a listener", () -> Thread.currentThread().interrupt());

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void shouldLeaveTheInterruptThatWasThereBefore() {
        Thread.currentThread().interrupt();

        Callbacks.call("a listener", () -> {});

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void shouldNotEndWhatOthersWaitForWhenTheApplicationEndsItsFuture() {
        // given
        CompletableFuture<String> source = new CompletableFuture<>();

        // when
        Callbacks.future("a wait", source).cancel(true);
        Callbacks.future("a wait", source).orTimeout(1, TimeUnit.NANOSECONDS);

        // then
        assertThat(source).isNotDone();
        CompletableFuture<String> own = Callbacks.future("a wait", source);
        source.complete("done");
        assertThat(own).isCompletedWithValue("done");
    }

    @Test
    void shouldFailWithTheVeryFailure() {
        AgentException failure = new AgentException(AgentException.Code.REFUSED, "no");
        CompletableFuture<String> own = Callbacks.future("a wait", CompletableFuture.failedFuture(failure));

        assertThatThrownBy(own::get).hasCause(failure);
        assertThat(own.handle((value, why) -> why).join()).isSameAs(failure);
    }
}
