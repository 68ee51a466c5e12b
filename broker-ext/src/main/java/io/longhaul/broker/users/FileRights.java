package io.longhaul.broker.users;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a user may do with the files of a door such as {@code longhaul bridge front}; brokers have none.
 *
 * @param root the path that is the user's {@code /}
 * @param paths rights on paths, as the user sees them; nothing said means that everything may be read and written
 */
public record FileRights(String root, Optional<List<PathRight>> paths) {
    private static final int MOST_CHARACTERS = 1000;
    private static final Pattern PATH = Pattern.compile("/|(/[^/\\p{Cntrl}]+)+");
    private static final Pattern DOTS = Pattern.compile("(?s)(.*/)?\\.\\.?(/.*)?");

    /** Everything. */
    public static final FileRights ALL = new FileRights("/", Optional.empty()); // needs the patterns above

    /** What may be done with a path and what is below it. */
    public enum Right {
        /** Look and read. */
        READ,
        /** Read, make, change, rename and remove. */
        WRITE
    }

    /** A right on a path and on what is below it, unless a longer path says something else. */
    public record PathRight(String path, Right right) {
        /** Checks the path; throws {@link IllegalArgumentException}. */
        public PathRight {
            check("path", path);
        }
    }

    /** Checks the paths; throws {@link IllegalArgumentException}. */
    public FileRights {
        check("root", root);
        paths = paths.map(List::copyOf);
        List<String> texts =
                paths.orElse(List.of()).stream().map(PathRight::path).toList();
        if (texts.stream().distinct().count() < texts.size()) {
            throw new IllegalArgumentException("paths: expected each path once, found " + texts);
        }
    }

    private static void check(String what, String path) {
        if (path.length() > MOST_CHARACTERS
                || !PATH.matcher(path).matches()
                || DOTS.matcher(path).matches()) {
            throw new IllegalArgumentException(what + ": expected / or a path such as /data/rain of at most "
                    + MOST_CHARACTERS + " characters, without . and .., found '" + path + "'");
        }
    }
}
