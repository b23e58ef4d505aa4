// SPDX-License-Identifier: Apache-2.0
//
// Writes and reads unit files. See unit_file.h.
//
// Where a vector lies follows from the counts before it, and the reader wants each just there: that
// settles bounds, overlaps and alignment at once.

#include "analyzer/ir/unit_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

// The last two bytes tell when the file went through something that changes ends of lines.
static const char magic[8] = {'J', 'G', 'U', 'N', 'I', 'T', '\r', '\n'};

enum { ALIGNMENT = 16, ORDER = 0x01020304, REVERSED = 0x04030201 };

#define AGAIN "make it again: jniguard unit -o FILE -- COMPILER ARGS..."

struct header {
    char magic[8];
    uint32_t order; // ORDER as the machine that wrote it has it
    uint32_t format;
    char version[24]; // of jniguard, NUL-padded
    uint64_t size;    // of the whole file
    XXH128_canonical_t checksum;
};

struct root {
    jg_str path, directory;
    uint32_t status;
    uint32_t vectors;
};

struct entry {
    uint64_t offset;
    uint32_t count;
    uint32_t element; // bytes
};

enum {
#define JG_VECTOR(name, type) VECTOR_##name,
#include "analyzer/ir/unit.def"
    VECTORS
};

struct layout {
    struct header header;
    struct root root;
    struct entry table[VECTORS];
};

_Static_assert(sizeof(struct header) == 64 && sizeof(struct root) == 16 &&
                   sizeof(struct entry) == 16,
               "no padding");
_Static_assert(sizeof(JG_VERSION) <= sizeof((struct header){0}.version), "the version fits");

// Structs that end in what is smaller than a word spell their padding out.
_Static_assert(sizeof(struct jg_file) == 8 && sizeof(struct jg_type) == 20 &&
                   sizeof(struct jg_var) == 20 && sizeof(struct jg_block) == 40 &&
                   sizeof(struct jg_insn) == 40 && sizeof(struct jg_diagnostic) == 12,
               "no padding");

