#define _GNU_SOURCE
#include "shadow.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK (1 << 20)
#define LINE (3 * PATH_MAX + 64)

struct move {
    struct move *next;
    struct key what;
    mode_t mode;
    struct key from;
    struct key to;
    char *old;
    char *name;
};

static char root[PATH_MAX];
static char shadow[PATH_MAX];
static struct move *moves; /* oldest first, guarded by directories */
static pthread_mutex_t directories = PTHREAD_MUTEX_INITIALIZER;

int shadow_open(const char *root_path, const char *shadow_path) {
    char folder[PATH_MAX + 16];
    mkdir(shadow_path, 0700);
    if (!realpath(root_path, root) || !realpath(shadow_path, shadow)) return -1;
    snprintf(folder, sizeof folder, "%s/inodes", shadow);
    mkdir(folder, 0700);
    snprintf(folder, sizeof folder, "%s/dirs", shadow);
    mkdir(folder, 0700);
    snprintf(folder, sizeof folder, "%s/new", shadow);
    mkdir(folder, 0700);
    return 0;
}

const char *shadow_root(void) {
    return root;
}

int shadow_covers(const char *path) {
    size_t length = strlen(root);
    return length > 0 && strncmp(path, root, length) == 0 && (path[length] == 0 || path[length] == '/');
}

int shadow_key(int directory, const char *name, struct key *key, mode_t *mode) {
    struct statx at;
    int flags = AT_SYMLINK_NOFOLLOW | (name[0] ? 0 : AT_EMPTY_PATH);
    if (statx(directory, name, flags, STATX_BASIC_STATS | STATX_BTIME, &at)) return -1;
    key->inode = at.stx_ino;
    key->born = (uint64_t)at.stx_btime.tv_sec * 1000000000u + at.stx_btime.tv_nsec;
    if (mode) *mode = at.stx_mode;
    return 0;
}

int same_key(struct key left, struct key right) {
    return left.inode == right.inode && left.born == right.born;
}

static void locate(char *into, size_t size, const char *kind, struct key key) {
    snprintf(into, size, "%s/%s/%lu-%lu", shadow, kind, (unsigned long)key.inode, (unsigned long)key.born);
}

static int punch(int fd, off_t from, off_t to) {
    return fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, to - from);
}

/* Zeros need no room: a journal is hundreds of MiB of them before its first message. */
static int put(int to, const char *bytes, size_t count, off_t at) {
    int zeros = bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0;
    if (zeros && punch(to, at, at + (off_t)count) == 0) return 0;
    return pwrite(to, bytes, count, at) == (ssize_t)count ? 0 : -1;
}

static int copy_bytes(int from, int to, off_t start, off_t end) {
    static __thread char *buffer;
    if (!buffer && !(buffer = malloc(CHUNK))) return -1;
    while (start < end) {
        size_t want = end - start < CHUNK ? (size_t)(end - start) : CHUNK;
        ssize_t got = pread(from, buffer, want, start);
        if (got <= 0) return (int)got;
        if (put(to, buffer, (size_t)got, start)) return -1;
        start += got;
    }
    return 0;
}

/* Copies a range, holes as holes. */
static int copy_range(int from, int to, struct range range) {
    off_t at = range.from;
    while (at < range.to) {
        off_t data = lseek(from, at, SEEK_DATA);
        if (data < 0 || data > range.to) data = range.to;
        if (data > at) punch(to, at, data);
        if (data == range.to) return 0;
        off_t hole = lseek(from, data, SEEK_HOLE);
        if (hole < 0 || hole > range.to) hole = range.to;
        if (copy_bytes(from, to, data, hole)) return -1;
        at = hole;
    }
    return 0;
}

int shadow_force_file(int fd, struct key key, const struct range *ranges, size_t count, int attributes) {
    char path[PATH_MAX + 64], self[64];
    struct stat at;
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    locate(path, sizeof path, "inodes", key);
    int from = open(self, O_RDONLY | O_CLOEXEC);
    if (from < 0 || fstat(from, &at)) return -1;
    int to = open(path, O_RDWR | O_CREAT | O_CLOEXEC, at.st_mode & 07777);
    int result = to < 0 || ftruncate(to, at.st_size);
    for (size_t i = 0; !result && i < count; i++) {
        struct range range = ranges[i];
        if (range.to > at.st_size) range.to = at.st_size;
        if (range.from < range.to) result = copy_range(from, to, range);
    }
    if (!result && attributes) {
        struct timespec times[2] = {at.st_atim, at.st_mtim};
        result = fchmod(to, at.st_mode & 07777) || futimens(to, times);
    }
    if (to >= 0) close(to);
    close(from);
    return result ? -1 : 0;
}

static void escape(const char *name, char *into) {
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        if (c <= ' ' || c == '%') into += sprintf(into, "%%%02X", c);
        else *into++ = (char)c;
    }
    *into = 0;
}

