// SPDX-License-Identifier: Apache-2.0
//
// One thread: where memory comes from, that it is zero, what is refused, how an arena ends.

#include "arena_test.h"

#define POOL JG_ARENA_POOL_SIZE

static void *take(struct jg_arena *a, size_t size, size_t align)
{
    void *p = jg_arena_alloc(a, size, align);
    assert_non_null(p);
    assert_true(all_zero(p, size));
    assert_int_equal((uintptr_t)p % align, 0);
    return p;
}

static int flush(void **state)
{
    (void)state;
    jg_arena_thread_flush();
    return 0;
}

// ---- the pool -----------------------------------------------------------------------------------

static void opening_allocates_no_pool(void **state)
{
    (void)state;
    struct jg_arena_stats before = stats_now();
    struct jg_arena a;
    assert_int_equal(jg_arena_open(&a), JG_ARENA_OK);
    assert_null(a.pool);
    assert_null(jg_arena_alloc(&a, 1, 3)); // refused: still none
    assert_null(a.pool);
    take(&a, POOL + 1, 1); // does not fit: still none
    assert_null(a.pool);
    take(&a, 1, 2 * POOL); // nor does its alignment
    assert_null(a.pool);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
    assert_int_equal(stats_now().pools_new, before.pools_new);
}

static void allocations_are_adjacent_and_reused(void **state)
{
    (void)state;
    struct jg_arena a;
    jg_arena_open(&a);
    char *first = take(&a, 5, 1);
    assert_ptr_equal(take(&a, 7, 1), first + 5);
    assert_ptr_equal(take(&a, 4, 4), first + 12);
    assert_ptr_equal(take(&a, 1, 1), first + 16);
    assert_ptr_equal(take(&a, 8, 8), first + 24);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
    if (!pools_are_kept())
        return;
    jg_arena_open(&a);
    assert_ptr_equal(take(&a, 64, 1), first);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
}

static void every_used_size_is_zero_for_the_next(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 128};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct jg_arena a;
        jg_arena_open(&a);
        memset(take(&a, sizes[i], 1), 0xFF, sizes[i]);
        assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
        jg_arena_open(&a);
        take(&a, POOL, 1); // looks at every byte
        assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
    }
}

// Native code that runs over its 8 bytes, but stays in the pool.
static void overrun_does_not_reach_the_next_arena(void **state)
{
    (void)state;
    if (RUNNING_ON_VALGRIND && JG_ARENA_DEBUG)
        skip(); // it is an error there
    struct jg_arena a;
    jg_arena_open(&a);
    char *volatile p = take(&a, 8, 1);
    memset(p, 0xFF, POOL);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_DEBUG ? JG_ARENA_DAMAGED : JG_ARENA_OK);
    jg_arena_open(&a);
    take(&a, POOL, 1);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
}

static void size_zero_is_unique(void **state)
{
    (void)state;
    struct jg_arena a;
    jg_arena_open(&a);
    char *seen[POOL + 8];
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        seen[i] = take(&a, 0, 1);
        for (size_t j = 0; j < i; j++)
            assert_ptr_not_equal(seen[i], seen[j]);
    }
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
}

static void alignments(void **state)
{
    (void)state;
    for (size_t align = 1; align <= (size_t)1 << 20; align *= 2) {
        struct jg_arena a;
        jg_arena_open(&a);
        take(&a, 1, 1);
        char *p = take(&a, 3, align);
        memset(p, 0xFF, 3);
        if (align > POOL) {
            assert_true(p < a.pool || p >= a.end);
            assert_true((uintptr_t)p % (2 * align) != 0); // no more than was asked for
        }
        assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
    }
}