static size_t align(size_t at)
{
    return (at + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

// Fills in the offsets by the counts. Returns the size of the file; no overflow: each vector has
// less than 2^32 elements of less than 2^8 bytes.
static size_t lay_out(struct entry table[VECTORS])
{
    size_t at = sizeof(struct layout);
    for (unsigned i = 0; i < VECTORS; i++) {
        at = align(at);
        table[i].offset = at;
        at += (size_t)table[i].count * table[i].element;
    }
    return at;
}

static XXH128_canonical_t checksum(const void *data, size_t size)
{
    XXH128_canonical_t sum;
    XXH128_canonicalFromHash(&sum, XXH3_128bits((const char *)data + sizeof(struct header),
                                                size - sizeof(struct header)));
    return sum;
}

// ---- writing ------------------------------------------------------------------------------------

void *jg_unit_write(const struct jg_unit *u, size_t *size)
{
    struct layout l = {.header = {.order = ORDER, .format = JG_UNIT_FORMAT, .version = JG_VERSION},
                       .root = {u->path, u->directory, u->status, VECTORS},
                       .table = {
#define JG_VECTOR(name, type) {.count = u->name.count, .element = sizeof(type)},
#include "analyzer/ir/unit.def"
                       }};
    memcpy(l.header.magic, magic, sizeof magic);
    l.header.size = *size = lay_out(l.table);
    char *data = jg_calloc(1, *size);
    memcpy(data, &l, sizeof l);
#define JG_VECTOR(name, type)                                                                      \
    if (u->name.count)                                                                             \
        memcpy(data + l.table[VECTOR_##name].offset, u->name.data, u->name.count * sizeof(type));
#include "analyzer/ir/unit.def"
    l.header.checksum = checksum(data, *size);
    memcpy(data, &l.header, sizeof l.header);
    return data;
}

// ---- reading ------------------------------------------------------------------------------------

static char *check_version(const struct header *h)
{
    if (h->order == REVERSED)
        return jg_format(
            "made on a machine with the other order of bytes; on one like this " AGAIN);
    if (h->order != ORDER)
        return jg_format("corrupt (order of bytes); " AGAIN);
    static const char version[sizeof h->version] = JG_VERSION;
    if (memcmp(h->version, version, sizeof version) == 0 && h->format == JG_UNIT_FORMAT)
        return NULL;
    if (h->format > JG_UNIT_FORMAT)
        return jg_format("made by a newer jniguard, which writes format %u, this one %u; use that "
                         "one, or " AGAIN,
                         h->format, JG_UNIT_FORMAT);
    if (h->format < JG_UNIT_FORMAT)
        return jg_format("made by an older jniguard, which wrote format %u, this one %u; " AGAIN,
                         h->format, JG_UNIT_FORMAT);
    size_t length = strnlen(h->version, sizeof h->version);
    for (size_t i = 0; i < length; i++)
        if (!strchr("0123456789.-+abcdefghijklmnopqrstuvwxyz", h->version[i]))
            return jg_format("corrupt (version); " AGAIN);
    return jg_format("made by jniguard %.*s, this is %s; " AGAIN, (int)length, h->version,
                     JG_VERSION);
}

static char *check_header(const void *data, size_t size)
{
    struct header h;
    if (size == 0)
        return jg_format("empty, no unit file; " AGAIN);
    if (memcmp(data, magic, size < sizeof magic ? size : sizeof magic) != 0)
        return jg_format("not a unit file; 'jniguard unit' makes them");
    if (size < sizeof h)
        return jg_format("truncated, only %zu bytes; " AGAIN, size);
    memcpy(&h, data, sizeof h);
    char *error = check_version(&h);
    if (error)
        return error;
    if (h.size > size)
        return jg_format("truncated, %zu bytes of %llu; " AGAIN, size, (unsigned long long)h.size);
    if (h.size < size || size < sizeof(struct layout))
        return jg_format("corrupt (size); " AGAIN);
    XXH128_canonical_t sum = checksum(data, size);
    if (memcmp(&sum, &h.checksum, sizeof sum) != 0)
        return jg_format("corrupt (checksum); " AGAIN);
    return NULL;
}

// NULL, or what is wrong with the table.
static const char *check_table(const struct layout *l, size_t size)
{
    static const uint32_t elements[VECTORS] = {
#define JG_VECTOR(name, type) sizeof(type),
#include "analyzer/ir/unit.def"
    };
    if (l->root.vectors != VECTORS)
        return "number of vectors";
    struct entry expected[VECTORS];
    for (unsigned i = 0; i < VECTORS; i++)
        expected[i] = (struct entry){.count = l->table[i].count, .element = elements[i]};
    if (lay_out(expected) != size)
        return "size of the vectors";
    return memcmp(expected, l->table, sizeof expected) == 0 ? NULL : "table of vectors";
}

// A unit that holds nothing and owns nothing.
static void view_nothing(struct jg_unit *u)
{
    memset(u, 0, sizeof *u);
    u->memory = JG_MEMORY_BORROWED;
}

char *jg_unit_view(struct jg_unit *u, const void *data, size_t size)
{
    view_nothing(u);
    char *error = check_header(data, size);
    if (error)
        return error;
    const struct layout *l = data;
    const char *wrong = check_table(l, size);
    if (wrong)
        return jg_format("corrupt (%s); " AGAIN, wrong);
    u->path = l->root.path;
    u->directory = l->root.directory;
    wrong = l->root.status > JG_UNIT_FAILED ? "status" : NULL;
    u->status = wrong ? JG_UNIT_FAILED : (enum jg_unit_status)l->root.status;
    char *base = (char *)(uintptr_t)data; // nobody writes to a unit that is finished
#define JG_VECTOR(name, type)                                                                      \
    u->name.count = u->name.capacity = l->table[VECTOR_##name].count;                              \
    u->name.data = u->name.count ? (type *)(void *)(base + l->table[VECTOR_##name].offset) : NULL;
#include "analyzer/ir/unit.def"
    wrong = wrong ? wrong : jg_unit_verify(u);
    if (!wrong)
        return NULL;
    view_nothing(u);
    return jg_format("corrupt (%s); " AGAIN, wrong);
}

char *jg_unit_adopt(struct jg_unit *u, void *data, size_t size)
{
    char *error = jg_unit_view(u, data, size);
    if (error) {
        free(data);
        return error;
    }
    u->memory = JG_MEMORY_HEAP;
    u->block = data;
    u->block_size = size;
    return NULL;
}

// NULL, or why the file cannot be mapped. An empty file has no bytes to map.
static char *map_bytes(const char *path, void **data, size_t *size)
{
    struct stat st;
    char *error = NULL;
    *data = NULL;
    *size = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // never waits for a pipe
    if (fd < 0 || fstat(fd, &st) != 0) {
        error = jg_format("%s", strerror(errno));
    } else if (!S_ISREG(st.st_mode)) {
        error = jg_format("%s", S_ISDIR(st.st_mode) ? strerror(EISDIR) : "not a regular file");
    } else if (st.st_size > 0) {
        *size = (size_t)st.st_size;
        *data = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (*data == MAP_FAILED)
            error = jg_format("%s", strerror(errno));
    }
    if (fd >= 0)
        close(fd);
    return error;
}

char *jg_unit_map(struct jg_unit *u, const char *path)
{
    void *data;
    size_t size;
    view_nothing(u);
    char *error = map_bytes(path, &data, &size);
    if (error)
        return error;
    error = jg_unit_view(u, data, size);
    if (error) {
        if (size)
            munmap(data, size);
        return error;
    }
    u->memory = JG_MEMORY_MAPPED;
    u->block = data;
    u->block_size = size;
    return NULL;
}
