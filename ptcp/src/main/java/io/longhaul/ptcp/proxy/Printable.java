package io.longhaul.ptcp.proxy;

/** Text of strangers, made fit for a message: one short line of visible characters. */
final class Printable {
    private static final int CHARACTERS = 80;
    private static final int FIRST = ' ';
    private static final int LAST = '~';

    private Printable() {}

    static String of(String text) {
        StringBuilder line = new StringBuilder();
        text.chars().limit(CHARACTERS).forEach(c -> line.append(c < FIRST || c > LAST ? '?' : (char) c));
        return text.length() > CHARACTERS ? line + "..." : line.toString();
    }

    static boolean isAlphanumeric(int c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
    }
}
