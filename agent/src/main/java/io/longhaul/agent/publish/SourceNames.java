package io.longhaul.agent.publish;

import io.longhaul.wire.Names;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Comparator;

/**
 * Names of source files as text.
 *
 * <p>A file system keeps names as bytes. Java keeps those bytes inside a {@link Path} that came from a listing, but
 * turns malformed ones into U+FFFD when asked for text, and decodes by the locale. The URI form escapes the true bytes,
 * so the text is taken from there wherever it could differ.
 */
final class SourceNames {
    private static final char REPLACEMENT = '\uFFFD';
    private static final boolean UTF8_LOCALE = "UTF-8".equalsIgnoreCase(System.getProperty("sun.jnu.encoding"));

    /** Orders names by their UTF-8 bytes, which is the order of their code points. */
    static final Comparator<String> BY_BYTES = SourceNames::compare;

    private SourceNames() {}

    /** Returns the last component; throws {@link SourceException} that shows it escaped when it is not UTF-8. */
    static String last(Path path) {
        String name = String.valueOf(path.getFileName());
        if (isSure(name)) {
            return name;
        }
        byte[] bytes = lastBytes(path);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new SourceException(
                    "name is not valid UTF-8: " + escaped(bytes) + " in "
                            + shown(String.valueOf(path.toAbsolutePath().getParent())),
                    e);
        }
    }

    /** Returns text that leads to the path again; throws {@link SourceException} that shows what has none. */
    static String text(Path path) {
        String text = path.toString();
        if (isFoundBy(text, path)) {
            return text;
        }
        for (Path at = path; at != null && at.getFileName() != null; at = at.getParent()) {
            last(at);
        }
        throw new SourceException(
                "name " + shown(path) + " cannot be kept as text: expected a locale with UTF-8, found "
                        + System.getProperty("sun.jnu.encoding"));
    }

    private static boolean isFoundBy(String text, Path path) {
        try {
            return Path.of(text).equals(path);
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /** Returns the target of a symbolic link as text, under the same rule. */
    static String target(Path link, Path target) {
        String text = target.toString();
        if (!isSure(text)) {
            throw new SourceException(
                    "symbolic link " + shown(link) + ": target is not valid UTF-8: " + Names.shown(text));
        }
        return text;
    }

    /** Returns a path for messages: quoted, control characters escaped. */
    static String shown(Object path) {
        return Names.shown(String.valueOf(path));
    }

    private static boolean isSure(String text) {
        return UTF8_LOCALE ? text.indexOf(REPLACEMENT) < 0 : text.chars().allMatch(c -> c < 0x80);
    }

    private static byte[] lastBytes(Path path) {
        String raw = path.toUri().getRawPath();
        String trimmed = raw.endsWith("/") ? raw.substring(0, raw.length() - 1) : raw;
        String last = trimmed.substring(trimmed.lastIndexOf('/') + 1);
        ByteBuffer bytes = ByteBuffer.allocate(last.length());
        for (int i = 0; i < last.length(); i++) {
            if (last.charAt(i) == '%') {
                bytes.put((byte) Integer.parseInt(last, i + 1, i + 3, 16));
                i += 2;
            } else {
                bytes.put((byte) last.charAt(i));
            }
        }
        byte[] name = new byte[bytes.position()];
        bytes.flip().get(name);
        return name;
    }

    private static String escaped(byte[] bytes) {
        StringBuilder out = new StringBuilder("\"");
        for (byte b : bytes) {
            if (b >= 0x20 && b < 0x7F && b != '"' && b != '\\') {
                out.append((char) b);
            } else {
                out.append(String.format("\\x%02x", b & 0xFF));
            }
        }
        return out.append('"').toString();
    }

    private static int compare(String one, String other) {
        int common = Math.min(one.length(), other.length());
        for (int i = 0; i < common; i++) {
            char a = one.charAt(i);
            char b = other.charAt(i);
            if (a != b) {
                // Surrogates stand for code points above all others, though their units are below U+E000.
                boolean aHigh = Character.isSurrogate(a);
                boolean bHigh = Character.isSurrogate(b);
                return aHigh == bHigh ? Character.compare(a, b) : aHigh ? 1 : -1;
            }
        }
        return Integer.compare(one.length(), other.length());
    }
}