// Some of these pools hold a multiple of 128; it is not for those who ask for one.
static void over_aligned_never_in_a_pool(void **state)
{
    (void)state;
    struct jg_arena arenas[32];
    for (size_t i = 0; i < 32; i++) {
        jg_arena_open(&arenas[i]);
        take(&arenas[i], 1, 1);
        char *at = arenas[i].at;
        char *p = take(&arenas[i], 1, 2 * POOL);
        assert_true(p < arenas[i].pool || p >= arenas[i].end);
        assert_ptr_equal(arenas[i].at, at);
    }
    for (size_t i = 0; i < 32; i++)
        assert_int_equal(jg_arena_close(&arenas[i]), JG_ARENA_OK);
}

static void fallback_leaves_the_position(void **state)
{
    (void)state;
    struct jg_arena a;
    jg_arena_open(&a);
    char *first = take(&a, 60, 1);
    char *at = a.at;
    take(&a, 5, 1);    // does not fit any more
    take(&a, 1, 4096); // over-aligned
    take(&a, 5000, 1); // larger than a pool
    assert_ptr_equal(a.at, at);
    assert_ptr_equal(take(&a, 4, 1), first + 60); // fits
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
}

static void blocks_are_zeroed_whatever_was_there(void **state)
{
    (void)state;
    static const size_t sizes[] = {65, 100, 500, 2000, 8176, 8192, 100000, 1 << 20};
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct jg_arena a;
            jg_arena_open(&a);
            memset(take(&a, sizes[i], 16), 0xFF, sizes[i]);
            memset(take(&a, sizes[i], 64), 0xFF, sizes[i]);
            assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
        }
    }
}

static void hostile_sizes_and_alignments(void **state)
{
    (void)state;
    static const struct {
        size_t size, align;
        enum jg_arena_status status;
    } rows[] = {
        {SIZE_MAX, 1, JG_ARENA_NOMEM},
        {SIZE_MAX - 15, 16, JG_ARENA_NOMEM},
        {SIZE_MAX, (size_t)1 << 30, JG_ARENA_NOMEM},
        {(size_t)PTRDIFF_MAX + 1, 8, JG_ARENA_NOMEM},
        {PTRDIFF_MAX, 8, JG_ARENA_NOMEM},
        {1, 0, JG_ARENA_BAD_ALIGN},
        {1, 3, JG_ARENA_BAD_ALIGN},
        {0, 6, JG_ARENA_BAD_ALIGN},
        {1, (size_t)1 << 31, JG_ARENA_BAD_ALIGN},
        {1, (size_t)1 << 40, JG_ARENA_BAD_ALIGN},
        {1, (size_t)1 << 63, JG_ARENA_BAD_ALIGN},
        {SIZE_MAX, SIZE_MAX, JG_ARENA_BAD_ALIGN},
    };
    struct jg_arena a;
    jg_arena_open(&a);
    char *first = take(&a, 1, 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct jg_arena_stats before = stats_now();
        assert_null(jg_arena_alloc(&a, rows[i].size, rows[i].align));
        assert_int_equal(jg_arena_last_status(), rows[i].status);
        assert_int_equal(stats_now().refused[rows[i].status], before.refused[rows[i].status] + 1);
    }
    assert_null(JG_ARENA_NEW(&a, uint64_t, SIZE_MAX / 4));
    assert_int_equal(jg_arena_last_status(), JG_ARENA_NOMEM);
    assert_ptr_equal(take(&a, 1, 1), first + 1); // none of it did any harm
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
}

// ---- several ------------------------------------------------------------------------------------

