package io.longhaul.wire;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The grammar of topics, agents and subscriptions, of paths inside a transfer, and how untrusted text is shown. */
public final class Names {
    /** Longest path inside a transfer, in bytes of UTF-8. */
    public static final int MAX_PATH_BYTES = 4096;

    /** Longest component of a path, in bytes of UTF-8. */
    public static final int MAX_COMPONENT_BYTES = 255;

    private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]*(\\.[A-Za-z0-9_-]+)*");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
    private static final int MAX_TOPIC = 200;
    private static final int MAX_NAME = 100;
    private static final int MAX_SHOWN = 200;

    private Names() {}

    /** Returns the topic when it is words of letters, digits, {@code _} and {@code -} joined by dots, at most 200 long. */
    public static String topic(String topic) {
        return checked("topic", topic, TOPIC, MAX_TOPIC);
    }

    /** Returns the agent's name when it is letters, digits, {@code . _ -}, at most 100 long. */
    public static String agent(String agent) {
        return checked("agent name", agent, NAME, MAX_NAME);
    }

    /** Returns the subscription's name when it is letters, digits, {@code . _ -}, at most 100 long. */
    public static String subscription(String subscription) {
        return checked("subscription name", subscription, NAME, MAX_NAME);
    }

    private static String checked(String what, String value, Pattern pattern, int longest) {
        if (value.length() > longest || !pattern.matcher(value).matches()) {
            throw new WireException(what + ": expected up to " + longest + " characters that match " + pattern.pattern()
                    + ", found " + shown(value));
        }
        return value;
    }

    /**
     * Returns the path when it is relative and cannot leave the directory that it is resolved in.
     *
     * <p>Components are separated by {@code /}; none is empty, {@code .} or {@code ..}; there is no NUL; the path
     * encodes as UTF-8 in at most 4096 bytes, each component in at most 255. Throws {@link WireException} otherwise.
     */
    public static String path(String path) {
        if (path.isEmpty()) {
            throw new WireException("path: expected a relative path, found an empty one");
        }
        if (utf8Length(path) > MAX_PATH_BYTES) {
            throw new WireException("path: expected at most " + MAX_PATH_BYTES + " bytes, found " + utf8Length(path)
                    + " in " + shown(path));
        }
        for (String component : path.split("/", -1)) {
            checkComponent(component, path);
        }
        return path;
    }

    private static void checkComponent(String component, String path) {
        String fault = null;
        if (component.isEmpty()) {
            fault = "an empty component or a leading or trailing /";
        } else if (component.equals(".") || component.equals("..")) {
            fault = "the component " + component;
        } else if (component.indexOf('\0') >= 0) {
            fault = "a NUL";
        } else if (utf8Length(component) > MAX_COMPONENT_BYTES) {
            fault = "a component of " + utf8Length(component) + " bytes";
        }
        if (fault != null) {
            throw new WireException("path: expected a relative path that stays inside its directory, found " + fault
                    + " in " + shown(path));
        }
    }

    private static int utf8Length(String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new WireException("path: expected valid Unicode, found an unpaired surrogate in " + shown(text));
        }
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Returns untrusted text in quotes with control characters escaped, cut to 200 characters, safe for a terminal or log. */
    public static String shown(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < Math.min(text.length(), MAX_SHOWN); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c == '\n') {
                out.append("\\n");
            } else if (Character.isISOControl(c)
                    || (Character.isSurrogate(c) && !isPaired(text, i))
                    || Character.getType(c) == Character.FORMAT) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append(text.length() > MAX_SHOWN ? "\"..." : "\"").toString();
    }

    private static boolean isPaired(String text, int i) {
        char c = text.charAt(i);
        return Character.isHighSurrogate(c)
                ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
    }
}
