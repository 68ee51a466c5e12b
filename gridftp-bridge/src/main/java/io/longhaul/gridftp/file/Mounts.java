package io.longhaul.gridftp.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether a file can be renamed from one directory to another: not from one device to another, nor from one mount of a device to
 * another, as where a directory of the same disk is mounted in the middle of a tree.
 */
final class Mounts {
    /** See proc_pid_mountinfo(5). */
    private static final Path KNOWN = Path.of("/proc/self/mountinfo");

    private static final int MOUNT_POINT = 4;
    private static final String DEVICE = "unix:dev";
    private static final Pattern ESCAPED = Pattern.compile("\\\\([0-7]{3})");

    private Mounts() {}

    /**
     * Returns whether files can be renamed between a root and a directory below it.
     *
     * @param directory without links in it
     */
    static boolean areOne(Path root, Path directory) throws IOException {
        return Files.getAttribute(directory, DEVICE).equals(Files.getAttribute(root, DEVICE))
                && !isMountedBetween(known(), root, directory);
    }

    private static String known() {
        try {
            return new String(Files.readAllBytes(KNOWN), StandardCharsets.UTF_8);
        } catch (IOException e) {
            // a system without it: devices are all that is known
            return "";
        }
    }

    /** Returns whether something is mounted below the root at a directory or above it. */
    static boolean isMountedBetween(String mounts, Path root, Path directory) {
        // texts, since not every name of the system's is a path for a Java of another encoding
        return mounts.lines()
                .map(line -> line.split(" ", MOUNT_POINT + 2))
                .filter(fields -> fields.length > MOUNT_POINT)
                .map(fields -> unescaped(fields[MOUNT_POINT]))
                .anyMatch(mount -> isBelow(mount, root.toString())
                        && (mount.equals(directory.toString()) || isBelow(directory.toString(), mount)));
    }

    private static boolean isBelow(String path, String above) {
        String start = above.endsWith("/") ? above : above + "/";
        return path.startsWith(start) && path.length() > start.length();
    }

    private static String unescaped(String text) {
        return ESCAPED.matcher(text)
                .replaceAll(octal -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(octal.group(1), 8))));
    }
}
