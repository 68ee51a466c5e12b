/*
 * powerloss baseline ROOT SHADOW         takes what lies under ROOT now as durable
 * powerloss cut ROOT SHADOW IMAGE SEED   makes IMAGE: what would be left of ROOT
 *
 * With seed 0 nothing unforced is left. With another, each file keeps its unforced bytes or loses them, by lot: the
 * kernel may have written any file before the power went, so order between files must come from forces alone.
 */
#define _GNU_SOURCE
#include "shadow.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct live {
    struct live *next;
    struct key key;
    char path[];
};

static struct live *lives[4096];
static const char *shadow_path;
static unsigned long seed;
static long kept, lost;

static void die(const char *what, const char *path) {
    fprintf(stderr, "powerloss: %s %s: %s\n", what, path, strerror(errno));
    exit(1);
}

static int adopt(const char *path, const struct stat *at, int type, struct FTW *walk) {
    struct key key;
    (void)type, (void)walk;
    if (shadow_key(AT_FDCWD, path, &key, NULL)) die("cannot look at", path);
    if (S_ISDIR(at->st_mode) && shadow_force_directory(path, key)) die("cannot record", path);
    if (S_ISREG(at->st_mode)) {
        struct range all = {0, LLONG_MAX};
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0 || shadow_force_file(fd, key, &all, 1, 1)) die("cannot copy", path);
        close(fd);
    }
    return 0;
}

static int remember(const char *path, const struct stat *at, int type, struct FTW *walk) {
    (void)type, (void)walk;
    if (!S_ISREG(at->st_mode)) return 0;
    struct live *live = malloc(sizeof *live + strlen(path) + 1);
    if (!live || shadow_key(AT_FDCWD, path, &live->key, NULL)) die("cannot look at", path);
    strcpy(live->path, path);
    live->next = lives[live->key.inode % 4096];
    lives[live->key.inode % 4096] = live;
    return 0;
}

static int chosen(struct key key) {
    if (!seed) return 0;
    uint64_t mixed = (key.inode * 0x9E3779B97F4A7C15u) ^ (seed * 0xBF58476D1CE4E5B9u);
    mixed ^= mixed >> 29;
    mixed *= 0x94D049BB133111EBu;
    return (mixed >> 33) & 1;
}

static void place_file(struct key key, const char *target) {
    char source[PATH_MAX + 64];
    if (chosen(key)) {
        for (struct live *live = lives[key.inode % 4096]; live; live = live->next) {
            if (same_key(live->key, key) && link(live->path, target) == 0) {
                kept++;
                return;
            }
        }
    }
    lost++;
    snprintf(source, sizeof source, "%s/inodes/%lu-%lu", shadow_path, (unsigned long)key.inode, (unsigned long)key.born);
    if (link(source, target) == 0) return;
    if (errno != ENOENT) die("cannot place", target);
    int fd = open(target, O_WRONLY | O_CREAT | O_CLOEXEC, 0600); /* named, but never forced: empty */
    if (fd < 0) die("cannot create", target);
    close(fd);
}

static void unescape(char *name) {
    char *to = name;
    for (; *name; name++) {
        unsigned value;
        if (*name == '%' && sscanf(name + 1, "%2X", &value) == 1) {
            *to++ = (char)value;
            name += 2;
        } else {
            *to++ = *name;
        }
    }
    *to = 0;
}

static void place_directory(struct key key, int parent, const char *name) {
    char source[PATH_MAX + 64], line[8 * PATH_MAX], value[4 * PATH_MAX], entry[4 * PATH_MAX], kind;
    unsigned mode = 0700;
    struct timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_NOW}};
    if (mkdirat(parent, name, 0700)) die("cannot create", name);
    int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0 || fchdir(directory)) die("cannot enter", name);
    snprintf(source, sizeof source, "%s/dirs/%lu-%lu", shadow_path, (unsigned long)key.inode, (unsigned long)key.born);
    FILE *in = fopen(source, "re");
    if (in && fgets(line, sizeof line, in)) sscanf(line, "%o %ld %ld", &mode, &times[1].tv_sec, &times[1].tv_nsec);
    while (in && fgets(line, sizeof line, in)) {
        struct key child;
        if (sscanf(line, "%c %s %s", &kind, value, entry) != 3) continue;
        unescape(entry);
        if (kind == 'l') {
            unescape(value);
            if (symlinkat(value, directory, entry)) die("cannot link", entry);
            continue;
        }
        sscanf(value, "%lu-%lu", &child.inode, &child.born);
        if (kind == 'd') place_directory(child, directory, entry);
        else place_file(child, entry);
        if (fchdir(directory)) die("cannot return to", name);
    }
    if (in) fclose(in);
    fchmod(directory, mode);
    futimens(directory, times);
    close(directory);
}

int main(int count, char **arguments) {
    if (count >= 4 && shadow_open(arguments[2], arguments[3])) die("cannot open", arguments[2]);
    if (count == 4 && !strcmp(arguments[1], "baseline")) {
        return nftw(arguments[2], adopt, 64, FTW_PHYS) ? 1 : 0;
    }
    if (count == 6 && !strcmp(arguments[1], "cut")) {
        struct key key;
        shadow_path = arguments[3];
        seed = strtoul(arguments[5], NULL, 10);
        if (nftw(arguments[2], remember, 64, FTW_PHYS)) return 1;
        if (shadow_key(AT_FDCWD, arguments[2], &key, NULL)) die("cannot look at", arguments[2]);
        place_directory(key, AT_FDCWD, arguments[4]);
        printf("{\"event\":\"cut\",\"forced\":%ld,\"lucky\":%ld}\n", lost, kept);
        return 0;
    }
    fprintf(stderr, "usage: powerloss baseline ROOT SHADOW | powerloss cut ROOT SHADOW IMAGE SEED\n");
    return 2;
}
