/* SPDX-License-Identifier: Apache-2.0
 *
 * jg_chunks: an allocator of doubling chunks, for data that grows together and dies together.
 *
 *   jg_chunks_init -> jg_chunks_alloc ... -> jg_chunks_reset -> jg_chunks_alloc ... ->
 * jg_chunks_fini
 *
 * A chunk never moves, so a pointer stays good until reset or fini. Nothing is freed singly: that
 * is what makes an allocation a bump of an offset, and the release of millions of nodes a few
 * frees.
 *
 * One owner: a `struct jg_chunks` is caller storage and belongs to one thread at a time; handing it
 * over is the caller's synchronisation. It may be copied or moved by nobody. Distinct ones are
 * independent. jg_chunks_bytes_live and jg_chunks_leaks may be called from any thread.
 *
 * Errors: an operation that fails changes nothing but the status. C11 and C++17.
 */

#ifndef JNIGUARD_CHUNKS_H
#define JNIGUARD_CHUNKS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef JG_ARENA_DEBUG
#define JG_ARENA_DEBUG 0 /* 1: allocators made by this file are in the leak report */
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Every way in which jg_chunks and jg_buffer fail: X(name, text). */
#define JG_MEMORY_STATUSES(X)                                                                      \
    X(JG_MEMORY_OK, "no error")                                                                    \
    X(JG_MEMORY_NOMEM, "out of memory: the backing allocator returned NULL")                       \
    X(JG_MEMORY_SIZE, "the size is zero or larger than an object can be")                          \
    X(JG_MEMORY_ALIGN, "the alignment is no power of two up to 1 MiB")                             \
    X(JG_MEMORY_OPTION, "an option has a value that is not allowed")                               \
    X(JG_MEMORY_CHUNKS, "all 64 chunks are in use")                                                \
    X(JG_MEMORY_MAXIMUM, "the buffer would exceed its maximum size")                               \
    X(JG_MEMORY_RESERVE, "commit without a reservation, or of more than was reserved")             \
    X(JG_MEMORY_FILE, "the temporary file cannot be made in this directory")                       \
    X(JG_MEMORY_DISK, "no space left for the temporary file")                                      \
    X(JG_MEMORY_MAP, "the temporary file cannot be mapped")

#define JG_MEMORY_ENUMERATOR(name, text) name,
enum jg_memory_status { JG_MEMORY_STATUSES(JG_MEMORY_ENUMERATOR) JG_MEMORY_STATUS_COUNT };
#undef JG_MEMORY_ENUMERATOR

/* A sentence without full stop; for a value that is no status, too. Never NULL. */
const char *jg_memory_status_text(enum jg_memory_status status);

/* Where memory comes from. `alloc` returns blocks aligned to 16 or NULL; `free` gets the size back
 * that was asked for. They are called by the owner only. A zeroed struct means malloc and free; for
 * large chunks mmap and munmap, so that what is released leaves the process. */
struct jg_memory_backing {
    void *(*alloc)(size_t size, void *context);
    void (*free)(void *block, size_t size, void *context);
    void *context;
};

#define JG_CHUNKS_MAX 64          /* chunks of one allocator */
#define JG_CHUNKS_FIRST 512       /* bytes of the smallest first chunk */
#define JG_CHUNKS_ALIGN (1 << 20) /* the largest alignment */

/* Zero means the default everywhere. */
struct jg_chunks_options {
    size_t first;   /* bytes of the first chunk, made a power of two >= 512; default 512 */
    size_t largest; /* chunks stop doubling here, a power of two >= `first`; default 1 GiB */
    struct jg_memory_backing backing;
};

struct jg_chunk;

/* Caller storage. The fields are the implementation's, apart from `status`. */
struct jg_chunks {
    char *cursor, *end;       /* free bytes of the current chunk that inlined code may take */
    struct jg_chunk *first;   /* oldest chunk, NULL before the first allocation */
    struct jg_chunk *current; /* chunk that `cursor` points into */
    size_t next;              /* size that the next chunk will have */
    size_t smallest, largest; /* of the options */
    size_t held;              /* bytes taken from the backing allocator */
    unsigned count;
    enum jg_memory_status status; /* why the last allocation returned NULL */
    const char *file;             /* where the allocator was made */
    int line;
    int debug; /* in the leak report */
    struct jg_memory_backing backing;
};

/* Makes an empty allocator that holds no memory yet; `options` may be NULL. With `debug`, which the
 * macro takes from JG_ARENA_DEBUG, it is in the leak report as made at `file` and `line`; `file`
 * must then live as long as its memory.
 * JG_MEMORY_OPTION: a size beyond PTRDIFF_MAX, `largest` below `first`, or half a backing; every
 * allocation then fails for the same reason. */
enum jg_memory_status jg_chunks_init_at(struct jg_chunks *c,
                                        const struct jg_chunks_options *options, const char *file,
                                        int line, int debug);
#define jg_chunks_init(c, options)                                                                 \
    jg_chunks_init_at((c), (options), __FILE__, __LINE__, JG_ARENA_DEBUG)

/* Releases everything at once; the allocator is then empty and may be used again. */
void jg_chunks_fini(struct jg_chunks *c);

/* What the inlined jg_chunks_alloc calls when it cannot serve a request itself; does the same. */
void *jg_chunks_more_1(struct jg_chunks *c, size_t size, size_t align);

/* `size` bytes at a multiple of `align` (a power of two up to 1 MiB). The bytes are undefined after
 * jg_chunks_alloc, zero after jg_chunks_zalloc. NULL on failure: c->status says why
 * (SIZE, ALIGN, CHUNKS, NOMEM), and everything allocated before stays good.
 * A request that exceeds the next chunk's size gets a larger chunk; beyond `largest`, one of its
 * own size. What was left of the chunk before it is not used until the next reset. */
static inline void *jg_chunks_alloc(struct jg_chunks *c, size_t size, size_t align)
{
    if (size != 0 && align != 0 && (align & (align - 1)) == 0 && align <= JG_CHUNKS_ALIGN) {
        size_t room = (size_t)(c->end - c->cursor);
        size_t pad = (0 - (uintptr_t)c->cursor) & (align - 1);
        if (pad <= room && size <= room - pad) {
            char *p = c->cursor + pad;
            c->cursor = p + size;
            return p;
        }
    }
    return jg_chunks_more_1(c, size, align);
}

/* Always zeroes, memory fresh from the system, too: what a neighbour overran does not show. */
static inline void *jg_chunks_zalloc(struct jg_chunks *c, size_t size, size_t align)
{
    void *p = jg_chunks_alloc(c, size, align);
    return p != NULL ? memset(p, 0, size) : NULL;
}

/* Forgets all allocations and keeps the memory: the next ones fill the same chunks in order. */
void jg_chunks_reset(struct jg_chunks *c);

/* Gives chunks back that hold no allocation, newest first, until at most `keep` bytes are held. */
void jg_chunks_trim(struct jg_chunks *c, size_t keep);

/* Bytes that all allocators of the process hold at this moment, with headers and unused rests. */
size_t jg_chunks_bytes_live(void);

/* An allocator that holds memory. */
struct jg_chunks_leak {
    const char *file; /* where it was made */
    int line;
    size_t bytes; /* held */
    unsigned chunks;
};

/* Visits every allocator made with `debug` that holds memory, newest first, also those whose struct
 * is gone, and returns their number. `visit` may be NULL, must not use jg_chunks and sees its
 * argument for the time of the call only. */
size_t jg_chunks_leaks(void (*visit)(const struct jg_chunks_leak *leak, void *context),
                       void *context);

#ifdef __cplusplus
}
#endif

#endif
