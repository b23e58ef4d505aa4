// SPDX-License-Identifier: Apache-2.0
//
// Values, regions, facts and merging of the engine, without any source code.

#include "analyzer/engine/path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>

struct fixture {
    struct jg_unit unit;
    struct jg_domain d;
    struct jg_bump arena;
    jg_value x, y; // two symbols: parameters 0 and 1
};

static int setup(void **state)
{
    struct fixture *f = jg_calloc(1, sizeof *f);
    jg_unit_init(&f->unit);
    for (int i = 0; i < 4; i++)
        JG_VEC_PUSH(&f->unit.vars)->kind = i < 2    ? JG_VAR_PARAM
                                           : i == 2 ? JG_VAR_LOCAL
                                                    : JG_VAR_STATIC;
    jg_domain_init(&f->d, &f->unit);
    f->x = jg_value_make(&f->d, JG_V_INIT, jg_region_var(&f->d, 0), 0);
    f->y = jg_value_make(&f->d, JG_V_INIT, jg_region_var(&f->d, 1), 0);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    jg_domain_fini(&f->d);
    jg_bump_fini(&f->arena);
    jg_unit_fini(&f->unit);
    free(f);
    return 0;
}

static void constants_fold(void **state)
{
    struct fixture *f = *state;
    jg_value two = jg_value_const(&f->d, 2), three = jg_value_const(&f->d, 3);
    assert_int_equal(jg_value_expr(&f->d, JG_BIN_ADD, two, three), jg_value_const(&f->d, 5));
    assert_int_equal(jg_value_expr(&f->d, JG_BIN_LT, two, three), JG_VALUE_ONE);
    assert_int_equal(jg_value_expr(&f->d, JG_BIN_DIV, two, JG_VALUE_ZERO), JG_VALUE_UNKNOWN);
    assert_int_equal(jg_value_expr(&f->d, JG_BIN_SHL, two, jg_value_const(&f->d, 64)),
                     JG_VALUE_UNKNOWN);
    jg_value least = jg_value_const(&f->d, INT64_MIN), minus = jg_value_const(&f->d, -1);
    assert_int_equal(jg_value_expr(&f->d, JG_BIN_DIV, least, minus), JG_VALUE_UNKNOWN);
}

static void offsets_cancel(void **state)
{
    struct fixture *f = *state;
    jg_value plus = jg_value_expr(&f->d, JG_BIN_ADD, f->x, f->y);
    assert_int_not_equal(plus, f->x);
    assert_int_equal(jg_value_expr(&f->d, JG_BIN_SUB, plus, f->y), f->x);
    jg_value minus = jg_value_expr(&f->d, JG_BIN_SUB, f->x, f->y);
    assert_int_equal(jg_value_expr(&f->d, JG_BIN_ADD, minus, f->y), f->x);
    jg_value four = jg_value_const(&f->d, 4);
    jg_value ahead = jg_value_expr(&f->d, JG_BIN_ADD, f->x, four);
    assert_int_equal(jg_value_expr(&f->d, JG_BIN_SUB, ahead, four), f->x);
    assert_int_equal(jg_value_root(&f->d, ahead), f->x);
}

static void older_symbols_prove_nothing(void **state)
{
    struct fixture *f = *state;
    jg_value made = jg_value_make(&f->d, JG_V_MADE, 7, 0);
    jg_value older = jg_value_older(&f->d, made);
    assert_int_not_equal(older, made);
    assert_int_equal(jg_value_expr(&f->d, JG_BIN_EQ, made, made), JG_VALUE_ONE);
    assert_int_not_equal(jg_value_expr(&f->d, JG_BIN_EQ, older, older), JG_VALUE_ONE);
}

static void array_elements_share_a_region(void **state)
{
    struct fixture *f = *state;
    jg_region array = jg_region_var(&f->d, 2);
    jg_value start = jg_value_make(&f->d, JG_V_ADDR, jg_region_index(&f->d, array, 0), 0);
    jg_value third = jg_value_expr(&f->d, JG_BIN_ADD, start, jg_value_const(&f->d, 3));
    assert_int_equal(jg_region_deref(&f->d, third), jg_region_index(&f->d, array, 3));
    jg_value at_x = jg_value_expr(&f->d, JG_BIN_ADD, start, f->x);
    assert_int_equal(jg_region_deref(&f->d, at_x), jg_region_at(&f->d, array, f->x));
    assert_true(jg_region_is_below(&f->d, jg_region_index(&f->d, array, 3), array));
    assert_int_equal(jg_region_info(&f->d, jg_region_deref(&f->d, f->x))->outlives, 1);
}

static void a_condition_is_remembered(void **state)
{
    struct fixture *f = *state;
    struct jg_path *s = jg_path_new(&f->arena);
    jg_value less = jg_value_expr(&f->d, JG_BIN_LT, f->x, f->y);
    assert_int_equal(jg_path_truth(&f->d, s, less), -1);
    assert_true(jg_path_assume(&f->d, &f->arena, s, less, true));
    assert_int_equal(jg_path_truth(&f->d, s, less), 1);
    assert_int_equal(jg_path_truth(&f->d, s, jg_value_not(&f->d, less)), 0);
    assert_false(jg_path_assume(&f->d, &f->arena, s, less, false));
}

