package io.longhaul.it.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Looks at directory trees, and removes them. */
public final class Trees {
    /** What an agent keeps of its own in a target directory. */
    private static final String RESERVED = ".longhaul";

    private Trees() {}

    /** Removes a directory with all that is in it, if there is one; links are not followed. */
    public static void delete(Path directory) {
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            Files.walkFileTree(directory, new Removal());
        } catch (IOException e) {
            throw new UncheckedIOException(directory + ": cannot be removed", e);
        }
    }

    /** Returns one line per entry below a directory: kind, mode, time, length and digest, or target of a link. */
    public static SortedMap<String, String> fingerprint(Path directory) {
        SortedMap<String, String> entries = new TreeMap<>();
        for (Path path : entries(directory)) {
            entries.put(directory.relativize(path).toString(), describe(path));
        }
        return entries;
    }

    /** Returns what is visible in a target directory: all names but what the agent keeps there of its own. */
    public static List<String> visible(Path directory) {
        return entries(directory, directory.resolve(RESERVED)).stream()
                .map(path -> directory.relativize(path).toString())
                .sorted()
                .toList();
    }

    /** Returns everything below a directory, the directory itself left out. */
    public static List<Path> entries(Path directory) {
        return entries(directory, directory);
    }

    /** Returns what is there beside one directory with all that is in it; what vanishes meanwhile is left out. */
    private static List<Path> entries(Path directory, Path but) {
        if (!Files.isDirectory(directory)) {
            throw new AssertionError(directory + ": is no directory");
        }
        List<Path> entries = new ArrayList<>();
        walk(directory, new Tolerant() {
            @Override
            public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) {
                if (!visited.equals(directory)) {
                    if (visited.equals(but)) {
                        return FileVisitResult.SKIP_SUBTREE;
                    }
                    entries.add(visited);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                entries.add(file);
                return FileVisitResult.CONTINUE;
            }
        });
        return entries;
    }

    /** Returns the regular files below a directory; those that vanish meanwhile are left out. */
    public static List<Path> files(Path directory) {
        List<Path> files = new ArrayList<>();
        walk(directory, new Tolerant() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile()) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }

    private static void walk(Path directory, Tolerant visitor) {
        try {
            Files.walkFileTree(directory, visitor);
        } catch (IOException e) {
            throw new UncheckedIOException(directory + ": cannot be walked", e);
        }
    }

    /** Returns the bytes on disk below a directory, in whole blocks. */
    public static long allocatedBytes(Path directory) {
        return allocated(files(directory)).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Returns the bytes that a file takes on disk; 0 when it is gone. */
    public static long allocated(Path file) {
        return allocated(List.of(file)).getOrDefault(file, 0L);
    }

    /** Returns the bytes that files take on disk; those that are gone are left out. */
    public static Map<Path, Long> allocated(List<Path> files) {
        Map<Path, Long> bytes = new TreeMap<>();
        if (files.isEmpty()) {
            return bytes;
        }
        // JDK 17 does not tell blocks by itself; stat(1) does, of all at once.
        List<String> command = new ArrayList<>(List.of("stat", "--printf=%b %B %n\\0"));
        files.forEach(file -> command.add(file.toString()));
        try {
            Process stat = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String told = new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            for (String line : told.split("\0")) {
                String[] words = line.split(" ", 3);
                if (words.length == 3) {
                    bytes.put(Path.of(words[2]), Long.parseLong(words[0]) * Long.parseLong(words[1]));
                }
            }
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(files + ": blocks cannot be read", e);
        }
    }

    private static String describe(Path path) {
        try {
            if (Files.isSymbolicLink(path)) {
                return "link " + Files.readSymbolicLink(path);
            }
            PosixFileAttributes attributes = Files.readAttributes(path, PosixFileAttributes.class);
            String mode = PosixFilePermissions.toString(attributes.permissions());
            String time = attributes.lastModifiedTime().toString();
            return attributes.isDirectory()
                    ? "dir " + mode + ' ' + time
                    : "file " + mode + ' ' + time + ' ' + attributes.size() + ' ' + TestFile.digest(path);
        } catch (IOException e) {
            throw new UncheckedIOException(path + ": cannot be read", e);
        }
    }

    /** Does without what vanishes while it looks. */
    private static class Tolerant extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path visited, IOException failure) {
            return FileVisitResult.CONTINUE;
        }
    }

    private static final class Removal extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
