// SPDX-License-Identifier: Apache-2.0
//
// Memory: the backing allocator, new pools, and the blocks of what does not fit a pool.
//
// A plain block has 16 bytes in front of it and is malloc + memset: with calloc in its place glibc
// loses what the arena gains at 100 to 500 bytes. From some KiB up it is calloc after all, whose
// pages are fresh. A block apart (over-aligned, or under AddressSanitizer, valgrind and the debug
// face) is described by a record elsewhere, so that the bytes on both sides can be watched; its
// address is never a multiple of twice the alignment, so that code that relies on more than it
// asked for fails.
//
// A compiler turns malloc + memset into calloc and drops a memset in front of free. The first is
// kept from it by the header that is stored in between (blocks) and an empty asm (pools), the
// second by explicit_bzero and what it consists of; tests/runtime/arena/check_codegen reads the
// object code.

#include "runtime-checks/arena/internal.h"

#define ALIGN_MAX ((size_t)1 << 30)
#define FRESH_FROM 8192
#define GUARD_BYTES 16

// In front of the memory of a plain block.
struct header {
    struct jg_arena_block *next;
    size_t size; // as asked for
};

struct apart {
    struct jg_arena_block *next;
    size_t size;
    char *p;
    char *raw;
    size_t raw_size;
    bool guard;
};

_Static_assert(sizeof(struct header) == 16, "keeps the alignment that malloc gives");

extern void __asan_poison_memory_region(const volatile void *p, size_t size) __attribute__((weak));
extern void __asan_unpoison_memory_region(const volatile void *p, size_t size)
    __attribute__((weak));

// ---- backing ------------------------------------------------------------------------------------

static inline void *heap_alloc(size_t size)
{
    const struct jg_arena_backing *backing = &jg_settings.config.backing;
    if (JG_ARENA_UNLIKELY(backing->alloc != NULL))
        return backing->alloc(size, backing->context);
    void *p = malloc(size);
    __asm__("" : "+r"(p));
    return p;
}

static inline void heap_free(void *p, size_t size)
{
    const struct jg_arena_backing *backing = &jg_settings.config.backing;
    if (JG_ARENA_UNLIKELY(backing->alloc != NULL))
        backing->free(p, size, backing->context);
    else
        free(p);
}

void *jg_heap_alloc(size_t size)
{
    return heap_alloc(size);
}

void *jg_heap_zalloc(size_t size)
{
    const struct jg_arena_backing *backing = &jg_settings.config.backing;
    if (size >= FRESH_FROM) {
        if (backing->alloc == NULL)
            return calloc(1, size);
        if (backing->zalloc != NULL)
            return backing->zalloc(size, backing->context);
    }
    void *p = jg_heap_alloc(size);
    if (p != NULL)
        memset(p, 0, size);
    return p;
}

void jg_heap_free(void *p, size_t size)
{
    heap_free(p, size);
}

// ---- pools --------------------------------------------------------------------------------------

// malloc, not aligned_alloc, which costs four times as much in glibc 2.36: inside the pool it is
// the address that is aligned.
char *jg_pool_new(void)
{
    struct jg_arena_tls *self = jg_arena_self();
    size_t size = jg_settings.config.pool_size;
    char *pool = size < FRESH_FROM ? heap_alloc(size) : jg_heap_zalloc(size);
    if (JG_ARENA_UNLIKELY(pool == NULL)) {
        JG_COUNT(self, pools_failed, 1);
        return NULL;
    }
    if (size < FRESH_FROM)
        jg_clear(pool, size);
    JG_COUNT(self, pools_new, 1);
    return pool;
}

void jg_pool_free(char *pool, size_t size)
{
    if (JG_ARENA_LIKELY(size == JG_ARENA_POOL_SIZE)) {
        // explicit_bzero without the call: memory that free must find zeroed is no dead store.
        memset(pool, 0, JG_ARENA_POOL_SIZE);
        __asm__ volatile("" : : "r"(pool) : "memory");
    } else {
        explicit_bzero(pool, size);
    }
    heap_free(pool, size);
    JG_COUNT(jg_arena_self(), pools_freed, 1);
}

// ---- blocks -------------------------------------------------------------------------------------

bool jg_canary_intact(const void *p, size_t size)
{
    const unsigned char *bytes = p;
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != JG_CANARY)
            return false;
    return true;
}

// A block is known by the address of its memory, or by that of its record plus one. What a call of
// jg_arena_block_new_1 needs is then one register, so that it ends by a jump to memset: what it
// restored from the stack after that would seem, to a processor that compares offsets in pages, to
// be what was just zeroed, and wait (26 against 16 ns at 1000 bytes, at one address in four).

static inline bool is_apart(const struct jg_arena_block *block)
{
    return ((uintptr_t)block & 1) != 0;
}

static inline struct apart *apart_of(const struct jg_arena_block *block)
{
    return (struct apart *)((uintptr_t)block - 1);
}

static inline struct header *header_of(const struct jg_arena_block *block)
{
    return (struct header *)(uintptr_t)block - 1;
}

void *jg_arena_block_apart_1(struct jg_arena_block *block)
{
    return apart_of(block)->p;
}

static struct jg_arena_block *refused(enum jg_arena_status status)
{
    (void)jg_refuse(status);
    return NULL;
}

static inline void count_block(size_t size)
{
    struct jg_arena_tls *self = jg_arena_self();
    JG_COUNT(self, fallback, 1);
    JG_COUNT(self, fallback_bytes, size);
}

static void no_access(char *p, size_t size)
{
    if (jg_settings.asan && size != 0)
        __asan_poison_memory_region(p, size);
    if (jg_settings.valgrind)
        VALGRIND_MAKE_MEM_NOACCESS(p, size);
}

