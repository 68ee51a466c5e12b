package io.longhaul.gridftp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CommandDecoderTest {
    private static final int LIMIT = 64;

    private static List<ControlLine> decode(byte[]... parts) {
        EmbeddedChannel channel = new EmbeddedChannel(new CommandDecoder(LIMIT));
        for (byte[] part : parts) {
            channel.writeInbound(Unpooled.wrappedBuffer(part));
        }
        List<ControlLine> lines = new ArrayList<>();
        for (Object line = channel.readInbound(); line != null; line = channel.readInbound()) {
            lines.add((ControlLine) line);
        }
        assertThat(channel.finish()).isFalse();
        return lines;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void shouldKeepSpacesOfTheArgumentWhenACommandIsRead() {
        assertThat(decode(bytes("stor  a b \r\n"))).containsExactly(new ControlLine.Command("STOR", " a b "));
    }

    @Test
    void shouldGiveEveryLineWhenSeveralComeAtOnce() {
        assertThat(decode(bytes("NOOP\r\nPWD\nUSER x\r\n")))
                .containsExactly(
                        new ControlLine.Command("NOOP", ""),
                        new ControlLine.Command("PWD", ""),
                        new ControlLine.Command("USER", "x"));
    }

    @Test
    void shouldReadTheSameWhenBytesAreSplitAnywhere() {
        // given
        byte[] all = bytes("CWD /naïve/\u4e2d\u6587\r\nABOR\r\n");

        for (int at = 1; at < all.length; at++) {
            // when
            byte[] first = Arrays.copyOfRange(all, 0, at);
            byte[] second = Arrays.copyOfRange(all, at, all.length);

            // then
            assertThat(decode(first, second))
                    .containsExactly(
                            new ControlLine.Command("CWD", "/naïve/\u4e2d\u6587"), new ControlLine.Command("ABOR", ""));
        }
    }

    @Test
    void shouldTakeTelnetCommandsOutWhenTheyComeBeforeAbor() {
        byte[] interrupted = {(byte) 0xff, (byte) 0xf4, (byte) 0xff, (byte) 0xf2, 'A', 'B', 'O', 'R', '\r', '\n'};

        assertThat(decode(interrupted)).containsExactly(new ControlLine.Command("ABOR", ""));
    }

    @Test
    void shouldTakeOptionsOutWhenAClientNegotiates() {
        byte[] negotiation = {(byte) 0xff, (byte) 0xfb, 1, 'P', 'W', 'D', '\r', '\n'};

        assertThat(decode(negotiation)).containsExactly(new ControlLine.Command("PWD", ""));
    }

    @Test
    void shouldRefuseTheLineAndReadTheNextWhenItIsTooLong() {
        assertThat(decode(bytes("X".repeat(10 * LIMIT) + "\r\nNOOP\r\n")))
                .containsExactly(
                        new ControlLine.Refused("", "Line too long: expected at most 64 bytes."),
                        new ControlLine.Command("NOOP", ""));
    }

    @Test
    void shouldRefuseWhenALineIsNoText() {
        byte[] invalid = {'C', 'W', 'D', ' ', (byte) 0xc3, (byte) 0x28, '\r', '\n'};

        assertThat(decode(invalid))
                .containsExactly(new ControlLine.Refused("CWD", "Expected UTF-8, found other bytes."));
        assertThat(decode(bytes("CWD a\0b\r\n")))
                .containsExactly(new ControlLine.Refused("CWD", "Control characters in a command."));
        assertThat(decode(bytes("CWD a\rb\r\n")))
                .containsExactly(new ControlLine.Refused("CWD", "Control characters in a command."));
    }

    @Test
    void shouldRefuseTheLineAloneWhenAByteOfANameBeginsTelnetCommands() {
        ControlLine next = new ControlLine.Command("NOOP", "");
        for (String line : List.of(
                "DELE a\u00ff",
                "DELE a\u00ffb",
                "DELE a\u00ff\u00fb",
                "DELE a\u00ff\u00f4b",
                "\u00ffDELE a",
                "\u00ff")) {
            for (String end : List.of("\r\n", "\n")) {
                byte[] lines = (line + end + "NOOP" + end).getBytes(StandardCharsets.ISO_8859_1);
                String verb = line.startsWith("DELE ") ? "DELE" : "";
                ControlLine refused = new ControlLine.Refused(verb, "Expected UTF-8, found other bytes.");

                assertThat(decode(lines)).as(line).containsExactly(refused, next);
            }
        }
    }

    @Test
    void shouldNameNoVerbWhenALineThatIsNoTextBeginsWithNone() {
        for (String line :
                List.of("DELE\u00ff", "D\u00c4LE x\u00ff", "DELETE x\u00ff", " DELE x\u00ff", "DEL1 x\u00ff")) {
            assertThat(decode((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1)))
                    .as(line)
                    .containsExactly(new ControlLine.Refused("", "Expected UTF-8, found other bytes."));
        }
    }

    @Test
    void shouldNotShowTheArgumentWhenACommandIsLogged() {
        assertThat(new ControlLine.Command("PASS", "secret")).hasToString("PASS");
    }

    @Test
    void shouldTellWhenSomethingHasComeBehindALine() {
        assertThat(restsBehindLines("AUTH TLS\r\nDELE injected\r\n")).containsExactly(true, false);
        assertThat(restsBehindLines("AUTH TLS\r\nDE")).containsExactly(true);
        assertThat(restsBehindLines("AUTH TLS\r\n")).containsExactly(false);
    }

    private static List<Boolean> restsBehindLines(String text) {
        CommandDecoder decoder = new CommandDecoder(LIMIT);
        List<Boolean> rests = new ArrayList<>();
        EmbeddedChannel channel = new EmbeddedChannel(decoder, new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                rests.add(decoder.hasRest());
            }
        });
        channel.writeInbound(Unpooled.wrappedBuffer(bytes(text)));
        return rests;
    }

    @Test
    void shouldTellWhenALineHasBegun() {
        for (byte[] begun : List.of(bytes("DE"), new byte[] {(byte) 0xff}, new byte[0])) {
            CommandDecoder decoder = new CommandDecoder(LIMIT);
            EmbeddedChannel channel = new EmbeddedChannel(decoder);
            channel.writeInbound(Unpooled.wrappedBuffer(begun));

            assertThat(decoder.hasRest()).isEqualTo(begun.length > 0);
        }
    }
}
