// SPDX-License-Identifier: Apache-2.0
//
// jg_buffer, see <jniguard/buffer.h>.
//
// A region is where bytes lie, in memory or in a file; the buffer has one, a sort takes a second
// one as scratch. Regions grow by new storage and a copy, files by mremap; whatever can fail is
// done before the old storage is let go, and nothing of the buffer is written before it has
// succeeded.

#include "runtime-checks/include/jniguard/buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define INITIAL 4096
#define LENGTH sizeof(uint64_t)
#define SIZE_LIMIT ((size_t)PTRDIFF_MAX - 2 * LENGTH)

static void *from_malloc(size_t size, void *context)
{
    (void)context;
    return malloc(size);
}

static void to_free(void *block, size_t size, void *context)
{
    (void)size;
    (void)context;
    free(block);
}

// Bytes that a slice of this length occupies.
static size_t span_of(size_t size)
{
    return LENGTH + (size + LENGTH - 1) / LENGTH * LENGTH;
}

static size_t length_at(const char *slice)
{
    uint64_t length;
    memcpy(&length, slice, sizeof length);
    return (size_t)length;
}

static struct jg_slice slice_at(const char *slice)
{
    return (struct jg_slice){slice + LENGTH, length_at(slice)};
}

// ---- the temporary file -------------------------------------------------------------------------

// A file that no directory lists. Where the file system has no O_TMPFILE, one with a random name
// that is gone before anything is written.
static int open_unnamed(const char *directory)
{
    int file = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        return file;
    char name[PATH_MAX];
    int length = snprintf(name, sizeof name, "%s/jniguard-XXXXXX", directory);
    if (length < 0 || (size_t)length >= sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    file = mkostemp(name, O_CLOEXEC);
    if (file >= 0)
        unlink(name);
    return file;
}

static enum jg_memory_status status_of(int error)
{
    switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EIO:
        return JG_MEMORY_DISK;
    default:
        return JG_MEMORY_FILE;
    }
}

// Gives the file blocks for `size` bytes. A sparse file would defer a full disk to a SIGBUS at some
// store; writing past RLIMIT_FSIZE raises SIGXFSZ, so that limit is asked first.
static enum jg_memory_status allocate_blocks(int file, size_t from, size_t size)
{
    struct rlimit limit;
    if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY &&
        size > limit.rlim_cur)
        return JG_MEMORY_DISK;
    int error;
    do
        error = posix_fallocate(file, (off_t)from, (off_t)(size - from));
    while (error == EINTR);
    if (!error)
        return JG_MEMORY_OK;
    // Part of the blocks may have been allocated. Should this fail, they stay with the file.
    (void)!ftruncate(file, (off_t)from);
    return status_of(error);
}

// ---- regions ------------------------------------------------------------------------------------

static void region_release(const struct jg_buffer *b, struct jg_buffer_region *r)
{
    if (r->file) {
        munmap(r->data, r->size);
        close(r->file - 1);
    } else if (r->data) {
        b->backing.free(r->data, r->size, b->backing.context);
    }
    *r = (struct jg_buffer_region){NULL, 0, 0};
}

static enum jg_memory_status region_in_memory(const struct jg_buffer *b, size_t size,
                                              struct jg_buffer_region *out)
{
    char *data = b->backing.alloc(size, b->backing.context);
    if (!data)
        return JG_MEMORY_NOMEM;
    *out = (struct jg_buffer_region){data, size, 0};
    return JG_MEMORY_OK;
}

static enum jg_memory_status region_in_file(const struct jg_buffer *b, size_t size,
                                            struct jg_buffer_region *out)
{
    int file = open_unnamed(b->directory);
    if (file < 0)
        return status_of(errno);
    enum jg_memory_status status = allocate_blocks(file, 0, size);
    if (status)
        goto out;
    void *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (data == MAP_FAILED) {
        status = JG_MEMORY_MAP;
        goto out;
    }
    *out = (struct jg_buffer_region){data, size, file + 1};
    return JG_MEMORY_OK;
out:
    close(file);
    return status;
}

static enum jg_memory_status region_new(const struct jg_buffer *b, size_t size,
                                        struct jg_buffer_region *out)
{
    return size > b->spill ? region_in_file(b, size, out) : region_in_memory(b, size, out);
}

