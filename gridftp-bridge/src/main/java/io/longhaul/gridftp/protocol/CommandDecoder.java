package io.longhaul.gridftp.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * Cuts the bytes of a control channel into {@link ControlLine}s.
 *
 * <p>A line ends with LF, with or without CR before it. Names are UTF-8 (RFC 2640); a line that is not, or has control
 * characters in it, is refused as a whole, for nobody could say which file it means. Of a line that is too long no more
 * than the limit is kept, and the rest of it is skipped. Telnet commands are taken out before a line only: within one they are
 * bytes of a name, which is another one without them.
 */
public final class CommandDecoder extends ByteToMessageDecoder {
    private static final int CR = '\r';
    private static final int LF = '\n';
    private static final int MOST_LETTERS = 4; // of a verb

    private final Telnet telnet = new Telnet();
    private final byte[] line;
    private int length;
    private boolean tooLong;

    /**
     * Makes a decoder.
     *
     * @param maxLineBytes most bytes of a line without its end
     */
    public CommandDecoder(int maxLineBytes) {
        this.line = new byte[maxLineBytes];
    }

    /**
     * Returns whether anything has arrived behind the line that was given out last.
     *
     * <p>What comes in clear text behind {@code AUTH TLS} was perhaps put there by somebody else and must not be taken
     * for a command under TLS (RFC 4217 section 15).
     */
    public boolean hasRest() {
        return length > 0 || tooLong || telnet.isWithinCommand() || actualReadableBytes() > 0;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        while (in.isReadable()) {
            byte next = in.readByte();
            boolean begun = telnet.isWithinCommand();
            int text = length == 0 ? telnet.text(next) : next & 0xff;
            if (begun && text != Telnet.NOTHING) {
                // no command: a byte of the line like others, and no UTF-8
                append(Telnet.IAC);
            }
            if (text == LF) {
                out.add(taken());
                return;
            }
            if (text != Telnet.NOTHING) {
                append(text);
            }
        }
    }

    private void append(int text) {
        if (length < line.length) {
            line[length] = (byte) text;
            length++;
        } else {
            tooLong = true;
        }
    }

    private ControlLine taken() {
        int end = length > 0 && line[length - 1] == CR ? length - 1 : length;
        boolean whole = !tooLong;
        length = 0;
        tooLong = false;
        if (!whole) {
            return refused("Line too long: expected at most " + line.length + " bytes.");
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line, 0, end))
                    .toString();
            if (text.chars().anyMatch(c -> c < ' ' && c != '\t')) {
                return refused("Control characters in a command.");
            }
            return ControlLine.Command.of(text);
        } catch (CharacterCodingException e) {
            return refused("Expected UTF-8, found other bytes.");
        }
    }

    private ControlLine refused(String reason) {
        // what lies behind the line is of an earlier one, but a line that is refused has no room left, or something
        // that is no letter
        int end = 0;
        while (end < line.length && end <= MOST_LETTERS && isLetter(line[end])) {
            end++;
        }
        boolean isVerb = end > 0 && end < line.length && line[end] == ' ';
        String verb = isVerb ? new String(line, 0, end, StandardCharsets.US_ASCII).toUpperCase(Locale.ROOT) : "";
        return new ControlLine.Refused(verb, reason);
    }

    private static boolean isLetter(byte text) {
        return text >= 'A' && text <= 'Z' || text >= 'a' && text <= 'z';
    }
}
