// SPDX-License-Identifier: Apache-2.0
//
// The debug face: what is open and where it was opened, copies, canaries, calls inside calls.

#undef JG_ARENA_DEBUG
#define JG_ARENA_DEBUG 1
#undef JG_ARENA_OUT_OF_LINE
#include "arena_test.h"

#include <signal.h>

enum jg_arena_status
close_inlined(struct jg_arena *a); // debug_inlined.c: a release translation unit
void *alloc_inlined(struct jg_arena *a, size_t size);

// ---- open list ----------------------------------------------------------------------------------

struct seen {
    size_t count;
    struct jg_arena_leak leaks[4];
};

static void see(const struct jg_arena_leak *leak, void *context)
{
    struct seen *seen = context;
    if (seen->count < 4)
        seen->leaks[seen->count] = *leak;
    seen->count++;
}

static void open_arenas_are_listed(void **state)
{
    (void)state;
    struct seen seen = {0};
    assert_int_equal(jg_arena_leaks(see, &seen), 0);
    assert_int_equal(seen.count, 0);

    struct jg_arena a, b, c;
    int line = __LINE__ + 1;
    jg_arena_open(&a);
    jg_arena_open(&b);
    jg_arena_open(&c);
    jg_arena_alloc(&a, 20, 1);
    jg_arena_alloc(&a, 100, 1);
    assert_int_equal(jg_arena_close(&b), JG_ARENA_OK); // from the middle
    usleep(2000);
    assert_int_equal(jg_arena_leaks(see, &seen), 2);
    assert_string_equal(seen.leaks[0].file, __FILE__);
    assert_int_equal(seen.leaks[0].line, line);
    assert_int_equal(seen.leaks[0].bytes, 120);
    assert_int_equal(seen.leaks[0].owner, a.owner);
    assert_true(seen.leaks[0].age_ns >= 2000000);
    assert_int_equal(seen.leaks[1].line, line + 2);
    assert_int_equal(seen.leaks[1].bytes, 0);
    assert_int_equal(jg_arena_leaks(NULL, NULL), 2);

    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(jg_arena_leak_report(fileno(file)), 2);
    rewind(file);
    char text[1024] = "", expected[256];
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    snprintf(expected, sizeof expected,
             "jniguard-arena: %s:%d: arena still open: 120 bytes, owner ", __FILE__, line);
    assert_int_equal(strncmp(text, expected, strlen(expected)), 0);
    assert_non_null(strstr(text, "\njniguard-arena: 2 arenas still open, 120 bytes\n"));
    fclose(file);

    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
    assert_int_equal(jg_arena_close(&c), JG_ARENA_OK);
    assert_int_equal(jg_arena_leaks(NULL, NULL), 0);
    assert_int_equal(jg_arena_leak_report(2), 0);
}

// ---- copies -------------------------------------------------------------------------------------

static void copies_are_refused(void **state)
{
    (void)state;
    struct jg_arena a, copy;
    jg_arena_open(&a);
    char *p = jg_arena_alloc(&a, 1, 1);
    memcpy(&copy, &a, sizeof copy);
    struct jg_arena_cleanup node;
    for (int closed = 0; closed < 2; closed++) {
        assert_int_equal(jg_arena_check(&copy), JG_ARENA_COPIED);
        assert_null(jg_arena_alloc(&copy, 1, 1));
        assert_int_equal(jg_arena_last_status(), JG_ARENA_COPIED);
        assert_int_equal(jg_arena_on_close(&copy, &node, NULL, NULL), JG_ARENA_COPIED);
        assert_int_equal(jg_arena_retain(&copy), JG_ARENA_COPIED);
        assert_int_equal(jg_arena_close(&copy), JG_ARENA_COPIED);
        assert_false(jg_arena_owns(&copy, p, 1));
        if (!closed)
            assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
    }
}

// ---- canaries -----------------------------------------------------------------------------------