// Makes the region larger and keeps its first `used` bytes.
static enum jg_memory_status region_grow(const struct jg_buffer *b, struct jg_buffer_region *r,
                                         size_t used, size_t size)
{
    if (r->file) {
        enum jg_memory_status status = allocate_blocks(r->file - 1, r->size, size);
        if (status)
            return status;
        void *data = mremap(r->data, r->size, size, MREMAP_MAYMOVE);
        if (data == MAP_FAILED) {
            (void)!ftruncate(r->file - 1, (off_t)r->size);
            return JG_MEMORY_MAP;
        }
        r->data = data;
        r->size = size;
        return JG_MEMORY_OK;
    }
    struct jg_buffer_region larger;
    enum jg_memory_status status = region_new(b, size, &larger);
    if (status)
        return status;
    if (used)
        memcpy(larger.data, r->data, used);
    region_release(b, r);
    *r = larger;
    return JG_MEMORY_OK;
}

// ---- slices -------------------------------------------------------------------------------------

// Room for a slice of `size` bytes behind the last one.
static enum jg_memory_status make_room(struct jg_buffer *b, size_t size)
{
    if (size > SIZE_LIMIT)
        return JG_MEMORY_SIZE;
    size_t need = b->used + span_of(size); // both are at most PTRDIFF_MAX
    if (need > b->maximum)
        return JG_MEMORY_MAXIMUM;
    size_t have = b->region.size;
    if (need <= have)
        return JG_MEMORY_OK;
    size_t want = have ? 2 * have : b->initial;
    if (want > b->maximum)
        want = b->maximum;
    if (want > b->spill && need <= b->spill)
        want = b->spill;
    if (want < need)
        want = need;
    enum jg_memory_status status = region_grow(b, &b->region, b->used, want);
    // Where doubling is too much to ask, what is needed may still be there.
    if (status && want > need)
        status = region_grow(b, &b->region, b->used, need);
    return status;
}

// The bytes behind the length are in place.
static void add_slice(struct jg_buffer *b, size_t size)
{
    char *slice = b->region.data + b->used;
    size_t span = span_of(size);
    uint64_t length = size;
    memset(slice + LENGTH + size, 0, span - LENGTH - size);
    memcpy(slice, &length, sizeof length);
    b->used += span;
    b->count++;
    b->reserved = 0;
}

enum jg_memory_status jg_buffer_append(struct jg_buffer *b, const void *bytes, size_t size)
{
    uintptr_t inside = (uintptr_t)bytes - (uintptr_t)b->region.data;
    bool own = b->region.data && inside < b->region.size;
    enum jg_memory_status status = make_room(b, size);
    if (status)
        return status;
    if (size)
        memmove(b->region.data + b->used + LENGTH, own ? b->region.data + inside : bytes, size);
    add_slice(b, size);
    return JG_MEMORY_OK;
}

enum jg_memory_status jg_buffer_reserve(struct jg_buffer *b, size_t size, void **out)
{
    *out = NULL;
    enum jg_memory_status status = make_room(b, size);
    if (status)
        return status;
    b->reserved = size + 1;
    *out = b->region.data + b->used + LENGTH;
    return JG_MEMORY_OK;
}

enum jg_memory_status jg_buffer_commit(struct jg_buffer *b, size_t size)
{
    if (size >= b->reserved)
        return JG_MEMORY_RESERVE;
    add_slice(b, size);
    return JG_MEMORY_OK;
}

bool jg_buffer_next(const struct jg_buffer *b, size_t *offset, struct jg_slice *slice)
{
    size_t at = *offset;
    if (at >= b->used || at % LENGTH)
        return false;
    *slice = slice_at(b->region.data + at);
    *offset = at + span_of(slice->size);
    return true;
}

// ---- sorting ------------------------------------------------------------------------------------

struct sorter {
    char *data, *scratch;
    jg_buffer_compare *compare;
    void *context;
};

// Neighbouring slices in order: from `begin` to `end`, of which the last begins at `last`.
struct run {
    size_t begin, last, end;
};

static bool in_order(const struct sorter *s, const char *a, const char *b)
{
    struct jg_slice left = slice_at(a), right = slice_at(b);
    return s->compare(&left, &right, s->context) <= 0;
}

static bool is_sorted(const struct sorter *s, size_t used)
{
    size_t next;
    for (size_t at = 0; at < used; at = next) {
        next = at + span_of(length_at(s->data + at));
        if (next < used && !in_order(s, s->data + at, s->data + next))
            return false;
    }
    return true;
}

