package io.longhaul.cli.hook;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program and its arguments, split from one string by simple rules.
 *
 * <p>Blanks separate; {@code '...'} and {@code "..."} keep blanks; a backslash outside single quotes takes the next
 * character as it is. Nothing else is special: no variables, globs, pipes. After the split {@code {path}},
 * {@code {name}}, {@code {digest}}, {@code {transfer}}, {@code {topic}} and {@code {bytes}} are replaced inside each argument,
 * so that no file name can add an argument; when {@code {path}} occurs nowhere, the path is the last argument.
 */
public record HookCommand(List<String> words) {
    private static final String PATH = "{path}";

    public HookCommand {
        words = List.copyOf(words);
    }

    /** Splits the string; throws {@link IllegalArgumentException} for an empty one or an open quote. */
    public static HookCommand parse(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0 && c == quote) {
                quote = 0;
            } else if (c == '\\' && quote != '\'' && i + 1 < text.length()) {
                word.append(text.charAt(++i));
                inWord = true;
            } else if (quote == 0 && (c == '\'' || c == '"')) {
                quote = c;
                inWord = true;
            } else if (quote == 0 && Character.isWhitespace(c)) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                }
                inWord = false;
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (quote != 0) {
            throw new IllegalArgumentException("expected a closing " + quote + " in '" + text + "'");
        }
        if (inWord) {
            words.add(word.toString());
        }
        if (words.isEmpty()) {
            throw new IllegalArgumentException("expected a program and its arguments, found nothing");
        }
        return new HookCommand(words);
    }

    /** Returns the arguments with the placeholders' values; the path goes last when no word asks for it. */
    public List<String> arguments(Map<String, String> values) {
        List<String> arguments = new ArrayList<>();
        for (String word : words) {
            arguments.add(filled(word, values));
        }
        if (words.stream().noneMatch(word -> word.contains(PATH))) {
            arguments.add(values.getOrDefault("path", ""));
        }
        return arguments;
    }

    /** One pass from left to right, so that a value that looks like a placeholder stays as it is. */
    private static String filled(String word, Map<String, String> values) {
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (at < word.length()) {
            int close = word.charAt(at) == '{' ? word.indexOf('}', at) : -1;
            String value = close < 0 ? null : values.get(word.substring(at + 1, close));
            if (value == null) {
                out.append(word.charAt(at++));
            } else {
                out.append(value);
                at = close + 1;
            }
        }
        return out.toString();
    }
}