static void damage_is_found(void **state)
{
    (void)state;
    if (RUNNING_ON_VALGRIND)
        skip(); // these are errors there
    static const struct {
        size_t size, at, then; // write one byte at `at`, then allocate `then` more
        bool damaged;
    } rows[] = {
        {8, 7, 0, false}, {8, 8, 0, true},  {8, 63, 0, true}, {64, 63, 0, false},
        {8, 8, 56, true}, {8, 12, 8, true}, {8, 63, 8, true},
    };
    int saved = dup(2);
    FILE *sink = tmpfile();
    assert_non_null(sink);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct jg_arena a;
        jg_arena_open(&a);
        char *volatile p = jg_arena_alloc(&a, rows[i].size, 1);
        assert_non_null(p);
        p[rows[i].at] = 1;
        if (rows[i].then != 0) {
            char *q = jg_arena_alloc(&a, rows[i].then, 1);
            assert_true(q != NULL && all_zero(q, rows[i].then)); // zero all the same
        }
        dup2(fileno(sink), 2);
        enum jg_arena_status status = jg_arena_close(&a);
        dup2(saved, 2);
        assert_int_equal(status, rows[i].damaged ? JG_ARENA_DAMAGED : JG_ARENA_OK);
        assert_int_equal(jg_arena_check(&a), JG_ARENA_CLOSED);
    }
    // Behind a block.
#if !UNDER_ASAN
    struct jg_arena a;
    jg_arena_open(&a);
    char *volatile p = jg_arena_alloc(&a, 100, 1);
    p[100] = 1;
    dup2(fileno(sink), 2);
    enum jg_arena_status status = jg_arena_close(&a);
    dup2(saved, 2);
    assert_int_equal(status, JG_ARENA_DAMAGED);
#endif
    rewind(sink);
    char text[256] = "";
    assert_non_null(fgets(text, sizeof text, sink));
    assert_non_null(strstr(text, __FILE__));
    assert_non_null(strstr(text, "was overwritten"));
    fclose(sink);
    close(saved);
}

// ---- calls inside calls -------------------------------------------------------------------------

static struct jg_arena *current;
static bool interrupt;
static enum jg_arena_status from_handler[3];

static void handler(int signal)
{
    (void)signal;
    struct jg_arena inner;
    from_handler[0] = jg_arena_open(&inner);
    from_handler[1] = jg_arena_alloc(current, 1, 1) != NULL ? JG_ARENA_OK : jg_arena_last_status();
    from_handler[2] = jg_arena_close(current);
}

static void *interrupted_alloc(size_t size, void *context)
{
    (void)context;
    if (interrupt)
        raise(SIGUSR1);
    return malloc(size);
}

static void plain_free(void *p, size_t size, void *context)
{
    (void)size;
    (void)context;
    free(p);
}

static void handlers_are_refused(void **state)
{
    (void)state;
    signal(SIGUSR1, handler);
    struct jg_arena a;
    jg_arena_open(&a);
    current = &a;
    interrupt = true;
    assert_non_null(jg_arena_alloc(&a, 100, 1));
    interrupt = false;
    for (int i = 0; i < 3; i++)
        assert_int_equal(from_handler[i], JG_ARENA_BUSY);
    assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
}

// ---- with code that inlined the release header --------------------------------------------------

static void release_code_may_use_debug_arenas(void **state)
{
    (void)state;
    struct jg_arena a;
    for (int held = 0; held < 2; held++) {
        jg_arena_open(&a);
        assert_non_null(jg_arena_alloc(&a, 8, 1));
        char *p = alloc_inlined(&a, 100);
        assert_true(p != NULL && all_zero(p, 100));
        if (held) {
            assert_int_equal(jg_arena_retain(&a), JG_ARENA_OK);
            assert_int_equal(close_inlined(&a), JG_ARENA_HELD);
            assert_int_equal(jg_arena_leaks(NULL, NULL), 1);
            assert_int_equal(jg_arena_release(&a), JG_ARENA_OK);
        }
        assert_int_equal(close_inlined(&a), JG_ARENA_OK);
        assert_int_equal(jg_arena_leaks(NULL, NULL), 0);
        assert_int_equal(jg_arena_close(&a), JG_ARENA_CLOSED);
    }
}

