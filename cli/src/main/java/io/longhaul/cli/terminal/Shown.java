package io.longhaul.cli.terminal;

/** Text from elsewhere, made safe for a terminal, and how wide it is there. */
public final class Shown {
    private Shown() {}

    /** Returns the text in quotes with control and format characters, quotes and lone surrogates escaped; never cut. */
    public static String quoted(String text) {
        return '"' + escaped(text) + '"';
    }

    /** Returns the text without quotes around it, escaped in the same way. */
    public static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length() + 8);
        text.codePoints().forEach(c -> append(out, c));
        return out.toString();
    }

    private static void append(StringBuilder out, int c) {
        if (c == '"' || c == '\\') {
            out.append('\\').appendCodePoint(c);
        } else if (c == '\n') {
            out.append("\\n");
        } else if (isHidden(c)) {
            for (char unit : Character.toChars(c)) {
                out.append(String.format("\\u%04x", (int) unit));
            }
        } else {
            out.appendCodePoint(c);
        }
    }

    private static boolean isHidden(int c) {
        int type = Character.getType(c);
        return Character.isISOControl(c)
                || type == Character.FORMAT
                || type == Character.SURROGATE
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }

    /** Returns how many columns escaped text takes: combining marks none, East Asian wide characters two. */
    public static int columns(String text) {
        return text.codePoints().map(Shown::columns).sum();
    }

    private static int columns(int c) {
        int type = Character.getType(c);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
            return 0;
        }
        boolean wide = c >= 0x1100 && c <= 0x115F
                || c >= 0x2E80 && c <= 0xA4CF && c != 0x303F
                || c >= 0xAC00 && c <= 0xD7A3
                || c >= 0xF900 && c <= 0xFAFF
                || c >= 0xFE30 && c <= 0xFE6F
                || c >= 0xFF00 && c <= 0xFF60
                || c >= 0xFFE0 && c <= 0xFFE6
                || c >= 0x1F300 && c <= 0x1FAFF
                || c >= 0x20000 && c <= 0x3FFFD;
        return wide ? 2 : 1;
    }

    /** Returns the text cut in its middle to at most that many columns, with {@code ..} where something is missing. */
    public static String fitted(String text, int columns) {
        if (columns(text) <= columns) {
            return text;
        }
        int room = Math.max(0, columns - 2);
        int[] points = text.codePoints().toArray();
        int head = 0;
        int headColumns = 0;
        while (head < points.length && headColumns + columns(points[head]) <= room / 2) {
            headColumns += columns(points[head++]);
        }
        int tail = points.length;
        int tailColumns = 0;
        while (tail > head && headColumns + tailColumns + columns(points[tail - 1]) <= room) {
            tailColumns += columns(points[--tail]);
        }
        String dots = columns >= 2 ? ".." : "";
        return new String(points, 0, head) + dots + new String(points, tail, points.length - tail);
    }
}
