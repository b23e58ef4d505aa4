// SPDX-License-Identifier: Apache-2.0
//
// What the run knows about files. The units of a project read the same headers and look for them in
// the same folders: each content is hashed once, each absent file asked for once. Strings are
// interned, so that a question asked before costs one look into a table of 64-bit keys.

#include "analyzer/project/cache_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define MAX_FILE (1u << 30)

struct string {
    const char *text;
    uint32_t length;
    uint32_t hash;
    struct jg_cache_file *file; // NULL: not asked for
};

struct jg_cache_files {
    struct jg_bump arena;
    struct JG_VEC(struct string) strings; // 0 is none
    uint32_t *table;                      // of names; 0 is free
    uint32_t table_size;                  // a power of two
    uint64_t *known;                      // (folder, name, presence); 0 is free
    uint32_t known_count, known_size;
    struct JG_VEC(char) buffer; // the file read last
    struct timespec start;      // of the run
    char path[PATH_MAX];
};

enum { FIRST_TABLE = 1 << 12 };

struct jg_cache_files *jg_cache_files_new(struct timespec start)
{
    struct jg_cache_files *f = jg_calloc(1, sizeof *f);
    f->start = start;
    (void)JG_VEC_PUSH(&f->strings);
    f->table_size = f->known_size = FIRST_TABLE;
    f->table = jg_calloc(f->table_size, sizeof *f->table);
    f->known = jg_calloc(f->known_size, sizeof *f->known);
    return f;
}

void jg_cache_files_free(struct jg_cache_files *f)
{
    JG_VEC_FREE(&f->strings);
    JG_VEC_FREE(&f->buffer);
    free(f->table);
    free(f->known);
    jg_bump_fini(&f->arena);
    free(f);
}

// ---- names --------------------------------------------------------------------------------------

static void grow_table(struct jg_cache_files *f)
{
    f->table_size *= 2;
    free(f->table);
    f->table = jg_calloc(f->table_size, sizeof *f->table);
    for (uint32_t i = 1; i < f->strings.count; i++) {
        uint32_t at = f->strings.data[i].hash & (f->table_size - 1);
        while (f->table[at])
            at = (at + 1) & (f->table_size - 1);
        f->table[at] = i;
    }
}

jg_name jg_cache_name(struct jg_cache_files *f, const char *text, size_t length)
{
    uint32_t hash = (uint32_t)XXH3_64bits(text, length);
    uint32_t at = hash & (f->table_size - 1);
    for (; f->table[at]; at = (at + 1) & (f->table_size - 1)) {
        const struct string *s = &f->strings.data[f->table[at]];
        if (s->hash == hash && s->length == length && memcmp(s->text, text, length) == 0)
            return f->table[at];
    }
    char *copy = jg_bump_alloc(&f->arena, length + 1);
    memcpy(copy, text, length);
    jg_name name = f->strings.count;
    *JG_VEC_PUSH(&f->strings) = (struct string){copy, (uint32_t)length, hash, NULL};
    f->table[at] = name;
    if (f->strings.count > f->table_size / 2)
        grow_table(f);
    return name;
}

const char *jg_cache_text(const struct jg_cache_files *f, jg_name name)
{
    return f->strings.data[name].text;
}

jg_name jg_cache_name_end(const struct jg_cache_files *f)
{
    return f->strings.count;
}

// ---- contents -----------------------------------------------------------------------------------

static bool read_whole(struct jg_cache_files *f, int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > MAX_FILE)
        return false;
    f->buffer.count = 0;
    for (;;) {
        uint32_t room = (uint32_t)st.st_size + 4096; // more: the end must be seen
        if (f->buffer.capacity - f->buffer.count < room) {
            f->buffer.capacity = f->buffer.count + room;
            f->buffer.data = jg_realloc(f->buffer.data, f->buffer.capacity);
        }
        ssize_t n = read(fd, f->buffer.data + f->buffer.count, room);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        f->buffer.count += (uint32_t)n;
        if (f->buffer.count > MAX_FILE)
            return false;
    }
}

