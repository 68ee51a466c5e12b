package io.longhaul.wire;

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

    /** Returns the broker's name when it is letters, digits, {@code . _ -}, at most 100 long. */
    public static String broker(String broker) {
        return checked("broker name", broker, NAME, MAX_NAME);
    }

    /** Returns the subscription's name when it is letters, digits, {@code . _ -}, at most 100 long. */
    public static String subscription(String subscription) {
        return checked("subscription name", subscription, NAME, MAX_NAME);
    }

    /** Returns the endpoint's name when it is letters, digits, {@code . _ -}, at most 100 long. */
    public static String endpoint(String endpoint) {
        return checked("endpoint name", endpoint, NAME, MAX_NAME);
    }

    /** Identities of requests are the asker's own; they are only compared and repeated. */
    static String request(String request) {
        return checked("request", request, NAME, MAX_NAME);
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
        int bytes = utf8Length("path", path);
        if (bytes > MAX_PATH_BYTES) {
            throw new WireException(
                    "path: expected at most " + MAX_PATH_BYTES + " bytes, found " + bytes + " in " + shown(path));
        }
        for (int from = 0, to = 0; to >= 0; from = to + 1) {
            to = path.indexOf('/', from);
            checkComponent(to < 0 ? path.substring(from) : path.substring(from, to), path);
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
        } else if (utf8Length("path", component) > MAX_COMPONENT_BYTES) {
            fault = "a component of " + utf8Length("path", component) + " bytes";
        }
        if (fault != null) {
            throw new WireException("path: expected a relative path that stays inside its directory, found " + fault
                    + " in " + shown(path));
        }
    }

    static int utf8Length(String what, String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) {
                bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                throw new WireException(
                        what + ": expected valid Unicode, found an unpaired surrogate in " + shown(text));
            }
        }
        return bytes;
    }

    /**
     * Returns untrusted text in quotes, safe for a terminal or a log: cut to 200 characters; line ends, control
     * characters, unpaired surrogates and characters that change the direction or the shape of others are escaped.
     */
    public static String shown(String text) {
        StringBuilder out = new StringBuilder("\"");
        int end = text.offsetByCodePoints(0, Math.min(text.codePointCount(0, text.length()), MAX_SHOWN));
        text.substring(0, end).codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                out.append('\\').appendCodePoint(c);
            } else if (c == '\n') {
                out.append("\\n");
            } else if (!isHarmless(c)) {
                out.append(String.format(c < 0x10000 ? "\\u%04x" : "\\U%08x", c));
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.append(end < text.length() ? "\"..." : "\"").toString();
    }

    private static boolean isHarmless(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
