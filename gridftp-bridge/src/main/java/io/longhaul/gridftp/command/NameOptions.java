package io.longhaul.gridftp.command;

/** The argument of LIST and NLST, where clients put options of the program {@code ls} before the path. */
final class NameOptions {
    private NameOptions() {}

    /** Returns the path without words that begin with a hyphen. */
    static String path(String argument) {
        String path = argument.stripLeading();
        while (path.startsWith("-")) {
            int space = path.indexOf(' ');
            path = space < 0 ? "" : path.substring(space + 1).stripLeading();
        }
        return path;
    }
}
