// SPDX-License-Identifier: Apache-2.0
//
// Threads and fibers: identities, the cache of pools and its end, statistics, fork.
//
// An identity is a number from a counter that never gives one twice: pthread_self and the address
// of a thread-local variable both come back with the very next thread, which would then own the
// arenas of a dead one. A thread registers when it first needs an identity (opening, or entering a
// fiber), not when it first creates a pool: pools of others may be closed into its cache before
// that.
//
// At the end of a thread its cache is freed and shut: arenas that other destructors still open get
// a fresh pool each and cache nothing, so no pool is left whatever the order of the destructors.
// (To cache again and hope for another round leaks after four of them.) The pools of arenas that
// are still open belong to those arenas. The record stays as long as such destructors count.

#include "runtime-checks/arena/internal.h"

#include <limits.h>
#include <stdatomic.h>

__thread struct jg_arena_tls jg_arena_tls_1 JG_ARENA_TLS_MODEL = {
    .id = JG_ARENA_NO_IDENTITY, .own = JG_ARENA_NO_IDENTITY, .cache = &jg_record_spare.hot};
struct jg_record jg_record_spare = {.hot.first = JG_ARENA_FIRST_SHUT};

_Static_assert(offsetof(struct jg_record, hot) == 0, "a cache is found in its record");

static struct jg_record *records;    // of living threads; under the lock
static struct jg_arena_stats totals; // of the others; under the lock
static pthread_key_t key;
static bool key_made;
static _Atomic uint64_t last_identity = JG_ARENA_NO_IDENTITY;

// Not inlined, and to a compiler not without effects: it asks each time it is called.
__attribute__((noinline)) struct jg_arena_tls *jg_arena_self_1(void)
{
    __asm__ volatile("");
    return jg_arena_self();
}

static uint64_t new_identity(void)
{
    return atomic_fetch_add_explicit(&last_identity, 1, memory_order_relaxed) + 1;
}

// ---- statistics ---------------------------------------------------------------------------------

enum { COUNTERS = sizeof(struct jg_arena_stats) / sizeof(uint64_t) };

// What a thread has counted, hot and cold.
static void sum_up(const struct jg_record *record, struct jg_arena_stats *sum)
{
    const struct jg_arena_counters *hot = &record->hot.count;
    const uint64_t *cold = (const uint64_t *)&record->cold;
    for (size_t i = 0; i < COUNTERS; i++)
        ((uint64_t *)sum)[i] = __atomic_load_n(&cold[i], __ATOMIC_RELAXED);
    sum->opens += __atomic_load_n(&hot->opens, __ATOMIC_RELAXED);
    sum->closes += __atomic_load_n(&hot->closes, __ATOMIC_RELAXED);
    sum->pooled += __atomic_load_n(&hot->pooled, __ATOMIC_RELAXED);
    sum->pooled_bytes += __atomic_load_n(&hot->pooled_bytes, __ATOMIC_RELAXED);
    const struct jg_arena_cache *cache = &record->hot;
    sum->pools_cached = __atomic_load_n(&cache->more, __ATOMIC_RELAXED);
    sum->pools_cached += __atomic_load_n(&cache->first, __ATOMIC_RELAXED) == JG_ARENA_FIRST_FULL;
}

// True if the record has counted anything.
static bool add(struct jg_arena_stats *total, const struct jg_record *record)
{
    struct jg_arena_stats sum;
    uint64_t any = 0;
    sum_up(record, &sum);
    for (size_t i = 0; i < COUNTERS; i++) {
        any |= ((const uint64_t *)&sum)[i];
        ((uint64_t *)total)[i] += ((const uint64_t *)&sum)[i];
    }
    return any != 0;
}

void jg_arena_stats_get(struct jg_arena_stats *stats)
{
    pthread_mutex_lock(&jg_arena_lock);
    *stats = totals;
    add(stats, &jg_record_spare);
    for (const struct jg_record *record = records; record != NULL; record = record->next)
        add(stats, record);
    pthread_mutex_unlock(&jg_arena_lock);
}

static void unlink_record(struct jg_record *record)
{
    if (record->previous != NULL)
        record->previous->next = record->next;
    else
        records = record->next;
    if (record->next != NULL)
        record->next->previous = record->previous;
}

// ---- a thread's beginning and end ---------------------------------------------------------------

static void flush(struct jg_arena_cache *cache)
{
    char *pool;
    while ((pool = jg_pool_cached(cache)) != NULL)
        jg_pool_free(pool, jg_settings.config.pool_size);
}

void jg_arena_thread_flush(void)
{
    flush(jg_arena_self()->cache);
}

// Into the totals, and begins anew: by the thread itself. True if there was something.
static bool fold(struct jg_record *record)
{
    bool any = add(&totals, record);
    memset(&record->hot.count, 0, sizeof record->hot.count);
    memset(&record->cold, 0, sizeof record->cold);
    return any;
}

