package io.longhaul.gridftp.protocol;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One line of a listing for machines: facts, a space, the name (RFC 3659 section 7.2).
 *
 * @param facts values; a semicolon in one would end it and is replaced
 * @param name as it is
 */
public record FactLine(Map<Fact, String> facts, String name) {
    /** The form of proftpd and of the erratum of RFC 3659, which has no target that could break it: lftp knows no other. */
    private static final String LINK = "OS.unix=symlink";

    /** Keeps a copy. */
    public FactLine {
        facts = facts.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(facts));
    }

    /** Returns whether a line begins with facts, as one of a listing does. */
    public static boolean hasFacts(String line) {
        int equals = line.indexOf('=');
        int space = line.indexOf(' ', 1);
        return equals >= 0 && equals < space;
    }

    /**
     * Reads a line; facts that nobody knows are left out. Throws {@link ProtocolException}. Without patterns and parts, since a listing
     * has many.
     */
    public static FactLine parse(String line) {
        String text = line.startsWith(" ") ? line.substring(1) : line;
        int space = text.indexOf(' ');
        if (space < 0) {
            throw new ProtocolException("facts: expected FACT=VALUE;... NAME");
        }
        Map<Fact, String> facts = new EnumMap<>(Fact.class);
        int equals = text.indexOf('=');
        for (int at = 0; at < space; ) {
            int semicolon = text.indexOf(';', at);
            int end = semicolon < 0 ? space : Math.min(semicolon, space);
            if (equals >= 0 && equals < at) {
                equals = text.indexOf('=', at);
            }
            if (equals > at && equals < end) {
                String value = text.substring(equals + 1, end);
                Fact.of(text.substring(at, equals)).ifPresent(fact -> facts.put(fact, value));
            }
            at = end + 1;
        }
        return new FactLine(facts, text.substring(space + 1));
    }

    /**
     * Returns the line with the chosen facts only. A link has the type of what it points to, and a fact that says that it is a link;
     * who did not choose that fact is told so by the type of one to a directory, or would empty the directory when removing a tree.
     */
    public String text(Set<Fact> chosen) {
        StringBuilder text = new StringBuilder();
        for (Fact fact : Fact.values()) {
            String value = fact == Fact.TYPE && !chosen.contains(Fact.UNIX_SLINK) ? soleType() : facts.get(fact);
            if (value != null && chosen.contains(fact)) {
                text.append(fact.text())
                        .append('=')
                        .append(value.replace(';', '?').replace(' ', '?'))
                        .append(';');
            }
        }
        return text.append(' ').append(name).toString();
    }

    private @Nullable String soleType() {
        String type = facts.get(Fact.TYPE);
        return "dir".equals(type) && facts.containsKey(Fact.UNIX_SLINK) ? LINK : type;
    }
}
