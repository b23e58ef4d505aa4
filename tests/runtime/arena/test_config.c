// SPDX-License-Identifier: Apache-2.0
//
// Settings: what JNIGUARD_ARENA and jg_arena_configure accept, what they say, and that every pool
// size is safe with code that inlines the arithmetic. Each case that takes effect runs in a child.

#include "arena_test.h"

static void text_is_parsed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size;
        unsigned count;
        int debug, separate, wipe;
        const char *message; // NULL: none
    } rows[] = {
        {"", 64, 4, 0, -1, 0, NULL},
        {"size=8", 8, 4, 0, -1, 0, NULL},
        {"size=1048576,count=8", 1048576, 8, 0, -1, 0, NULL},
        {"count=0", 64, 0, 0, -1, 0, NULL},
        {",debug=1,,wipe=1,separate=0,", 64, 4, 1, 0, 1, NULL},
        {"separate=1,separate=auto", 64, 4, 0, -1, 0, NULL},
        {"size=0", 64, 4, 0, -1, 0,
         "size=0: size must be a power of two from 8 to 1048576; 64 is used\n"},
        {"size=-1", 64, 4, 0, -1, 0,
         "size=-1: size must be a power of two from 8 to 1048576; 64 is used\n"},
        {"size=4", 64, 4, 0, -1, 0,
         "size=4: size must be a power of two from 8 to 1048576; 64 is used\n"},
        {"size=2097152", 64, 4, 0, -1, 0,
         "size=2097152: size must be a power of two from 8 to 1048576; 64 is used\n"},
        {"size=18446744073709551680", 64, 4, 0, -1, 0,
         "size=18446744073709551680: size must be a power of two from 8 to 1048576; 64 is used\n"},
        {"size=48,count=2", 64, 2, 0, -1, 0,
         "size=48: size must be a power of two from 8 to 1048576; 64 is used\n"},
        {"size=64k", 64, 4, 0, -1, 0,
         "size=64k: size must be a power of two from 8 to 1048576; 64 is used\n"},
        {"size=", 64, 4, 0, -1, 0,
         "size=: size must be a power of two from 8 to 1048576; 64 is used\n"},
        {"size", 64, 4, 0, -1, 0,
         "size: size must be a power of two from 8 to 1048576; 64 is used\n"},
        {"size=\n\x1b[31m\x7f", 64, 4, 0, -1, 0,
         "size=??[31m?: size must be a power of two from 8 to 1048576; 64 is used\n"},
        {"size= 64", 64, 4, 0, -1, 0,
         "size= 64: size must be a power of two from 8 to 1048576; 64 is used\n"},
        {"count=3", 64, 4, 0, -1, 0, "count=3: count must be 0, 1, 2, 4 or 8; 4 is used\n"},
        {"count=-1", 64, 4, 0, -1, 0, "count=-1: count must be 0, 1, 2, 4 or 8; 4 is used\n"},
        {"count=many", 64, 4, 0, -1, 0, "count=many: count must be 0, 1, 2, 4 or 8; 4 is used\n"},
        {"count=16,size=128", 128, 4, 0, -1, 0,
         "count=16: count must be 0, 1, 2, 4 or 8; 4 is used\n"},
        {"debug=2", 64, 4, 0, -1, 0, "debug=2: debug must be 0 or 1; 0 is used\n"},
        {"debug=auto", 64, 4, 0, -1, 0, "debug=auto: debug must be 0 or 1; 0 is used\n"},
        {"separate=yes", 64, 4, 0, -1, 0,
         "separate=yes: separate must be 0, 1 or auto; auto is used\n"},
        {"sise=8", 64, 4, 0, -1, 0,
         "sise: no such key, did you mean size? (keys: size, count, debug, separate, wipe)\n"},
        {"=8", 64, 4, 0, -1, 0, ": no such key (keys: size, count, debug, separate, wipe)\n"},
        {"elephant=8,kount=1", 64, 4, 0, -1, 0,
         "elephant: no such key (keys: size, count, debug, separate, wipe)\n"
         "kount: no such key, did you mean count? (keys: size, count, debug, separate, wipe)\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct jg_arena_config config;
        char message[512];
        jg_arena_config_init(&config);
        enum jg_arena_status status =
            jg_arena_config_parse(&config, rows[i].text, message, sizeof message);
        assert_int_equal(status, rows[i].message == NULL ? JG_ARENA_OK : JG_ARENA_BAD_CONFIG);
        assert_string_equal(message, rows[i].message == NULL ? "" : rows[i].message);
        assert_int_equal(config.pool_size, rows[i].size);
        assert_int_equal(config.pool_count, rows[i].count);
        assert_int_equal(config.debug, rows[i].debug);
        assert_int_equal(config.separate, rows[i].separate);
        assert_int_equal(config.wipe, rows[i].wipe);
    }
}

