// SPDX-License-Identifier: Apache-2.0
//
// jg_chunks, see <jniguard/chunks.h>.
//
// The chunks of an allocator are a list in the order of their making, each with its header in
// front. Allocations lie in the chunks up to `current` and in that one up to `cursor`; after a
// reset the chunks behind `current` wait to be filled again.
//
// The account for the leak report lies at the beginning of each allocator's first chunk, not in the
// caller's struct: an allocator that leaks is typically one whose struct is gone.
//
// Under AddressSanitizer, whatever is not handed out is poisoned. All of it happens in this file
// (no inline fast path): a program built without the sanitizer can use a library that was built
// with it.

#include "runtime-checks/include/jniguard/chunks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define INLINE_END(c, chunk) ((c)->cursor)
#define MAP_FROM SIZE_MAX // leaks are looked for through what malloc gave only
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define INLINE_END(c, chunk) chunk_end(chunk)
#define MAP_FROM ((size_t)256 << 10)
#endif

struct jg_chunk {
    _Alignas(16) struct jg_chunk *next;
    size_t size; // with this header
};

// Behind the header of the first chunk, for an allocator with `debug`. Guarded by account_lock.
struct account {
    _Alignas(16) struct account *older, *newer;
    struct jg_chunks_leak leak;
};

#define OWN_SIZE 4096 // chunks beyond the largest size are multiples of this
// With room for headers, alignment and rounding.
#define SIZE_LIMIT ((size_t)PTRDIFF_MAX - JG_CHUNKS_ALIGN - 2 * OWN_SIZE)

static atomic_size_t bytes_live;

const char *jg_memory_status_text(enum jg_memory_status status)
{
#define TEXT(name, text) text,
    static const char *const texts[] = {JG_MEMORY_STATUSES(TEXT)};
#undef TEXT
    size_t index = (size_t)status;
    return index < sizeof texts / sizeof *texts ? texts[index] : "unknown status";
}

// ---- account ------------------------------------------------------------------------------------

static pthread_mutex_t account_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t account_once = PTHREAD_ONCE_INIT;
static struct account *newest;

static void before_fork(void)
{
    pthread_mutex_lock(&account_lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&account_lock);
}

// A child must not inherit a lock whose holder it has not. Accounts are inherited: so are chunks.
static void account_start(void)
{
    (void)pthread_atfork(before_fork, after_fork, after_fork);
}

static struct account *account_of(const struct jg_chunks *c)
{
    return c->debug ? (struct account *)(c->first + 1) : NULL;
}

static void account_open(const struct jg_chunks *c)
{
    struct account *a = account_of(c);
    if (!a)
        return;
    pthread_once(&account_once, account_start);
    pthread_mutex_lock(&account_lock);
    *a = (struct account){newest, NULL, {c->file, c->line, 0, 0}};
    if (newest)
        newest->newer = a;
    newest = a;
    pthread_mutex_unlock(&account_lock);
}

static void account_update(const struct jg_chunks *c)
{
    struct account *a = account_of(c);
    if (!a)
        return;
    pthread_mutex_lock(&account_lock);
    a->leak.bytes = c->held;
    a->leak.chunks = c->count;
    pthread_mutex_unlock(&account_lock);
}

static void account_close(const struct jg_chunks *c)
{
    struct account *a = account_of(c);
    if (!a)
        return;
    pthread_mutex_lock(&account_lock);
    if (a->newer)
        a->newer->older = a->older;
    else
        newest = a->older;
    if (a->older)
        a->older->newer = a->newer;
    pthread_mutex_unlock(&account_lock);
}

size_t jg_chunks_leaks(void (*visit)(const struct jg_chunks_leak *leak, void *context),
                       void *context)
{
    size_t count = 0;
    pthread_mutex_lock(&account_lock);
    for (const struct account *a = newest; a; a = a->older, count++)
        if (visit)
            visit(&a->leak, context);
    pthread_mutex_unlock(&account_lock);
    return count;
}

