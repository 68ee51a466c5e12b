package io.longhaul.broker.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageHandlerTest {
    private static final PageServer.Limits LIMITS = new PageServer.Limits(2, 100, 200, Duration.ofSeconds(10));

    private final PageConnections connections = new PageConnections(PageHandlerTest::page, LIMITS);
    private final EmbeddedChannel channel = new EmbeddedChannel(connections);

    private static Optional<Page> page(String path) {
        if (path.equals("/broken")) {
            throw new IllegalStateException("no figures");
        }
        return Optional.ofNullable(
                Map.of("/here", new Page(200, "text/plain", "größer")).get(path));
    }

    private void send(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
    }

    private String answer() {
        StringBuilder text = new StringBuilder();
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            text.append(part.toString(StandardCharsets.UTF_8));
            part.release();
        }
        return text.toString();
    }

    @Test
    void shouldShowPageAndCloseWhenPathIsKnown() {
        // when
        send("GET /here?name=x HTTP/1.1\r\nHost: h\r\n\r\n");

        // then
        assertThat(answer())
                .startsWith("HTTP/1.1 200 OK\r\n")
                .contains("content-type: text/plain\r\n", "content-length: 8\r\n", "connection: close\r\n")
                .endsWith("\r\n\r\ngrößer");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldShowPageWhenTheServerIsNamedWithIt() {
        // when
        send("GET HTTP://h:7480/here?name=x HTTP/1.1\r\nHost: h\r\n\r\n");

        // then
        assertThat(answer()).startsWith("HTTP/1.1 200 OK\r\n");
    }

    @Test
    void shouldAnswerOnceWhenRequestComesByteByByte() {
        // given
        String request = "GET /here HTTP/1.1\r\nHost: h\r\n\r\n";

        // when
        for (char each : request.toCharArray()) {
            assertThat(channel.isOpen()).isTrue();
            send(String.valueOf(each));
        }

        // then
        assertThat(answer()).startsWith("HTTP/1.1 200").endsWith("größer");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldAnswerOnceWhenSeveralRequestsComeTogether() {
        // when
        send("GET /here HTTP/1.1\r\n\r\nGET /here HTTP/1.1\r\n\r\nGET /here HTTP/1.1\r\n\r\n");

        // then
        assertThat(answer()).containsOnlyOnce("HTTP/1.1 200");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldLeaveBodyOutWhenOnlyTheHeaderIsAskedFor() {
        // when
        send("HEAD /here HTTP/1.1\r\n\r\n");

        // then
        assertThat(answer())
                .startsWith("HTTP/1.1 200")
                .contains("content-length: 8\r\n")
                .endsWith("\r\n\r\n");
    }

    @Test
    void shouldSayNotFoundWhenPathIsUnknown() {
        // when
        send("GET /here/../other HTTP/1.1\r\n\r\n");

        // then
        assertThat(answer()).startsWith("HTTP/1.1 404 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW"})
    void shouldNameAllowedMethodsWhenMethodIsAnother(String method) {
        // when
        send(method + " /here HTTP/1.1\r\n\r\n");

        // then
        assertThat(answer()).startsWith("HTTP/1.1 405 ").contains("allow: GET, HEAD\r\n");
    }

    @Test
    void shouldAnswerAtOnceAndReadPastTheBodyWhenOneIsSent() {
        // when
        send("POST /here HTTP/1.1\r\nContent-Length: 5000\r\n\r\n");

        // then
        assertThat(answer()).startsWith("HTTP/1.1 405 ");
        assertThat(channel.isOpen()).isTrue();

        // when
        send("x".repeat(5000));

        // then
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldSayWhyWhenPageCannotBeMade() {
        // when
        send("GET /broken HTTP/1.1\r\n\r\n");

        // then
        assertThat(answer()).startsWith("HTTP/1.1 500 ").contains("no figures");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldRefuseWhenRequestIsTooLongOrNone() {
        // when then
        send("GET /" + "x".repeat(200));
        assertThat(answer()).startsWith("HTTP/1.1 414 ");
        assertThat(channel.isOpen()).isFalse();

        // when then
        EmbeddedChannel second = new EmbeddedChannel(connections);
        second.writeInbound(
                Unpooled.copiedBuffer("GET / HTTP/1.1\r\nX: " + "x".repeat(300), StandardCharsets.ISO_8859_1));
        assertThat(second.<ByteBuf>readOutbound().toString(StandardCharsets.UTF_8))
                .startsWith("HTTP/1.1 431 ");
        assertThat(second.isOpen()).isFalse();

        // when then
        EmbeddedChannel third = new EmbeddedChannel(connections);
        third.writeInbound(Unpooled.copiedBuffer("nonsense\r\n\r\n", StandardCharsets.ISO_8859_1));
        assertThat(third.<ByteBuf>readOutbound().toString(StandardCharsets.UTF_8))
                .startsWith("HTTP/1.1 400 ");
        assertThat(third.isOpen()).isFalse();
    }

    @Test
    void shouldCloseUnansweredWhenRequestTakesTooLong() {
        // given
        channel.freezeTime();
        send("GET /here HTTP/1.1\r\n");

        // when
        pass(5);

        // then
        assertThat(channel.isOpen()).isTrue();

        // when
        send("X: a slow one\r\n");
        pass(6);

        // then
        assertThat(channel.isOpen()).isFalse();
        assertThat(answer()).isEmpty();
    }

    private void pass(long seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void shouldCloseAtOnceWhenThereAreTooManyConnections() {
        // given
        EmbeddedChannel second = new EmbeddedChannel(connections);

        // when
        EmbeddedChannel third = new EmbeddedChannel(connections);

        // then
        assertThat(channel.isOpen()).isTrue();
        assertThat(second.isOpen()).isTrue();
        assertThat(third.isOpen()).isFalse();

        // when
        second.close();

        // then
        assertThat(new EmbeddedChannel(connections).isOpen()).isTrue();
    }
}