static void messages_are_cut(void **state)
{
    (void)state;
    struct jg_arena_config config;
    jg_arena_config_init(&config);
    assert_int_equal(jg_arena_config_parse(&config, "x=1", NULL, 0), JG_ARENA_BAD_CONFIG);
    for (size_t size = 1; size < 100; size++) {
        char *message = malloc(size); // the sanitizers watch its end
        assert_non_null(message);
        assert_int_equal(jg_arena_config_parse(&config, "count=3,x=1", message, size),
                         JG_ARENA_BAD_CONFIG);
        assert_true(strlen(message) < size);
        assert_int_equal(strncmp("count=3: count must be 0, 1, 2, 4 or 8; 4 is used\n"
                                 "x: no such key (keys: size, count, debug, separate, wipe)\n",
                                 message, strlen(message)),
                         0);
        free(message);
    }
}

static void *some_alloc(size_t size, void *context)
{
    (void)context;
    return malloc(size);
}

static void programs_are_checked(void **state)
{
    (void)state;
    struct jg_arena_config good, bad;
    jg_arena_config_init(&good);
    bad = good;
    bad.struct_size--;
    assert_int_equal(jg_arena_configure(&bad), JG_ARENA_BAD_CONFIG);
    static const size_t sizes[] = {0, 1, 4, 63, 65, 2097152, SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        bad = good;
        bad.pool_size = sizes[i];
        assert_int_equal(jg_arena_configure(&bad), JG_ARENA_BAD_CONFIG);
    }
    static const unsigned counts[] = {3, 5, 16, UINT32_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        bad = good;
        bad.pool_count = counts[i];
        assert_int_equal(jg_arena_configure(&bad), JG_ARENA_BAD_CONFIG);
    }
    bad = good;
    bad.backing.alloc = some_alloc; // and who frees?
    assert_int_equal(jg_arena_configure(&bad), JG_ARENA_BAD_CONFIG);
    bad = good;
    bad.separate = 2;
    assert_int_equal(jg_arena_configure(&bad), JG_ARENA_BAD_CONFIG);
}

// ---- in force -----------------------------------------------------------------------------------

static size_t wanted_size;
static unsigned wanted_count;

static int use_configured(void)
{
    struct jg_arena_config config;
    jg_arena_config_init(&config);
    config.pool_size = wanted_size;
    config.pool_count = wanted_count;
    config.separate = 0;
    CHECK(jg_arena_configure(&config) == JG_ARENA_OK);
    CHECK(jg_arena_configure(&config) == JG_ARENA_OK); // until the first arena

    struct jg_arena arenas[10];
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < 10; k++) {
            struct jg_arena *a = &arenas[k];
            CHECK(jg_arena_open(a) == JG_ARENA_OK);
            // The whole pool, to the last byte; sanitizers and valgrind watch what lies behind.
            char *p = jg_arena_alloc(a, wanted_size - 1, 1);
            CHECK(p != NULL && p == a->pool && all_zero(p, wanted_size - 1));
            memset(p, 0xFF, wanted_size - 1);
            char *last = jg_arena_alloc(a, 1, 1);
            CHECK(last == p + wanted_size - 1 && *last == 0);
            *last = 1;
            char *more = jg_arena_alloc(a, 1, 1);
            CHECK(more != NULL && (more < a->pool || more >= a->end));
            CHECK(jg_arena_alloc(a, wanted_size + 1, 1) != NULL);
        }
        for (int k = 0; k < 10; k++)
            CHECK(jg_arena_close(&arenas[k]) == JG_ARENA_OK);
        if (pools_are_kept())
            CHECK(stats_now().pools_cached == wanted_count);
    }
    // And with nothing but a pool, which has the shortest way back.
    for (int round = 0; round < 2; round++) {
        struct jg_arena a;
        CHECK(jg_arena_open(&a) == JG_ARENA_OK);
        char *p = jg_arena_alloc(&a, wanted_size, 1);
        CHECK(p != NULL && p == a.pool && all_zero(p, wanted_size));
        memset(p, 0xFF, wanted_size);
        CHECK(jg_arena_close(&a) == JG_ARENA_OK);
    }
    CHECK(jg_arena_configure(&config) == JG_ARENA_TOO_LATE);
    jg_arena_config_get(&config);
    CHECK(config.pool_size == wanted_size && config.pool_count == wanted_count);
    jg_arena_thread_flush();
    CHECK(stats_now().pools_new == stats_now().pools_freed);
    return 0;
}

