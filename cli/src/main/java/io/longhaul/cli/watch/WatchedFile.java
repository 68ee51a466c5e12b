package io.longhaul.cli.watch;

import java.nio.file.Path;

/**
 * A file as a scan found it; equal when it is the same file with the same content as far as the file system can say.
 *
 * @param path absolute path
 * @param name path relative to the watched directory, with {@code /}
 * @param key identity of the file in its file system
 * @param size bytes
 * @param modifiedNanos modification time, nanoseconds since the epoch
 */
public record WatchedFile(Path path, String name, String key, long size, long modifiedNanos) {}