static void eight_nested_and_four_kept(void **state)
{
    (void)state;
    // In order and out of it: each number closes that arena.
    static const int orders[][8] = {
        {7, 6, 5, 4, 3, 2, 1, 0}, {0, 1, 2, 3, 4, 5, 6, 7}, {3, 6, 0, 7, 1, 5, 2, 4}};
    for (size_t i = 0; i < 3; i++) {
        struct jg_arena arenas[8];
        char *p[8];
        struct jg_arena_stats before = stats_now();
        for (int k = 0; k < 8; k++) {
            jg_arena_open(&arenas[k]);
            p[k] = take(&arenas[k], 20, 1);
            memset(p[k], 'a' + k, 20);
        }
        for (int k = 0; k < 8; k++) { // exclusive
            for (int j = 0; j < 20; j++)
                assert_int_equal(p[k][j], 'a' + k);
        }
        for (int k = 0; k < 8; k++)
            assert_int_equal(jg_arena_close(&arenas[orders[i][k]]), JG_ARENA_OK);
        struct jg_arena_stats after = stats_now();
        if (pools_are_kept()) {
            assert_int_equal(after.pools_new - before.pools_new, i == 0 ? 8 : 4);
            assert_int_equal(after.pools_cached, 4);
        }
        assert_int_equal(after.pools_new - after.pools_freed, after.pools_cached);
    }
}

static void flush_frees_what_is_kept(void **state)
{
    (void)state;
    struct jg_arena a;
    jg_arena_open(&a);
    take(&a, 1, 1);
    jg_arena_close(&a);
    jg_arena_thread_flush();
    struct jg_arena_stats stats = stats_now();
    assert_int_equal(stats.pools_cached, 0);
    assert_int_equal(stats.pools_new, stats.pools_freed);
}

// ---- refusals -----------------------------------------------------------------------------------

static int nothing(void *arg)
{
    (void)arg;
    return 0;
}

static void all_is_refused(struct jg_arena *a, enum jg_arena_status why)
{
    struct jg_arena_cleanup node;
    struct jg_arena_stats before = stats_now();
    assert_int_equal(jg_arena_check(a), why);
    assert_null(jg_arena_alloc(a, 1, 1));
    assert_int_equal(jg_arena_last_status(), why);
    assert_null(jg_arena_alloc(a, 1000, 1));
    assert_int_equal(jg_arena_on_close(a, &node, nothing, NULL), why);
    assert_int_equal(jg_arena_retain(a), why);
    assert_int_equal(jg_arena_close(a), why);
    assert_int_equal(jg_arena_close_rest(a), why);
    assert_false(jg_arena_owns(a, a, 0));
    assert_int_equal(stats_now().refused[why], before.refused[why] + 6);
}

static void closed_arenas_refuse(void **state)
{
    (void)state;
    struct jg_arena a;
    jg_arena_open(&a);
    take(&a, 1, 1);
    take(&a, 1000, 1);
    assert_int_equal(jg_arena_check(&a), JG_ARENA_OK);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
    all_is_refused(&a, JG_ARENA_CLOSED);
    assert_int_equal(jg_arena_release(&a), JG_ARENA_NOT_HELD);
    jg_arena_open(&a); // the storage may be used again
    take(&a, 1, 1);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
}

static void never_opened_arenas_refuse(void **state)
{
    (void)state;
    struct jg_arena a;
    memset(&a, 0, sizeof a);
    all_is_refused(&a, JG_ARENA_CLOSED);
}

static void retained_arenas_stay_open(void **state)
{
    (void)state;
    struct jg_arena a;
    jg_arena_open(&a);
    char *p = take(&a, 8, 8);
    assert_int_equal(jg_arena_release(&a), JG_ARENA_NOT_HELD);
    assert_int_equal(jg_arena_retain(&a), JG_ARENA_OK);
    assert_int_equal(jg_arena_retain(&a), JG_ARENA_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(jg_arena_close(&a), JG_ARENA_HELD);
        assert_int_equal(jg_arena_check(&a), JG_ARENA_OK);
        assert_ptr_equal(take(&a, 8, 8), p + 8 + 8 * i);
        assert_int_equal(jg_arena_release(&a), JG_ARENA_OK);
    }
    assert_int_equal(jg_arena_release(&a), JG_ARENA_NOT_HELD);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
}

