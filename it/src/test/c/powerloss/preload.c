/*
 * Watches what a process writes below POWERLOSS_ROOT and keeps POWERLOSS_SHADOW as a disk would be after a power cut.
 *
 * Loaded with LD_PRELOAD. Writes only note which ranges of which file are not durable; fsync and fdatasync copy them to
 * the shadow before they return, so whoever acts on their return acts on durable bytes. A process killed half-way
 * through leaves the shadow half-way too, as a disk would be. A file seen for the first time counts as wholly
 * unforced: an earlier process may have left bytes behind.
 *
 * The program sync, which a process may call for a whole file system, is watched as its child: syncfs makes everything below
 * the root durable, whoever wrote it.
 *
 * POWERLOSS_DEAF lists forces that are ignored, to show that a test notices: comma-separated file:TEXT, dir:TEXT or
 * fs:TEXT, where TEXT occurs in the path below the root (a directory's path ends with a slash).
 */
#define _GNU_SOURCE
#include "shadow.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define DESCRIPTORS 65536
#define BUCKETS 4096
#define RANGES 64

struct file {
    struct file *next;
    struct key key;
    pthread_mutex_t lock;
    int directory;
    size_t count;
    struct range ranges[RANGES]; /* guarded by lock; what is not durable yet */
};

static struct file outside; /* stands for everything that is not below the root */
static struct file *_Atomic descriptors[DESCRIPTORS];
static struct file *buckets[BUCKETS];
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static __thread int inside; /* our own calls are not watched */
static int watching;

#define REAL(name) ((__typeof__(&name))next(&real_##name, #name))
#define KEEP(name) static void *real_##name

/* The function of this name that the process would have called without us. */
static void *next(void **known, const char *name) {
    if (!*known) *known = dlsym(RTLD_NEXT, name);
    return *known;
}

static void start(void) {
    const char *root = getenv("POWERLOSS_ROOT"), *shadow = getenv("POWERLOSS_SHADOW");
    inside++;
    if (root && shadow && shadow_open(root, shadow) == 0) watching = 1;
    inside--;
}

static void forget(int fd) {
    if (fd >= 0 && fd < DESCRIPTORS) descriptors[fd] = NULL;
}

static int path_of(int fd, char *path) {
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(self, path, PATH_MAX - 1);
    if (length < 0) return -1;
    path[length] = 0;
    return 0;
}

static struct file *file_of(struct key key, int directory) {
    struct file **link = &buckets[(key.inode ^ key.born) % BUCKETS];
    pthread_mutex_lock(&table);
    while (*link && !same_key((*link)->key, key)) link = &(*link)->next;
    if (!*link && (*link = calloc(1, sizeof(struct file)))) {
        (*link)->key = key;
        (*link)->directory = directory;
        pthread_mutex_init(&(*link)->lock, NULL);
        (*link)->ranges[0] = (struct range){0, LLONG_MAX};
        (*link)->count = 1;
    }
    pthread_mutex_unlock(&table);
    return *link;
}

/* The file behind a descriptor, or null when it does not matter. */
static struct file *lookup(int fd) {
    char path[PATH_MAX];
    struct key key;
    mode_t mode;
    pthread_once(&once, start);
    if (!watching || inside || fd < 0 || fd >= DESCRIPTORS) return NULL;
    struct file *file = descriptors[fd];
    if (!file) {
        int error = errno;
        inside++;
        file = &outside;
        if (shadow_key(fd, "", &key, &mode) == 0 && (S_ISREG(mode) || S_ISDIR(mode)) && path_of(fd, path) == 0
            && shadow_covers(path)) {
            file = file_of(key, S_ISDIR(mode));
        }
        inside--;
        descriptors[fd] = file;
        errno = error;
    }
    return file == &outside ? NULL : file;
}

static void note(struct file *file, off_t from, off_t to) {
    pthread_mutex_lock(&file->lock);
    struct range *last = file->count ? &file->ranges[file->count - 1] : NULL;
    if (last && from <= last->to && to >= last->from) {
        if (from < last->from) last->from = from;
        if (to > last->to) last->to = to;
    } else {
        if (file->count == RANGES) { /* all of them become one: a force makes the whole file durable anyway */
            for (size_t i = 1; i < RANGES; i++) {
                if (file->ranges[i].from < file->ranges[0].from) file->ranges[0].from = file->ranges[i].from;
                if (file->ranges[i].to > file->ranges[0].to) file->ranges[0].to = file->ranges[i].to;
            }
            file->count = 1;
        }
        file->ranges[file->count++] = (struct range){from, to};
    }
    pthread_mutex_unlock(&file->lock);
}

static int deaf(const char *path, const char *kind) {
    const char *list = getenv("POWERLOSS_DEAF");
    char shown[PATH_MAX + 1], rules[1024], *rest, *rule;
    if (!list) return 0;
    snprintf(shown, sizeof shown, "%s%s", path + strlen(shadow_root()), strcmp(kind, "file:") ? "/" : "");
    snprintf(rules, sizeof rules, "%s", list);
    for (rule = strtok_r(rules, ",", &rest); rule; rule = strtok_r(NULL, ",", &rest)) {
        if (!strncmp(rule, kind, strlen(kind)) && strstr(shown, rule + strlen(kind))) return 1;
    }
    return 0;
}

