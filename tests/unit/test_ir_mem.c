// SPDX-License-Identifier: Apache-2.0
//
// Arenas and vectors.

#include "analyzer/ir/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void arena_blocks_are_zeroed_and_aligned(void **state)
{
    (void)state;
    struct jg_bump a = {0};
    for (size_t size = 1; size < 5000; size = size * 3 + 1) {
        unsigned char *p = jg_bump_alloc(&a, size);
        assert_int_equal((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xff, size);
    }
    jg_bump_fini(&a);
}

static void arena_is_zeroed_again_after_reset(void **state)
{
    (void)state;
    struct jg_bump a = {0};
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 1000; i++) {
            unsigned char *p = jg_bump_alloc(&a, 100);
            assert_int_equal(p[0] | p[99], 0);
            memset(p, 0xff, 100);
        }
        assert_int_equal(a.live, 100000);
        jg_bump_reset(&a);
        assert_int_equal(a.live, 0);
    }
    jg_bump_fini(&a);
    assert_null(a.head);
}

static void arena_takes_more_than_a_block(void **state)
{
    (void)state;
    struct jg_bump a = {0};
    char *small = jg_bump_strdup(&a, "small");
    char *large = jg_bump_alloc(&a, 40u << 20);
    large[(40u << 20) - 1] = 1;
    assert_string_equal(small, "small");
    assert_string_equal(jg_bump_format(&a, "%d-%s", 42, small), "42-small");
    jg_bump_fini(&a);
}

static void copies_hold_their_own_bytes(void **state)
{
    (void)state;
    struct jg_bump a = {0};
    int numbers[] = {1, 2, 3};
    int *copy = jg_bump_copy(&a, numbers, sizeof numbers);
    numbers[1] = 9;
    assert_int_equal(copy[1], 2);
    assert_non_null(jg_bump_copy(&a, NULL, 0));
    jg_bump_fini(&a);
}

struct pair {
    int a, b;
};

static void vectors_grow_and_zero(void **state)
{
    (void)state;
    struct JG_VEC(struct pair) v = {0};
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(JG_VEC_PUSH(&v)->b, 0);
        v.data[i].a = i;
        v.data[i].b = -1;
    }
    assert_int_equal(v.count, 1000);
    assert_int_equal(v.data[999].a, 999);
    v.count = 0;
    assert_int_equal(JG_VEC_PUSH(&v)->b, 0);
    JG_VEC_FREE(&v);
    assert_null(v.data);
}

static void format_makes_a_heap_string(void **state)
{
    (void)state;
    char *s = jg_format("%s:%d", "a.c", 7);
    assert_string_equal(s, "a.c:7");
    free(s);
}

static void joined_arenas_live_on(void **state)
{
    (void)state;
    struct jg_bump a = {0}, b = {0}, empty = {0};
    char *first = jg_bump_strdup(&b, "first");
    jg_bump_alloc(&b, 1 << 20);
    char *second = jg_bump_strdup(&b, "second");
    jg_bump_join(&a, &b); // into an empty one
    assert_null(b.head);
    char *third = jg_bump_strdup(&a, "third");
    char *fourth = jg_bump_strdup(&b, "fourth");
    jg_bump_join(&a, &b);
    jg_bump_join(&a, &empty);
    assert_string_equal(first, "first");
    assert_string_equal(second, "second");
    assert_string_equal(third, "third");
    assert_string_equal(fourth, "fourth");
    assert_true(a.live > 1 << 20);
    jg_bump_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joined_arenas_live_on),
        cmocka_unit_test(arena_blocks_are_zeroed_and_aligned),
        cmocka_unit_test(arena_is_zeroed_again_after_reset),
        cmocka_unit_test(arena_takes_more_than_a_block),
        cmocka_unit_test(copies_hold_their_own_bytes),
        cmocka_unit_test(vectors_grow_and_zero),
        cmocka_unit_test(format_makes_a_heap_string),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
