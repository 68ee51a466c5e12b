package io.longhaul.cli;

import io.longhaul.cli.option.FilePath;
import io.longhaul.storage.RealPath;
import io.longhaul.wire.Names;
import io.longhaul.wire.WireException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The files and directories that a command names. */
final class PublishSources {
    private PublishSources() {}

    /**
     * Returns the absolute path; a usage error when there is nothing of that name, or something that has no content.
     *
     * @param mayBeKnown whether a ledger may know a source that is gone by now
     */
    static Path path(String source, boolean mayBeKnown) {
        if (source.isEmpty()) {
            throw new IllegalArgumentException("FILE|DIR: expected a path, found ''");
        }
        Path path = Path.of(source).toAbsolutePath();
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            if (source.indexOf(FilePath.LOST) >= 0) {
                throw new IllegalArgumentException(
                        "name is not valid UTF-8: " + escaped(source, path) + "; rename it to publish it");
            }
            if (!mayBeKnown) {
                throw new IllegalArgumentException("no such file or directory: " + Names.shown(source));
            }
        } else if (!mayBeKnown && Files.exists(path)) {
            requireContent(path, Names.shown(source));
        }
        return path;
    }

    /** A pipe or a device has no content that could be sent again; a usage error for what is no file and no directory. */
    static void requireContent(Path path, String shown) {
        if (!Files.isRegularFile(path) && !Files.isDirectory(path)) {
            throw new IllegalArgumentException(shown + ": expected a file or a directory, found something else");
        }
    }

    /** Returns the name at the subscribers; a usage error for one that cannot be, or whose bytes are not known any more. */
    static String name(String text) {
        if (text.indexOf(FilePath.LOST) >= 0) {
            throw new IllegalArgumentException("--name: expected UTF-8, found " + shown(text));
        }
        try {
            return Names.path(text);
        } catch (WireException e) {
            throw new IllegalArgumentException("--name: " + e.getMessage(), e);
        }
    }

    /** Two sources of one name would replace each other at the subscribers, in an order that nobody chose. */
    static void requireDistinctNames(List<String> sources) {
        Map<Path, String> byName = new HashMap<>();
        for (String source : sources) {
            Path last = source.equals(PublishCommand.STANDARD_INPUT)
                    ? null
                    : absolute(source).getFileName();
            String other = last == null ? null : byName.putIfAbsent(last, source);
            // The same source twice is the same transfer.
            if (other != null && !absolute(other).equals(absolute(source))) {
                throw new IllegalArgumentException(Names.shown(other) + " and " + Names.shown(source)
                        + " have the same name at the subscribers, " + Names.shown(String.valueOf(last))
                        + ": publish one of them in a command of its own, with another --name");
            }
        }
    }

    private static Path absolute(String source) {
        return RealPath.withoutDots(Path.of(source));
    }

    /** Shows the name with its true bytes, which the directory still has, when it is clear which file is meant. */
    private static String escaped(String source, Path path) {
        Path parent = path.getParent();
        String last = String.valueOf(path.getFileName());
        if (parent != null) {
            try (Stream<Path> children = Files.list(parent)) {
                List<Path> alike = children.filter(
                                child -> String.valueOf(child.getFileName()).equals(last))
                        .toList();
                if (alike.size() == 1) {
                    return '"' + bytes(alike.get(0)) + '"';
                }
            } catch (IOException e) {
                // The name as Java has it says enough.
            }
        }
        return shown(source);
    }

    private static String shown(String text) {
        return Names.shown(text).replace(String.valueOf(FilePath.LOST), "\\ufffd");
    }

    /** The URI form of a path keeps the bytes that its text form has lost. */
    private static String bytes(Path path) {
        String raw = path.toUri().getRawPath();
        String trimmed = raw.endsWith("/") ? raw.substring(0, raw.length() - 1) : raw;
        String name = trimmed.substring(trimmed.lastIndexOf('/') + 1);
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '%') {
                c = (char) Integer.parseInt(name, i + 1, i + 3, 16);
                i += 2;
            }
            boolean plain = c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
            out.append(plain ? String.valueOf(c) : String.format("\\x%02x", (int) c));
        }
        return out.toString();
    }
}
