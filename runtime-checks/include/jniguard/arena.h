/* SPDX-License-Identifier: Apache-2.0
 *
 * Pooled confined arenas: tiny, short-lived native memory at the price of a bump.
 *
 *     struct jg_arena a;                          caller's storage, not copyable, not movable
 *     jg_arena_open(&a);                          belongs to this thread (or fiber) from here on
 *     char *p = jg_arena_alloc(&a, 20, 1);        zeroed; NULL: jg_arena_last_status() says why
 *     jg_arena_close(&a);                         clean-ups, then everything is given back
 *
 * Ownership, for the whole interface: memory belongs to the arena that gave it and is gone at its
 * close; what the caller passes in (arenas, clean-up nodes, configurations) stays the caller's.
 * Threads: an arena is used by its owner only; the others are refused with a status. The exceptions
 * are jg_arena_release and the functions without an arena, which any thread may call. Nothing here
 * is async-signal-safe.
 *
 * Everything an arena does in its short life is inlined below. How it is written matters: the slow
 * path takes and returns values, never the arena's address, so that an arena that does not escape
 * its function lives in registers and costs little more than the zeroing of its pool.
 *
 * Compile with
 *     JG_ARENA_STATS=0        no counting on the inlined path (default: 1)
 *     JG_ARENA_OUT_OF_LINE=1  call the library instead of inlining
 *     JG_ARENA_DEBUG=1        the debug face: call site, list of open arenas, copies, canaries
 *     JG_ARENA_FIBERS=1       code in which a fiber may wake up on another thread
 *     JG_ARENA_TLS_GD=1       no initial-exec thread-local storage (dlopen under musl)
 *
 * Any mixture of these may meet in one program. The manual is runtime-checks/arena/README.md.
 */
#ifndef JNIGUARD_ARENA_H
#define JNIGUARD_ARENA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Part of the name of everything whose layout or meaning inlined code relies on: a header and a
 * library that do not fit each other do not link. */
#define JG_ARENA_ABI 1

#ifndef JG_ARENA_STATS
#define JG_ARENA_STATS 1
#endif
#ifndef JG_ARENA_DEBUG
#define JG_ARENA_DEBUG 0
#endif
#ifndef JG_ARENA_OUT_OF_LINE
#define JG_ARENA_OUT_OF_LINE JG_ARENA_DEBUG
#endif
#ifndef JG_ARENA_FIBERS
#define JG_ARENA_FIBERS 0
#endif
#ifndef JG_ARENA_TLS_GD
#define JG_ARENA_TLS_GD 0
#endif

#if JG_ARENA_TLS_GD
#define JG_ARENA_TLS_MODEL __attribute__((tls_model("global-dynamic")))
#else
#define JG_ARENA_TLS_MODEL __attribute__((tls_model("initial-exec")))
#endif

#define JG_ARENA_LIKELY(x) __builtin_expect(!!(x), 1)
#define JG_ARENA_UNLIKELY(x) __builtin_expect(!!(x), 0)
/* A power of two up to 8 or 16? By bits 1, 2, 4, 8, 16 of a constant: for x & (x - 1), some
 * compilers count ones. */
#define JG_ARENA_ALIGN_UP_TO(most, align)                                                          \
    ((align) <= (most) && ((UINT32_C(0x10116) >> (align)) & 1) != 0)
/* Always: an arena that is passed to a function, even of this file, lives in memory. */
#define JG_ARENA_INLINE static inline __attribute__((always_inline))
/* What is rare is compiled for size (rep stos takes 4 ns); nested arenas are not rare. */
#define JG_ARENA_COLD __attribute__((cold, noinline))
#define JG_ARENA_OUTLINED __attribute__((noinline))

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status -------------------------------------------------------------------------------- */

