package io.longhaul.gridftp.call;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Puts together an answer that is too long for one message.
 *
 * <p>Each part of several begins with the CRC-32C of the whole text in eight hexadecimal digits, so that parts of an answer
 * that was computed twice are not mixed. The text is ASCII and may be cut anywhere. Not thread-safe.
 */
final class AnswerParts {
    /** The longest answer: some 300,000 entries of a directory. */
    static final int MAX_TEXT = 64 * 1024 * 1024;

    /** What a message has of it. */
    static final int PART_TEXT = 1024 * 1024;

    private static final int MAX_PARTS = MAX_TEXT / PART_TEXT + 1;
    private static final int DIGITS = 8;

    private @Nullable String[] parts = new String[0];
    private String checksum = "";
    private int there;

    /** Returns the texts of the messages that an answer takes. */
    static List<String> split(String text) {
        if (text.length() <= PART_TEXT) {
            return List.of(text);
        }
        String prefix = checksum(text);
        List<String> parts = new ArrayList<>();
        for (int at = 0; at < text.length(); at += PART_TEXT) {
            parts.add(prefix + text.substring(at, Math.min(text.length(), at + PART_TEXT)));
        }
        return parts;
    }

    private static String checksum(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.US_ASCII));
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    /** Takes a part; returns the whole with the last one. */
    Optional<String> add(int part, int count, String text) {
        if (count == 1) {
            return Optional.of(text);
        }
        if (count > MAX_PARTS || text.length() < DIGITS || text.length() > DIGITS + PART_TEXT) {
            throw new CallException("answer: expected at most " + MAX_PARTS + " parts of " + PART_TEXT + ", found "
                    + count + " and one of " + text.length());
        }
        String prefix = text.substring(0, DIGITS);
        if (parts.length != count || !prefix.equals(checksum)) {
            parts = new String[count];
            checksum = prefix;
            there = 0;
        }
        if (parts[part] == null) {
            parts[part] = text.substring(DIGITS);
            there++;
        }
        if (there < count) {
            return Optional.empty();
        }
        String whole = String.join("", parts);
        parts = new String[0];
        if (!checksum(whole).equals(prefix)) {
            throw new CallException(
                    "answer of " + count + " parts: expected CRC-32C " + prefix + ", found " + checksum(whole));
        }
        return Optional.of(whole);
    }
}