size_t jg_chunks_bytes_live(void)
{
    return atomic_load_explicit(&bytes_live, memory_order_relaxed);
}

// ---- chunks -------------------------------------------------------------------------------------

// Chunks from MAP_FROM on are mapped. malloc does that at first, too, but having seen one freed it
// takes the next ones from its heap, and what is released there stays with the process.
static void *from_system(size_t size, void *context)
{
    (void)context;
    if (size < MAP_FROM)
        return malloc(size);
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void to_system(void *block, size_t size, void *context)
{
    (void)context;
    if (size < MAP_FROM)
        free(block);
    else
        munmap(block, size);
}

// Where the chunk's allocations begin.
static char *chunk_begin(const struct jg_chunks *c, struct jg_chunk *chunk)
{
    bool accounted = c->debug && chunk == c->first;
    return (char *)(chunk + 1) + (accounted ? sizeof(struct account) : 0);
}

static char *chunk_end(struct jg_chunk *chunk)
{
    return (char *)chunk + chunk->size;
}

static bool is_power(size_t n)
{
    return n && !(n & (n - 1));
}

// The least power of two >= n, which is at most PTRDIFF_MAX.
static size_t power(size_t n)
{
    size_t p = JG_CHUNKS_FIRST;
    while (p < n)
        p *= 2;
    return p;
}

// Where a block would lie between `from` and `end`; NULL if it does not fit.
static char *place(char *from, const char *end, size_t size, size_t align)
{
    size_t skip = -(uintptr_t)from & (align - 1);
    size_t room = (size_t)(end - from);
    return skip <= room && size <= room - skip ? from + skip : NULL;
}

static size_t doubled(const struct jg_chunks *c, const struct jg_chunk *last)
{
    return last->size < c->largest ? last->size * 2 : c->largest;
}

static void poison(const struct jg_chunks *c, struct jg_chunk *chunk)
{
    char *begin = chunk_begin(c, chunk);
    ASAN_POISON_MEMORY_REGION(begin, (size_t)(chunk_end(chunk) - begin));
}

// `chunk` becomes the one that is filled, from its beginning.
static void enter(struct jg_chunks *c, struct jg_chunk *chunk)
{
    c->current = chunk;
    c->cursor = chunk_begin(c, chunk);
    c->end = INLINE_END(c, chunk);
    poison(c, chunk);
}

// A new chunk at the end of the list, in which the block fits whatever the chunk's address.
static struct jg_chunk *add_chunk(struct jg_chunks *c, struct jg_chunk *last, size_t size,
                                  size_t align)
{
    if (!c->backing.alloc) { // its options were refused
        c->status = JG_MEMORY_OPTION;
        return NULL;
    }
    if (c->count == JG_CHUNKS_MAX) {
        c->status = JG_MEMORY_CHUNKS;
        return NULL;
    }
    size_t need = sizeof(struct jg_chunk) + align - 1 + size;
    if (c->debug && !last)
        need += sizeof(struct account);
    size_t bytes = c->next;
    while (bytes < need && bytes < c->largest)
        bytes *= 2;
    if (bytes < need)
        bytes = (need + OWN_SIZE - 1) / OWN_SIZE * OWN_SIZE;
    struct jg_chunk *chunk = c->backing.alloc(bytes, c->backing.context);
    if (!chunk) {
        c->status = JG_MEMORY_NOMEM;
        return NULL;
    }
    chunk->next = NULL;
    chunk->size = bytes;
    if (last) {
        last->next = chunk;
    } else {
        c->first = chunk;
        account_open(c);
    }
    c->next = doubled(c, chunk);
    c->held += bytes;
    c->count++;
    atomic_fetch_add_explicit(&bytes_live, bytes, memory_order_relaxed);
    account_update(c);
    return chunk;
}

static void free_chunk(struct jg_chunks *c, struct jg_chunk *chunk)
{
    size_t bytes = chunk->size;
    ASAN_UNPOISON_MEMORY_REGION(chunk, bytes);
    c->backing.free(chunk, bytes, c->backing.context);
    c->held -= bytes;
    c->count--;
    atomic_fetch_sub_explicit(&bytes_live, bytes, memory_order_relaxed);
}

// The chunk that the block fits into: the current one, one that waits, or a new one.
static struct jg_chunk *find_chunk(struct jg_chunks *c, size_t size, size_t align)
{
    struct jg_chunk *last = c->current;
    if (last && place(c->cursor, chunk_end(last), size, align))
        return last;
    struct jg_chunk *chunk = last ? last->next : c->first;
    for (; chunk; last = chunk, chunk = chunk->next)
        if (place(chunk_begin(c, chunk), chunk_end(chunk), size, align))
            return chunk;
    return add_chunk(c, last, size, align);
}

void *jg_chunks_more_1(struct jg_chunks *c, size_t size, size_t align)
{
    if (!is_power(align) || align > JG_CHUNKS_ALIGN) {
        c->status = JG_MEMORY_ALIGN;
        return NULL;
    }
    if (!size || size > SIZE_LIMIT) {
        c->status = JG_MEMORY_SIZE;
        return NULL;
    }
    struct jg_chunk *chunk = find_chunk(c, size, align);
    if (!chunk)
        return NULL;
    if (chunk != c->current)
        enter(c, chunk);
    char *p = place(c->cursor, chunk_end(chunk), size, align);
    ASAN_UNPOISON_MEMORY_REGION(p, size);
    c->cursor = p + size;
    c->end = INLINE_END(c, chunk);
    c->status = JG_MEMORY_OK;
    return p;
}

// ---- interface ----------------------------------------------------------------------------------

enum jg_memory_status jg_chunks_init_at(struct jg_chunks *c,
                                        const struct jg_chunks_options *options, const char *file,
                                        int line, int debug)
{
    static const struct jg_chunks_options defaults;
    const struct jg_chunks_options *o = options ? options : &defaults;
    *c = (struct jg_chunks){.file = file, .line = line, .debug = debug};
    size_t largest = o->largest ? o->largest : (size_t)1 << 30;
    if (o->first > PTRDIFF_MAX / 2 || largest > PTRDIFF_MAX / 2 || o->first > largest ||
        !o->backing.alloc != !o->backing.free)
        return c->status = JG_MEMORY_OPTION;
    c->smallest = c->next = power(o->first);
    c->largest = power(largest);
    c->backing = o->backing;
    if (!c->backing.alloc)
        c->backing = (struct jg_memory_backing){from_system, to_system, NULL};
    return JG_MEMORY_OK;
}

void jg_chunks_reset(struct jg_chunks *c)
{
    for (struct jg_chunk *chunk = c->first; chunk; chunk = chunk->next)
        poison(c, chunk);
    if (c->first)
        enter(c, c->first);
}

void jg_chunks_trim(struct jg_chunks *c, size_t keep)
{
    struct jg_chunk *last = NULL; // of those that stay
    struct jg_chunk *chunk = c->first;
    bool filled = chunk && (c->current != chunk || c->cursor != chunk_begin(c, chunk));
    for (size_t held = 0; chunk; last = chunk, chunk = chunk->next) {
        held += chunk->size;
        if (!filled && held > keep)
            break;
        if (chunk == c->current)
            filled = false;
    }
    if (!chunk)
        return;
    if (last) {
        last->next = NULL;
        c->next = doubled(c, last);
    } else {
        account_close(c);
        c->first = c->current = NULL;
        c->cursor = c->end = NULL;
        c->next = c->smallest;
    }
    while (chunk) {
        struct jg_chunk *next = chunk->next;
        free_chunk(c, chunk);
        chunk = next;
    }
    if (c->first)
        account_update(c);
}

void jg_chunks_fini(struct jg_chunks *c)
{
    jg_chunks_reset(c);
    jg_chunks_trim(c, 0);
}
