package io.longhaul.gridftp.call;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
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

    private @Nullable String[] parts = new String[0]; // as they came
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
        return digits(crc);
    }

    private static String digits(CRC32C crc) {
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    /** Takes a part; returns all of them with the last one, to be {@link #joined}, and none before. */
    List<String> add(int part, int count, String text) {
        if (count == 1) {
            return List.of(text);
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
            parts[part] = text;
            there++;
        }
        if (there < count) {
            return List.of();
        }
        List<String> all = List.of(parts);
        parts = new String[0];
        return all;
    }

    /** Returns the text of all parts, which takes its time for a long one; throws {@link CallException} when it is another. */
    static String joined(List<String> all) {
        if (all.size() == 1) {
            return all.get(0);
        }
        CRC32C crc = new CRC32C();
        StringBuilder whole = new StringBuilder(all.size() * PART_TEXT);
        for (String part : all) {
            String text = part.substring(DIGITS);
            crc.update(text.getBytes(StandardCharsets.US_ASCII));
            whole.append(text);
        }
        String prefix = all.get(0).substring(0, DIGITS);
        if (!digits(crc).equals(prefix)) {
            throw new CallException(
                    "answer of " + all.size() + " parts: expected CRC-32C " + prefix + ", found " + digits(crc));
        }
        return whole.toString();
    }
}
