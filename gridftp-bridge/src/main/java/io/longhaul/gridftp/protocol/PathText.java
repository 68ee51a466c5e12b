package io.longhaul.gridftp.protocol;

/** Path names in replies (RFC 959 appendix II). */
public final class PathText {
    private PathText() {}

    /** Returns the name in quotes, with quotes in it doubled. */
    public static String quoted(String path) {
        return '"' + path.replace("\"", "\"\"") + '"';
    }

    /** Returns the first quoted name in a text; throws {@link ProtocolException} when there is none. */
    public static String unquoted(String text) {
        int at = text.indexOf('"');
        StringBuilder path = new StringBuilder();
        while (at >= 0 && ++at < text.length()) {
            if (text.charAt(at) != '"') {
                path.append(text.charAt(at));
            } else if (at + 1 < text.length() && text.charAt(at + 1) == '"') {
                path.append('"');
                at++;
            } else {
                return path.toString();
            }
        }
        throw new ProtocolException("path: expected a name in quotes");
    }
}
