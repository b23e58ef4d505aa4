// SPDX-License-Identifier: Apache-2.0
//
// The header and its wrapper from C++17.

#include <jniguard/arena.h>

#include <csetjmp>
#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>

extern "C" {
#include <cmocka.h>
}

static_assert(!std::is_copy_constructible_v<jg::arena> && !std::is_copy_assignable_v<jg::arena> &&
                  !std::is_move_constructible_v<jg::arena> && !std::is_move_assignable_v<jg::arena>,
              "an arena stays where it is");
static_assert(sizeof(jg_arena) == 64 && std::is_standard_layout_v<jg_arena>);

static int closed;

static int count(void *arg)
{
    closed += *static_cast<int *>(arg);
    return 0;
}

static void scope_closes(void **)
{
    int one = 1;
    jg_arena_cleanup node;
    jg_arena *raw = nullptr;
    try {
        jg::arena arena;
        raw = arena.get();
        auto *numbers = arena.alloc_array<std::uint32_t>(4);
        assert_non_null(numbers);
        assert_int_equal(numbers[3], 0);
        assert_true(arena.owns(numbers, 16));
        assert_int_equal(arena.check(), JG_ARENA_OK);
        assert_null(arena.alloc_array<std::uint64_t>(SIZE_MAX / 2));
        assert_int_equal(arena.on_close(&node, count, &one), JG_ARENA_OK);
        throw std::runtime_error("out of the scope");
    } catch (const std::runtime_error &) {
        assert_int_equal(closed, 1);
    }
    assert_non_null(raw);
}

static int throw_it(void *)
{
    throw std::runtime_error("from a clean-up");
}

// Through the library, too, which is written in C.
static void cleanups_may_throw(void **)
{
    closed = 0;
    int one = 1;
    jg_arena a;
    jg_arena_cleanup nodes[3];
    jg_arena_open(&a);
    assert_non_null(jg_arena_alloc(&a, 20, 1));
    assert_non_null(jg_arena_alloc(&a, 200, 1));
    assert_int_equal(jg_arena_on_close(&a, &nodes[0], count, &one), JG_ARENA_OK);
    assert_int_equal(jg_arena_on_close(&a, &nodes[1], throw_it, nullptr), JG_ARENA_OK);
    assert_int_equal(jg_arena_on_close(&a, &nodes[2], count, &one), JG_ARENA_OK);
    bool caught = false;
    try {
        (void)jg_arena_close(&a);
    } catch (const std::runtime_error &) {
        caught = true;
    }
    assert_true(caught);
    assert_int_equal(closed, 1);
    assert_int_equal(jg_arena_check(&a), JG_ARENA_CLOSED);
    assert_int_equal(jg_arena_close_rest(&a), JG_ARENA_OK);
    assert_int_equal(closed, 2);
}

static void early_close_is_remembered(void **)
{
    jg::arena arena;
    assert_non_null(arena.alloc(20));
    assert_int_equal(arena.close(), JG_ARENA_OK);
    assert_int_equal(arena.close(), JG_ARENA_CLOSED);
    assert_null(arena.alloc(1, 1));
}

static void plain_functions(void **)
{
    jg_arena a;
    jg_arena_open(&a);
    double *d = JG_ARENA_NEW(&a, double, 2);
    assert_non_null(d);
    assert_true(d[1] == 0.0);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
}

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(scope_closes),
        cmocka_unit_test(cleanups_may_throw),
        cmocka_unit_test(early_close_is_remembered),
        cmocka_unit_test(plain_functions),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
