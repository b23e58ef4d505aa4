// SPDX-License-Identifier: Apache-2.0
//
// The debug face: each open arena stands in a list with the place where it was opened; what was not
// given out holds a pattern that is looked at before it is given out and at close; an arena that
// was copied, and a call from inside another call (signal handlers, allocators), are refused.
//
// It exists once per arena, not per process: `self` in the arena says that it was opened here.
// Inlined code of other translation units can use such an arena, but knows nothing of patterns: to
// it the pool is full, and where one really ends stands in `extra`. What it allocates has a block,
// or, if it comes first, a pool of its own that the debug face leaves alone.

#include "runtime-checks/arena/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct jg_arena_extra *oldest, *newest;

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

// ---- open list ----------------------------------------------------------------------------------

static void link_newest(struct jg_arena_extra *extra)
{
    pthread_mutex_lock(&list_lock);
    extra->previous = newest;
    if (newest != NULL)
        newest->next = extra;
    else
        oldest = extra;
    newest = extra;
    pthread_mutex_unlock(&list_lock);
}

void jg_debug_unlink(struct jg_arena_extra *extra)
{
    pthread_mutex_lock(&list_lock);
    if (extra->previous != NULL)
        extra->previous->next = extra->next;
    else
        oldest = extra->next;
    if (extra->next != NULL)
        extra->next->previous = extra->previous;
    else
        newest = extra->previous;
    pthread_mutex_unlock(&list_lock);
}

void jg_debug_fork_lock(void)
{
    pthread_mutex_lock(&list_lock);
}

void jg_debug_fork_unlock(void)
{
    pthread_mutex_unlock(&list_lock);
}

// They are the parent's. The child cannot close them.
void jg_debug_fork_child(void)
{
    oldest = NULL;
    newest = NULL;
}

size_t jg_arena_leaks(void (*visit)(const struct jg_arena_leak *leak, void *context), void *context)
{
    size_t count = 0;
    uint64_t now = now_ns();
    pthread_mutex_lock(&list_lock);
    for (struct jg_arena_extra *extra = oldest; extra != NULL; extra = extra->next) {
        struct jg_arena_leak leak = {
            .file = extra->file,
            .line = extra->line,
            .owner = extra->owner,
            .bytes = __atomic_load_n(&extra->bytes, __ATOMIC_RELAXED),
            .age_ns = now > extra->opened_ns ? now - extra->opened_ns : 0,
        };
        if (visit != NULL)
            visit(&leak, context);
        count++;
    }
    pthread_mutex_unlock(&list_lock);
    return count;
}

struct report {
    int fd;
    uint64_t bytes;
};

static void report_one(const struct jg_arena_leak *leak, void *context)
{
    struct report *report = context;
    report->bytes += leak->bytes;
    dprintf(report->fd,
            "jniguard-arena: %s:%d: arena still open: %" PRIu64 " bytes, owner %" PRIu64
            ", %" PRIu64 " ms old\n",
            leak->file, leak->line, leak->bytes, leak->owner, leak->age_ns / 1000000);
}

size_t jg_arena_leak_report(int fd)
{
    struct report report = {.fd = fd};
    size_t count = jg_arena_leaks(report_one, &report);
    if (count != 0)
        dprintf(fd, "jniguard-arena: %zu arena%s still open, %" PRIu64 " bytes\n", count,
                count == 1 ? "" : "s", report.bytes);
    return count;
}

void jg_debug_at_exit(void)
{
    (void)jg_arena_leak_report(2);
}

// ---- the calls ----------------------------------------------------------------------------------

enum jg_arena_status jg_debug_enter(const struct jg_arena *a)
{
    struct jg_arena_tls *self = jg_arena_self();
    if (a->self != a)
        return jg_refuse(JG_ARENA_COPIED);
    if (self->busy != 0)
        return jg_refuse(JG_ARENA_BUSY);
    if (a->owner != self->id)
        return jg_arena_refuse_1(a->owner);
    return JG_ARENA_OK;
}

// One store, then the work, then one store: a handler that interrupts in between sees it.
static void set_busy(uint8_t busy)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *(volatile uint8_t *)&jg_arena_self_1()->busy = busy;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

enum jg_arena_status jg_debug_open(struct jg_arena *a, const char *file, int line)
{
    memset(a, 0, sizeof *a);
    if (jg_arena_self_1()->busy != 0)
        return jg_refuse(JG_ARENA_BUSY);
    set_busy(1);
    if (file == NULL)
        file = "?";
    size_t length = strlen(file) + 1;
    struct jg_arena_extra *extra = jg_heap_alloc(sizeof *extra + length);
    if (extra != NULL) {
        memset(extra, 0, sizeof *extra);
        (void)jg_arena_fast_open(a);
        extra->debug = true;
        extra->size = sizeof *extra + length;
        memcpy(extra->file, file, length);
        extra->line = line;
        extra->owner = a->owner;
        extra->opened_ns = now_ns();
        link_newest(extra);
        a->extra = extra;
        a->self = a;
    }
    set_busy(0);
    return extra != NULL ? JG_ARENA_OK : jg_refuse(JG_ARENA_NOMEM);
}

