// SPDX-License-Identifier: Apache-2.0
//
// fork: the child keeps the cache, not the open arenas; their clean-ups run once, in the parent.

#include "arena_test.h"

#include <sched.h>

static struct jg_arena open_before;
static int cleanups;
static struct jg_arena_stats before;

static int count(void *arg)
{
    (void)arg;
    cleanups++;
    return 0;
}

// In a child: what the parent's other threads have open is lost by nature. The parent is looked at.
static void no_leak_check(void)
{
#ifdef VALGRIND_CLO_CHANGE
    VALGRIND_CLO_CHANGE("--leak-check=no");
#endif
}

static int child(void)
{
    no_leak_check();
    CHECK(jg_arena_check(&open_before) == JG_ARENA_WRONG_THREAD);
    CHECK(jg_arena_close(&open_before) == JG_ARENA_WRONG_THREAD);
    CHECK(cleanups == 0);
    CHECK(stats_now().opens == before.opens); // threads that are gone included
    CHECK(jg_arena_leaks(NULL, NULL) == 0);
    if (pools_are_kept()) { // those of the other thread are freed: nobody else can reach them
        CHECK(before.pools_cached == 2 && stats_now().pools_cached == 1);
        CHECK(stats_now().pools_freed == before.pools_freed + 1);
    }
    struct jg_arena a;
    CHECK(jg_arena_open(&a) == JG_ARENA_OK);
    CHECK(a.owner != open_before.owner);
    uint64_t pools = stats_now().pools_new;
    char *p = jg_arena_alloc(&a, 20, 1);
    CHECK(p != NULL && all_zero(p, 20));
    if (pools_are_kept())
        CHECK(stats_now().pools_new == pools); // one of those that were kept
    CHECK(jg_arena_close(&a) == JG_ARENA_OK);
    jg_arena_thread_flush();
    return 0;
}

static void *stay(void *arg)
{
    pthread_barrier_t *barrier = arg;
    struct jg_arena a, closed;
    CHECK(jg_arena_open(&a) == JG_ARENA_OK);
    CHECK(jg_arena_open(&closed) == JG_ARENA_OK);
    CHECK(jg_arena_alloc(&a, 1, 1) != NULL);
    CHECK(jg_arena_alloc(&closed, 1, 1) != NULL);
    CHECK(jg_arena_close(&closed) == JG_ARENA_OK);
    pthread_barrier_wait(barrier);
    pthread_barrier_wait(barrier);
    CHECK(jg_arena_close(&a) == JG_ARENA_OK);
    return NULL;
}

static void children_leave_open_arenas_alone(void **state)
{
    (void)state;
    pthread_barrier_t barrier;
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    assert_int_equal(pthread_create(&thread, NULL, stay, &barrier), 0);
    pthread_barrier_wait(&barrier);

    struct jg_arena kept;
    struct jg_arena_cleanup node;
    jg_arena_open(&kept);
    jg_arena_open(&open_before);
    char *p = jg_arena_alloc(&open_before, 20, 1);
    assert_non_null(p);
    assert_non_null(jg_arena_alloc(&kept, 20, 1));
    assert_int_equal(jg_arena_close(&kept), JG_ARENA_OK);
    assert_int_equal(jg_arena_on_close(&open_before, &node, count, NULL), JG_ARENA_OK);

    before = stats_now();
    assert_int_equal(in_child(child), 0);
    assert_int_equal(stats_now().opens, before.opens); // the child counts for itself

    pthread_barrier_wait(&barrier);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(jg_arena_close(&open_before), JG_ARENA_OK);
    assert_int_equal(cleanups, 1);
    pthread_barrier_destroy(&barrier);
    jg_arena_thread_flush();
    assert_int_equal(stats_now().pools_new, stats_now().pools_freed);
}

// Forks while other threads register, end and hold the lock of the registry, which must not stay
// taken.
static void *start_and_end(void *arg)
{
    (void)arg;
    struct jg_arena a;
    CHECK(jg_arena_open(&a) == JG_ARENA_OK);
    CHECK(jg_arena_alloc(&a, 1, 1) != NULL);
    CHECK(jg_arena_close(&a) == JG_ARENA_OK);
    return NULL;
}

static _Atomic bool stop;

static void *keep_reading(void *arg)
{
    while (!stop) {
        (void)stats_now();
        (void)start_and_end(NULL); // the list of open arenas in the debug face
        sched_yield();             // valgrind runs one thread at a time, and need not be fair
    }
    return arg;
}

static int use_once(void)
{
    no_leak_check();
    alarm(20); // rather than for ever
    (void)start_and_end(NULL);
    (void)stats_now();
    return 0;
}

static void children_are_not_blocked(void **state)
{
    (void)state;
    pthread_t reader;
    assert_int_equal(pthread_create(&reader, NULL, keep_reading, NULL), 0);
    for (int i = 0; i < 40; i++) {
        pthread_t threads[2];
        for (int k = 0; k < 2; k++)
            assert_int_equal(pthread_create(&threads[k], NULL, start_and_end, NULL), 0);
        assert_int_equal(in_child(use_once), 0);
        for (int k = 0; k < 2; k++)
            assert_int_equal(pthread_join(threads[k], NULL), 0);
    }
    stop = true;
    assert_int_equal(pthread_join(reader, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_leave_open_arenas_alone),
        cmocka_unit_test(children_are_not_blocked),
    };
    use_pools();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
