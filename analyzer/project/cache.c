// SPDX-License-Identifier: Apache-2.0
//
// Blobs: one file each, named by its key, beginning with a header that repeats the key.
//
// The checksum is there against accidents, such as a file that a full disk or a lost connection cut
// off; nothing is written to disk with force, since a blob that a power failure emptied is only a
// blob that is not found.

#include "analyzer/project/cache_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define MAGIC "JGCACHE" // with its NUL
#define TOUCH_AFTER (24 * 60 * 60)

_Static_assert(sizeof(struct jg_cache_header) == 64, "what follows the header is aligned");

// ---- opening ------------------------------------------------------------------------------------

// What this program makes depends on all of it, tables included: its file is its version.
static bool hash_program(struct jg_hasher *h)
{
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    char buffer[1 << 16];
    ssize_t n;
    while ((n = read(fd, buffer, sizeof buffer)) > 0)
        jg_hasher_add(h, buffer, (size_t)n);
    close(fd);
    return n == 0;
}

struct jg_cache *jg_cache_open(const char *identity)
{
    struct jg_cache *c = jg_calloc(1, sizeof *c);
    // The clock that stamps files, as coarse as they are.
    struct timespec start;
    clock_gettime(CLOCK_REALTIME_COARSE, &start);
    c->files = jg_cache_files_new(start);
    struct jg_hasher h;
    jg_hasher_init(&h);
    jg_hasher_add_str(&h, identity);
    jg_cache_search_hash(&h);
    char *error = jg_cache_folders_open(&c->folders, true);
    if (!error && !hash_program(&h))
        error = jg_format("/proc/self/exe: %s", strerror(errno));
    c->tool = jg_hasher_final(&h);
    if (error && !*error) {
        c->why_off = jg_strdup("neither XDG_CACHE_HOME nor HOME names a folder");
    } else if (error) {
        c->why_off = jg_strdup(error);
        c->trouble = jg_format("cache: %s; going on without it", error);
    }
    free(error);
    return c;
}

void jg_cache_settle(struct jg_cache *c)
{
    if (!c || !c->written)
        return;
    jg_cache_account(c);
    c->written = 0;
}

void jg_cache_close(struct jg_cache *c)
{
    if (!c)
        return;
    jg_cache_settle(c);
    jg_cache_folders_close(&c->folders);
    jg_cache_files_free(c->files);
    free(c->why_off);
    free(c->trouble);
    free(c);
}

const char *jg_cache_why_off(const struct jg_cache *c)
{
    return c ? c->why_off : "switched off";
}

const char *jg_cache_trouble(const struct jg_cache *c)
{
    return c ? c->trouble : NULL;
}

struct jg_cache_stats jg_cache_stats(const struct jg_cache *c)
{
    return c ? c->stats : (struct jg_cache_stats){0};
}

void jg_cache_set_trouble(struct jg_cache *c, const char *what)
{
    if (!c->trouble)
        c->trouble = jg_format("cache: %s: %s: %s", c->folders.path, what, strerror(errno));
}

// ---- reading ------------------------------------------------------------------------------------

void jg_cache_unmap(struct jg_cache_bytes *b)
{
    if (b->map)
        munmap(b->map, b->map_size);
    *b = (struct jg_cache_bytes){0};
}

static bool is_sound(const struct jg_cache_bytes *b, enum jg_cache_kind kind,
                     const struct jg_hash *key)
{
    const struct jg_cache_header *h = b->map;
    return memcmp(h->magic, MAGIC, sizeof h->magic) == 0 && h->version == JG_CACHE_VERSION &&
           h->kind == (uint32_t)kind && h->length == b->size && jg_hash_equal(&h->key, key) &&
           h->checksum == XXH3_64bits(b->data, b->size);
}

// Maps a file; false when that is impossible or it is no blob of that kind and key.
static bool map_file(int fd, enum jg_cache_kind kind, const struct jg_hash *key,
                     struct jg_cache_bytes *out)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
        st.st_size < (off_t)sizeof(struct jg_cache_header))
        return false;
    size_t size = (size_t)st.st_size;
    void *map = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
    if (map == MAP_FAILED)
        return false;
    const size_t header = sizeof(struct jg_cache_header);
    *out = (struct jg_cache_bytes){(const char *)map + header, size - header, map, size};
    if (!is_sound(out, kind, key)) {
        jg_cache_unmap(out);
        return false;
    }
    // The time of the last use, so coarse that most runs change nothing.
    if (time(NULL) - st.st_mtime > TOUCH_AFTER)
        futimens(fd, NULL);
    return true;
}

bool jg_cache_map(struct jg_cache *c, enum jg_cache_kind kind, const struct jg_hash *key,
                  struct jg_cache_bytes *out)
{
    *out = (struct jg_cache_bytes){0};
    if (!c || c->why_off)
        return false;
    char name[JG_HASH_HEX];
    jg_hash_hex(key, name);
    int fd = openat(c->folders.kind[kind], name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        if (errno == ELOOP) // a symbolic link: not ours
            unlinkat(c->folders.kind[kind], name, 0);
        return false;
    }
    bool ok = map_file(fd, kind, key, out);
    close(fd);
    if (!ok)
        unlinkat(c->folders.kind[kind], name, 0);
    return ok;
}

// ---- writing ------------------------------------------------------------------------------------

static bool write_all(int fd, const void *data, size_t size)
{
    for (const char *p = data; size;) {
        ssize_t n = write(fd, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

static bool write_file(int folder, const char *temporary, const char *name,
                       const struct jg_cache_header *header, const void *data)
{
    int fd = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    bool ok = write_all(fd, header, sizeof *header) && write_all(fd, data, header->length);
    ok = close(fd) == 0 && ok;
    ok = ok && renameat(folder, temporary, folder, name) == 0;
    if (!ok) {
        int saved = errno;
        unlinkat(folder, temporary, 0);
        errno = saved;
    }
    return ok;
}

bool jg_cache_write(struct jg_cache *c, enum jg_cache_kind kind, const struct jg_hash *key,
                    const void *data, size_t size)
{
    if (!c || c->why_off || c->read_only)
        return false;
    struct jg_cache_header header = {.magic = MAGIC,
                                     .version = JG_CACHE_VERSION,
                                     .kind = (uint32_t)kind,
                                     .length = size,
                                     .checksum = XXH3_64bits(data, size),
                                     .key = *key};
    char name[JG_HASH_HEX], temporary[sizeof JG_CACHE_TEMPORARY + JG_HASH_HEX] = JG_CACHE_TEMPORARY;
    struct jg_hash random;
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random) {
        jg_cache_set_trouble(c, "no random name");
        return false;
    }
    jg_hash_hex(&random, temporary + strlen(temporary));
    jg_hash_hex(key, name);
    if (!write_file(c->folders.kind[kind], temporary, name, &header, data)) {
        jg_cache_set_trouble(c, "nothing more is kept");
        c->read_only = true; // the next one would hardly fare better
        return false;
    }
    c->written += sizeof header + size;
    return true;
}
