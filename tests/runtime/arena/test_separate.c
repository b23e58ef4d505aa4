// SPDX-License-Identifier: Apache-2.0
//
// Each allocation its own block: what runs under AddressSanitizer and valgrind, and with
// separate=1. Where the sanitizer is there, children make the mistakes that it has to see.

#include "arena_test.h"

static void blocks_are_apart(void **state)
{
    (void)state;
    struct jg_arena_stats before = stats_now();
    struct jg_arena a;
    jg_arena_open(&a);
    for (size_t align = 1; align <= 4096; align *= 2) {
        for (size_t size = 0; size < 70; size += 5) {
            char *p = jg_arena_alloc(&a, size, align);
            assert_true(p != NULL && all_zero(p, size));
            assert_int_equal((uintptr_t)p % align, 0);
            assert_int_not_equal((uintptr_t)p % (2 * align), 0); // no more than was asked for
            memset(p, 0xFF, size);
            assert_true(jg_arena_owns(&a, p, size));
        }
    }
    assert_null(a.pool);
    assert_null(jg_arena_alloc(&a, 1, 3));
    assert_int_equal(jg_arena_last_status(), JG_ARENA_BAD_ALIGN);
    assert_null(jg_arena_alloc(&a, SIZE_MAX, 1));
    assert_int_equal(jg_arena_last_status(), JG_ARENA_NOMEM);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
    assert_int_equal(stats_now().pools_new, before.pools_new);
    assert_int_equal(stats_now().pooled, before.pooled);
}

static size_t size, align;
static ptrdiff_t offset;
static bool after_close;

static int mistake(void)
{
    fclose(stderr);
    close(2); // the report is not for the reader of the test
    struct jg_arena a;
    jg_arena_open(&a);
    char *volatile p = jg_arena_alloc(&a, size, align);
    char *volatile q = jg_arena_alloc(&a, size, align);
    (void)q;
    if (after_close)
        jg_arena_close(&a);
    p[offset] = 1;
    return 0;
}

static void mistakes_are_seen(void **state)
{
    (void)state;
    if (!UNDER_ASAN)
        skip();
    static const size_t aligns[] = {1, 8, 16, 4096};
    for (size_t i = 0; i < sizeof aligns / sizeof *aligns; i++) {
        align = aligns[i];
        for (size = 5; size < 100; size += 56) {
            after_close = false;
            offset = 0;
            assert_int_equal(in_child(mistake), 0);
            offset = (ptrdiff_t)size - 1;
            assert_int_equal(in_child(mistake), 0);
            offset = (ptrdiff_t)size; // the very next byte
            assert_int_not_equal(in_child(mistake), 0);
            if (align >= 8) {
                offset = -1;
                assert_int_not_equal(in_child(mistake), 0);
            }
            offset = 0;
            after_close = true;
            assert_int_not_equal(in_child(mistake), 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_apart),
        cmocka_unit_test(mistakes_are_seen),
    };
    // Under the sanitizer and valgrind it is what happens by itself.
    struct jg_arena_config config;
    jg_arena_config_init(&config);
    if (!UNDER_ASAN && !RUNNING_ON_VALGRIND)
        config.separate = 1;
    if (jg_arena_configure(&config) != JG_ARENA_OK)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