// The end of a thread. As long as destructors of others count something between two rounds, the
// record waits for the next round, but not for the system's last one: ThreadSanitizer, whose key is
// older, has no thread any more then. What destructors count later may be lost where several
// threads end at once.
static void retire(struct jg_arena_tls *self, bool last)
{
    struct jg_record *record = (struct jg_record *)(void *)self->cache;
    if (record == &jg_record_spare)
        return;
    flush(&record->hot);
    record->hot.most = 0;
    __atomic_store_n(&record->hot.first, (uint8_t)JG_ARENA_FIRST_SHUT, __ATOMIC_RELAXED);
    pthread_mutex_lock(&jg_arena_lock);
    bool stays = fold(record) && !last && pthread_setspecific(key, record) == 0;
    if (!stays)
        unlink_record(record);
    pthread_mutex_unlock(&jg_arena_lock);
    if (!stays) {
        self->cache = &jg_record_spare.hot;
        free(record);
    }
}

static void thread_ends(void *arg)
{
    struct jg_record *record = arg;
    retire(jg_arena_self(), ++record->rounds == PTHREAD_DESTRUCTOR_ITERATIONS - 1);
}

// Without a record or a destructor a thread works all the same, but keeps no pools.
static void enlist(struct jg_arena_tls *self)
{
    pthread_mutex_lock(&jg_arena_lock);
    jg_settings_start();
    bool has_key = key_made;
    pthread_mutex_unlock(&jg_arena_lock);

    self->pool_size = jg_settings.separate ? 0 : (uint32_t)jg_settings.config.pool_size;
    self->own = new_identity();
    struct jg_record *record = has_key ? calloc(1, sizeof *record) : NULL;
    if (record != NULL && pthread_setspecific(key, record) != 0) {
        free(record);
        record = NULL;
    }
    if (record != NULL) {
        unsigned count = jg_settings.config.pool_count;
        record->hot.first = count != 0 ? JG_ARENA_FIRST_EMPTY : JG_ARENA_FIRST_SHUT;
        record->hot.most = (uint8_t)(count != 0 ? count - 1 : 0);
        pthread_mutex_lock(&jg_arena_lock);
        record->next = records;
        if (records != NULL)
            records->previous = record;
        records = record;
        pthread_mutex_unlock(&jg_arena_lock);
        self->cache = &record->hot;
    }
    self->id = self->own;
}

uint64_t jg_arena_enter_1(void)
{
    struct jg_arena_tls *self = jg_arena_self();
    if (self->id == JG_ARENA_NO_IDENTITY)
        enlist(self);
    return self->id;
}

// ---- fibers -------------------------------------------------------------------------------------

uint64_t jg_arena_fiber_id(void)
{
    return new_identity();
}

static JG_ARENA_OUTLINED void enter_first(uint64_t id)
{
    enlist(jg_arena_self());
    jg_arena_fiber_enter(id);
}

// At each switch: without a frame of its own. The owner of a closed arena is no identity, and must
// not become one.
void jg_arena_fiber_enter(uint64_t id)
{
    struct jg_arena_tls *self = jg_arena_self();
    if (JG_ARENA_UNLIKELY(self->id == JG_ARENA_NO_IDENTITY))
        enter_first(id);
    else
        self->id = id > JG_ARENA_NO_IDENTITY && id < JG_ARENA_CLOSING_BIT ? id : self->own;
}

// ---- fork, start and end of the process ---------------------------------------------------------

static void before_fork(void)
{
    pthread_mutex_lock(&jg_arena_lock);
    jg_debug_fork_lock();
}

static void after_fork(void)
{
    jg_debug_fork_unlock();
    pthread_mutex_unlock(&jg_arena_lock);
}

// The child keeps the cache of the thread that forked. It gets another identity: the arenas that
// were open are the parent's to close, and their clean-ups must not run twice. Other threads are
// gone; what they counted stays in the sums. What they cached is freed, unless by a backing
// allocator of the program: who knows what locks its other threads held.
static void in_child(void)
{
    struct jg_arena_tls *self = jg_arena_self();
    struct jg_record *record = records;
    while (record != NULL) {
        struct jg_record *next = record->next;
        if (&record->hot != self->cache) {
            if (jg_settings.config.backing.alloc == NULL)
                flush(&record->hot);
            add(&totals, record);
            totals.pools_cached = 0;
            unlink_record(record);
            free(record);
        }
        record = next;
    }
    if (self->id != JG_ARENA_NO_IDENTITY) {
        self->own = new_identity();
        self->id = self->own;
    }
    jg_debug_fork_child();
    after_fork();
}

void jg_thread_start(void)
{
    key_made = pthread_key_create(&key, thread_ends) == 0;
    (void)pthread_atfork(before_fork, after_fork, in_child);
}

// At exit, or when a library with the static archive inside is unloaded: a destructor that stayed
// behind would be called in memory that is gone.
__attribute__((destructor)) static void library_ends(void)
{
    pthread_mutex_lock(&jg_arena_lock);
    bool used = key_made;
    pthread_mutex_unlock(&jg_arena_lock);
    // Of several copies whose symbols meet in one process, only one has the records.
    if (!used)
        return;
    jg_debug_at_exit();
    retire(jg_arena_self(), true);
    pthread_mutex_lock(&jg_arena_lock);
    (void)pthread_key_delete(key);
    key_made = false;
    pthread_mutex_unlock(&jg_arena_lock);
}
