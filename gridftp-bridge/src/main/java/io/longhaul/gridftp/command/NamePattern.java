package io.longhaul.gridftp.command;

/**
 * A pattern for names as shells have it: {@code *}, {@code ?}, {@code [a-z]}, {@code [!a-z]}, and a backslash before what is
 * meant as it stands. Names that begin with a dot are matched by patterns only that do too.
 *
 * <p>Matching takes at most as many steps as name and pattern are long, multiplied: it runs on event loops.
 */
final class NamePattern {
    private static final int NONE = -1;
    private static final int MOST_CHARACTERS = 255;

    private final int[] pattern;
    private final int[] nextBracket;

    NamePattern(String text) {
        this.pattern = text.codePoints().toArray();
        this.nextBracket = new int[pattern.length + 1];
        int next = NONE;
        nextBracket[pattern.length] = next;
        for (int i = pattern.length - 1; i >= 0; i--) {
            next = pattern[i] == ']' ? i : next;
            nextBracket[i] = next;
        }
    }

    /** Returns whether a name is meant as a pattern, if nothing has that name; what is longer than names are is none. */
    static boolean isOne(String name) {
        return name.length() <= MOST_CHARACTERS && name.chars().anyMatch(c -> c == '*' || c == '?' || c == '[');
    }

    boolean matches(String text) {
        int[] name = text.codePoints().toArray();
        if (name.length > 0 && name[0] == '.' && (pattern.length == 0 || pattern[0] != '.')) {
            return false;
        }
        int at = 0;
        int in = 0;
        int star = NONE;
        int starIn = 0;
        while (in < name.length) {
            int after = at < pattern.length && pattern[at] != '*' ? one(at, name[in]) : NONE;
            if (at < pattern.length && pattern[at] == '*') {
                star = at++;
                starIn = in;
            } else if (after != NONE) {
                at = after;
                in++;
            } else if (star != NONE) {
                // the last star takes one more
                at = star + 1;
                in = ++starIn;
            } else {
                return false;
            }
        }
        while (at < pattern.length && pattern[at] == '*') {
            at++;
        }
        return at == pattern.length;
    }

    /** Matches one character; returns where the pattern goes on, or {@link #NONE}. */
    private int one(int at, int c) {
        if (pattern[at] == '?') {
            return at + 1;
        }
        if (pattern[at] == '[') {
            int close = close(at);
            if (close != NONE) {
                return isInSet(at + 1, close, c) ? close + 1 : NONE;
            }
        }
        int literal = pattern[at] == '\\' && at + 1 < pattern.length ? at + 1 : at;
        return pattern[literal] == c ? literal + 1 : NONE;
    }

    /** Returns the bracket that closes a set; the first character in it may be one too. */
    private int close(int open) {
        int first = open + 1 < pattern.length && isNegation(pattern[open + 1]) ? open + 2 : open + 1;
        return first + 1 < pattern.length ? nextBracket[first + 1] : NONE;
    }

    private static boolean isNegation(int c) {
        return c == '!' || c == '^';
    }

    private boolean isInSet(int from, int to, int c) {
        boolean negated = isNegation(pattern[from]);
        boolean found = false;
        for (int i = negated ? from + 1 : from; i < to; i++) {
            if (i + 2 < to && pattern[i + 1] == '-') {
                found |= pattern[i] <= c && c <= pattern[i + 2];
                i += 2;
            } else {
                found |= pattern[i] == c;
            }
        }
        return found != negated;
    }
}
