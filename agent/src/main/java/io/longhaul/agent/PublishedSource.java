package io.longhaul.agent;

/**
 * What the source of a publication was when that began: what it has become since is another file.
 *
 * @param path absolute path as it was asked for
 * @param inode number of the file in its file system
 * @param length bytes; of a tree those of its top directory itself
 * @param modifiedNanos time of the last write, nanoseconds since the epoch
 */
public record PublishedSource(String path, String inode, long length, long modifiedNanos) {}