static void ranges_decide_comparisons(void **state)
{
    struct fixture *f = *state;
    struct jg_path *s = jg_path_new(&f->arena);
    jg_value zero_less = jg_value_expr(&f->d, JG_BIN_LT, JG_VALUE_ZERO, f->x); // 0 < x
    assert_true(jg_path_assume(&f->d, &f->arena, s, zero_less, true));
    assert_int_equal(jg_path_truth(&f->d, s, f->x), 1);
    jg_value is_null = jg_value_expr(&f->d, JG_BIN_EQ, f->x, JG_VALUE_ZERO);
    assert_int_equal(jg_path_truth(&f->d, s, is_null), 0);
    jg_value five = jg_value_const(&f->d, 5);
    assert_true(
        jg_path_assume(&f->d, &f->arena, s, jg_value_expr(&f->d, JG_BIN_GE, f->x, five), true));
    assert_int_equal(jg_path_truth(&f->d, s, jg_value_expr(&f->d, JG_BIN_LT, f->x, five)), 0);
    struct jg_fact fact = jg_path_fact(&f->d, s, f->x);
    assert_int_equal(fact.low, 5);
}

static void null_is_no_object(void **state)
{
    struct fixture *f = *state;
    struct jg_path *s = jg_path_new(&f->arena);
    jg_value made = jg_value_make(&f->d, JG_V_MADE, 3, 0);
    struct jg_object *o = jg_path_add_object(&f->arena, s, made);
    o->kind = JG_KIND_UTF_CHARS;
    o->states = JG_STATE_HELD;
    assert_true(jg_path_assume(&f->d, &f->arena, s, made, false));
    assert_null(jg_path_object(s, made));
}

static void states_with_other_objects_do_not_merge(void **state)
{
    struct fixture *f = *state;
    struct jg_path *a = jg_path_new(&f->arena), *b = jg_path_new(&f->arena);
    assert_true(jg_path_mergeable(&f->d, a, b));
    jg_path_add_object(&f->arena, a, jg_value_make(&f->d, JG_V_MADE, 3, 0))->states = JG_STATE_HELD;
    assert_false(jg_path_mergeable(&f->d, a, b));
}

static void merging_keeps_what_both_know(void **state)
{
    struct fixture *f = *state;
    struct jg_path *a = jg_path_new(&f->arena), *b = jg_path_new(&f->arena);
    jg_region local = jg_region_var(&f->d, 2);
    jg_path_set(&f->arena, a, local, jg_value_const(&f->d, 3), JG_NONE);
    jg_path_set(&f->arena, b, local, jg_value_const(&f->d, 7), JG_NONE);
    assert_true(jg_path_assume(&f->d, &f->arena, a, f->x, true));
    assert_true(jg_path_assume(&f->d, &f->arena, a, f->y, true));
    assert_true(jg_path_assume(&f->d, &f->arena, b, f->y, true));
    assert_true(jg_path_merge(&f->d, &f->arena, a, b, 1, false));
    jg_value joined = jg_path_entry(a, local)->value;
    struct jg_fact fact = jg_path_fact(&f->d, a, joined);
    assert_int_equal(fact.low, 3);
    assert_int_equal(fact.high, 7);
    assert_int_equal(jg_path_truth(&f->d, a, f->x), -1);
    assert_int_equal(jg_path_truth(&f->d, a, f->y), 1);
    struct jg_path *again = jg_path_clone(&f->arena, a);
    assert_false(jg_path_merge(&f->d, &f->arena, a, again, 1, false));
}

static void a_counter_settles(void **state)
{
    struct fixture *f = *state;
    struct jg_path *head = jg_path_new(&f->arena);
    jg_region i = jg_region_var(&f->d, 2);
    jg_path_set(&f->arena, head, i, JG_VALUE_ZERO, JG_NONE);
    int rounds = 0;
    for (bool changed = true; changed; rounds++) {
        assert_true(rounds < 10);
        struct jg_path *turn = jg_path_clone(&f->arena, head);
        jg_value next =
            jg_value_expr(&f->d, JG_BIN_ADD, jg_path_entry(turn, i)->value, JG_VALUE_ONE);
        jg_path_set(&f->arena, turn, i, next, JG_NONE);
        changed = jg_path_merge(&f->d, &f->arena, head, turn, 1, head->joins >= 2);
    }
    struct jg_fact fact = jg_path_fact(&f->d, head, jg_path_entry(head, i)->value);
    assert_int_equal(fact.low, 0);
    assert_int_equal(fact.high, INT64_MAX);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(constants_fold),
        TEST(offsets_cancel),
        TEST(older_symbols_prove_nothing),
        TEST(array_elements_share_a_region),
        TEST(a_condition_is_remembered),
        TEST(ranges_decide_comparisons),
        TEST(null_is_no_object),
        TEST(states_with_other_objects_do_not_merge),
        TEST(merging_keeps_what_both_know),
        TEST(a_counter_settles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
