// SPDX-License-Identifier: Apache-2.0
//
// The functions behind <jniguard/arena.h> that have an arena: the inlined code once more for
// callers that do not inline it, and its slow path, which sees values and never the arena.
//
// An arena of the debug face has its own address in `self`; everything out of line looks there
// first.

#include "runtime-checks/arena/internal.h"

#undef jg_arena_open

_Static_assert(sizeof(struct jg_arena) == 64, "the arena is one cache line, and part of the ABI");
_Static_assert(sizeof(struct jg_arena_tls) == 32, "scarce where libraries are loaded, and ABI");

// ---- slow path ----------------------------------------------------------------------------------

static enum jg_arena_status classify(uint64_t owner)
{
    return owner == JG_ARENA_OWNER_NEVER || (owner & JG_ARENA_CLOSING_BIT) != 0
               ? JG_ARENA_CLOSED
               : JG_ARENA_WRONG_THREAD;
}

enum jg_arena_status jg_refuse(enum jg_arena_status status)
{
    struct jg_arena_tls *self = jg_arena_self_1();
    self->status = (uint8_t)status;
    jg_count(self, offsetof(struct jg_arena_stats, refused) + sizeof(uint64_t) * (size_t)status, 1);
    return status;
}

enum jg_arena_status jg_arena_refuse_1(uint64_t owner)
{
    return jg_refuse(classify(owner));
}

enum jg_arena_status jg_arena_cleanup_failed_1(void)
{
    JG_COUNT(jg_arena_self_1(), cleanups_failed, 1);
    return JG_ARENA_CLEANUP;
}

struct jg_arena_pair jg_arena_pool_take_1(void)
{
    char *pool = jg_pool_cached(jg_arena_self()->cache);
    if (pool == NULL)
        pool = jg_pool_new();
    struct jg_arena_pair pair = {pool, pool};
    if (pool != NULL)
        pair.second = pool + jg_settings.config.pool_size;
    return pair;
}

void jg_arena_pool_put_1(char *pool, char *end)
{
    struct jg_arena_cache *cache = jg_arena_self()->cache;
    size_t size = (size_t)(end - pool);
    bool first = cache->first == JG_ARENA_FIRST_EMPTY;
    if (!first && cache->more == cache->most) {
        jg_pool_free(pool, size);
        return;
    }
    // Whole, not only what was given out: native code that ran over its piece must not hand its
    // bytes to the next arena.
    jg_clear(pool, size);
    if (first) {
        jg_arena_first_put(cache, pool);
    } else {
        cache->slots[cache->more + 1] = pool;
        __atomic_store_n(&cache->more, (uint8_t)(cache->more + 1), __ATOMIC_RELEASE);
    }
}

// ---- out of line --------------------------------------------------------------------------------

// Each in two parts: what nearly always happens needs no register saved, and ends, or goes on, by a
// jump (8.4 against 9.9 ns for the three).

static JG_ARENA_OUTLINED enum jg_arena_status open_slow(struct jg_arena *a, const char *file,
                                                        int line, int debug)
{
    (void)jg_arena_enter_1();
    if (debug != 0 || jg_settings.config.debug != 0)
        return jg_debug_open(a, file, line);
    return jg_arena_fast_open(a);
}

enum jg_arena_status jg_arena_open_at_1(struct jg_arena *a, const char *file, int line, int debug)
{
    struct jg_arena_tls *self = jg_arena_self();
    uint64_t id = self->id;
    if (JG_ARENA_UNLIKELY(id == JG_ARENA_NO_IDENTITY || (debug | jg_settings.config.debug) != 0))
        return open_slow(a, file, line, debug);
    jg_arena_begin(a, self, id);
    return JG_ARENA_OK;
}

enum jg_arena_status jg_arena_open(struct jg_arena *a)
{
    return jg_arena_open_at_1(a, NULL, 0, 0);
}

static JG_ARENA_OUTLINED void *alloc_slow(struct jg_arena *a, size_t size, size_t align)
{
    if (JG_ARENA_UNLIKELY(a->self != NULL))
        return jg_debug_alloc(a, size, align);
    return jg_arena_fast_alloc(a, size, align);
}

void *jg_arena_alloc(struct jg_arena *a, size_t size, size_t align)
{
    struct jg_arena_tls *self = jg_arena_self();
    if (JG_ARENA_LIKELY(a->owner == self->id && a->self == NULL)) {
        void *first = jg_arena_first_alloc(a, self, size, align);
        if (JG_ARENA_LIKELY(first != NULL))
            return first;
    }
    return alloc_slow(a, size, align);
}

static JG_ARENA_OUTLINED enum jg_arena_status close_slow(struct jg_arena *a)
{
    if (JG_ARENA_UNLIKELY(a->self != NULL))
        return jg_debug_close(a);
    return jg_arena_fast_close(a);
}