// Merges two neighbours. The smaller one, at most half of the bytes, goes to the scratch memory;
// the other one to the end of the place of both. What is written then never reaches what is unread:
// between the two lie as many bytes as are left in the scratch memory.
static struct run merge(const struct sorter *s, struct run a, struct run b)
{
    size_t a_size = a.end - a.begin, b_size = b.end - b.begin;
    char *out = s->data + a.begin;
    const char *left = s->scratch, *right = s->data + b.begin;
    if (a_size <= b_size) {
        memcpy(s->scratch, out, a_size);
    } else {
        memcpy(s->scratch, right, b_size);
        memmove(out + b_size, out, a_size);
        left = out + b_size;
        right = s->scratch;
    }
    const char *left_end = left + a_size, *right_end = right + b_size;
    while (left < left_end && right < right_end) {
        const char **from = in_order(s, left, right) ? &left : &right;
        size_t span = span_of(length_at(*from));
        memmove(out, *from, span);
        out += span;
        *from += span;
    }
    struct run whole = {a.begin, 0, b.end};
    if (left < left_end) {
        memmove(out, left, (size_t)(left_end - left));
        whole.last = whole.end - (a.end - a.last);
    } else {
        memmove(out, right, (size_t)(right_end - right));
        whole.last = whole.end - (b.end - b.last);
    }
    return whole;
}

static struct run sort(const struct sorter *s, size_t begin, size_t count)
{
    if (count == 1)
        return (struct run){begin, begin, begin + span_of(length_at(s->data + begin))};
    struct run a = sort(s, begin, count / 2);
    struct run b = sort(s, a.end, count - count / 2);
    if (in_order(s, s->data + a.last, s->data + b.begin))
        return (struct run){a.begin, b.last, b.end};
    return merge(s, a, b);
}

enum jg_memory_status jg_buffer_sort(struct jg_buffer *b, jg_buffer_compare *compare, void *context)
{
    struct sorter s = {b->region.data, NULL, compare, context};
    if (b->count < 2 || is_sorted(&s, b->used))
        return JG_MEMORY_OK;
    struct jg_buffer_region scratch;
    enum jg_memory_status status = region_new(b, b->used / 2, &scratch);
    if (status)
        return status;
    s.scratch = scratch.data;
    sort(&s, 0, b->count);
    region_release(b, &scratch);
    return JG_MEMORY_OK;
}

// ---- the buffer ---------------------------------------------------------------------------------

static enum jg_memory_status copy_directory(struct jg_buffer *b, const char *directory)
{
    if (!directory)
        directory = secure_getenv("TMPDIR");
    if (!directory || !*directory)
        directory = "/tmp";
    size_t size = strlen(directory) + 1;
    b->directory = b->backing.alloc(size, b->backing.context);
    if (!b->directory)
        return JG_MEMORY_NOMEM;
    memcpy(b->directory, directory, size);
    return JG_MEMORY_OK;
}

enum jg_memory_status jg_buffer_init(struct jg_buffer *b, const struct jg_buffer_options *options)
{
    static const struct jg_buffer_options defaults;
    const struct jg_buffer_options *o = options ? options : &defaults;
    *b = (struct jg_buffer){.count = 0};
    if (o->initial > PTRDIFF_MAX || o->maximum > PTRDIFF_MAX || o->spill > PTRDIFF_MAX ||
        (o->directory && !*o->directory) || !o->backing.alloc != !o->backing.free)
        return JG_MEMORY_OPTION;
    b->backing = o->backing;
    if (!b->backing.alloc)
        b->backing = (struct jg_memory_backing){from_malloc, to_free, NULL};
    if (o->spill) {
        enum jg_memory_status status = copy_directory(b, o->directory);
        if (status)
            return status;
    }
    b->initial = o->initial ? o->initial : INITIAL;
    b->maximum = o->maximum ? o->maximum : PTRDIFF_MAX;
    b->spill = o->spill ? o->spill : PTRDIFF_MAX;
    return JG_MEMORY_OK;
}

void jg_buffer_fini(struct jg_buffer *b)
{
    region_release(b, &b->region);
    if (b->directory)
        b->backing.free(b->directory, strlen(b->directory) + 1, b->backing.context);
    *b = (struct jg_buffer){.count = 0}; // maximum 0: nothing can be added
}

void jg_buffer_reset(struct jg_buffer *b)
{
    b->used = b->count = b->reserved = 0;
}

bool jg_buffer_in_file(const struct jg_buffer *b)
{
    return b->region.file != 0;
}
