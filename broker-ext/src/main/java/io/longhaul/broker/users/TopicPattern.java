package io.longhaul.broker.users;

import io.longhaul.wire.Names;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A set of topics: words joined by dots, where {@code *} stands for one word and {@code #}, as the last, for any number
 * of words, none included.
 */
public record TopicPattern(String text) {
    private static final Pattern FORM = Pattern.compile("(#|([A-Za-z0-9_-]+|\\*)(\\.([A-Za-z0-9_-]+|\\*))*(\\.#)?)");

    public TopicPattern {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "topic pattern: expected words, * or a last # joined by dots, found " + Names.shown(text));
        }
    }

    /** Returns whether the topic is in the set. */
    public boolean matches(String topic) {
        List<String> pattern = List.of(text.split("\\.", -1));
        List<String> words = List.of(topic.split("\\.", -1));
        for (int i = 0; i < pattern.size(); i++) {
            if (pattern.get(i).equals("#")) {
                return true;
            }
            if (i >= words.size()
                    || !pattern.get(i).equals("*") && !pattern.get(i).equals(words.get(i))) {
                return false;
            }
        }
        return pattern.size() == words.size();
    }

    @Override
    public String toString() {
        return text;
    }
}
