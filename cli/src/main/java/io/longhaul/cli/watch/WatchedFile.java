package io.longhaul.cli.watch;

import java.nio.file.Path;

/**
 * A file as a scan found it; equal when it is the same file with the same content as far as the file system can say.
 *
 * @param path absolute path
 * @param name path relative to the watched directory, with {@code /}
 * @param inode number of the file in its file system; without the device, whose number may change at a reboot
 * @param size bytes
 * @param modifiedNanos modification time, nanoseconds since the epoch
 */
public record WatchedFile(Path path, String name, String inode, long size, long modifiedNanos) {}
