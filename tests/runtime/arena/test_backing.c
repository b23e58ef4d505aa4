// SPDX-License-Identifier: Apache-2.0
//
// A backing allocator that counts, checks sizes, fills what it gives and looks at what it gets
// back, and fails on request: nothing is lost, sizes are right, arenas stay usable.

#include "arena_test.h"

#define HEADER 16

static struct {
    size_t bytes, blocks, calls;
    size_t fail_size; // requests of exactly this size fail
    size_t fail_call; // the n-th from now fails
    bool fail_all;
    bool wiped;     // the last block that came back was all zero
    size_t secrets; // blocks that came back with one in them
} backing;

static void *alloc(size_t size, void *context)
{
    assert_ptr_equal(context, &backing);
    backing.calls++;
    if (backing.fail_all || size == backing.fail_size ||
        (backing.fail_call != 0 && --backing.fail_call == 0))
        return NULL;
    char *raw = malloc(HEADER + size);
    assert_non_null(raw);
    memcpy(raw, &size, sizeof size);
    memset(raw + HEADER, 0xEE, size);
    backing.bytes += size;
    backing.blocks++;
    return raw + HEADER;
}

static void *zalloc(size_t size, void *context)
{
    void *p = alloc(size, context);
    return p != NULL ? memset(p, 0, size) : NULL;
}

static void release(void *p, size_t size, void *context)
{
    assert_ptr_equal(context, &backing);
    char *raw = (char *)p - HEADER;
    size_t asked;
    memcpy(&asked, raw, sizeof asked);
    assert_int_equal(asked, size);
    backing.bytes -= size;
    backing.blocks--;
    backing.wiped = all_zero(p, size);
    backing.secrets += tells_a_secret(p, size);
    memset(p, 0xDD, size);
    free(raw);
}

static int reset(void **state)
{
    (void)state;
    jg_arena_thread_flush();
    memset(&backing, 0, sizeof backing);
    return 0;
}

static void assert_balanced(void)
{
    jg_arena_thread_flush();
    assert_int_equal(backing.blocks, 0);
    assert_int_equal(backing.bytes, 0);
}

static void everything_comes_back(void **state)
{
    (void)state;
    for (size_t size = 0; size < 20000; size += size / 3 + 1) {
        for (size_t align = 1; align <= 256; align *= 4) {
            struct jg_arena a;
            jg_arena_open(&a);
            char *p = jg_arena_alloc(&a, size, align);
            assert_true(p != NULL && all_zero(p, size));
            memset(p, 0xFF, size);
            assert_int_equal(jg_arena_retain(&a), JG_ARENA_OK);
            assert_int_equal(jg_arena_release(&a), JG_ARENA_OK);
            assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
        }
    }
    assert_balanced();
}

static void no_pool_falls_back(void **state)
{
    (void)state;
    struct jg_arena_stats before = stats_now();
    struct jg_arena a;
    jg_arena_open(&a);
    backing.fail_size = JG_ARENA_POOL_SIZE;
    char *p = jg_arena_alloc(&a, 20, 1);
    assert_true(p != NULL && all_zero(p, 20));
    assert_null(a.pool);
    struct jg_arena_stats after = stats_now();
    assert_int_equal(after.pools_failed - before.pools_failed, 1);
    assert_int_equal(after.fallback - before.fallback, 1);
    backing.fail_size = 0;
    assert_non_null(jg_arena_alloc(&a, 20, 1)); // the next one may succeed
    assert_non_null(a.pool);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
    assert_balanced();
}

static void no_memory_is_said_and_survived(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 20, 100, 5000, 100000};
    struct jg_arena a;
    jg_arena_open(&a);
    backing.fail_all = true;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t align = 1; align <= 4096; align *= 64) {
            assert_null(jg_arena_alloc(&a, sizes[i], align));
            assert_int_equal(jg_arena_last_status(), JG_ARENA_NOMEM);
        }
    }
    if (!JG_ARENA_DEBUG) // has room for the count already
        assert_int_equal(jg_arena_retain(&a), JG_ARENA_NOMEM);
    backing.fail_all = false;
    assert_non_null(jg_arena_alloc(&a, 20, 1));
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
    assert_balanced();
}

// Each single request of a longer life fails once.
static void any_failure_leaks_nothing(void **state)
{
    (void)state;
    for (size_t fail = 1; fail < 14; fail++) {
        jg_arena_thread_flush();
        backing.fail_call = fail;
        struct jg_arena arenas[3];
        bool opened[3];
        for (int k = 0; k < 3; k++) {
            opened[k] = jg_arena_open(&arenas[k]) == JG_ARENA_OK;
            if (!opened[k])
                continue; // the debug face

            (void)jg_arena_alloc(&arenas[k], 20, 1);
            (void)jg_arena_alloc(&arenas[k], 50, 1);
            (void)jg_arena_alloc(&arenas[k], 1, 128);
            if (jg_arena_retain(&arenas[k]) == JG_ARENA_OK)
                assert_int_equal(jg_arena_release(&arenas[k]), JG_ARENA_OK);
        }
        for (int k = 0; k < 3; k++)
            assert_int_equal(jg_arena_close(&arenas[k]), opened[k] ? JG_ARENA_OK : JG_ARENA_CLOSED);
        assert_true(JG_ARENA_DEBUG || (opened[0] && opened[1] && opened[2]));
        backing.fail_call = 0;
        assert_balanced();
    }
}

static void pools_are_wiped_before_they_are_freed(void **state)
{
    (void)state;
    struct jg_arena arenas[5];
    for (int k = 0; k < 5; k++) {
        jg_arena_open(&arenas[k]);
        memset(jg_arena_alloc(&arenas[k], 64, 1), SECRET, 64);
    }
    for (int k = 0; k < 4; k++)
        assert_int_equal(jg_arena_close(&arenas[k]), JG_ARENA_OK);
    backing.wiped = false;
    assert_int_equal(jg_arena_close(&arenas[4]), JG_ARENA_OK); // no room in the cache
    assert_true(backing.wiped);
    assert_balanced();
    assert_true(backing.wiped);
    assert_int_equal(backing.secrets, 0);
}

static void blocks_are_wiped_on_request(void **state)
{
    (void)state;
    static const size_t aligns[] = {1, 64};
    for (size_t i = 0; i < 2; i++) {
        struct jg_arena a;
        jg_arena_open(&a);
        memset(jg_arena_alloc(&a, 500, aligns[i]), SECRET, 500);
        struct jg_arena_config config;
        jg_arena_config_get(&config);
        assert_int_equal(config.wipe, 1);
        backing.wiped = false;
        size_t before = backing.blocks;
        assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
        assert_true(backing.blocks < before);
        assert_int_equal(backing.secrets, 0);
        if (aligns[i] == 1 && !JG_ARENA_DEBUG)
            assert_true(backing.wiped); // header and all
    }
    assert_balanced();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(everything_comes_back, reset),
        cmocka_unit_test_setup(no_pool_falls_back, reset),
        cmocka_unit_test_setup(no_memory_is_said_and_survived, reset),
        cmocka_unit_test_setup(any_failure_leaks_nothing, reset),
        cmocka_unit_test_setup(pools_are_wiped_before_they_are_freed, reset),
        cmocka_unit_test_setup(blocks_are_wiped_on_request, reset),
    };
    struct jg_arena_config config;
    jg_arena_config_init(&config);
    config.separate = 0;
    config.wipe = 1;
    config.backing = (struct jg_arena_backing){alloc, zalloc, release, &backing};
    if (jg_arena_configure(&config) != JG_ARENA_OK)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
