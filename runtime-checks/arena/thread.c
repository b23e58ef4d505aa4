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
// At the end of a thread its cache is freed and it is marked as dying: arenas that other
// destructors still open get a fresh pool each and cache nothing, so nothing is left whatever the
// order of the destructors. (To set the key again and hope for another round leaks after four of
// them.) The pools of arenas that are still open belong to those arenas.

#include "runtime-checks/arena/internal.h"

#include <stdatomic.h>

__thread struct jg_arena_tls jg_arena_tls_1 JG_ARENA_TLS_MODEL = {.id = JG_ARENA_NO_IDENTITY,
                                                                  .own = JG_ARENA_NO_IDENTITY};
struct jg_record jg_record_spare;

_Static_assert(offsetof(struct jg_arena_stats, pooled_bytes) ==
                   offsetof(struct jg_arena_counters, pooled_bytes),
               "the statistics begin with what inlined code counts");

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

static void add(struct jg_arena_stats *sum, struct jg_record *record)
{
    uint64_t *to = (uint64_t *)sum, *from = (uint64_t *)&record->counters.all;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
        to[i] += __atomic_load_n(&from[i], __ATOMIC_RELAXED);
}

void jg_arena_stats_get(struct jg_arena_stats *stats)
{
    pthread_mutex_lock(&jg_arena_lock);
    *stats = totals;
    add(stats, &jg_record_spare);
    for (struct jg_record *record = records; record != NULL; record = record->next) {
        add(stats, record);
        for (int slot = 0; slot < JG_ARENA_POOL_COUNT_MAX; slot++)
            stats->pools_cached +=
                __atomic_load_n(&record->self->slots[slot], __ATOMIC_RELAXED) != NULL;
    }
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

static void flush(struct jg_arena_tls *self)
{
    char *pool;
    while ((pool = jg_pool_cached(self)) != NULL)
        jg_pool_free(pool, jg_settings.config.pool_size);
}

void jg_arena_thread_flush(void)
{
    flush(jg_arena_self());
}

static void retire(struct jg_arena_tls *self)
{
    struct jg_record *record = (struct jg_record *)(void *)self->counters;
    flush(self);
    self->limit = 0;
    if (record == NULL || record == &jg_record_spare)
        return;
    self->counters = &jg_record_spare.counters.hot;
    pthread_mutex_lock(&jg_arena_lock);
    add(&totals, record);
    unlink_record(record);
    pthread_mutex_unlock(&jg_arena_lock);
    free(record);
}

static void thread_ends(void *record)
{
    (void)record;
    retire(jg_arena_self());
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
    if (record == NULL) {
        self->counters = &jg_record_spare.counters.hot;
    } else {
        record->self = self;
        pthread_mutex_lock(&jg_arena_lock);
        record->next = records;
        if (records != NULL)
            records->previous = record;
        records = record;
        pthread_mutex_unlock(&jg_arena_lock);
        self->counters = &record->counters.hot;
        self->limit = (uint8_t)jg_settings.config.pool_count;
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

void jg_arena_fiber_enter(uint64_t id)
{
    (void)jg_arena_enter_1();
    struct jg_arena_tls *self = jg_arena_self();
    self->id = id != 0 ? id : self->own;
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
// gone; what they counted stays in the sums, what they cached cannot be reached any more.
static void in_child(void)
{
    struct jg_arena_tls *self = jg_arena_self();
    struct jg_record *record = records;
    while (record != NULL) {
        struct jg_record *next = record->next;
        if (&record->counters.hot != self->counters) {
            add(&totals, record);
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
    jg_debug_at_exit();
    retire(jg_arena_self());
    pthread_mutex_lock(&jg_arena_lock);
    if (key_made)
        (void)pthread_key_delete(key);
    key_made = false;
    pthread_mutex_unlock(&jg_arena_lock);
}