#define JG_ARENA_STATUSES(X)                                                                       \
    X(JG_ARENA_OK, "ok")                                                                           \
    X(JG_ARENA_NOMEM, "out of memory")                                                             \
    X(JG_ARENA_CLOSED, "the arena is closed or was never opened")                                  \
    X(JG_ARENA_WRONG_THREAD, "the arena belongs to another thread or fiber")                       \
    X(JG_ARENA_BAD_ALIGN, "the alignment is not a power of two up to 2^30")                        \
    X(JG_ARENA_HELD, "the arena is retained: a native call that uses it has not returned")         \
    X(JG_ARENA_NOT_HELD, "the arena is released more often than it was retained")                  \
    X(JG_ARENA_CLEANUP, "closed, but a clean-up action failed")                                    \
    X(JG_ARENA_BAD_CONFIG, "the configuration is not valid")                                       \
    X(JG_ARENA_TOO_LATE, "arenas are in use already and cannot be configured any more")            \
    X(JG_ARENA_COPIED, "the arena was copied or moved after it was opened (debug)")                \
    X(JG_ARENA_DAMAGED, "closed, but memory behind an allocation was overwritten (debug)")         \
    X(JG_ARENA_BUSY, "called from a signal handler or an allocator inside another call (debug)")

enum jg_arena_status {
#define JG_ARENA_STATUS_NAME(name, text) name,
    JG_ARENA_STATUSES(JG_ARENA_STATUS_NAME)
#undef JG_ARENA_STATUS_NAME
        JG_ARENA_STATUS_COUNT
};

/* A sentence without a full stop; never NULL. */
const char *jg_arena_status_text(enum jg_arena_status status);
/* Why the latest jg_arena_alloc of this thread that gave NULL did so. */
enum jg_arena_status jg_arena_last_status(void);

/* ---- the arena ----------------------------------------------------------------------------- */

struct jg_arena_block; /* memory that did not fit the pool */
struct jg_arena_extra; /* what only retained and debugged arenas have */

/* Caller's storage: intrusive, so that it costs no allocation. Lives in the frame, or in the arena.
 */
struct jg_arena_cleanup {
    struct jg_arena_cleanup *next;
    int (*run)(void *arg); /* 0: well; anything else makes close return JG_ARENA_CLEANUP */
    void *arg;
};

/* 64 bytes. The fields are for the functions below. An arena of zeros is a closed one. The order
 * lets opening zero them by aligned stores: others may cross a page, where the stack happens to (46
 * instead of 8 ns for a life). */
struct jg_arena {
    char *pool;                        /* NULL until the first allocation that fits one */
    char *at;                          /* the next free byte of the pool */
    char *end;                         /* of this pool: its size is never assumed */
    struct jg_arena_block *blocks;     /* newest first */
    struct jg_arena_cleanup *cleanups; /* newest first */
    struct jg_arena_extra *extra;
    const struct jg_arena *self; /* the debug face: where it was opened; otherwise NULL */
    uint64_t owner;              /* identity, or one of JG_ARENA_OWNER_* */
};

/* Owners that no thread has, and an identity that no arena has. */
#define JG_ARENA_OWNER_NEVER UINT64_C(0)
#define JG_ARENA_NO_IDENTITY UINT64_C(1)
#define JG_ARENA_OWNER_CLOSED UINT64_MAX
#define JG_ARENA_CLOSING_BIT (UINT64_C(1) << 63) /* or-ed to the owner while clean-ups run */

/* The default, and the only size whose zeroing is inlined. */
#define JG_ARENA_POOL_SIZE 64
#define JG_ARENA_POOL_COUNT 4
#define JG_ARENA_POOL_COUNT_MAX 8

/* ---- the thread's part (32 bytes of thread-local storage) ------------------------------------ */

struct jg_arena_counters {
    uint64_t opens, closes, pooled, pooled_bytes;
};

/* Whether slots[0] holds a pool. A flag, and not NULL in the slot: the pointer of an empty slot
 * stays, and mostly it is the one that comes back. So opening reads what nobody wrote lately, and
 * does not wait for the store of the close before it (1.6 against 2.2 ns). */
enum jg_arena_first {
    JG_ARENA_FIRST_EMPTY, /* what stands in slots[0] means nothing */
    JG_ARENA_FIRST_FULL,
    JG_ARENA_FIRST_SHUT /* nor may a pool be put there: the thread is dying, or keeps none */
};

/* What a thread keeps. Not thread-local: statistics read it, whenever the thread has ended. */
struct jg_arena_cache {
    uint8_t first; /* enum jg_arena_first */
    uint8_t more;  /* pools in slots[1] and up, a stack for the slow path */
    uint8_t most;  /* that there may be */
    struct jg_arena_counters count;
    void *slots[JG_ARENA_POOL_COUNT_MAX];
};

