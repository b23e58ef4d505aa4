// SPDX-License-Identifier: Apache-2.0
//
// Fibers with real context switches: an arena opened on one carrier thread and closed on another.
// The scheduler here is two threads in lockstep that run each fiber in turn.

#undef JG_ARENA_FIBERS
#define JG_ARENA_FIBERS 1
#include "arena_test.h"

#include <ucontext.h>

#define STACK (64 * 1024)
#define FIBERS 16

struct fiber {
    ucontext_t context;
    ucontext_t *carrier; // where to go back to; set at each resume
    uint64_t id;
    char *stack;
    void (*body)(struct fiber *fiber);
    bool done;
    enum jg_arena_status closed;
    pthread_t opened_on, closed_on;
};

static __thread ucontext_t here;

static void yield(struct fiber *fiber)
{
    swapcontext(&fiber->context, fiber->carrier);
}

static void resume(struct fiber *fiber)
{
    jg_arena_fiber_enter(fiber->id);
    fiber->carrier = &here;
    swapcontext(&here, &fiber->context);
    jg_arena_fiber_enter(0);
}

// pthread_self and errno have the same trap as our own variable: ask out of line.
__attribute__((noinline)) static pthread_t carrier_now(void)
{
    __asm__ volatile("");
    return pthread_self();
}

static void life(struct fiber *fiber)
{
    struct jg_arena a;
    CHECK(jg_arena_open(&a) == JG_ARENA_OK);
    fiber->opened_on = carrier_now();
    yield(fiber);
    char *p = jg_arena_alloc(&a, 20, 1); // pool of the carrier that is here now
    CHECK(p != NULL && all_zero(p, 20));
    memset(p, (int)fiber->id, 20);
    yield(fiber);
    for (int i = 0; i < 20; i++)
        CHECK(p[i] == (char)fiber->id);
    CHECK(jg_arena_alloc(&a, 100, 1) != NULL);
    yield(fiber);
    fiber->closed_on = carrier_now();
    fiber->closed = jg_arena_close(&a);
    fiber->done = true;
    yield(fiber);
}

static void entry(unsigned high, unsigned low)
{
    struct fiber *fiber = (struct fiber *)(((uintptr_t)high << 32) | low);
    fiber->body(fiber);
}

static void fiber_init(struct fiber *fiber)
{
    memset(fiber, 0, sizeof *fiber);
    fiber->id = jg_arena_fiber_id();
    fiber->body = life;
    fiber->stack = malloc(STACK);
    CHECK(fiber->stack != NULL);
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = fiber->stack;
    fiber->context.uc_stack.ss_size = STACK;
    uintptr_t p = (uintptr_t)fiber;
    makecontext(&fiber->context, (void (*)(void))entry, 2, (unsigned)(p >> 32),
                (unsigned)(p & 0xFFFFFFFF));
}

static struct fiber fibers[FIBERS];
static pthread_barrier_t turn;
static bool migrate;

// In each round a fiber runs on one carrier: always the same, or the other one each time.
static void *carry(void *arg)
{
    int me = *(int *)arg;
    struct jg_arena own;
    CHECK(jg_arena_open(&own) == JG_ARENA_OK); // the thread's own, all the time
    CHECK(jg_arena_alloc(&own, 1, 1) != NULL);
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < FIBERS; i++)
            if ((i + (migrate ? round : 0)) % 2 == me)
                resume(&fibers[i]);
        CHECK(jg_arena_check(&own) == JG_ARENA_OK);
        pthread_barrier_wait(&turn);
    }
    CHECK(jg_arena_close(&own) == JG_ARENA_OK);
    return NULL;
}

static void run_fibers(bool migrating)
{
    migrate = migrating;
    struct jg_arena_stats before = stats_now();
    for (int i = 0; i < FIBERS; i++)
        fiber_init(&fibers[i]);
    pthread_barrier_init(&turn, NULL, 2);
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, carry, &numbers[i]), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < FIBERS; i++) {
        assert_true(fibers[i].done);
        assert_int_equal(fibers[i].closed, JG_ARENA_OK);
        assert_int_equal(pthread_equal(fibers[i].opened_on, fibers[i].closed_on) == 0, migrating);
        free(fibers[i].stack);
    }
    pthread_barrier_destroy(&turn);
    struct jg_arena_stats after = stats_now();
    assert_int_equal(after.opens - before.opens, FIBERS + 2);
    assert_int_equal(after.closes - before.closes, FIBERS + 2);
    // Both carriers have ended: what closed into their caches is free.
    assert_int_equal(after.pools_new - after.pools_freed, before.pools_new - before.pools_freed);
}

static void fibers_that_stay(void **state)
{
    (void)state;
    run_fibers(false);
}

static void fibers_that_migrate(void **state)
{
    (void)state;
    run_fibers(true);
}