/* Called when the real force has returned well. */
static int force(int fd, struct file *file, int attributes) {
    char path[PATH_MAX];
    int result = 0;
    inside++;
    if (path_of(fd, path)) {
        result = -1;
    } else if (!deaf(path, file->directory ? "dir:" : "file:")) {
        pthread_mutex_lock(&file->lock);
        if (file->directory) {
            result = shadow_force_directory(path, file->key);
        } else {
            result = shadow_force_file(fd, file->key, file->ranges, file->count, attributes);
            file->count = 0;
        }
        pthread_mutex_unlock(&file->lock);
    }
    inside--;
    if (result) {
        fprintf(stderr, "powerloss: cannot keep the shadow of %s: %s\n", path, strerror(errno));
        abort();
    }
    return result;
}

static void wrote(int fd, struct file *file, off_t at, ssize_t length) {
    if (length <= 0) return;
    int error = errno;
    note(file, at, at + length);
    if (fcntl(fd, F_GETFL) & O_DSYNC) force(fd, file, 0);
    errno = error;
}

static void wrote_here(int fd, struct file *file, ssize_t length) {
    if (length > 0) wrote(fd, file, lseek(fd, 0, SEEK_CUR) - length, length);
}

static int opened(int fd, int flags) {
    forget(fd);
    if (fd >= 0 && (flags & O_TRUNC)) {
        struct file *file = lookup(fd);
        if (file) note(file, 0, LLONG_MAX);
    }
    return fd;
}

#define MODE(flags, mode) \
    do { \
        if ((flags) & (O_CREAT | O_TMPFILE)) { \
            va_list arguments; \
            va_start(arguments, flags); \
            mode = va_arg(arguments, mode_t); \
            va_end(arguments); \
        } \
    } while (0)

#define OPEN(name) \
    KEEP(name); \
    int name(const char *path, int flags, ...) { \
        mode_t mode = 0; \
        MODE(flags, mode); \
        return opened(REAL(name)(path, flags, mode), flags); \
    }