struct jg_arena_tls {
    uint64_t id;                  /* who runs here: the thread or a fiber */
    uint64_t own;                 /* the thread itself */
    struct jg_arena_cache *cache; /* never NULL; a common one without pools until id is known */
    uint32_t pool_size;           /* 0: every allocation has its own block */
    uint8_t status;               /* of the latest failed allocation */
    uint8_t busy;                 /* inside a function of the debug face */
    uint8_t reserved[2];
};

/* __thread in C++, too: thread_local would reach it through a wrapper function. */
extern __thread struct jg_arena_tls jg_arena_tls_1 JG_ARENA_TLS_MODEL;

/* Two pointers in two registers. */
struct jg_arena_pair {
    void *first, *second;
};

/* The slow path, called by the inlined code only. */
struct jg_arena_tls *jg_arena_self_1(void);
uint64_t jg_arena_enter_1(void) JG_ARENA_COLD;
enum jg_arena_status jg_arena_refuse_1(uint64_t owner) JG_ARENA_COLD;
enum jg_arena_status jg_arena_cleanup_failed_1(void) JG_ARENA_COLD;
struct jg_arena_pair jg_arena_pool_take_1(void) JG_ARENA_OUTLINED;
void jg_arena_pool_put_1(char *pool, char *end) JG_ARENA_OUTLINED;
/* The new head of the list, or NULL. Even: its zeroed memory, too. Odd: jg_arena_block_apart_1 says
 * where that is. */
struct jg_arena_block *jg_arena_block_new_1(struct jg_arena_block *blocks, size_t size,
                                            size_t align) JG_ARENA_OUTLINED;
void *jg_arena_block_apart_1(struct jg_arena_block *block) JG_ARENA_COLD;
void jg_arena_blocks_free_1(struct jg_arena_block *blocks) JG_ARENA_OUTLINED;
int jg_arena_blocks_own_1(const struct jg_arena_block *blocks, const void *p, size_t size);
enum jg_arena_status jg_arena_extra_close_1(struct jg_arena_extra *extra) JG_ARENA_COLD;

/* Fiber code must ask anew after every switch, and a compiler that sees the variable remembers its
 * address: there the function is called, which is never inlined. */
JG_ARENA_INLINE struct jg_arena_tls *jg_arena_self(void)
{
#if JG_ARENA_FIBERS
    return jg_arena_self_1();
#else
    struct jg_arena_tls *self = &jg_arena_tls_1;
#if defined(__GNUC__) && !defined(__clang__)
    /* Under -fsanitize=null gcc compares the address with NULL by the flags of the addition that
     * makes it, which the linker then turns into a lea, which sets none. */
    if (!__builtin_constant_p(self != NULL))
        __asm__("" : "+r"(self));
#endif
    return self;
#endif
}

/* Counters have one writer, but are summed by others: relaxed, which costs nothing here. */
#if JG_ARENA_STATS
#define JG_ARENA_COUNT(cache, counter, n)                                                          \
    __atomic_store_n(&(cache)->count.counter,                                                      \
                     __atomic_load_n(&(cache)->count.counter, __ATOMIC_RELAXED) + (n),             \
                     __ATOMIC_RELAXED)
#else
#define JG_ARENA_COUNT(cache, counter, n) ((void)(cache))
#endif

/* Written by its thread only; statistics look at it. The slot is read first: a signal handler that
 * uses arenas against all advice would otherwise leave another pool there, which two then had. */
JG_ARENA_INLINE char *jg_arena_first_take(struct jg_arena_cache *cache)
{
    char *pool = (char *)cache->slots[0];
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&cache->first, (uint8_t)JG_ARENA_FIRST_EMPTY, __ATOMIC_RELAXED);
    return pool;
}

/* Release, which costs nothing on most machines: a child of fork, which frees what other threads
 * kept, must not see the flag without its slot. */
JG_ARENA_INLINE void jg_arena_first_put(struct jg_arena_cache *cache, char *pool)
{
    if (JG_ARENA_UNLIKELY(cache->slots[0] != pool))
        cache->slots[0] = pool;
    __atomic_store_n(&cache->first, (uint8_t)JG_ARENA_FIRST_FULL, __ATOMIC_RELEASE);
}

