/*
 * What a disk holds after a power cut: only what was forced.
 *
 * The shadow of a directory tree (the root) lies beside it, on the same file system:
 *
 *   SHADOW/inodes/KEY   the bytes of a file as of its last fsync or fdatasync
 *   SHADOW/dirs/KEY     the entries of a directory as of its last fsync
 *   SHADOW/mapped       files that were mapped for writing, which cannot be watched
 *
 * KEY is inode number and birth time, because a file system uses numbers again. A directory's file has a line with
 * mode and modification time, then one line for each entry: kind (f, d, l), key or target of the link, name; blanks,
 * line ends and percent signs in names are written %XX.
 *
 * The model is stricter than most file systems: fsync of a new file does not make its name durable. In one point it is
 * as kind as all journalling file systems are: a rename between two directories is never seen half.
 */
#ifndef POWERLOSS_SHADOW_H
#define POWERLOSS_SHADOW_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct key {
    uint64_t inode;
    uint64_t born; /* nanoseconds */
};

struct range {
    off_t from;
    off_t to;
};

/* Sets the two directories, as absolute paths without symbolic links, and makes the shadow's folders. */
int shadow_open(const char *root, const char *shadow);
const char *shadow_root(void);

/* Whether a path is the root or below it. */
int shadow_covers(const char *path);

/* Key and mode of what lies at name, links not followed; -1 when there is nothing. */
int shadow_key(int directory, const char *name, struct key *key, mode_t *mode);
int same_key(struct key left, struct key right);

/* Makes the given ranges of an open file durable; attributes (mode, times) too when asked, as fsync does. */
int shadow_force_file(int fd, struct key key, const struct range *ranges, size_t count, int attributes);

/* Makes the entries of a directory durable. */
int shadow_force_directory(const char *path, struct key key);

/* Makes everything below the root durable, but for what goes meanwhile. */
int shadow_force_all(void);

/* Notes a rename from one directory into another, so that neither half of it is durable alone. */
void shadow_moved(struct key what, mode_t mode, struct key from, const char *old, struct key to, const char *name);

void shadow_report_mapped(const char *path);

#endif