// The caller has checked both arguments.
static struct apart *apart_new(size_t size, size_t align, bool guard)
{
    guard = guard && !jg_settings.asan && !jg_settings.valgrind;
    size_t raw_size = size + 2 * align + (guard ? GUARD_BYTES : 0);
    // Up to 8 the block ends where the memory does.
    if (align <= 8)
        raw_size -= align;
    struct apart *apart = jg_heap_alloc(sizeof *apart);
    if (apart == NULL)
        return NULL;
    char *raw = jg_heap_alloc(raw_size);
    if (raw == NULL) {
        jg_heap_free(apart, sizeof *apart);
        return NULL;
    }
    size_t skip = align;
    if (align > 8)
        skip = ((0 - (uintptr_t)raw) & (2 * align - 1)) + align;
    if (skip > 2 * align)
        skip -= 2 * align;
    apart->p = raw + skip;
    apart->raw = raw;
    apart->raw_size = raw_size;
    apart->guard = guard;
    memset(apart->p, 0, size);
    if (guard)
        memset(apart->p + size, JG_CANARY, GUARD_BYTES);
    no_access(raw, skip);
    no_access(apart->p + size, guard ? 0 : raw_size - skip - size);
    return apart;
}

struct jg_arena_block *jg_block_apart(struct jg_arena_block *blocks, size_t size, size_t align,
                                      bool guard)
{
    if (align == 0 || (align & (align - 1)) != 0 || align > ALIGN_MAX)
        return refused(JG_ARENA_BAD_ALIGN);
    if (size > PTRDIFF_MAX - 4 * ALIGN_MAX)
        return refused(JG_ARENA_NOMEM);
    struct apart *apart = apart_new(size, align, guard);
    if (apart == NULL)
        return refused(JG_ARENA_NOMEM);
    apart->next = blocks;
    apart->size = size;
    count_block(size);
    return (struct jg_arena_block *)((uintptr_t)apart + 1);
}

static JG_ARENA_OUTLINED struct jg_arena_block *block_new_slow(struct jg_arena_block *blocks,
                                                               size_t size, size_t align)
{
    if (align > sizeof(struct header) || align == 0 || (align & (align - 1)) != 0 ||
        jg_settings.separate)
        return jg_block_apart(blocks, size, align, false);
    if (size > PTRDIFF_MAX - sizeof(struct header))
        return refused(JG_ARENA_NOMEM);
    struct header *header = jg_heap_zalloc(size + sizeof *header);
    if (header == NULL)
        return refused(JG_ARENA_NOMEM);
    header->next = blocks;
    header->size = size;
    count_block(size);
    return (struct jg_arena_block *)(header + 1);
}

struct jg_arena_block *jg_arena_block_new_1(struct jg_arena_block *blocks, size_t size,
                                            size_t align)
{
    if (JG_ARENA_UNLIKELY(!JG_ARENA_ALIGN_UP_TO(16, align) || size >= FRESH_FROM ||
                          !jg_settings.plain))
        return block_new_slow(blocks, size, align);
    struct header *header = malloc(size + sizeof *header);
    if (JG_ARENA_UNLIKELY(header == NULL))
        return refused(JG_ARENA_NOMEM);
    header->next = blocks;
    header->size = size;
    count_block(size);
    return memset(header + 1, 0, size);
}

static void apart_free(struct apart *apart)
{
    if (jg_settings.asan)
        __asan_unpoison_memory_region(apart->raw, apart->raw_size);
    if (jg_settings.config.wipe != 0)
        explicit_bzero(apart->p, apart->size);
    if (jg_settings.valgrind)
        VALGRIND_MAKE_MEM_DEFINED(apart->raw, apart->raw_size);
    jg_heap_free(apart->raw, apart->raw_size);
    jg_heap_free(apart, sizeof *apart);
}

static JG_ARENA_OUTLINED struct jg_arena_block *block_free_slow(struct jg_arena_block *block)
{
    struct jg_arena_block *next;
    if (is_apart(block)) {
        next = apart_of(block)->next;
        apart_free(apart_of(block));
    } else {
        struct header *header = header_of(block);
        size_t raw_size = header->size + sizeof *header;
        next = header->next;
        if (jg_settings.config.wipe != 0)
            explicit_bzero(header, raw_size);
        jg_heap_free(header, raw_size);
    }
    return next;
}

void jg_arena_blocks_free_1(struct jg_arena_block *blocks)
{
    while (blocks != NULL) {
        if (JG_ARENA_LIKELY(jg_settings.plain && !is_apart(blocks))) {
            struct header *header = header_of(blocks);
            blocks = header->next;
            free(header);
        } else {
            blocks = block_free_slow(blocks);
        }
    }
}

static struct jg_arena_block *next_of(const struct jg_arena_block *block)
{
    return is_apart(block) ? apart_of(block)->next : header_of(block)->next;
}

int jg_arena_blocks_own_1(const struct jg_arena_block *blocks, const void *p, size_t size)
{
    for (const struct jg_arena_block *block = blocks; block != NULL; block = next_of(block)) {
        bool apart = is_apart(block);
        uintptr_t first = apart ? (uintptr_t)apart_of(block)->p : (uintptr_t)block;
        size_t length = apart ? apart_of(block)->size : header_of(block)->size;
        uintptr_t from = (uintptr_t)p;
        if (from >= first && from - first < length)
            return size <= length - (from - first);
    }
    return 0;
}

bool jg_blocks_intact(const struct jg_arena_block *blocks)
{
    for (const struct jg_arena_block *block = blocks; block != NULL; block = next_of(block)) {
        const struct apart *apart = is_apart(block) ? apart_of(block) : NULL;
        if (apart != NULL && apart->guard && !jg_canary_intact(apart->p + apart->size, GUARD_BYTES))
            return false;
    }
    return true;
}