JG_ARENA_INLINE void jg_arena_begin(struct jg_arena *a, const struct jg_arena_tls *self,
                                    uint64_t id)
{
    a->pool = NULL;
    a->at = NULL;
    a->end = NULL;
    a->blocks = NULL;
    a->cleanups = NULL;
    a->extra = NULL;
    a->self = NULL;
    a->owner = id;
    JG_ARENA_COUNT(self->cache, opens, 1);
}

JG_ARENA_INLINE enum jg_arena_status jg_arena_fast_open(struct jg_arena *a)
{
    struct jg_arena_tls *self = jg_arena_self();
    uint64_t id = self->id;
    if (JG_ARENA_UNLIKELY(id == JG_ARENA_NO_IDENTITY))
        id = jg_arena_enter_1();
    jg_arena_begin(a, self, id);
    return JG_ARENA_OK;
}

/* The first allocation of most arenas; NULL when it is another, or the size is 0. Pools are aligned
 * for any basic type. Only from the first slot, and not from a stack of slots: a branch is
 * predicted, an index has to be waited for (4.6 against 1.6 ns). */
JG_ARENA_INLINE void *jg_arena_first_alloc(struct jg_arena *a, const struct jg_arena_tls *self,
                                           size_t size, size_t align)
{
    struct jg_arena_cache *cache = self->cache;
    if (JG_ARENA_UNLIKELY(a->pool != NULL || size - 1 >= self->pool_size ||
                          !JG_ARENA_ALIGN_UP_TO(8, align) || cache->first != JG_ARENA_FIRST_FULL))
        return NULL;
    char *pool = jg_arena_first_take(cache);
    a->pool = pool;
    a->at = pool + size;
    a->end = pool + self->pool_size;
    JG_ARENA_COUNT(cache, pooled, 1);
    JG_ARENA_COUNT(cache, pooled_bytes, size);
    return pool;
}

JG_ARENA_INLINE void *jg_arena_fast_alloc(struct jg_arena *a, size_t size, size_t align)
{
    struct jg_arena_tls *self = jg_arena_self();
    if (JG_ARENA_UNLIKELY(a->owner != self->id)) {
        (void)jg_arena_refuse_1(a->owner);
        return NULL;
    }
    void *first = jg_arena_first_alloc(a, self, size, align);
    if (JG_ARENA_LIKELY(first != NULL))
        return first;
    size += size == 0; /* an address of its own */
    if (JG_ARENA_LIKELY(align != 0 && (align & (align - 1)) == 0)) {
        if (a->pool == NULL && (size > align ? size : align) <= self->pool_size) {
            struct jg_arena_pair pool = jg_arena_pool_take_1();
            a->pool = (char *)pool.first;
            a->at = a->pool;
            a->end = (char *)pool.second;
        }
        size_t room = (size_t)(a->end - a->at);
        size_t pad = (0 - (uintptr_t)a->at) & (align - 1);
        if (JG_ARENA_LIKELY(pad <= room && size <= room - pad &&
                            align <= (size_t)(a->end - a->pool))) {
            char *p = a->at + pad;
            a->at = p + size;
            JG_ARENA_COUNT(self->cache, pooled, 1);
            JG_ARENA_COUNT(self->cache, pooled_bytes, size);
            return p;
        }
    }
    struct jg_arena_block *block = jg_arena_block_new_1(a->blocks, size, align);
    if (JG_ARENA_UNLIKELY(block == NULL))
        return NULL;
    a->blocks = block;
    return JG_ARENA_LIKELY(((uintptr_t)block & 1) == 0) ? block : jg_arena_block_apart_1(block);
}

/* What is left once nothing can refuse any more. `status` is what has been found so far. */
JG_ARENA_INLINE enum jg_arena_status jg_arena_fast_finish(struct jg_arena *a,
                                                          const struct jg_arena_tls *self,
                                                          enum jg_arena_status status)
{
    if (JG_ARENA_UNLIKELY(a->cleanups != NULL)) {
        do {
            struct jg_arena_cleanup *node = a->cleanups;
            a->cleanups = node->next; /* before it runs: it may leave by longjmp */
            if (node->run(node->arg) != 0)
                status = jg_arena_cleanup_failed_1();
        } while (a->cleanups != NULL);
        self = jg_arena_self_1(); /* one that yields may have woken up on another carrier */
    }
    a->owner = JG_ARENA_OWNER_CLOSED;
    if (JG_ARENA_UNLIKELY(a->blocks != NULL)) {
        jg_arena_blocks_free_1(a->blocks);
        a->blocks = NULL;
    }
    char *pool = a->pool;
    if (pool != NULL) {
        if (JG_ARENA_LIKELY(a->end - pool == JG_ARENA_POOL_SIZE &&
                            self->cache->first == JG_ARENA_FIRST_EMPTY)) {
            memset(pool, 0, JG_ARENA_POOL_SIZE);
            jg_arena_first_put(self->cache, pool);
        } else {
            jg_arena_pool_put_1(pool, a->end);
        }
        a->pool = NULL;
        a->at = NULL;
        a->end = NULL;
    }
    JG_ARENA_COUNT(self->cache, closes, 1);
    return status;
}