enum jg_arena_status jg_arena_close(struct jg_arena *a)
{
    struct jg_arena_tls *self = jg_arena_self();
    struct jg_arena_cache *cache = self->cache;
    uintptr_t others =
        (uintptr_t)a->self | (uintptr_t)a->extra | (uintptr_t)a->cleanups | (uintptr_t)a->blocks;
    char *pool = a->pool;
    if (JG_ARENA_UNLIKELY(a->owner != self->id || others != 0 || pool == NULL ||
                          a->end - pool != JG_ARENA_POOL_SIZE ||
                          cache->first != JG_ARENA_FIRST_EMPTY))
        return close_slow(a);
    memset(pool, 0, JG_ARENA_POOL_SIZE);
    jg_arena_first_put(cache, pool);
    a->owner = JG_ARENA_OWNER_CLOSED;
    a->pool = NULL;
    a->at = NULL;
    a->end = NULL;
    JG_ARENA_COUNT(cache, closes, 1);
    return JG_ARENA_OK;
}

enum jg_arena_status jg_arena_close_rest(struct jg_arena *a)
{
    struct jg_arena_tls *self = jg_arena_self();
    if (a->owner != (self->id | JG_ARENA_CLOSING_BIT))
        return jg_arena_close(a);
    // Inlined code that closes an arena of the debug face gives that part back first.
    return a->extra != NULL ? jg_debug_finish(a) : jg_arena_fast_finish(a, self, JG_ARENA_OK);
}

enum jg_arena_status jg_arena_check(const struct jg_arena *a)
{
    if (JG_ARENA_UNLIKELY(a->self != NULL && a->self != a))
        return JG_ARENA_COPIED;
    return jg_arena_fast_check(a);
}

enum jg_arena_status jg_arena_on_close(struct jg_arena *a, struct jg_arena_cleanup *node,
                                       int (*run)(void *arg), void *arg)
{
    if (JG_ARENA_UNLIKELY(a->self != NULL)) {
        enum jg_arena_status status = jg_debug_enter(a);
        if (status != JG_ARENA_OK)
            return status;
    }
    return jg_arena_fast_on_close(a, node, run, arg);
}

int jg_arena_owns(const struct jg_arena *a, const void *p, size_t size)
{
    if (jg_arena_check(a) != JG_ARENA_OK)
        return 0;
    return a->self != NULL ? jg_debug_owns(a, p, size) : jg_arena_fast_owns(a, p, size);
}

enum jg_arena_status jg_arena_last_status(void)
{
    return (enum jg_arena_status)jg_arena_self()->status;
}

const char *jg_arena_status_text(enum jg_arena_status status)
{
    static const char *const texts[] = {
#define STATUS_TEXT(name, text) text,
        JG_ARENA_STATUSES(STATUS_TEXT)
#undef STATUS_TEXT
    };
    return (unsigned)status < JG_ARENA_STATUS_COUNT ? texts[status] : "no such status";
}

// ---- retain -------------------------------------------------------------------------------------

// The count lies outside the arena: inlined code reads the arena's fields plainly, and a field that
// another thread changes would make them all live in memory.
enum jg_arena_status jg_arena_retain(struct jg_arena *a)
{
    if (a->owner != jg_arena_self()->id)
        return jg_arena_refuse_1(a->owner);
    if (a->self != NULL && a->self != a)
        return jg_refuse(JG_ARENA_COPIED);
    if (a->extra == NULL) {
        struct jg_arena_extra *extra = jg_heap_alloc(sizeof *extra);
        if (extra == NULL)
            return jg_refuse(JG_ARENA_NOMEM);
        memset(extra, 0, sizeof *extra);
        extra->size = sizeof *extra;
        a->extra = extra;
    }
    __atomic_fetch_add(&a->extra->held, 1, __ATOMIC_RELAXED);
    return JG_ARENA_OK;
}

enum jg_arena_status jg_arena_release(struct jg_arena *a)
{
    if (a->extra == NULL)
        return jg_refuse(JG_ARENA_NOT_HELD);
    uint64_t held = __atomic_load_n(&a->extra->held, __ATOMIC_RELAXED);
    do {
        if (held == 0)
            return jg_refuse(JG_ARENA_NOT_HELD);
        // Release: what the native call did to the memory comes before the close.
    } while (!__atomic_compare_exchange_n(&a->extra->held, &held, held - 1, 1, __ATOMIC_RELEASE,
                                          __ATOMIC_RELAXED));
    return JG_ARENA_OK;
}

enum jg_arena_status jg_arena_extra_close_1(struct jg_arena_extra *extra)
{
    if (__atomic_load_n(&extra->held, __ATOMIC_ACQUIRE) != 0)
        return jg_refuse(JG_ARENA_HELD);
    if (extra->debug) {
        jg_debug_unlink(extra);
        jg_debug_leave_pool(extra);
    }
    jg_heap_free(extra, extra->size);
    return JG_ARENA_OK;
}
