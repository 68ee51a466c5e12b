package io.longhaul.gridftp.protocol;

import java.util.ArrayList;
import java.util.List;

/**
 * A reply of the server (RFC 959 section 4.2).
 *
 * <p>Lines between the first and the last begin with a space or with the code and a hyphen, so that none of them can be
 * taken for the end, whatever file names are in it. Line ends within a line, as a file name may bring them, are replaced.
 *
 * @param code three digits
 * @param lines at least one; the first and the last have no code
 */
public record Reply(int code, List<String> lines) {
    private static final int LEAST = 100;
    private static final int MOST = 699;

    /** Checks the bounds. */
    public Reply {
        if (code < LEAST || code > MOST || lines.isEmpty()) {
            throw new IllegalArgumentException("reply: expected a code of 100..699 and lines, found " + code);
        }
        lines = List.copyOf(lines);
    }

    /** Returns a reply of one line. */
    public static Reply of(int code, String text) {
        return new Reply(code, List.of(text));
    }

    /** Returns a reply of a first line, inner lines and a last one. */
    public static Reply of(int code, String first, List<String> inner, String last) {
        List<String> lines = new ArrayList<>(inner.size() + 2);
        lines.add(first);
        lines.addAll(inner);
        lines.add(last);
        return new Reply(code, lines);
    }

    /** Returns whether another reply to the same command follows. */
    public boolean isPreliminary() {
        return code < 200;
    }

    /** Returns whether the command did what it was to do. */
    public boolean isPositive() {
        return code < 400;
    }

    /** Returns the lines as they are sent, without line ends. */
    public List<String> wireLines() {
        List<String> wire = new ArrayList<>(lines.size());
        int last = lines.size() - 1;
        for (int i = 0; i <= last; i++) {
            String text = oneLine(lines.get(i));
            if (i == last) {
                wire.add(code + " " + text);
            } else {
                wire.add(i > 0 && text.startsWith(" ") ? text : code + "-" + text);
            }
        }
        return wire;
    }

    private static String oneLine(String text) {
        return text.replace('\r', '?').replace('\n', '?');
    }
}
