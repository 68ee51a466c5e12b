package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.AgentException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

final class FailuresTest {

    @Test
    void shouldBeTheMessageWhenFailureIsOurs() {
        // given
        AgentException failure = new AgentException(AgentException.Code.REFUSED, "topic \"a\": nobody subscribes");

        // then
        assertThat(Failures.line(new CompletionException(failure))).isEqualTo("topic \"a\": nobody subscribes");
    }

    @Test
    void shouldBeOneSafeLineWhenMessageIsNot() {
        // given
        AgentException failure = new AgentException(AgentException.Code.REFUSED, "a\nb\u001b[2J\\");

        // then
        assertThat(Failures.line(failure)).isEqualTo("a; b\\u001b[2J\\");
    }

    @Test
    void shouldBeTheMessageWhenAPortIsTaken() {
        // then
        assertThat(Failures.line(new BindException("127.0.0.1:2811: Address already in use")))
                .isEqualTo("127.0.0.1:2811: Address already in use");
    }

    @Test
    void shouldPointToDebugWhenFailureIsUnexpected() {
        // then
        assertThat(Failures.line(new NullPointerException()))
                .isEqualTo("unexpected NullPointerException (run it again with --debug for details)");
    }

    @Test
    void shouldNameCauseWhenFileFails() {
        // then
        assertThat(Failures.line(new UncheckedIOException("/x: cannot be read", new IOException("Permission denied"))))
                .startsWith("/x: cannot be read: Permission denied")
                .doesNotContain("unexpected");
    }

    @Test
    void shouldSayPermissionWhenAFileMayNotBeRead() {
        // then
        assertThat(Failures.line(new UncheckedIOException("/x: cannot be read", new AccessDeniedException("/x"))))
                .isEqualTo("/x: cannot be read: Permission denied");
    }

    @Test
    void shouldNameTheFileThatFailedWhenItIsAnother() {
        // then
        assertThat(Failures.line(new UncheckedIOException("/x: cannot be prepared", new NoSuchFileException("/x/y"))))
                .isEqualTo("/x: cannot be prepared: /x/y: does not exist");
    }
}
