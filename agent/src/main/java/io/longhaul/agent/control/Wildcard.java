package io.longhaul.agent.control;

import java.util.regex.Pattern;

/**
 * A name, in which {@code *} stands for any characters, slashes included; there is no way to write a star itself.
 *
 * @param text as it was written
 */
record Wildcard(String text) {
    /** Returns whether a whole name is meant. */
    boolean matches(String name) {
        String[] parts = text.split(Pattern.quote("*"), -1);
        String last = parts[parts.length - 1];
        if (parts.length == 1) {
            return name.equals(text);
        }
        if (!name.startsWith(parts[0])) {
            return false;
        }
        int at = parts[0].length();
        for (int i = 1; i < parts.length - 1; i++) {
            int found = name.indexOf(parts[i], at);
            if (found < 0) {
                return false;
            }
            at = found + parts[i].length();
        }
        return name.length() - last.length() >= at && name.endsWith(last);
    }
}
