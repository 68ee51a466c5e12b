package io.longhaul.ptcp.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.proxy.HttpProxyException.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpConnectHandlerTest {
    private final HttpProxySession session = Dial.session("", "");

    @Test
    void shouldAskForTheTargetWhenConnected() {
        try (Dial dial = Dial.of(session)) {
            assertThat(dial.sent())
                    .isEqualTo("CONNECT broker:5671 HTTP/1.1\r\nhost: broker:5671\r\n"
                            + "proxy-connection: keep-alive\r\n\r\n");
            assertThat(dial.future.isDone()).isFalse();
            assertThat(dial.events).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2001:db8::1, [2001:db8::1]:5671",
        "[::1], [::1]:5671",
        "10.1.2.3, 10.1.2.3:5671",
        "a_b-c.d, a_b-c.d:5671"
    })
    void shouldBracketTheTargetWhenItIsAnAddressOfVersionSix(String host, String expected) {
        try (Dial dial = Dial.of(session, host, 5671)) {
            assertThat(dial.sent()).startsWith("CONNECT " + expected + " HTTP/1.1\r\nhost: " + expected + "\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"bro\r\nker", "broker\r\nProxy-Authorization: x", "bro ker", "", "a/b", "a@b", "1:2", "bröker"})
    void shouldSendNothingWhenTheTargetCannotStandInARequest(String host) {
        try (Dial dial = Dial.of(session, host, 5671)) {
            assertThat(dial.failure().kind()).isEqualTo(Kind.BAD_TARGET);
            assertThat(dial.failure())
                    .hasMessageStartingWith("proxy 10.0.0.1:3128: host: expected")
                    .hasMessageNotContainingAny("\r", "\n");
            assertThat(dial.sent()).isEmpty();
        }
    }

    @Test
    void shouldHandTheBareChannelOnWhenTheTunnelStands() {
        try (Dial dial = Dial.of(session)) {
            // given
            dial.sent();

            // when
            dial.answer(Dial.OK + "first");
            dial.answer("HTTP/1.1 403 only bytes now\r\n\r\n");
            dial.channel.writeOutbound(Unpooled.copiedBuffer("out", StandardCharsets.US_ASCII));

            // then
            assertThat(dial.isOpen()).isTrue();
            assertThat(dial.events).containsExactly("active", "read first", "read HTTP/1.1 403 only bytes now\r\n\r\n");
            assertThat(dial.sent()).isEqualTo("out");
            assertThat(dial.channel.pipeline().get(HttpConnectHandler.class)).isNull();
            assertThat(dial.channel.pipeline().names()).hasSize(2);
        }
    }

    /** RFC 9110 section 9.3.6: any of them, and what it says of a body is not looked at. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 201 Created\r\n\r\n",
                "HTTP/1.1 202 Accepted\r\nContent-Length: 17\r\n\r\n",
                "HTTP/1.1 204 No Content\r\n\r\n",
                "HTTP/1.1 226 IM Used\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.0 299 Whatever\r\n\r\n"
            })
    void shouldOpenTheTunnelWhenTheAnswerIsAnySuccess(String answer) {
        String all = answer + "HTTP/1.1 bytes";
        for (int at = 0; at <= all.length(); at++) {
            try (Dial dial = Dial.of(session)) {
                // when
                dial.sent();
                dial.answer(all.substring(0, at)).answer(all.substring(at));

                // then
                assertThat(dial.isOpen()).isTrue();
                assertThat(String.join("", dial.events).replace("read ", "")).isEqualTo("activeHTTP/1.1 bytes");
            }
        }
    }

    @Test
    void shouldReadTheSameWhenTheAnswerIsSplitAtEveryByte() {
        String all = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\nContent-Length: 17\r\nVia: x\r\n\r\n\r\nbytes\0";
        for (int at = 0; at <= all.length(); at++) {
            try (Dial dial = Dial.of(session)) {
                // when
                dial.sent();
                dial.answer(all.substring(0, at)).answer(all.substring(at));

                // then
                assertThat(dial.isOpen()).isTrue();
                assertThat(String.join("", dial.events).replace("read ", "")).isEqualTo("active\r\nbytes\0");
            }
        }
    }

    @Test
    void shouldReadTheSameWhenTheAnswerComesByteByByte() {
        try (Dial dial = Dial.of(session)) {
            // when
            dial.sent();
            (Dial.OK + "xy").chars().forEach(c -> dial.answer(String.valueOf((char) c)));

            // then
            assertThat(dial.events).containsExactly("active", "read x", "read y");
        }
    }

    @Test
    void shouldHoldWritesBackWhenTheyComeBeforeTheTunnel() {
        try (Dial dial = Dial.of(session)) {
            // given
            dial.sent();
            ChannelFuture early = dial.channel.writeAndFlush(Unpooled.copiedBuffer("early", StandardCharsets.US_ASCII));
            assertThat(dial.sent()).isEmpty();

            // when
            dial.answer(Dial.OK);

            // then
            assertThat(early.isSuccess()).isTrue();
            assertThat(dial.sent()).isEqualTo("early");
        }
    }

    @Test
    void shouldFailAndReleaseHeldWritesWhenThereIsNoTunnel() {
        try (Dial dial = Dial.of(session)) {
            // given
            dial.sent();
            ByteBuf bytes = Unpooled.copiedBuffer("early", StandardCharsets.US_ASCII);
            ChannelFuture early = dial.channel.writeAndFlush(bytes);

            // when
            dial.answer("HTTP/1.1 503 Service Unavailable\r\n\r\n");

            // then
            assertThat(early.cause()).isSameAs(dial.failure());
            assertThat(bytes.refCnt()).isZero();
            assertThat(dial.channel.writeOneOutbound("late").cause()).isInstanceOf(ClosedChannelException.class);
        }
    }

    @Test
    void shouldNameProxyTargetAndAnswerWhenRefused() {
        try (Dial dial = Dial.of(session)) {
            // when
            dial.sent();
            dial.answer("HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\n\r\nbody");

            // then
            assertThat(dial.failure())
                    .hasMessage("proxy 10.0.0.1:3128: CONNECT broker:5671 refused: 403 Forbidden")
                    .extracting(HttpProxyException::kind)
                    .isEqualTo(Kind.REFUSED);
            assertThat(dial.events).isEmpty();
        }
    }

    @Test
    void shouldShowOneShortLineWhenTheReasonIsLongAndStrange() {
        try (Dial dial = Dial.of(session)) {
            // when
            dial.sent();
            dial.answer("HTTP/1.1 500 \u001b[31m\u00e9" + "x".repeat(1000) + "\r\n\r\n");

            // then
            assertThat(dial.failure()).hasMessageMatching("proxy .* refused: 500 \\?\\[31m\\?x{74}\\.\\.\\.");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH_9.2\r\n",
                "220 mail.example ESMTP\r\n",
                "ICY/1.0 200 OK\r\n\r\n",
                "HTTP/1.1\r\n\r\n",
                "HTTP/1.1 abc OK\r\n\r\n",
                "\u0016\u0003\u0001\u0000\u0005\r\n\r\n"
            })
    void shouldSayThatItIsNotHttpWhenSomethingElseAnswers(String answer) {
        try (Dial dial = Dial.of(session)) {
            // when
            dial.sent();
            dial.answer(answer);

            // then
            assertThat(dial.failure().kind()).isEqualTo(Kind.NO_ANSWER);
            assertThat(dial.failure())
                    .hasMessageStartingWith("proxy 10.0.0.1:3128: CONNECT broker:5671: expected an answer in HTTP");
            assertThat(dial.events).isEmpty();
        }
    }

    @Test
    void shouldGiveUpWhenTheHeadIsTooLong() {
        String[] answers = {
            "HTTP/1.1 200 " + "x".repeat(16 * 1024),
            "HTTP/1.1 200 OK\r\nA: " + "x".repeat(16 * 1024),
            "HTTP/1.1 200 OK\r\n" + "A: b\r\n".repeat(4 * 1024),
            "\r\n".repeat(16 * 1024),
            "HTTP/1.1 100 Continue\r\n\r\n".repeat(9)
        };
        for (String answer : answers) {
            try (Dial dial = Dial.of(session)) {
                dial.sent();
                dial.answer(answer);
                assertThat(dial.failure().kind()).isEqualTo(Kind.NO_ANSWER);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldLeaveNoTraceBehindWhenTheAnswerIsGarbage(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            byte[] bytes = new byte[random.nextInt(300)];
            random.nextBytes(bytes);
            try (Dial dial = Dial.of(session)) {
                // when
                dial.sent();
                dial.answer(bytes);
                dial.channel.close();

                // then
                assertThat(dial.failure().kind()).as("round %d", round).isEqualTo(Kind.NO_ANSWER);
                assertThat(dial.events).as("round %d", round).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nVia: x\r\n"})
    void shouldSayThatItIsClosedWhenTheConnectionEndsBeforeTheAnswer(String answer) {
        try (Dial dial = Dial.of(session)) {
            // when
            dial.sent();
            dial.answer(answer);
            dial.channel.close();

            // then
            assertThat(dial.failure())
                    .hasMessage("proxy 10.0.0.1:3128: CONNECT broker:5671: expected an answer, found the connection"
                            + " closed");
        }
    }

    @Test
    void shouldGiveUpWhenTheAnswerTakesTooLong() {
        try (Dial dial = Dial.of(session)) {
            // given
            dial.sent();

            // when
            dial.channel.advanceTimeBy(30_001, TimeUnit.MILLISECONDS);
            dial.channel.runScheduledPendingTasks();

            // then
            assertThat(dial.failure())
                    .hasMessage("proxy 10.0.0.1:3128: CONNECT broker:5671: expected an answer within 30000 ms, found"
                            + " none");
        }
    }

    @Test
    void shouldForgetTheDeadlineWhenTheTunnelStands() {
        try (Dial dial = Dial.of(session)) {
            // given
            dial.sent();
            dial.answer(Dial.OK);

            // when
            dial.channel.advanceTimeBy(1, TimeUnit.HOURS);
            dial.channel.runScheduledPendingTasks();

            // then
            assertThat(dial.isOpen()).isTrue();
            dial.channel.close();
            assertThat(dial.events).containsExactly("active", "inactive");
        }
    }

    @Test
    void shouldSayThatTheProxyIsUnreachableWhenItsNameCannotBeLookedUp() {
        HttpProxySession closing = new HttpProxySession(
                new HttpProxy("proxy.invalid", 3128, "", ""),
                task -> {
                    throw new RejectedExecutionException("closing");
                },
                () -> "");
        try (Dial dial = Dial.of(closing)) {
            assertThat(dial.failure())
                    .hasMessageStartingWith("proxy proxy.invalid:3128: cannot connect: ")
                    .extracting(HttpProxyException::kind)
                    .isEqualTo(Kind.UNREACHABLE);
        }
    }

    @Test
    void shouldSayThatTheProxyIsUnknownWhenThereIsNoSuchName() {
        String name = "x".repeat(64) + ".invalid"; // longer than a label may be: no server is asked
        HttpProxySession lost = new HttpProxySession(new HttpProxy(name, 3128, "", ""), Runnable::run, () -> "");
        try (Dial dial = Dial.of(lost)) {
            assertThat(dial.failure())
                    .hasMessageStartingWith("proxy " + name + ":3128: cannot connect: unknown host " + name);
        }
    }

    @Test
    void shouldCloseWhenTheConnectIsCancelled() {
        try (Dial dial = Dial.of(session)) {
            // given
            dial.sent();

            // when
            dial.future.cancel(false);

            // then
            assertThat(dial.channel.isOpen()).isFalse();
            assertThat(dial.events).isEmpty();
        }
    }

    @Test
    void shouldRefuseWhenTheTargetHasNoPort() {
        EmbeddedChannel channel = new EmbeddedChannel(session.newHandler());
        channel.config().setOption(ChannelOption.AUTO_READ, false);
        assertThat(channel.connect(new SocketAddress() {
                            private static final long serialVersionUID = 1L;
                        })
                        .cause())
                .hasMessageContaining("expected host and port");
        assertThat(channel.finish()).isFalse();
    }
}