JG_ARENA_INLINE enum jg_arena_status jg_arena_fast_close(struct jg_arena *a)
{
    const struct jg_arena_tls *self = jg_arena_self();
    if (JG_ARENA_UNLIKELY(a->owner != self->id))
        return jg_arena_refuse_1(a->owner);
    if (JG_ARENA_UNLIKELY(a->extra != NULL)) {
        enum jg_arena_status status = jg_arena_extra_close_1(a->extra);
        if (status != JG_ARENA_OK)
            return status;
        a->extra = NULL;
    }
    a->owner |= JG_ARENA_CLOSING_BIT;
    return jg_arena_fast_finish(a, self, JG_ARENA_OK);
}

JG_ARENA_INLINE enum jg_arena_status jg_arena_fast_check(const struct jg_arena *a)
{
    if (JG_ARENA_LIKELY(a->owner == jg_arena_self()->id))
        return JG_ARENA_OK;
    return a->owner == JG_ARENA_OWNER_NEVER || (a->owner & JG_ARENA_CLOSING_BIT) != 0
               ? JG_ARENA_CLOSED
               : JG_ARENA_WRONG_THREAD;
}

JG_ARENA_INLINE enum jg_arena_status jg_arena_fast_on_close(struct jg_arena *a,
                                                            struct jg_arena_cleanup *node,
                                                            int (*run)(void *arg), void *arg)
{
    if (JG_ARENA_UNLIKELY(a->owner != jg_arena_self()->id))
        return jg_arena_refuse_1(a->owner);
    node->next = a->cleanups;
    node->run = run;
    node->arg = arg;
    a->cleanups = node;
    return JG_ARENA_OK;
}

JG_ARENA_INLINE int jg_arena_fast_owns(const struct jg_arena *a, const void *p, size_t size)
{
    if (JG_ARENA_UNLIKELY(a->owner != jg_arena_self()->id))
        return 0;
    uintptr_t from = (uintptr_t)p, pool = (uintptr_t)a->pool, at = (uintptr_t)a->at;
    if (from >= pool && from < at)
        return size <= at - from;
    return jg_arena_blocks_own_1(a->blocks, p, size);
}

/* ---- what to call -------------------------------------------------------------------------- */

/* jg_arena_open     Makes the caller's thread (or fiber) the owner. What the storage held before is
 *                   not looked at; an arena must not be opened twice without a close. Allocates
 *                   nothing, except in the debug face. JG_ARENA_OK; debug: NOMEM.
 * jg_arena_alloc    `size` zeroed bytes at a multiple of `align`, a power of two up to 2^30. Size 0
 *                   gives an address of its own. NULL: see jg_arena_last_status.
 * jg_arena_close    Runs the clean-ups, newest first and all of them, whatever they return; then
 *                   frees, zeroes and gives back. OK and CLEANUP (debug: DAMAGED) mean closed;
 *                   CLOSED, WRONG_THREAD and HELD (debug: COPIED, BUSY) mean that nothing changed.
 * jg_arena_check    May this thread use it? OK, CLOSED or WRONG_THREAD.
 * jg_arena_on_close Runs `run(arg)` at close, when the memory can still be used and the arena no
 *                   longer. `node` must live until then. OK or a refusal.
 * jg_arena_owns     1 when all of p..p+size was given out by this arena, which this thread may use.
 *                   Linear in the number of allocations outside the pool. */
#if JG_ARENA_OUT_OF_LINE
enum jg_arena_status jg_arena_open(struct jg_arena *a);
void *jg_arena_alloc(struct jg_arena *a, size_t size, size_t align);
enum jg_arena_status jg_arena_close(struct jg_arena *a);
enum jg_arena_status jg_arena_check(const struct jg_arena *a);
enum jg_arena_status jg_arena_on_close(struct jg_arena *a, struct jg_arena_cleanup *node,
                                       int (*run)(void *arg), void *arg);
