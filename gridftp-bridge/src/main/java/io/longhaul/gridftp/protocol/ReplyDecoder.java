package io.longhaul.gridftp.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.TooLongFrameException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the replies of a server. Lenient: inner lines may begin with anything, and only the code of the first line with
 * a space behind it ends a reply. A line without a code behind a reply belongs to it, since there are servers that put line
 * ends into their texts; it is dropped, but only so many of them in a row.
 */
public final class ReplyDecoder extends ByteToMessageDecoder {
    private static final int CODE_DIGITS = 3;
    private static final int MOST_STRAYS = 4;

    private final int maxBytes;
    private final List<String> lines = new ArrayList<>();
    private String code = "";
    private int bytes;
    private boolean hasReplied;
    private int strays;

    /**
     * Makes a decoder.
     *
     * @param maxBytes most bytes of a reply with all its lines
     */
    public ReplyDecoder(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        int length = in.bytesBefore((byte) '\n');
        int seen = length < 0 ? in.readableBytes() : length;
        if (bytes + seen > maxBytes) {
            throw new TooLongFrameException("reply: expected at most " + maxBytes + " bytes, found more");
        }
        if (length < 0) {
            return;
        }
        bytes += length;
        String line = in.readCharSequence(length, StandardCharsets.UTF_8).toString();
        in.skipBytes(1);
        accept(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line, out);
    }

    private void accept(String line, List<Object> out) {
        if (code.isEmpty()) {
            // names in it may have other line ends than the protocol's
            if (!line.matches("(?s)[1-6][0-9]{2}([ -].*)?")) {
                strays++;
                if (hasReplied && strays <= MOST_STRAYS) {
                    bytes = 0;
                    return;
                }
                throw new CorruptedFrameException("reply: expected three digits and a space or hyphen, found "
                        + line.length() + " other characters");
            }
            code = line.substring(0, CODE_DIGITS);
            lines.add(textOf(line));
            if (line.startsWith(code + "-")) {
                return;
            }
        } else if (line.startsWith(code + " ")) {
            lines.add(textOf(line));
        } else {
            lines.add(line.startsWith(code + "-") ? textOf(line) : line);
            return;
        }
        out.add(new Reply(Integer.parseInt(code), lines));
        hasReplied = true;
        strays = 0;
        lines.clear();
        code = "";
        bytes = 0;
    }

    private static String textOf(String line) {
        return line.length() > CODE_DIGITS ? line.substring(CODE_DIGITS + 1) : "";
    }
}
