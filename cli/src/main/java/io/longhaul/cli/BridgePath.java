package io.longhaul.cli;

import io.longhaul.gridftp.spi.FilePath;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How options of the bridge name what clients and servers call a path. */
final class BridgePath {
    private static final Set<String> DOTS = Set.of(".", "..");

    private BridgePath() {}

    /**
     * Reads a path that begins at the root; throws {@link IllegalArgumentException} for others. One with {@code ..} in it would be
     * another one than it looks like.
     *
     * @param option that it is part of
     * @param form of what is expected
     * @param found all that was given
     */
    static FilePath parse(String option, String form, String found, String path) {
        boolean isPath = path.startsWith("/") && path.chars().noneMatch(Character::isISOControl);
        if (!isPath || Arrays.stream(path.split("/")).anyMatch(DOTS::contains)) {
            throw new IllegalArgumentException(
                    option + ": expected " + form + " without '.' and '..', found '" + found + "'");
        }
        return FilePath.of(path);
    }

    /**
     * Reads what is given as {@code NAME=VALUE}; throws {@link IllegalArgumentException} where one has no value, and where two have
     * the same name, of which one would be forgotten.
     */
    static Map<String, String> pairs(String option, String form, List<String> texts) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String text : texts) {
            int sign = text.indexOf('=');
            if (sign < 0 || sign == text.length() - 1) {
                throw new IllegalArgumentException(option + ": expected " + form + ", found '" + text + "'");
            }
            String name = text.substring(0, sign);
            if (pairs.put(name, text.substring(sign + 1)) != null) {
                throw new IllegalArgumentException(option + ": expected " + name + " once, found it twice");
            }
        }
        return pairs;
    }
}
