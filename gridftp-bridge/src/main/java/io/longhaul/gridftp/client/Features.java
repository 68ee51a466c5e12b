package io.longhaul.gridftp.client;

import io.longhaul.gridftp.protocol.Reply;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a server says it can do (RFC 2389).
 *
 * @param parameters by names in upper case
 */
public record Features(Map<String, String> parameters) {
    /** Reads the reply to FEAT; a server that does not know it has no features. */
    static Features of(Reply reply) {
        if (!reply.isPositive()) {
            return new Features(Map.of());
        }
        Map<String, String> found = new HashMap<>();
        List<String> lines = reply.lines();
        for (String line : lines.subList(1, Math.max(1, lines.size() - 1))) {
            String text = line.strip();
            int space = text.indexOf(' ');
            String name = space < 0 ? text : text.substring(0, space);
            found.merge(
                    name.toUpperCase(Locale.ROOT),
                    space < 0 ? "" : text.substring(space + 1),
                    (one, other) -> one + " " + other);
        }
        return new Features(Map.copyOf(found));
    }

    /** Returns whether it has one of that name. */
    public boolean has(String name) {
        return parameters.containsKey(name);
    }

    /** Returns whether MLST and MLSD are there. */
    public boolean hasFacts() {
        return has("MLST") || has("MLSD");
    }

    /** Returns whether the server says of itself that it speaks GridFTP, and so MODE E. */
    public boolean hasExtendedBlocks() {
        return has("PARALLEL");
    }

    /** Returns whether a checksum of this name can be asked for; true also when the server does not say which. */
    public boolean hasChecksum(String algorithm) {
        String list = parameters.getOrDefault("CKSM", parameters.getOrDefault("CKSUM", "-"));
        return !list.equals("-")
                && (list.isBlank()
                        || List.of(list.toUpperCase(Locale.ROOT).split("[^A-Z0-9]+", -1))
                                .contains(algorithm));
    }
}