static void statuses_have_texts(void **state)
{
    (void)state;
    for (int i = 0; i < JG_ARENA_STATUS_COUNT; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(jg_arena_status_text((enum jg_arena_status)i),
                                    jg_arena_status_text((enum jg_arena_status)j));
    assert_string_equal(jg_arena_status_text((enum jg_arena_status)1000), "no such status");
}

static void owns_what_it_gave(void **state)
{
    (void)state;
    struct jg_arena a, b;
    jg_arena_open(&a);
    jg_arena_open(&b);
    assert_false(jg_arena_owns(&a, &a, 1));
    char *p = take(&a, 10, 1), *q = take(&a, 100, 1), *r = take(&a, 10, 4096);
    char *other = take(&b, 10, 1);
    assert_true(jg_arena_owns(&a, p, 10));
    assert_true(jg_arena_owns(&a, p + 9, 1));
    assert_true(jg_arena_owns(&a, p + 3, 0));
    assert_false(jg_arena_owns(&a, p, 11));
    assert_false(jg_arena_owns(&a, p - 1, 1));
    assert_false(jg_arena_owns(&a, p, SIZE_MAX));
    assert_true(jg_arena_owns(&a, q, 100));
    assert_true(jg_arena_owns(&a, q + 99, 1));
    assert_false(jg_arena_owns(&a, q + 99, 2));
    assert_false(jg_arena_owns(&a, q - 1, 1));
    assert_true(jg_arena_owns(&a, r, 10));
    assert_false(jg_arena_owns(&a, r, 11));
    assert_false(jg_arena_owns(&a, other, 1));
    assert_false(jg_arena_owns(&a, NULL, 0));
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
    assert_int_equal(jg_arena_close(&b), JG_ARENA_OK);
}

static void statistics_add_up(void **state)
{
    (void)state;
    struct jg_arena_stats before = stats_now();
    struct jg_arena a;
    jg_arena_open(&a);
    take(&a, 5, 1);
    take(&a, 0, 1);
    take(&a, 100, 1);
    jg_arena_close(&a);
    struct jg_arena_stats after = stats_now();
    assert_int_equal(after.opens - before.opens, 1);
    assert_int_equal(after.closes - before.closes, 1);
    assert_int_equal(after.pooled - before.pooled, 2);
    assert_int_equal(after.pooled_bytes - before.pooled_bytes, 6);
    assert_int_equal(after.fallback - before.fallback, 1);
    assert_int_equal(after.fallback_bytes - before.fallback_bytes, 100);
}

// ---- clean-ups ----------------------------------------------------------------------------------

static char order[8];
static jmp_buf jump;

struct action {
    struct jg_arena *arena;
    char *block;
    char name;
    int result;
    bool leaves;
};

// Notes its name, writes all over its block, and finds the arena closed.
static int act(void *arg)
{
    struct action *action = arg;
    size_t n = strlen(order);
    order[n] = action->name;
    order[n + 1] = '\0';
    memset(action->block, 0xFF, 40);
    if (jg_arena_check(action->arena) != JG_ARENA_CLOSED ||
        jg_arena_alloc(action->arena, 1, 1) != NULL ||
        jg_arena_close(action->arena) != JG_ARENA_CLOSED)
        order[0] = '!';
    if (action->leaves)
        longjmp(jump, 1);
    return action->result;
}

struct scene {
    struct jg_arena arena;
    struct jg_arena_cleanup nodes[2];
    struct action actions[3];
};

// Three clean-ups: a (node in the pool), b, c (on the stack); c runs first.
static void prepare(struct scene *scene)
{
    order[0] = '\0';
    jg_arena_open(&scene->arena);
    char *block = take(&scene->arena, 40, 1);
    struct jg_arena_cleanup *inside = take(&scene->arena, sizeof *inside, 8);
    for (int i = 0; i < 3; i++) {
        scene->actions[i] = (struct action){&scene->arena, block, (char)('a' + i), 0, false};
        struct jg_arena_cleanup *node = i == 0 ? inside : &scene->nodes[i - 1];
        assert_int_equal(jg_arena_on_close(&scene->arena, node, act, &scene->actions[i]),
                         JG_ARENA_OK);
    }
}

static void the_next_arena_sees_zeros(void)
{
    struct jg_arena a;
    jg_arena_open(&a);
    take(&a, POOL, 1);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
}

static void cleanups_run_newest_first(void **state)
{
    (void)state;
    struct scene scene;
    prepare(&scene);
    assert_int_equal(jg_arena_close(&scene.arena), JG_ARENA_OK);
    assert_string_equal(order, "cba");
    the_next_arena_sees_zeros();
    assert_int_equal(jg_arena_close(&scene.arena), JG_ARENA_CLOSED);
    assert_string_equal(order, "cba"); // not twice
}

static void failing_cleanups_stop_nothing(void **state)
{
    (void)state;
    struct scene scene;
    prepare(&scene);
    scene.actions[1].result = -1;
    scene.actions[2].result = 7;
    uint64_t failed = stats_now().cleanups_failed;
    assert_int_equal(jg_arena_close(&scene.arena), JG_ARENA_CLEANUP);
    assert_string_equal(order, "cba");
    assert_int_equal(stats_now().cleanups_failed - failed, 2);
    the_next_arena_sees_zeros();
    assert_int_equal(jg_arena_check(&scene.arena), JG_ARENA_CLOSED);
}

static void cleanup_that_leaves_can_be_finished(void **state)
{
    (void)state;
    static struct scene scene; // not in the frame: longjmp comes back to it
    static struct jg_arena_stats before;
    prepare(&scene);
    before = stats_now();
    scene.actions[1].leaves = true;
    if (setjmp(jump) == 0) {
        (void)jg_arena_close(&scene.arena);
        fail();
    }
    assert_string_equal(order, "cb");
    assert_int_equal(jg_arena_check(&scene.arena), JG_ARENA_CLOSED);
    assert_int_equal(jg_arena_close(&scene.arena), JG_ARENA_CLOSED);
    assert_int_equal(jg_arena_close_rest(&scene.arena), JG_ARENA_OK);
    assert_string_equal(order, "cba");
    assert_int_equal(jg_arena_close_rest(&scene.arena), JG_ARENA_CLOSED);
    the_next_arena_sees_zeros();
    if (pools_are_kept())
        assert_int_equal(stats_now().pools_new, before.pools_new); // its pool came back
}

static struct jg_arena others[3];

// Opens others, closes one that was open before, and finishes its own close, which it must not.
static int meddle(void *arg)
{
    struct jg_arena *a = arg;
    static struct jg_arena_cleanup node;
    jg_arena_open(&others[1]);
    char *p = take(&others[1], 40, 1), *q = take(&others[1], 4000, 1);
    memset(p, 0xFF, 40);
    memset(q, 0xFF, 4000);
    assert_int_equal(jg_arena_close(&others[0]), JG_ARENA_OK);
    assert_int_equal(jg_arena_on_close(a, &node, nothing, NULL), JG_ARENA_CLOSED);
    assert_int_equal(jg_arena_retain(a), JG_ARENA_CLOSED);
    assert_int_equal(jg_arena_close_rest(a), JG_ARENA_OK);
    jg_arena_open(&others[2]); // may get the pool of the one that is closing
    memset(take(&others[2], 64, 1), 0xFF, 64);
    return 0;
}

static void cleanups_may_use_other_arenas(void **state)
{
    (void)state;
    struct jg_arena a;
    struct jg_arena_cleanup node;
    jg_arena_thread_flush();
    struct jg_arena_stats before = stats_now();
    jg_arena_open(&a);
    jg_arena_open(&others[0]);
    take(&a, 20, 1);
    take(&a, 200, 1);
    take(&others[0], 20, 1);
    assert_int_equal(jg_arena_on_close(&a, &node, meddle, &a), JG_ARENA_OK);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_CLOSED);
    assert_int_equal(jg_arena_check(&others[0]), JG_ARENA_CLOSED);
    for (int i = 1; i < 3; i++)
        assert_int_equal(jg_arena_close(&others[i]), JG_ARENA_OK);
    the_next_arena_sees_zeros();
    jg_arena_thread_flush();
    struct jg_arena_stats after = stats_now();
    assert_int_equal(after.pools_new - before.pools_new, after.pools_freed - before.pools_freed);
}

