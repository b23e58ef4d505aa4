// SPDX-License-Identifier: Apache-2.0
//
// malloc itself fails: each single request of a thread's life, from the record of the thread to the
// last block. Linked with --wrap=malloc,calloc,free; test_backing does the same with an allocator
// of the program, which takes other ways through the library.

#include "arena_test.h"

#include <malloc.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void __wrap_free(void *p);

static __thread bool mine; // the thread whose requests count
static size_t fail;        // the n-th from now
static bool failed;
static long live;
static bool look;      // at what is freed
static size_t secrets; // blocks with one in them

static bool fails(void)
{
    if (!mine || fail == 0 || --fail != 0)
        return false;
    failed = true;
    return true;
}

static void *count(void *p)
{
    live += mine && p != NULL;
    return p;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : count(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : count(__real_calloc(n, size));
}

void __wrap_free(void *p)
{
    live -= mine && p != NULL;
    if (look && p != NULL)
        secrets += tells_a_secret(p, malloc_usable_size(p));
    __real_free(p);
}

// ---- a life -------------------------------------------------------------------------------------

#define NESTED 6

static int cleanups;

static int note(void *arg)
{
    cleanups++;
    memset(arg, 0xFF, 1);
    return 0;
}

// One arena with everything in it. What it could not get is said so, and the rest is right.
static bool begin(struct jg_arena *a, struct jg_arena_cleanup *node)
{
    static const struct {
        size_t size, align;
    } rows[] = {{20, 1},   {30, 8},    {100, 8},   {0, 16},      {3, 128},
                {2000, 1}, {9000, 16}, {9000, 64}, {20000, 4096}};
    if (jg_arena_open(a) != JG_ARENA_OK) {
        CHECK(JG_ARENA_DEBUG);
        CHECK(jg_arena_check(a) == JG_ARENA_CLOSED);
        return false;
    }
    char *first = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *p = jg_arena_alloc(a, rows[i].size, rows[i].align);
        if (p == NULL) {
            CHECK(failed && jg_arena_last_status() == JG_ARENA_NOMEM);
            continue;
        }
        CHECK((uintptr_t)p % rows[i].align == 0 && all_zero(p, rows[i].size));
        memset(p, 0xFF, rows[i].size);
        CHECK(jg_arena_owns(a, p, rows[i].size));
        if (first == NULL)
            first = p;
    }
    enum jg_arena_status retained = jg_arena_retain(a);
    CHECK(retained == JG_ARENA_OK || (failed && retained == JG_ARENA_NOMEM));
    if (retained == JG_ARENA_OK) {
        CHECK(jg_arena_close(a) == JG_ARENA_HELD);
        CHECK(jg_arena_release(a) == JG_ARENA_OK);
    }
    if (first != NULL)
        CHECK(jg_arena_on_close(a, node, note, first) == JG_ARENA_OK);
    return true;
}

static void *life(void *arg)
{
    (void)arg;
    static const int order[NESTED] = {3, 0, 5, 1, 4, 2};
    struct jg_arena arenas[NESTED];
    struct jg_arena_cleanup nodes[NESTED];
    bool open[NESTED];
    mine = true;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < NESTED; i++)
            open[i] = begin(&arenas[i], &nodes[i]);
        for (int i = 0; i < NESTED; i++)
            CHECK(jg_arena_close(&arenas[order[i]]) ==
                  (open[order[i]] ? JG_ARENA_OK : JG_ARENA_CLOSED));
    }
    return NULL; // and the library's destructor for the thread, which counts, too
}

static int pools(void **state)
{
    (void)state;
    use_pools();
    return 0;
}

static void any_request_may_fail(void **state)
{
    (void)state;
    size_t n = 1;
    do {
        struct jg_arena_stats before = stats_now();
        live = 0;
        failed = false;
        fail = n;
        cleanups = 0;
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, life, NULL), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        struct jg_arena_stats after = stats_now();
        assert_int_equal(live, 0);
        assert_int_equal(after.opens - before.opens, after.closes - before.closes);
        assert_int_equal(after.pools_new - before.pools_new,
                         after.pools_freed - before.pools_freed);
        assert_int_equal(after.pools_cached, before.pools_cached);
        assert_true(cleanups >= 2 * NESTED - 1);
        assert_int_equal(jg_arena_leaks(NULL, NULL), 0);
        n++;
    } while (failed);
    assert_true(n > 50); // that many requests there were
}

// ---- wiping -------------------------------------------------------------------------------------

static int wanted_wipe;

// Pools always are, blocks when asked for. Gives whether anything was left to read.
static int leave_secrets(void)
{
    struct jg_arena_config config;
    jg_arena_config_init(&config);
    config.separate = 0;
    config.wipe = wanted_wipe;
    CHECK(jg_arena_configure(&config) == JG_ARENA_OK);
    static const size_t sizes[] = {64, 500, 9000, 70};
    struct jg_arena a;
    CHECK(jg_arena_open(&a) == JG_ARENA_OK);
    for (size_t i = 0; i < 4; i++) {
        void *p = jg_arena_alloc(&a, sizes[i], i < 3 ? 1 : 128);
        CHECK(p != NULL);
        memset(p, SECRET, sizes[i]);
    }
    look = true;
    CHECK(jg_arena_close(&a) == JG_ARENA_OK);
    jg_arena_thread_flush();
    look = false;
    return secrets != 0;
}

static void what_was_wiped_cannot_be_read(void **state)
{
    (void)state;
    if (RUNNING_ON_VALGRIND)
        skip(); // it would look beyond the blocks
    for (wanted_wipe = 0; wanted_wipe < 2; wanted_wipe++)
        assert_int_equal(in_child(leave_secrets), !wanted_wipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_wiped_cannot_be_read), // first: it configures
        cmocka_unit_test_setup(any_request_may_fail, pools),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