int jg_arena_owns(const struct jg_arena *a, const void *p, size_t size);

/* With the call site, for the debug face; `debug` 0 leaves it to the process (JNIGUARD_ARENA). */
enum jg_arena_status jg_arena_open_at_1(struct jg_arena *a, const char *file, int line, int debug);
#define jg_arena_open(a) jg_arena_open_at_1((a), __FILE__, __LINE__, JG_ARENA_DEBUG)
#else
JG_ARENA_INLINE enum jg_arena_status jg_arena_open(struct jg_arena *a)
{
    return jg_arena_fast_open(a);
}

JG_ARENA_INLINE void *jg_arena_alloc(struct jg_arena *a, size_t size, size_t align)
{
    return jg_arena_fast_alloc(a, size, align);
}

JG_ARENA_INLINE enum jg_arena_status jg_arena_close(struct jg_arena *a)
{
    return jg_arena_fast_close(a);
}

JG_ARENA_INLINE enum jg_arena_status jg_arena_check(const struct jg_arena *a)
{
    return jg_arena_fast_check(a);
}

JG_ARENA_INLINE enum jg_arena_status jg_arena_on_close(struct jg_arena *a,
                                                       struct jg_arena_cleanup *node,
                                                       int (*run)(void *arg), void *arg)
{
    return jg_arena_fast_on_close(a, node, run, arg);
}

JG_ARENA_INLINE int jg_arena_owns(const struct jg_arena *a, const void *p, size_t size)
{
    return jg_arena_fast_owns(a, p, size);
}
#endif

/* `count` zeroed objects of a type, or NULL. */
#ifdef __cplusplus
#define JG_ARENA_ALIGNOF(type) alignof(type)
#else
#define JG_ARENA_ALIGNOF(type) _Alignof(type)
#endif
#define JG_ARENA_NEW(a, type, count)                                                               \
    ((type *)jg_arena_alloc(                                                                       \
        (a),                                                                                       \
        (size_t)(count) > SIZE_MAX / sizeof(type) ? SIZE_MAX : (size_t)(count) * sizeof(type),     \
        JG_ARENA_ALIGNOF(type)))

/* Finishes a close that a clean-up left by longjmp or an exception: the clean-ups that have not
 * run, then everything else. By the owner, never from inside a clean-up. As jg_arena_close; CLOSED
 * when there is nothing to finish. */
enum jg_arena_status jg_arena_close_rest(struct jg_arena *a);

/* Holds off close while a native call uses the arena. By the owner: OK, NOMEM (the first one
 * allocates) or a refusal. */
enum jg_arena_status jg_arena_retain(struct jg_arena *a);
/* By any thread that knows the arena is retained: OK or NOT_HELD. */
enum jg_arena_status jg_arena_release(struct jg_arena *a);

/* ---- threads and fibers -------------------------------------------------------------------- */

/* An identity for a fiber; never given twice. */
uint64_t jg_arena_fiber_id(void);
/* A scheduler calls it on the carrier thread each time a fiber resumes, with the fiber's identity,
 * and with 0, or anything that jg_arena_fiber_id never gives, when the thread runs for itself
 * again. Compile the fibers' code with JG_ARENA_FIBERS. */
void jg_arena_fiber_enter(uint64_t id);
/* Frees the pools that this thread keeps for later. */
void jg_arena_thread_flush(void);

/* ---- configuration ------------------------------------------------------------------------- */

/* Where memory comes from. alloc gives memory aligned for any basic type, or NULL; zalloc the same
 * of zeros, may be NULL; free takes the size that was asked for. Called by any thread, at the same
 * time. */
struct jg_arena_backing {
    void *(*alloc)(size_t size, void *context);
    void *(*zalloc)(size_t size, void *context);
    void (*free)(void *p, size_t size, void *context);
    void *context;
};

struct jg_arena_config {
    size_t struct_size;  /* sizeof(struct jg_arena_config) */
    size_t pool_size;    /* a power of two, 8 to 1048576 */
    unsigned pool_count; /* cached per thread: 0, 1, 2, 4 or 8 */
    int debug;           /* 1: debug face for all that is called out of line */
    int separate;        /* 1: each allocation its own block; -1: under ASan, Valgrind */
    int wipe;            /* 1: blocks outside the pool are wiped, too, before free */
    struct jg_arena_backing backing; /* alloc NULL: malloc and free */
};