static jmp_buf jump;

static int leave(void *arg)
{
    (void)arg;
    longjmp(jump, 1);
}

static void closes_that_were_left_can_be_finished(void **state)
{
    (void)state;
    struct jg_arena_stats before = stats_now();
    for (volatile int inlined = 0; inlined < 2; inlined++) {
        struct jg_arena a;
        struct jg_arena_cleanup node;
        jg_arena_open(&a);
        assert_non_null(jg_arena_alloc(&a, 20, 1));
        assert_non_null(jg_arena_alloc(&a, 200, 1));
        assert_int_equal(jg_arena_on_close(&a, &node, leave, NULL), JG_ARENA_OK);
        if (setjmp(jump) == 0)
            (void)(inlined ? close_inlined(&a) : jg_arena_close(&a));
        assert_int_equal(jg_arena_close_rest(&a), JG_ARENA_OK);
        assert_int_equal(jg_arena_close_rest(&a), JG_ARENA_CLOSED);
        assert_int_equal(jg_arena_leaks(NULL, NULL), 0);
    }
    jg_arena_thread_flush();
    struct jg_arena_stats after = stats_now();
    assert_int_equal(after.closes - before.closes, 2);
    assert_int_equal(after.pools_new, after.pools_freed);
}

// Both take turns; each piece is zero, and its owner's until the end, whoever closes.
static void both_faces_may_allocate(void **state)
{
    (void)state;
    static const size_t sizes[] = {20, 8, 64, 1, 30, 100};
    for (unsigned turns = 0; turns < 64; turns++) {
        for (int inlined = 0; inlined < 2; inlined++) {
            struct jg_arena a;
            unsigned char *p[6];
            jg_arena_open(&a);
            for (unsigned i = 0; i < 6; i++) {
                p[i] = (turns >> i & 1) != 0 ? alloc_inlined(&a, sizes[i])
                                             : jg_arena_alloc(&a, sizes[i], 1);
                assert_true(p[i] != NULL && all_zero(p[i], sizes[i]));
                assert_true(jg_arena_owns(&a, p[i], sizes[i]));
                memset(p[i], (int)i + 1, sizes[i]);
            }
            for (unsigned i = 0; i < 6; i++)
                for (size_t j = 0; j < sizes[i]; j++)
                    assert_int_equal(p[i][j], i + 1);
            assert_int_equal(inlined ? close_inlined(&a) : jg_arena_close(&a), JG_ARENA_OK);
            jg_arena_open(&a);
            assert_true(all_zero(alloc_inlined(&a, 64), 64)); // what the next one gets
            assert_int_equal(jg_arena_close(&a), JG_ARENA_OK);
        }
    }
    assert_int_equal(jg_arena_leaks(NULL, NULL), 0);
}

static int leave_one_open(void)
{
    static struct jg_arena a;
    dup2(1, 2);
    jg_arena_open(&a);
    exit(0); // with the library's destructors
}

static void process_end_reports_leaks(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], 1);
        leave_one_open();
    }
    close(ends[1]);
    char text[1024] = "";
    size_t used = 0;
    ssize_t n;
    while ((n = read(ends[0], text + used, sizeof text - 1 - used)) > 0)
        used += (size_t)n;
    close(ends[0]);
    waitpid(pid, NULL, 0);
    assert_non_null(strstr(text, "test_debug.c:"));
    assert_non_null(strstr(text, "jniguard-arena: 1 arena still open, 0 bytes\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_arenas_are_listed),
        cmocka_unit_test(copies_are_refused),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(handlers_are_refused),
        cmocka_unit_test(release_code_may_use_debug_arenas),
        cmocka_unit_test(closes_that_were_left_can_be_finished),
        cmocka_unit_test(both_faces_may_allocate),
        cmocka_unit_test(process_end_reports_leaks),
    };
    struct jg_arena_config config;
    jg_arena_config_init(&config);
    config.separate = 0;
    config.backing = (struct jg_arena_backing){interrupted_alloc, NULL, plain_free, NULL};
    if (jg_arena_configure(&config) != JG_ARENA_OK)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
