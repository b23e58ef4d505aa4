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
// second by explicit_bzero; tests/runtime/arena/check_codegen reads the object code.

#include "runtime-checks/arena/internal.h"

#define ALIGN_MAX ((size_t)1 << 30)
#define FRESH_FROM 8192
#define APART ((size_t)1 << 63) // in `size`
#define GUARD_BYTES 16

struct jg_arena_block {
    struct jg_arena_block *next;
    size_t size; // as asked for; with APART it heads a struct apart
};

struct apart {
    struct jg_arena_block block;
    char *p;
    char *raw;
    size_t raw_size;
    bool guard;
};

_Static_assert(sizeof(struct jg_arena_block) == 16, "keeps the alignment that malloc gives");

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
    struct jg_arena_tls *self = jg_arena_self_1();
    char *pool = jg_heap_zalloc(jg_settings.config.pool_size);
    if (pool == NULL)
        JG_COUNT(self, pools_failed, 1);
    else
        JG_COUNT(self, pools_new, 1);
    return pool;
}

char *jg_pool_cached(struct jg_arena_tls *self)
{
    for (int slot = 0; slot < JG_ARENA_POOL_COUNT_MAX; slot++) {
        char *pool = self->slots[slot];
        if (pool != NULL) {
            jg_arena_slot_set(self, slot, NULL);
            return pool;
        }
    }
    return NULL;
}

void jg_pool_free(char *pool, size_t size)
{
    explicit_bzero(pool, size);
    jg_heap_free(pool, size);
    JG_COUNT(jg_arena_self_1(), pools_freed, 1);
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

static struct jg_arena_pair refused(struct jg_arena_block *blocks, enum jg_arena_status status)
{
    struct jg_arena_pair pair = {blocks, NULL};
    (void)jg_refuse(status);
    return pair;
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

struct jg_arena_pair jg_block_apart(struct jg_arena_block *blocks, size_t size, size_t align,
                                    bool guard)
{
    if (align == 0 || (align & (align - 1)) != 0 || align > ALIGN_MAX)
        return refused(blocks, JG_ARENA_BAD_ALIGN);
    if (size > PTRDIFF_MAX - 4 * ALIGN_MAX)
        return refused(blocks, JG_ARENA_NOMEM);
    struct apart *apart = apart_new(size, align, guard);
    if (apart == NULL)
        return refused(blocks, JG_ARENA_NOMEM);
    apart->block.next = blocks;
    apart->block.size = size | APART;
    struct jg_arena_tls *self = jg_arena_self_1();
    JG_COUNT(self, fallback, 1);
    JG_COUNT(self, fallback_bytes, size);
    struct jg_arena_pair pair = {&apart->block, apart->p};
    return pair;
}

struct jg_arena_pair jg_arena_block_new_1(struct jg_arena_block *blocks, size_t size, size_t align)
{
    if (JG_ARENA_UNLIKELY(align > sizeof(struct jg_arena_block) || jg_settings.separate ||
                          align == 0 || (align & (align - 1)) != 0))
        return jg_block_apart(blocks, size, align, false);
    if (JG_ARENA_UNLIKELY(size > PTRDIFF_MAX - sizeof(struct jg_arena_block)))
        return refused(blocks, JG_ARENA_NOMEM);

    bool fresh = size >= FRESH_FROM;
    size_t raw_size = size + sizeof(struct jg_arena_block);
    struct jg_arena_block *block = fresh ? jg_heap_zalloc(raw_size) : heap_alloc(raw_size);
    if (JG_ARENA_UNLIKELY(block == NULL))
        return refused(blocks, JG_ARENA_NOMEM);
    block->next = blocks;
    block->size = size;
    if (!fresh)
        memset(block + 1, 0, size);
    struct jg_arena_tls *self = jg_arena_self();
    JG_COUNT(self, fallback, 1);
    JG_COUNT(self, fallback_bytes, size);
    struct jg_arena_pair pair = {block, block + 1};
    return pair;
}

void jg_arena_blocks_free_1(struct jg_arena_block *blocks)
{
    while (blocks != NULL) {
        struct jg_arena_block *block = blocks;
        blocks = block->next;
        if (JG_ARENA_LIKELY((block->size & APART) == 0)) {
            size_t raw_size = block->size + sizeof *block;
            if (JG_ARENA_UNLIKELY(jg_settings.config.wipe != 0))
                explicit_bzero(block, raw_size);
            heap_free(block, raw_size);
        } else {
            struct apart *apart = (struct apart *)block;
            if (jg_settings.asan)
                __asan_unpoison_memory_region(apart->raw, apart->raw_size);
            if (jg_settings.config.wipe != 0)
                explicit_bzero(apart->p, block->size & ~APART);
            if (jg_settings.valgrind)
                VALGRIND_MAKE_MEM_DEFINED(apart->raw, apart->raw_size);
            jg_heap_free(apart->raw, apart->raw_size);
            jg_heap_free(apart, sizeof *apart);
        }
    }
}

int jg_arena_blocks_own_1(const struct jg_arena_block *blocks, const void *p, size_t size)
{
    for (const struct jg_arena_block *block = blocks; block != NULL; block = block->next) {
        const char *start = (block->size & APART) != 0 ? ((const struct apart *)block)->p
                                                       : (const char *)(block + 1);
        size_t length = block->size & ~APART;
        uintptr_t from = (uintptr_t)p, first = (uintptr_t)start;
        if (from >= first && from - first < length)
            return size <= length - (from - first);
    }
    return 0;
}

bool jg_blocks_intact(const struct jg_arena_block *blocks)
{
    for (const struct jg_arena_block *block = blocks; block != NULL; block = block->next) {
        const struct apart *apart = (const struct apart *)block;
        if ((block->size & APART) != 0 && apart->guard &&
            !jg_canary_intact(apart->p + (block->size & ~APART), GUARD_BYTES))
            return false;
    }
    return true;
}