static void every_size_and_count_works(void **state)
{
    (void)state;
    static const unsigned counts[] = {0, 1, 2, 4, 8};
    for (wanted_size = 8; wanted_size <= (size_t)1 << 20; wanted_size *= 2) {
        wanted_count = counts[(wanted_size / 8) % 5];
        assert_int_equal(in_child(use_configured), 0);
    }
    wanted_size = 64;
    for (size_t i = 0; i < 5; i++) {
        wanted_count = counts[i];
        assert_int_equal(in_child(use_configured), 0);
    }
}

// No key for the end of threads: arenas work, pools are not kept.
static int use_without_key(void)
{
    pthread_key_t key;
    while (pthread_key_create(&key, NULL) == 0)
        ;
    use_pools();
    for (int round = 0; round < 3; round++) {
        struct jg_arena a;
        CHECK(jg_arena_open(&a) == JG_ARENA_OK);
        char *p = jg_arena_alloc(&a, 20, 1);
        CHECK(p != NULL && all_zero(p, 20));
        memset(p, 0xFF, 20);
        CHECK(jg_arena_close(&a) == JG_ARENA_OK);
    }
    struct jg_arena_stats stats = stats_now();
    CHECK(stats.opens == 3 && stats.closes == 3);
    CHECK(stats.pools_new == 3 && stats.pools_freed == 3 && stats.pools_cached == 0);
    return 0;
}

static void no_cache_is_no_failure(void **state)
{
    (void)state;
    assert_int_equal(in_child(use_without_key), 0);
}

static const char *variable;

// What the library says on stderr goes to the parent.
static int use_environment(void)
{
    CHECK(setenv("JNIGUARD_ARENA", variable, 1) == 0);
    struct jg_arena_config config;
    jg_arena_config_init(&config);
    config.pool_count = 2;
    config.pool_size = 256;
    CHECK(jg_arena_configure(&config) == JG_ARENA_OK);
    struct jg_arena a;
    CHECK(jg_arena_open(&a) == JG_ARENA_OK);
    CHECK(jg_arena_close(&a) == JG_ARENA_OK);
    jg_arena_config_get(&config);
    printf("size=%zu,count=%u\n", config.pool_size, config.pool_count);
    fflush(stdout);
    return 0;
}

static void environment_wins_and_is_checked(void **state)
{
    (void)state;
    static const struct {
        const char *text, *output;
    } rows[] = {
        {"", "size=256,count=2\n"},
        {"size=8", "size=8,count=2\n"},
        {"count=0,size=8", "size=8,count=0\n"},
        {"size=7,count=8", "jniguard-arena: JNIGUARD_ARENA: size=7: size must be a power of two "
                           "from 8 to 1048576; 256 is used\nsize=256,count=8\n"},
        {"a=1,wipe=", "jniguard-arena: JNIGUARD_ARENA: a: no such key (keys: size, count, debug, "
                      "separate, wipe)\n"
                      "jniguard-arena: JNIGUARD_ARENA: wipe=: wipe must be 0 or 1; 0 is used\n"
                      "size=256,count=2\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        fflush(NULL);
        variable = rows[i].text;
        pid_t pid = fork();
        if (pid == 0) {
            dup2(ends[1], 1);
            dup2(ends[1], 2);
            _exit(use_environment());
        }
        close(ends[1]);
        char output[1024];
        size_t used = 0;
        ssize_t n;
        while ((n = read(ends[0], output + used, sizeof output - 1 - used)) > 0)
            used += (size_t)n;
        output[used] = '\0';
        close(ends[0]);
        int status = 0;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
        assert_string_equal(output, rows[i].output);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_parsed),         cmocka_unit_test(messages_are_cut),
        cmocka_unit_test(programs_are_checked),   cmocka_unit_test(every_size_and_count_works),
        cmocka_unit_test(no_cache_is_no_failure), cmocka_unit_test(environment_wins_and_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