// In the middle of a random life: many arenas open at once, closed in any order, clean-ups and
// blocks mixed. Every byte given out is zero at first and its owner's until the end.
static void random_lives(void **state)
{
    (void)state;
    enum { ARENAS = 12, PIECES = 10, STEPS = 20000 };
    static struct {
        struct jg_arena arena;
        bool open;
        size_t pieces;
        struct {
            unsigned char *p;
            size_t size;
        } piece[PIECES];
    } slots[ARENAS];
    uint32_t seed = 20250701;
    int steps = RUNNING_ON_VALGRIND ? STEPS / 20 : STEPS;
    for (int step = 0; step < steps; step++) {
        seed = seed * 1664525 + 1013904223;
        size_t k = (seed >> 24) % ARENAS;
        struct jg_arena *a = &slots[k].arena;
        unsigned char mark = (unsigned char)(k + 1);
        if (!slots[k].open) {
            assert_int_equal(jg_arena_open(a), JG_ARENA_OK);
            slots[k].open = true;
            slots[k].pieces = 0;
        } else if (slots[k].pieces == PIECES || (seed >> 8) % 8 == 0) {
            for (size_t i = 0; i < slots[k].pieces; i++)
                for (size_t j = 0; j < slots[k].piece[i].size; j++)
                    assert_int_equal(slots[k].piece[i].p[j], mark);
            assert_int_equal(jg_arena_close(a), JG_ARENA_OK);
            slots[k].open = false;
        } else {
            size_t size = (seed >> 4) % 5 == 0 ? (seed >> 10) % 300 : (seed >> 10) % 24;
            size_t align = (size_t)1 << (seed >> 18) % 8;
            unsigned char *p = take(a, size, align);
            memset(p, mark, size);
            slots[k].piece[slots[k].pieces].p = p;
            slots[k].piece[slots[k].pieces++].size = size;
        }
    }
    for (size_t k = 0; k < ARENAS; k++)
        if (slots[k].open)
            assert_int_equal(jg_arena_close(&slots[k].arena), JG_ARENA_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(opening_allocates_no_pool, flush),
        cmocka_unit_test(allocations_are_adjacent_and_reused),
        cmocka_unit_test(every_used_size_is_zero_for_the_next),
        cmocka_unit_test(overrun_does_not_reach_the_next_arena),
        cmocka_unit_test(size_zero_is_unique),
        cmocka_unit_test(alignments),
        cmocka_unit_test(over_aligned_never_in_a_pool),
        cmocka_unit_test(fallback_leaves_the_position),
        cmocka_unit_test(blocks_are_zeroed_whatever_was_there),
        cmocka_unit_test(hostile_sizes_and_alignments),
        cmocka_unit_test_setup(eight_nested_and_four_kept, flush),
        cmocka_unit_test(flush_frees_what_is_kept),
        cmocka_unit_test(closed_arenas_refuse),
        cmocka_unit_test(never_opened_arenas_refuse),
        cmocka_unit_test(retained_arenas_stay_open),
        cmocka_unit_test(statuses_have_texts),
        cmocka_unit_test(owns_what_it_gave),
        cmocka_unit_test(statistics_add_up),
        cmocka_unit_test(cleanups_run_newest_first),
        cmocka_unit_test(failing_cleanups_stop_nothing),
        cmocka_unit_test(cleanup_that_leaves_can_be_finished),
        cmocka_unit_test(cleanups_may_use_other_arenas),
        cmocka_unit_test(random_lives),
    };
    use_pools();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