// Lazily, as the inlined code does. Under valgrind a pool is used once: freed memory is watched
// best.
static void take_pool(struct jg_arena *a, struct jg_arena_tls *self)
{
    struct jg_arena_extra *extra = a->extra;
    size_t size = jg_settings.config.pool_size;
    char *pool = jg_settings.valgrind ? NULL : jg_pool_cached(self->cache);
    if (pool == NULL)
        pool = jg_pool_new();
    if (pool == NULL)
        return;
    extra->pool = extra->at = pool;
    extra->end = pool + size;
    a->pool = pool;
    a->at = a->end = extra->end;
    memset(pool, JG_CANARY, size);
    if (jg_settings.valgrind)
        VALGRIND_MAKE_MEM_NOACCESS(pool, size);
}

// What lies before `end` and has not been given out.
static bool rest_intact(const struct jg_arena_extra *extra, const char *end)
{
    if (extra->at == NULL)
        return true;
    if (jg_settings.valgrind)
        VALGRIND_MAKE_MEM_DEFINED(extra->at, (size_t)(end - extra->at));
    return jg_canary_intact(extra->at, (size_t)(end - extra->at));
}

static char *bump(struct jg_arena *a, size_t size, size_t align)
{
    struct jg_arena_tls *self = jg_arena_self();
    struct jg_arena_extra *extra = a->extra;
    if (align == 0 || (align & (align - 1)) != 0)
        return NULL;
    if (a->pool == NULL && size <= self->pool_size && align <= self->pool_size)
        take_pool(a, self);
    size_t room = (size_t)(extra->end - extra->at);
    size_t pad = (0 - (uintptr_t)extra->at) & (align - 1);
    if (pad > room || size > room - pad || align > (size_t)(extra->end - extra->pool))
        return NULL;
    char *p = extra->at + pad;
    if (!rest_intact(extra, p + size))
        extra->damaged = true;
    memset(p, 0, size);
    if (jg_settings.valgrind)
        VALGRIND_MAKE_MEM_NOACCESS(extra->at, pad);
    extra->at = p + size;
    JG_ARENA_COUNT(self->cache, pooled, 1);
    JG_ARENA_COUNT(self->cache, pooled_bytes, size);
    return p;
}

int jg_debug_owns(const struct jg_arena *a, const void *p, size_t size)
{
    const struct jg_arena_extra *extra = a->extra;
    uintptr_t from = (uintptr_t)p, at = (uintptr_t)extra->at;
    if (from >= (uintptr_t)extra->pool && from < (uintptr_t)extra->end)
        return from < at && size <= at - from;
    return jg_arena_fast_owns(a, p, size);
}

void jg_debug_leave_pool(struct jg_arena_extra *extra)
{
    if (jg_settings.valgrind && extra->pool != NULL)
        VALGRIND_MAKE_MEM_DEFINED(extra->pool, (size_t)(extra->end - extra->pool));
}

void *jg_debug_alloc(struct jg_arena *a, size_t size, size_t align)
{
    if (jg_debug_enter(a) != JG_ARENA_OK)
        return NULL;
    set_busy(1);
    size_t bytes = size + (size == 0);
    void *p = bump(a, bytes, align);
    if (p == NULL) {
        struct jg_arena_block *block = jg_block_apart(a->blocks, bytes, align, true);
        if (block != NULL) {
            a->blocks = block;
            p = jg_arena_block_apart_1(block);
        }
    }
    if (p != NULL)
        __atomic_fetch_add(&a->extra->bytes, bytes, __ATOMIC_RELAXED);
    set_busy(0);
    return p;
}

enum jg_arena_status jg_debug_finish(struct jg_arena *a)
{
    enum jg_arena_status status = JG_ARENA_OK;
    while (a->cleanups != NULL) {
        struct jg_arena_cleanup *node = a->cleanups;
        a->cleanups = node->next;
        if (node->run(node->arg) != 0)
            status = jg_arena_cleanup_failed_1();
    }
    struct jg_arena_extra *extra = a->extra;
    if (extra == NULL) // a clean-up has finished the close, which it must not
        return status;
    if (extra->damaged || !rest_intact(extra, extra->end) || !jg_blocks_intact(a->blocks)) {
        dprintf(2,
                "jniguard-arena: %s:%d: memory behind an allocation of the arena opened here was "
                "overwritten\n",
                extra->file, extra->line);
        status = jg_refuse(JG_ARENA_DAMAGED);
    }
    jg_debug_unlink(extra);
    jg_debug_leave_pool(extra);
    set_busy(1);
    bool used_once = jg_settings.valgrind && extra->pool != NULL;
    jg_heap_free(extra, extra->size);
    a->extra = NULL;
    if (used_once) {
        jg_pool_free(a->pool, (size_t)(a->end - a->pool));
        a->pool = NULL;
    }
    status = jg_arena_fast_finish(a, jg_arena_self_1(), status);
    set_busy(0);
    return status;
}

enum jg_arena_status jg_debug_close(struct jg_arena *a)
{
    enum jg_arena_status status = jg_debug_enter(a);
    if (status != JG_ARENA_OK)
        return status;
    if (__atomic_load_n(&a->extra->held, __ATOMIC_ACQUIRE) != 0)
        return jg_refuse(JG_ARENA_HELD);
    a->owner |= JG_ARENA_CLOSING_BIT;
    return jg_debug_finish(a);
}
