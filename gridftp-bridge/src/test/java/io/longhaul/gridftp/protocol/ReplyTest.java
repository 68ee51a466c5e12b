package io.longhaul.gridftp.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.TooLongFrameException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReplyTest {
    @Test
    void shouldHideInnerLinesWhenAFileNameLooksLikeTheEnd() {
        Reply reply = Reply.of(213, "status of d", List.of("213 End.", " ok"), "End.");

        assertThat(reply.wireLines()).containsExactly("213-status of d", "213-213 End.", " ok", "213 End.");
    }

    @Test
    void shouldStayOneLineWhenATextHasLineEnds() {
        assertThat(Reply.of(550, "a\r\n226 Done").wireLines()).containsExactly("550 a??226 Done");
    }

    @Test
    void shouldReadWhatWasWrittenWhenBytesAreSplitAnywhere() {
        // given
        Reply reply = Reply.of(211, "Extensions", List.of(" SIZE", "211-odd"), "End.");
        byte[] bytes = (String.join("\r\n", reply.wireLines()) + "\r\n").getBytes(StandardCharsets.UTF_8);

        for (int at = 1; at < bytes.length; at++) {
            // when
            EmbeddedChannel channel = new EmbeddedChannel(new ReplyDecoder(1000));
            channel.writeInbound(Unpooled.copiedBuffer(bytes, 0, at));
            channel.writeInbound(Unpooled.copiedBuffer(bytes, at, bytes.length - at));

            // then
            Reply read = channel.readInbound();
            assertThat(read.code()).isEqualTo(211);
            assertThat(read.lines()).containsExactly("Extensions", " SIZE", "211-odd", "End.");
        }
    }

    @Test
    void shouldReadTheLinesOfOtherServersWhenTheyBeginWithAnything() {
        EmbeddedChannel channel = new EmbeddedChannel(new ReplyDecoder(1000));

        channel.writeInbound(
                Unpooled.copiedBuffer("501-first\r\n226 not the end\r\n501 end\r\n", StandardCharsets.UTF_8));

        assertThat(channel.<Reply>readInbound().lines()).containsExactly("first", "226 not the end", "end");
    }

    @Test
    void shouldTakeNothingElseForALineEnd() {
        EmbeddedChannel channel = new EmbeddedChannel(new ReplyDecoder(1000));

        channel.writeInbound(Unpooled.copiedBuffer("257 \"a\u0085b\u2028c\rd\" created\r\n", StandardCharsets.UTF_8));

        Reply read = channel.readInbound();
        assertThat(read.lines()).containsExactly("\"a\u0085b\u2028c\rd\" created");
    }

    @Test
    void shouldGoOnWhenALineEndIsWithinAReply() {
        EmbeddedChannel channel = new EmbeddedChannel(new ReplyDecoder(1000));

        channel.writeInbound(Unpooled.copiedBuffer(
                "501 'LANG FR\r\n' unrecognized language.\r\n200 ok\r\n", StandardCharsets.UTF_8));

        assertThat(channel.<Reply>readInbound().code()).isEqualTo(501);
        assertThat(channel.<Reply>readInbound().code()).isEqualTo(200);
    }

    @Test
    void shouldGiveUpWhenAReplyDoesNotEnd() {
        EmbeddedChannel channel = new EmbeddedChannel(new ReplyDecoder(20));

        assertThatThrownBy(() ->
                        channel.writeInbound(Unpooled.copiedBuffer("211-" + "x".repeat(30), StandardCharsets.UTF_8)))
                .isInstanceOf(TooLongFrameException.class);
    }
}
