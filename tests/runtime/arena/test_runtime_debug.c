// SPDX-License-Identifier: Apache-2.0
//
// JNIGUARD_ARENA=debug=1 gives the debug face to code that calls the library and was not compiled
// for it.

#include "arena_test.h"

static size_t line_seen;

static void see(const struct jg_arena_leak *leak, void *context)
{
    (void)context;
    line_seen = strstr(leak->file, "test_runtime_debug.c") != NULL ? (size_t)leak->line : 0;
}

static void call_sites_are_known(void **state)
{
    (void)state;
    struct jg_arena a, copy;
    size_t line = __LINE__ + 1;
    jg_arena_open(&a);
    assert_int_equal(jg_arena_leaks(see, NULL), 1);
    assert_int_equal(line_seen, line);
    memcpy(&copy, &a, sizeof copy);
    assert_null(jg_arena_alloc(&copy, 1, 1));
    assert_int_equal(jg_arena_last_status(), JG_ARENA_COPIED);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
    assert_int_equal(jg_arena_leaks(NULL, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(call_sites_are_known)};
    if (setenv("JNIGUARD_ARENA", "debug=1,separate=0", 1) != 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