// ---- a carrier that ends while the arena is open ------------------------------------------------

static void *carry_once(void *fiber)
{
    resume(fiber);
    resume(fiber);
    return NULL;
}

static void carrier_ends_before_close(void **state)
{
    (void)state;
    struct fiber fiber;
    fiber_init(&fiber);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, carry_once, &fiber), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    resume(&fiber); // its pool is untouched
    resume(&fiber);
    assert_int_equal(fiber.closed, JG_ARENA_OK);
    free(fiber.stack);
}

// A pool is closed into the cache of a thread that never opened an arena; it must be freed at its
// end.
static void *close_foreign(void *fiber)
{
    resume(fiber);
    return NULL;
}

static void closing_carrier_never_opened_one(void **state)
{
    (void)state;
    jg_arena_thread_flush();
    struct jg_arena_stats before = stats_now();
    struct fiber fiber;
    fiber_init(&fiber);
    for (int i = 0; i < 3; i++)
        resume(&fiber);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, close_foreign, &fiber), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(fiber.done);
    assert_int_equal(fiber.closed, JG_ARENA_OK);
    free(fiber.stack);
    struct jg_arena_stats after = stats_now();
    assert_int_equal(after.pools_new - before.pools_new, 1);
    assert_int_equal(after.pools_freed - before.pools_freed, 1);
}

// A clean-up that yields: close begins on one carrier and ends on another, whose cache gets the
// pool.
static int yield_in_cleanup(void *fiber)
{
    yield(fiber);
    return 0;
}

static void close_while_yielding(struct fiber *fiber)
{
    struct jg_arena a;
    struct jg_arena_cleanup node;
    CHECK(jg_arena_open(&a) == JG_ARENA_OK);
    CHECK(jg_arena_alloc(&a, 20, 1) != NULL);
    CHECK(jg_arena_on_close(&a, &node, yield_in_cleanup, fiber) == JG_ARENA_OK);
    fiber->closed = jg_arena_close(&a);
    fiber->done = true;
    yield(fiber);
}

static void cleanups_may_migrate(void **state)
{
    (void)state;
    jg_arena_thread_flush();
    struct jg_arena_stats before = stats_now();
    struct fiber fiber;
    fiber_init(&fiber);
    fiber.body = close_while_yielding;
    resume(&fiber);
    assert_false(fiber.done);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, close_foreign, &fiber), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(fiber.done);
    assert_int_equal(fiber.closed, JG_ARENA_OK);
    free(fiber.stack);
    struct jg_arena_stats after = stats_now();
    assert_int_equal(after.pools_new - before.pools_new, 1);
    assert_int_equal(after.pools_freed - before.pools_freed, 1); // with the thread
}

static void identities_are_exclusive(void **state)
{
    (void)state;
    uint64_t one = jg_arena_fiber_id(), two = jg_arena_fiber_id();
    assert_true(one != two);
    struct jg_arena a;
    jg_arena_fiber_enter(one);
    jg_arena_open(&a);
    jg_arena_fiber_enter(two);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_WRONG_THREAD);
    jg_arena_fiber_enter(0);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_WRONG_THREAD);
    jg_arena_fiber_enter(one);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
    jg_arena_fiber_enter(0);
}

// What stands in closed and closing arenas, or for a thread without an identity, is nobody's.
static void no_fiber_is_nobody(void **state)
{
    (void)state;
    struct jg_arena a, closed, never;
    memset(&never, 0, sizeof never);
    jg_arena_open(&closed);
    jg_arena_close(&closed);
    jg_arena_open(&a);
    const uint64_t ids[] = {JG_ARENA_OWNER_NEVER, JG_ARENA_NO_IDENTITY, JG_ARENA_CLOSING_BIT,
                            a.owner | JG_ARENA_CLOSING_BIT, JG_ARENA_OWNER_CLOSED};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        jg_arena_fiber_enter(ids[i]);
        assert_int_equal(jg_arena_check(&a), JG_ARENA_OK); // the thread itself
        assert_int_equal(jg_arena_close(&closed), JG_ARENA_CLOSED);
        assert_int_equal(jg_arena_close(&never), JG_ARENA_CLOSED);
        struct jg_arena b;
        jg_arena_open(&b);
        assert_int_equal(b.owner, a.owner);
        assert_int_equal(jg_arena_close(&b), JG_ARENA_OK);
    }
    jg_arena_fiber_enter(0);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fibers_that_stay),
        cmocka_unit_test(fibers_that_migrate),
        cmocka_unit_test(carrier_ends_before_close),
        cmocka_unit_test(closing_carrier_never_opened_one),
        cmocka_unit_test(cleanups_may_migrate),
        cmocka_unit_test(identities_are_exclusive),
        cmocka_unit_test(no_fiber_is_nobody),
    };
    use_pools();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