static bool read_file(struct jg_cache_files *f, jg_name path)
{
    int fd = open(jg_cache_text(f, path), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ok = read_whole(f, fd);
    close(fd);
    return ok;
}

static void scan_file(struct jg_cache_files *f, struct jg_cache_file *file)
{
    struct jg_cache_scan scan = {0};
    jg_cache_scan(f, f->buffer.data, f->buffer.count, &scan);
    file->scanned = true;
    file->computed = scan.computed;
    file->opaque = scan.opaque;
    file->asked_count = scan.asked.count;
    file->asked =
        jg_bump_copy(&f->arena, scan.asked.data, scan.asked.count * sizeof *scan.asked.data);
    JG_VEC_FREE(&scan.asked);
}

const struct jg_cache_file *jg_cache_file(struct jg_cache_files *f, jg_name path, bool scan)
{
    struct jg_cache_file *file = f->strings.data[path].file;
    if (file && (!scan || file->scanned || !file->readable))
        return file;
    bool readable = read_file(f, path);
    struct jg_hash hash = {{0}};
    if (readable)
        hash = jg_hash_of(f->buffer.data, f->buffer.count);
    if (!file) {
        file = jg_bump_alloc(&f->arena, sizeof *file);
        f->strings.data[path].file = file;
        file->hash = hash;
        file->readable = readable;
    } else if (!readable || !jg_hash_equal(&hash, &file->hash)) {
        file->readable = false; // changed under our eyes: nothing about it is certain any more
    }
    if (scan && file->readable)
        scan_file(f, file);
    return file;
}

// ---- existence ----------------------------------------------------------------------------------

const char *jg_cache_join(struct jg_cache_files *f, jg_name folder, jg_name name)
{
    const struct string *a = &f->strings.data[folder], *b = &f->strings.data[name];
    if (b->text[0] == '/')
        return b->text;
    if (a->length + b->length + 2 > sizeof f->path)
        return NULL;
    memcpy(f->path, a->text, a->length);
    f->path[a->length] = '/';
    memcpy(f->path + a->length + 1, b->text, b->length + 1);
    return f->path;
}

// The slot of a folder and a name in a table: PRESENCE_BITS below are the answer.
#define PRESENCE_BITS 2

static uint32_t slot_of(uint64_t key, uint32_t size)
{
    return (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (size - 1);
}

static void grow_known(struct jg_cache_files *f)
{
    uint64_t *old = f->known;
    uint32_t size = f->known_size;
    f->known_size *= 2;
    f->known = jg_calloc(f->known_size, sizeof *f->known);
    for (uint32_t i = 0; i < size; i++) {
        if (!old[i])
            continue;
        uint32_t at = slot_of(old[i] >> PRESENCE_BITS, f->known_size);
        while (f->known[at])
            at = (at + 1) & (f->known_size - 1);
        f->known[at] = old[i];
    }
    free(old);
}

// A folder of that name is passed over by compilers; what cannot be looked at is not there.
static enum jg_cache_presence ask_system(struct jg_cache_files *f, jg_name folder, jg_name name)
{
    struct stat st;
    const char *path = jg_cache_join(f, folder, name);
    if (!path || stat(path, &st) != 0 || S_ISDIR(st.st_mode))
        return JG_CACHE_ABSENT;
    bool before = st.st_ctim.tv_sec != f->start.tv_sec ? st.st_ctim.tv_sec < f->start.tv_sec
                                                       : st.st_ctim.tv_nsec < f->start.tv_nsec;
    return before ? JG_CACHE_PRESENT : JG_CACHE_FRESH;
}

enum jg_cache_presence jg_cache_presence(struct jg_cache_files *f, jg_name folder, jg_name name)
{
    uint64_t key = (uint64_t)folder << 31 | name; // 62 bits
    uint32_t at = slot_of(key, f->known_size);
    for (; f->known[at]; at = (at + 1) & (f->known_size - 1))
        if (f->known[at] >> PRESENCE_BITS == key)
            return (enum jg_cache_presence)(f->known[at] & ((1u << PRESENCE_BITS) - 1));
    enum jg_cache_presence presence = ask_system(f, folder, name);
    f->known[at] = key << PRESENCE_BITS | presence;
    if (++f->known_count > f->known_size / 2)
        grow_known(f);
    return presence;
}
