package io.longhaul.cli.option;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;

/**
 * A name, in which {@code *} stands for any characters, slashes included; there is no way to write a star itself.
 *
 * @param text as it was written
 */
public record Wildcard(String text) {
    /** Returns whether a whole name is meant. */
    public boolean matches(String name) {
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

    /** Lets picocli read it. */
    public static final class Converter implements ITypeConverter<Wildcard> {
        @Override
        public Wildcard convert(String text) {
            return new Wildcard(text);
        }
    }
}