static void write_entry(FILE *out, int directory, const char *name, struct key key, mode_t mode) {
    char escaped[LINE];
    if (S_ISLNK(mode)) {
        char target[PATH_MAX], shown[LINE];
        ssize_t length = readlinkat(directory, name, target, sizeof target - 1);
        if (length < 0) return;
        target[length] = 0;
        escape(target, shown);
        escape(name, escaped);
        fprintf(out, "l %s %s\n", shown, escaped);
    } else if (S_ISREG(mode) || S_ISDIR(mode)) {
        escape(name, escaped);
        fprintf(out, "%c %lu-%lu %s\n", S_ISDIR(mode) ? 'd' : 'f', (unsigned long)key.inode, (unsigned long)key.born,
                escaped);
    }
}

static FILE *begin(struct key key, char *path, char *fresh, size_t size) {
    locate(path, size, "dirs", key);
    locate(fresh, size, "new", key);
    return fopen(fresh, "we");
}

static int finish(FILE *out, const char *path, const char *fresh) {
    return fclose(out) || rename(fresh, path) ? -1 : 0;
}

static int write_directory(const char *directory, struct key key) {
    char path[PATH_MAX + 64], fresh[PATH_MAX + 64];
    struct stat at;
    DIR *entries = opendir(directory);
    if (!entries || fstat(dirfd(entries), &at)) return -1;
    FILE *out = begin(key, path, fresh, sizeof path);
    if (!out) return -1;
    fprintf(out, "%o %ld %ld\n", at.st_mode & 07777, (long)at.st_mtim.tv_sec, (long)at.st_mtim.tv_nsec);
    for (struct dirent *entry; (entry = readdir(entries));) {
        struct key child;
        mode_t mode;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        if (shadow_key(dirfd(entries), entry->d_name, &child, &mode)) continue;
        write_entry(out, dirfd(entries), entry->d_name, child, mode);
    }
    closedir(entries);
    return finish(out, path, fresh);
}

/* Rewrites what is durable of a directory, without the line given, and with another one when it is not empty. */
static void patch(struct key directory, const char *without, const char *with) {
    char path[PATH_MAX + 64], fresh[PATH_MAX + 64], line[LINE];
    FILE *out = begin(directory, path, fresh, sizeof path);
    if (!out) return;
    FILE *in = fopen(path, "re");
    if (!in) fputs("700 0 0\n", out);
    while (in && fgets(line, sizeof line, in)) {
        if (strcmp(line, without) && strcmp(line, with)) fputs(line, out);
    }
    if (in) fclose(in);
    fputs(with, out);
    finish(out, path, fresh);
}

static void entry_line(char *line, size_t size, const struct move *move, const char *name) {
    char escaped[LINE];
    escape(name, escaped);
    snprintf(line, size, "%c %lu-%lu %s\n", S_ISDIR(move->mode) ? 'd' : 'f', (unsigned long)move->what.inode,
             (unsigned long)move->what.born, escaped);
}

/* All renames of one file become durable together: it leaves every place that it was in and stands where it is now. */
static void settle(struct key what) {
    char line[LINE + 64], last[LINE + 64] = "";
    struct key place = {0, 0};
    struct move **link = &moves;
    while (*link) {
        struct move *move = *link;
        if (!same_key(move->what, what)) {
            link = &move->next;
            continue;
        }
        entry_line(line, sizeof line, move, move->old);
        patch(move->from, line, "");
        entry_line(last, sizeof last, move, move->name);
        place = move->to;
        *link = move->next;
        free(move->old);
        free(move->name);
        free(move);
    }
    if (last[0]) patch(place, "", last);
}

int shadow_force_directory(const char *path, struct key key) {
    pthread_mutex_lock(&directories);
    for (struct move *move = moves; move;) {
        if (same_key(move->from, key) || same_key(move->to, key)) {
            settle(move->what);
            move = moves;
        } else {
            move = move->next;
        }
    }
    int result = write_directory(path, key);
    pthread_mutex_unlock(&directories);
    return result;
}

static int force_each(const char *path, const struct stat *at, int kind, struct FTW *where) {
    struct key key;
    struct range all = {0, LLONG_MAX};
    (void)where;
    if (shadow_key(AT_FDCWD, path, &key, NULL)) return 0;
    if (kind == FTW_D) return shadow_force_directory(path, key) && access(path, F_OK) == 0 ? -1 : 0;
    if (kind != FTW_F || !S_ISREG(at->st_mode)) return 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return errno == ENOENT ? 0 : -1;
    int result = shadow_force_file(fd, key, &all, 1, 1);
    close(fd);
    return result;
}

int shadow_force_all(void) {
    return nftw(root, force_each, 64, FTW_PHYS);
}

void shadow_moved(struct key what, mode_t mode, struct key from, const char *old, struct key to, const char *name) {
    struct move *move = calloc(1, sizeof *move);
    if (!move) return;
    *move = (struct move){NULL, what, mode, from, to, strdup(old), strdup(name)};
    pthread_mutex_lock(&directories);
    struct move **link = &moves;
    while (*link) link = &(*link)->next;
    *link = move;
    pthread_mutex_unlock(&directories);
}

void shadow_report_mapped(const char *path) {
    char report[PATH_MAX + 16];
    snprintf(report, sizeof report, "%s/mapped", shadow);
    FILE *out = fopen(report, "ae");
    if (!out) return;
    fprintf(out, "%s\n", path);
    fclose(out);
}