/* The defaults: 64, 4, 0, -1, 0, malloc. */
void jg_arena_config_init(struct jg_arena_config *config);
/* Reads "size=64,count=4,debug=0,separate=auto,wipe=0" into `config`, all keys optional. What is
 * wrong keeps its value and is said in `message`, one line each, cut to `size` (0: no message). OK
 * or BAD_CONFIG. */
enum jg_arena_status jg_arena_config_parse(struct jg_arena_config *config, const char *text,
                                           char *message, size_t size);
/* Before the first arena of the process. The environment variable JNIGUARD_ARENA is read at the
 * first arena and wins. OK, BAD_CONFIG or TOO_LATE. */
enum jg_arena_status jg_arena_configure(const struct jg_arena_config *config);
/* What is in force; from here on it can no longer be changed. */
void jg_arena_config_get(struct jg_arena_config *config);

/* ---- statistics and leaks ------------------------------------------------------------------ */

struct jg_arena_stats {
    uint64_t opens, closes;
    uint64_t pooled, pooled_bytes;     /* allocations inside a pool */
    uint64_t fallback, fallback_bytes; /* in a block of their own */
    uint64_t pools_new, pools_freed, pools_failed;
    uint64_t pools_cached; /* now in the caches of all threads: the rest is in open arenas */
    uint64_t cleanups_failed;
    uint64_t refused[JG_ARENA_STATUS_COUNT]; /* by reason */
};

/* Sums over all threads, those that ended included. Code compiled with JG_ARENA_STATS=0 adds
 * nothing to opens, closes and pooled. */
void jg_arena_stats_get(struct jg_arena_stats *stats);

struct jg_arena_leak {
    const char *file; /* where it was opened; for the time of the visit */
    int line;
    uint64_t owner;
    uint64_t bytes; /* asked for so far */
    uint64_t age_ns;
};

/* Shows each open arena of the debug face, oldest first, and returns how many. `visit` may be NULL
 * and must not use arenas. */
size_t jg_arena_leaks(void (*visit)(const struct jg_arena_leak *leak, void *context),
                      void *context);
/* Writes them to a file descriptor, one line each and a total; nothing if there are none. */
size_t jg_arena_leak_report(int fd);

#ifdef __cplusplus
}

namespace jg
{

/* Open while in scope. */
class arena
{
  public:
#if JG_ARENA_OUT_OF_LINE
    explicit arena(const char *file = __builtin_FILE(), int line = __builtin_LINE()) noexcept
        : opened_(jg_arena_open_at_1(&raw_, file, line, JG_ARENA_DEBUG))
    {
    }
#else
    arena() noexcept : opened_(jg_arena_fast_open(&raw_))
    {
    }
#endif
    ~arena()
    {
        (void)close();
    }
    arena(const arena &) = delete;
    arena &operator=(const arena &) = delete;

    void *alloc(size_t size, size_t align = alignof(max_align_t)) noexcept
    {
        return jg_arena_alloc(&raw_, size, align);
    }
    template <typename T> T *alloc_array(size_t count) noexcept
    {
        static_assert(__is_trivially_copyable(T), "nothing calls destructors here");
        return JG_ARENA_NEW(&raw_, T, count);
    }
    jg_arena_status on_close(jg_arena_cleanup *node, int (*run)(void *), void *arg) noexcept
    {
        return jg_arena_on_close(&raw_, node, run, arg);
    }
    /* May be called before the end of the scope; the second call is refused and harmless. */
    jg_arena_status close()
    {
        return opened_ == JG_ARENA_OK ? jg_arena_close(&raw_) : opened_;
    }
    jg_arena_status check() const noexcept
    {
        return opened_ == JG_ARENA_OK ? jg_arena_check(&raw_) : opened_;
    }
    bool owns(const void *p, size_t size) const noexcept
    {
        return jg_arena_owns(&raw_, p, size) != 0;
    }
    jg_arena *get() noexcept
    {
        return &raw_;
    }

  private:
    jg_arena raw_;
    jg_arena_status opened_;
};

} // namespace jg
#endif

#endif
