// SPDX-License-Identifier: Apache-2.0
//
// How much the cache holds. A run that wrote adds its share to the number in the file `usage`; only
// when that exceeds the limit, is not there, or has not been verified for a week, the folders are
// gone through, the oldest files removed, and the number is set right. A run that found everything
// does nothing of this.
//
// The file is locked meanwhile. Who does not get the lock at once leaves its share uncounted, which
// the next verification mends.

#include "analyzer/project/cache_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define USAGE "usage"
#define VERIFY_AFTER (7 * 24 * 60 * 60)
#define LEFT_BEHIND (60 * 60) // a temporary of that age has no writer any more
#define KEEP_PERCENT 80       // after a sweep, so that the next run does not need another one

// ---- what there is ------------------------------------------------------------------------------

struct item {
    char name[sizeof JG_CACHE_TEMPORARY + JG_HASH_HEX];
    enum jg_cache_kind kind;
    bool temporary;
    uint64_t size;
    struct timespec used;
};

struct items JG_VEC(struct item);

static bool is_hex(const char *text, size_t length)
{
    return strlen(text) == length && strspn(text, "0123456789abcdef") == length;
}

// Did the cache make a file of that name?
static bool is_ours(const char *name, bool *temporary)
{
    size_t prefix = strlen(JG_CACHE_TEMPORARY);
    *temporary = strncmp(name, JG_CACHE_TEMPORARY, prefix) == 0;
    return is_hex(*temporary ? name + prefix : name, JG_HASH_HEX - 1);
}

static void list_kind(int folder, enum jg_cache_kind kind, struct items *out)
{
    int fd = folder < 0 ? -1 : openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d) {
        if (fd >= 0)
            close(fd);
        return;
    }
    for (const struct dirent *e; (e = readdir(d)) != NULL;) {
        struct stat st;
        bool temporary;
        if (!is_ours(e->d_name, &temporary) ||
            fstatat(folder, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 || S_ISDIR(st.st_mode))
            continue;
        struct item *item = JG_VEC_PUSH(out);
        memcpy(item->name, e->d_name, strlen(e->d_name) + 1); // is_ours knows its length
        item->kind = kind;
        item->temporary = temporary;
        item->size = (uint64_t)st.st_size;
        item->used = st.st_mtim;
    }
    closedir(d);
}

static void list_all(const struct jg_cache_folders *f, struct items *out)
{
    for (unsigned i = 0; i < JG_CACHE_KINDS; i++)
        list_kind(f->kind[i], (enum jg_cache_kind)i, out);
}

// ---- sweeping -----------------------------------------------------------------------------------

static int by_use(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec)
        return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    if (x->used.tv_nsec != y->used.tv_nsec)
        return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
    return strcmp(x->name, y->name);
}

// Removes temporaries that were left behind and returns the size of everything else.
static uint64_t remove_left(const struct jg_cache_folders *f, const struct items *items)
{
    uint64_t total = 0;
    time_t now = time(NULL);
    for (uint32_t i = 0; i < items->count; i++) {
        const struct item *item = &items->data[i];
        bool left = item->temporary && now - item->used.tv_sec > LEFT_BEHIND;
        if (!left || unlinkat(f->kind[item->kind], item->name, 0) != 0)
            total += item->size;
    }
    return total;
}

uint64_t jg_cache_sweep(const struct jg_cache_folders *f, uint64_t limit)
{
    struct items items = {0};
    list_all(f, &items);
    uint64_t total = remove_left(f, &items), goal = limit / 100 * KEEP_PERCENT;
    if (total > limit) {
        qsort(items.data, items.count, sizeof *items.data, by_use);
        for (uint32_t i = 0; i < items.count && total > goal; i++) {
            const struct item *item = &items.data[i];
            if (!item->temporary && unlinkat(f->kind[item->kind], item->name, 0) == 0)
                total -= item->size;
        }
    }
    JG_VEC_FREE(&items);
    return total;
}

// ---- counting -----------------------------------------------------------------------------------

// "bytes seconds": the total, and when it was verified. False when the file says nothing of use.
static bool read_usage(int fd, uint64_t *bytes, int64_t *verified)
{
    char text[64];
    ssize_t n = pread(fd, text, sizeof text - 1, 0);
    if (n <= 0)
        return false;
    text[n] = '\0';
    return sscanf(text, "%" SCNu64 " %" SCNd64, bytes, verified) == 2;
}

static void write_usage(int fd, uint64_t bytes, int64_t verified)
{
    char text[64];
    int n = snprintf(text, sizeof text, "%" PRIu64 " %" PRId64 "\n", bytes, verified);
    if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)n, 0) != n)
        return; // not there next time: then it is counted again
}

void jg_cache_account(struct jg_cache *c)
{
    int fd =
        openat(c->folders.top, USAGE, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
        uint64_t bytes = 0;
        int64_t verified = 0, now = time(NULL);
        bool known = read_usage(fd, &bytes, &verified) && verified <= now &&
                     now - verified < VERIFY_AFTER && bytes < JG_CACHE_LIMIT;
        if (known && bytes + c->written <= JG_CACHE_LIMIT)
            write_usage(fd, bytes + c->written, verified);
        else
            write_usage(fd, jg_cache_sweep(&c->folders, JG_CACHE_LIMIT), now);
    }
    close(fd);
}

// ---- for `jniguard cache` -----------------------------------------------------------------------

static char *open_existing(struct jg_cache_folders *f, struct jg_cache_info *out)
{
    *out = (struct jg_cache_info){0};
    char *error = jg_cache_folders_open(f, false);
    out->folder = f->path ? jg_strdup(f->path) : NULL;
    out->exists = !error && f->top >= 0;
    if (error && !*error) {
        free(error);
        error = NULL;
    }
    return error;
}

static void count(struct jg_cache_info *out, const struct item *item)
{
    out->files++;
    out->bytes += item->size;
    out->units += item->kind == JG_CACHE_UNIT && !item->temporary;
}

char *jg_cache_info(struct jg_cache_info *out)
{
    struct jg_cache_folders f;
    struct items items = {0};
    char *error = open_existing(&f, out);
    if (!error)
        list_all(&f, &items);
    for (uint32_t i = 0; i < items.count; i++)
        count(out, &items.data[i]);
    JG_VEC_FREE(&items);
    jg_cache_folders_close(&f);
    return error;
}

char *jg_cache_clear(struct jg_cache_info *out)
{
    struct jg_cache_folders f;
    struct items items = {0};
    char *error = open_existing(&f, out);
    if (!error)
        list_all(&f, &items);
    for (uint32_t i = 0; i < items.count; i++) {
        const struct item *item = &items.data[i];
        if (unlinkat(f.kind[item->kind], item->name, 0) == 0)
            count(out, item);
        else if (!error && errno != ENOENT)
            error = jg_format("%s: %s", f.path, strerror(errno));
    }
    if (!error && out->exists) {
        unlinkat(f.top, USAGE, 0);
        jg_cache_folders_remove(&f);
    }
    JG_VEC_FREE(&items);
    jg_cache_folders_close(&f);
    return error;
}
