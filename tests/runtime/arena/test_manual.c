// SPDX-License-Identifier: Apache-2.0
//
// The pieces of code in README.md and jniguard-arena.3, so that they compile and do what is said.
// check_manual sees that none is missing here or in samples/arena.

#include "arena_test.h"

static void first_steps(void **state)
{
    (void)state;
    struct jg_arena a;
    jg_arena_open(&a);
    char *name = jg_arena_alloc(&a, 20, 1);
    double *rows = JG_ARENA_NEW(&a, double, 1000);
    assert_non_null(name);
    assert_true(rows != NULL && rows[999] == 0);
    assert_int_equal(name[19], 0);
    jg_arena_close(&a);
    assert_int_equal(jg_arena_check(&a), JG_ARENA_CLOSED);
}

static void manual_page(void **state)
{
    (void)state;
    struct jg_arena a;
    jg_arena_open(&a);
    char *name = jg_arena_alloc(&a, 20, 1);
    if (name == NULL)
        fprintf(stderr, "%s\n", jg_arena_status_text(jg_arena_last_status()));
    jg_arena_close(&a);
    assert_non_null(name);
}

static int configure(void)
{
    struct jg_arena_config config;
    jg_arena_config_init(&config);
    config.pool_size = 256;
    if (jg_arena_configure(&config) != JG_ARENA_OK)
        return 1;
    jg_arena_config_get(&config);
    return config.pool_size != 256;
}

static void settings(void **state)
{
    (void)state;
    assert_int_equal(in_child(configure), 0);
}

static void fibers(void **state)
{
    (void)state;
    struct {
        uint64_t id;
    } storage, *fiber = &storage;
    struct jg_arena a;
    fiber->id = jg_arena_fiber_id();
    jg_arena_fiber_enter(fiber->id);
    jg_arena_open(&a);
    jg_arena_fiber_enter(0);
    assert_int_equal(jg_arena_check(&a), JG_ARENA_WRONG_THREAD);
    jg_arena_fiber_enter(fiber->id);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
    jg_arena_fiber_enter(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings), // first: nothing is in force yet
        cmocka_unit_test(first_steps),
        cmocka_unit_test(manual_page),
        cmocka_unit_test(fibers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
