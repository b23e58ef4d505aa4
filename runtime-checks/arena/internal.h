// SPDX-License-Identifier: Apache-2.0
//
// What the files of the arena library share: settings, the records of threads, memory, blocks, and
// the debug face. The public header holds everything that inlined code needs; nothing here is part
// of the interface.
//
// Settings are written once, under the lock, before the first identity is given out. Whoever has an
// identity may read them without the lock.

#ifndef JG_ARENA_INTERNAL_H
#define JG_ARENA_INTERNAL_H

#ifndef JG_ARENA_OUT_OF_LINE
#define JG_ARENA_OUT_OF_LINE 1
#endif
#include <jniguard/arena.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#if !defined(NVALGRIND) && __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define RUNNING_ON_VALGRIND 0
#define VALGRIND_MAKE_MEM_NOACCESS(p, n) ((void)(p), (void)(n))
#define VALGRIND_MAKE_MEM_DEFINED(p, n) ((void)(p), (void)(n))
#endif

// ---- settings (config.c) ------------------------------------------------------------------------

struct jg_arena_settings {
    struct jg_arena_config config;
    bool separate; // config.separate decided
    bool asan;     // the process runs under AddressSanitizer, whoever was compiled for it
    bool valgrind;
    bool plain; // blocks are malloc and free: not separate, no other backing, no wiping
};

extern struct jg_arena_settings jg_settings;
// Guards the settings until they are in force, the list of records and the totals.
extern pthread_mutex_t jg_arena_lock;

// Puts the settings in force. With the lock held; the first call does the work.
void jg_settings_start(void);

// ---- threads (thread.c) -------------------------------------------------------------------------

// What a thread keeps and has counted, in a list of all threads.
struct jg_record {
    struct jg_arena_cache hot;  // what inlined code knows of it; first, so that one pointer is both
    struct jg_arena_stats cold; // the rest of the counters
    struct jg_record *next, *previous;
    unsigned rounds; // of destructors, at the thread's end
};

// For threads that have no record (never used an arena, ended, or out of memory). Keeps no pools.
extern struct jg_record jg_record_spare;

// Once a process, with the lock held.
void jg_thread_start(void);

static inline void jg_count(struct jg_arena_tls *self, size_t offset, uint64_t n)
{
    struct jg_record *record = (struct jg_record *)(void *)self->cache;
    uint64_t *counter = (uint64_t *)(void *)((char *)&record->cold + offset);
    if (JG_ARENA_UNLIKELY(record == &jg_record_spare))
        __atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
    else
        __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + n, __ATOMIC_RELAXED);
}

#define JG_COUNT(self, field, n) jg_count((self), offsetof(struct jg_arena_stats, field), (n))

// Counts a refusal, remembers it for jg_arena_last_status, and returns it.
enum jg_arena_status jg_refuse(enum jg_arena_status status);

// ---- memory (block.c) ---------------------------------------------------------------------------

void *jg_heap_alloc(size_t size);
void *jg_heap_zalloc(size_t size); // zeroed, from fresh pages where that is cheaper
void jg_heap_free(void *p, size_t size);

// Zeroes; the default size without a call.
static inline void jg_clear(void *p, size_t size)
{
    if (JG_ARENA_LIKELY(size == JG_ARENA_POOL_SIZE))
        memset(p, 0, JG_ARENA_POOL_SIZE);
    else
        memset(p, 0, size);
}

char *jg_pool_new(void);                    // zeroed, of the size in the settings; NULL: none
void jg_pool_free(char *pool, size_t size); // wiped
// Out of a thread's cache; NULL: none.
static inline char *jg_pool_cached(struct jg_arena_cache *cache)
{
    if (cache->first == JG_ARENA_FIRST_FULL)
        return jg_arena_first_take(cache);
    if (cache->more == 0)
        return NULL;
    char *pool = cache->slots[cache->more];
    __atomic_store_n(&cache->more, (uint8_t)(cache->more - 1), __ATOMIC_RELAXED);
    return pool;
}

// A block of its own whose end is watched: by ASan, by valgrind, or by a canary where `guard` is
// set.
struct jg_arena_block *jg_block_apart(struct jg_arena_block *blocks, size_t size, size_t align,
                                      bool guard);
bool jg_blocks_intact(const struct jg_arena_block *blocks);

// Patterns behind what was given out.
#define JG_CANARY 0xA5
bool jg_canary_intact(const void *p, size_t size);

// ---- retained and debugged arenas (extra.c, debug.c) --------------------------------------------

struct jg_arena_extra {
    uint64_t held; // atomic: retained more often than released
    bool debug;
    bool damaged;
    char *pool, *at, *end; // of the debug face; NULL: it took none
    int line;
    uint64_t owner;
    uint64_t bytes; // atomic: written by the owner, read by reports
    uint64_t opened_ns;
    struct jg_arena_extra *next, *previous; // open list, debug only
    size_t size;                            // of this struct and the name
    char file[]; // copied: the library that opened the arena may be unloaded before the report
};

void jg_debug_fork_child(void);
void jg_debug_unlink(struct jg_arena_extra *extra);
enum jg_arena_status jg_debug_open(struct jg_arena *a, const char *file, int line);
void *jg_debug_alloc(struct jg_arena *a, size_t size, size_t align);
enum jg_arena_status jg_debug_close(struct jg_arena *a);
enum jg_arena_status jg_debug_finish(struct jg_arena *a);
// OK, COPIED, BUSY, or what the owner says.
enum jg_arena_status jg_debug_enter(const struct jg_arena *a);
int jg_debug_owns(const struct jg_arena *a, const void *p, size_t size);
// Before the pool goes back: valgrind shall let it be zeroed.
void jg_debug_leave_pool(struct jg_arena_extra *extra);
void jg_debug_at_exit(void);
void jg_debug_fork_lock(void);
void jg_debug_fork_unlock(void);

#endif
