package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.frame.Secret;
import io.longhaul.ptcp.frame.SessionId;
import io.longhaul.ptcp.net.Deaf;
import io.longhaul.ptcp.net.RecordedLog;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A session that is lost, and whose listener fails when it hears of that. */
final class FailingEndTest {
    private static final int WINDOW = 1024 * 1024;

    private final Wires wires = new Wires();

    @AfterEach
    void release() {
        wires.release();
    }

    /** Returns what the log says of it. */
    private List<String> toldWhenItsListenerFails(RuntimeException failure) {
        RecordedLog.clear();
        Wire control = wires.make();
        Session session = new Session(
                new SessionTerms(SessionId.NONE, Secret.random(new Random(1)), 1, 65_536, WINDOW, WINDOW),
                PtcpConfig.defaults().withStreams(1),
                control.near,
                (kind, number) -> new CompletableFuture<>(),
                made -> new Deaf(end -> {
                    throw failure;
                }),
                cause -> {},
                wires::nanoTime);
        session.start();
        session.join(1, wires.make().near);
        control.kill();
        wires.pass(Duration.ofSeconds(11));
        assertThat(session.isOpen()).isFalse();
        return RecordedLog.texts().stream()
                .filter(text -> text.contains(String.valueOf(failure.getMessage())))
                .toList();
    }

    @Test
    void shouldNoteForDebuggingOnlyWhenTheThreadsOfItsUserHaveEnded() {
        // when
        List<String> told = toldWhenItsListenerFails(new RejectedExecutionException("the user's pool has ended"));

        // then
        assertThat(told).isEmpty();
        assertThat(RecordedLog.details()).anyMatch(text -> text.contains("the user's pool has ended"));
    }

    @Test
    void shouldSayWhatFailedOtherwise() {
        assertThat(toldWhenItsListenerFails(new IllegalStateException("a fault of the user's")))
                .singleElement()
                .asString()
                .isEqualTo("session " + SessionId.NONE
                        + ": its user failed when it heard of its end: java.lang.IllegalStateException: a fault of the"
                        + " user's");
    }
}