#define OPENAT(name) \
    KEEP(name); \
    int name(int directory, const char *path, int flags, ...) { \
        mode_t mode = 0; \
        MODE(flags, mode); \
        return opened(REAL(name)(directory, path, flags, mode), flags); \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

#define CREAT(name) \
    KEEP(name); \
    int name(const char *path, mode_t mode) { \
        return opened(REAL(name)(path, mode), O_TRUNC); \
    }
CREAT(creat)
CREAT(creat64)

KEEP(close);
int close(int fd) {
    forget(fd);
    return REAL(close)(fd);
}

KEEP(dup);
int dup(int fd) {
    int copy = REAL(dup)(fd);
    forget(copy);
    return copy;
}

KEEP(dup2);
int dup2(int fd, int copy) {
    int result = REAL(dup2)(fd, copy);
    forget(result);
    return result;
}

KEEP(dup3);
int dup3(int fd, int copy, int flags) {
    int result = REAL(dup3)(fd, copy, flags);
    forget(result);
    return result;
}

KEEP(write);
ssize_t write(int fd, const void *bytes, size_t length) {
    ssize_t done = REAL(write)(fd, bytes, length);
    struct file *file = lookup(fd);
    if (file) wrote_here(fd, file, done);
    return done;
}

KEEP(writev);
ssize_t writev(int fd, const struct iovec *parts, int count) {
    ssize_t done = REAL(writev)(fd, parts, count);
    struct file *file = lookup(fd);
    if (file) wrote_here(fd, file, done);
    return done;
}

#define PWRITE(name) \
    KEEP(name); \
    ssize_t name(int fd, const void *bytes, size_t length, off_t at) { \
        ssize_t done = REAL(name)(fd, bytes, length, at); \
        struct file *file = lookup(fd); \
        if (file) wrote(fd, file, at, done); \
        return done; \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

#define PWRITEV(name) \
    KEEP(name); \
    ssize_t name(int fd, const struct iovec *parts, int count, off_t at) { \
        ssize_t done = REAL(name)(fd, parts, count, at); \
        struct file *file = lookup(fd); \
        if (file) wrote(fd, file, at, done); \
        return done; \
    }
PWRITEV(pwritev)
PWRITEV(pwritev64)

#define FTRUNCATE(name) \
    KEEP(name); \
    int name(int fd, off_t length) { \
        int result = REAL(name)(fd, length); \
        struct file *file = lookup(fd); \
        if (file && !result) note(file, length, LLONG_MAX); \
        return result; \
    }
FTRUNCATE(ftruncate)
FTRUNCATE(ftruncate64)

#define FALLOCATE(name) \
    KEEP(name); \
    int name(int fd, int mode, off_t at, off_t length) { \
        int result = REAL(name)(fd, mode, at, length); \
        struct file *file = lookup(fd); \
        if (file && !result) note(file, 0, LLONG_MAX); \
        return result; \
    }
FALLOCATE(fallocate)
FALLOCATE(fallocate64)

#define POSIX_FALLOCATE(name) \
    KEEP(name); \
    int name(int fd, off_t at, off_t length) { \
        int result = REAL(name)(fd, at, length); \
        struct file *file = lookup(fd); \
        if (file && !result) note(file, 0, LLONG_MAX); \
        return result; \
    }
POSIX_FALLOCATE(posix_fallocate)
POSIX_FALLOCATE(posix_fallocate64)

KEEP(copy_file_range);
ssize_t copy_file_range(int in, off64_t *in_at, int out, off64_t *out_at, size_t length, unsigned flags) {
    ssize_t done = REAL(copy_file_range)(in, in_at, out, out_at, length, flags);
    struct file *file = lookup(out);
    if (file && done > 0) note(file, 0, LLONG_MAX);
    return done;
}

#define SENDFILE(name) \
    ssize_t name(int out, int in, off_t *at, size_t length); \
    KEEP(name); \
    ssize_t name(int out, int in, off_t *at, size_t length) { \
        ssize_t done = REAL(name)(out, in, at, length); \
        struct file *file = lookup(out); \
        if (file && done > 0) note(file, 0, LLONG_MAX); \
        return done; \
    }
SENDFILE(sendfile)
SENDFILE(sendfile64)

#define FORCE(name, attributes) \
    KEEP(name); \
    int name(int fd) { \
        int result = REAL(name)(fd); \
        struct file *file = result ? NULL : lookup(fd); \
        return file ? force(fd, file, attributes) : result; \
    }
FORCE(fsync, 1)
FORCE(fdatasync, 0)

KEEP(syncfs);
int syncfs(int fd) {
    char path[PATH_MAX];
    int result = REAL(syncfs)(fd);
    pthread_once(&once, start);
    if (result || !watching || inside) return result;
    inside++;
    if (path_of(fd, path) == 0 && shadow_covers(path) && !deaf(path, "fs:")) result = shadow_force_all();
    inside--;
    if (result) {
        fprintf(stderr, "powerloss: cannot keep the shadow of everything: %s\n", strerror(errno));
        abort();
    }
    return result;
}

#define MMAP(name) \
    KEEP(name); \
    void *name(void *at, size_t length, int protection, int flags, int fd, off_t offset) { \
        void *result = REAL(name)(at, length, protection, flags, fd, offset); \
        if (fd >= 0 && (flags & MAP_SHARED) && (protection & PROT_WRITE) && lookup(fd)) { \
            char path[PATH_MAX]; \
            inside++; \
            if (path_of(fd, path) == 0) shadow_report_mapped(path); \
            inside--; \
        } \
        return result; \
    }
MMAP(mmap)
MMAP(mmap64)

/* The directory and the name of a path, and whether the directory is below the root. */
static int split(int base, const char *path, struct key *directory, char *name) {
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    snprintf(name, PATH_MAX, "%s", slash ? slash + 1 : path);
    if (slash) *slash = 0;
    const char *parent = slash ? (slash == folder ? "/" : folder) : ".";
    int fd = openat(base, parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return 0;
    char real[PATH_MAX];
    int covered = path_of(fd, real) == 0 && shadow_covers(real) && shadow_key(fd, "", directory, NULL) == 0;
    close(fd);
    return covered;
}

typedef int rename_call(int, const char *, int, const char *, unsigned);

static int renamed(int from, const char *old, int to, const char *name, unsigned flags, rename_call *call) {
    struct key what, source, target;
    mode_t mode = 0;
    char old_name[PATH_MAX], new_name[PATH_MAX];
    pthread_once(&once, start);
    int watched = watching && !inside;
    inside++;
    watched = watched && shadow_key(from, old, &what, &mode) == 0 && split(from, old, &source, old_name)
        && split(to, name, &target, new_name) && !same_key(source, target);
    inside--;
    int result = call(from, old, to, name, flags);
    int error = errno;
    if (watched && !result) shadow_moved(what, mode, source, old_name, target, new_name);
    errno = error;
    return result;
}

KEEP(rename);
static int call_rename(int from, const char *old, int to, const char *name, unsigned flags) {
    (void)from, (void)to, (void)flags;
    return REAL(rename)(old, name);
}
int rename(const char *old, const char *name) {
    return renamed(AT_FDCWD, old, AT_FDCWD, name, 0, call_rename);
}

KEEP(renameat);
static int call_renameat(int from, const char *old, int to, const char *name, unsigned flags) {
    (void)flags;
    return REAL(renameat)(from, old, to, name);
}
int renameat(int from, const char *old, int to, const char *name) {
    return renamed(from, old, to, name, 0, call_renameat);
}

KEEP(renameat2);
static int call_renameat2(int from, const char *old, int to, const char *name, unsigned flags) {
    return REAL(renameat2)(from, old, to, name, flags);
}
int renameat2(int from, const char *old, int to, const char *name, unsigned flags) {
    return renamed(from, old, to, name, flags, call_renameat2);
}
