// SPDX-License-Identifier: Apache-2.0
//
// jg_chunks: chunks double and never move, requests are refused without harm, accounts are right.

#include <jniguard/chunks.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#endif

// Sanitizers and valgrind keep freed memory, to find its use.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_MEMORY_THE_SYSTEMS 0
#elif defined(__has_feature)
#define IS_MEMORY_THE_SYSTEMS                                                                      \
    (!__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) && !RUNNING_ON_VALGRIND)
#else
#define IS_MEMORY_THE_SYSTEMS (!RUNNING_ON_VALGRIND)
#endif

// ---- a backing allocator that counts, fills with rubbish and fails when told to -----------------

struct backing {
    size_t sizes[256]; // of the blocks asked for, in order
    unsigned asked, given, freed;
    size_t bytes;     // out at this moment
    unsigned fail_at; // the n-th request fails, from 1; 0: none
};

static void *backing_alloc(size_t size, void *context)
{
    struct backing *b = context;
    b->sizes[b->asked++ % 256] = size;
    if (b->asked == b->fail_at)
        return NULL;
    void *p = malloc(size);
    assert_non_null(p);
    memset(p, 0xa5, size);
    b->given++;
    b->bytes += size;
    return p;
}

static void backing_free(void *block, size_t size, void *context)
{
    struct backing *b = context;
    memset(block, 0xdd, size); // the size is true, or the sanitizer speaks
    free(block);
    b->freed++;
    b->bytes -= size;
}

static struct jg_chunks_options options_of(struct backing *b, size_t first, size_t largest)
{
    return (struct jg_chunks_options){first, largest, {backing_alloc, backing_free, b}};
}

static void init(struct jg_chunks *c, struct backing *b, size_t first, size_t largest)
{
    struct jg_chunks_options o = options_of(b, first, largest);
    assert_int_equal(jg_chunks_init(c, &o), JG_MEMORY_OK);
}

static void fini(struct jg_chunks *c, const struct backing *b)
{
    jg_chunks_fini(c);
    assert_int_equal(b->bytes, 0);
    assert_int_equal(b->given, b->freed);
}

// ---- growth -------------------------------------------------------------------------------------

static void chunks_double_up_to_the_largest(void **state)
{
    (void)state;
    struct backing b = {.asked = 0};
    struct jg_chunks c;
    init(&c, &b, 1000, 5000);
    assert_int_equal(b.asked, 0);
    while (b.asked < 6)
        assert_non_null(jg_chunks_alloc(&c, 100, 8));
    static const size_t want[] = {1024, 2048, 4096, 8192, 8192, 8192};
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(b.sizes[i], want[i]);
    fini(&c, &b);
}

static void a_first_chunk_holds_the_first_request(void **state)
{
    (void)state;
    static const struct {
        size_t first, request, chunk;
    } cases[] = {{0, 1, 512},     {0, 400, 512},     {0, 512, 1024},
                 {1, 1, 512},     {513, 1, 1024},    {0, 100000, 131072},
                 {4096, 1, 4096}, {512, 3000, 4096}, {1 << 20, 1, 1 << 20}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct backing b = {.asked = 0};
        struct jg_chunks c;
        init(&c, &b, cases[i].first, 0);
        assert_non_null(jg_chunks_alloc(&c, cases[i].request, 1));
        assert_int_equal(b.sizes[0], cases[i].chunk);
        fini(&c, &b);
    }
}

// The account of the leak report lies in the first chunk, too.
static void an_account_leaves_room_for_the_first_request(void **state)
{
    (void)state;
    for (size_t size = 300; size < 1100; size++) {
        struct backing b = {.fail_at = 0};
        struct jg_chunks_options o = options_of(&b, 0, 0);
        struct jg_chunks c;
        assert_int_equal(jg_chunks_init_at(&c, &o, "here.c", 1, 1), JG_MEMORY_OK);
        char *p = jg_chunks_alloc(&c, size, 16);
        assert_non_null(p);
        assert_true(p >= (char *)c.first && p + size <= (char *)c.first + c.held);
        memset(p, 1, size);
        jg_chunks_fini(&c);
        assert_int_equal(b.bytes, 0);
    }
}

static void a_request_beyond_the_largest_gets_its_own_size(void **state)
{
    (void)state;
    struct backing b = {.asked = 0};
    struct jg_chunks c;
    init(&c, &b, 512, 1024);
    char *p = jg_chunks_zalloc(&c, 100000, 16);
    assert_non_null(p);
    assert_true(b.sizes[0] >= 100000 && b.sizes[0] < 100000 + 2 * 4096);
    p[99999] = 1;
    assert_non_null(jg_chunks_alloc(&c, 900, 1));
    assert_non_null(jg_chunks_alloc(&c, 900, 1));
    assert_non_null(jg_chunks_alloc(&c, 900, 1));
    assert_non_null(jg_chunks_alloc(&c, 900, 1));
    assert_non_null(jg_chunks_alloc(&c, 900, 1));
    assert_non_null(jg_chunks_alloc(&c, 900, 1));
    assert_int_equal(b.sizes[b.asked - 1], 1024);
    fini(&c, &b);
}

static void pointers_survive_growth(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    static uint32_t *all[COUNT];
    struct jg_chunks c;
    assert_int_equal(jg_chunks_init(&c, NULL), JG_MEMORY_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        all[i] = jg_chunks_alloc(&c, sizeof *all[i] * (1 + i % 7), sizeof *all[i]);
        assert_non_null(all[i]);
        for (uint32_t k = 0; k < 1 + i % 7; k++)
            all[i][k] = i;
    }
    for (uint32_t i = 0; i < COUNT; i++)
        for (uint32_t k = 0; k < 1 + i % 7; k++)
            assert_int_equal(all[i][k], i);
    jg_chunks_fini(&c);
}

static void the_64th_chunk_is_the_last(void **state)
{
    (void)state;
    struct backing b = {.asked = 0};
    struct jg_chunks c;
    init(&c, &b, 512, 512);
    char *p = NULL;
    for (unsigned i = 0; i < JG_CHUNKS_MAX; i++) {
        p = jg_chunks_alloc(&c, 300, 1);
        assert_non_null(p);
    }
    assert_null(jg_chunks_alloc(&c, 300, 1));
    assert_int_equal(c.status, JG_MEMORY_CHUNKS);
    assert_int_equal(b.asked, JG_CHUNKS_MAX);
    // What is left of the current chunk still serves.
    assert_ptr_equal(jg_chunks_alloc(&c, 50, 1), p + 300);
    jg_chunks_reset(&c);
    for (unsigned i = 0; i < JG_CHUNKS_MAX; i++)
        assert_non_null(jg_chunks_alloc(&c, 300, 1));
    assert_int_equal(b.asked, JG_CHUNKS_MAX);
    fini(&c, &b);
}

// ---- what an allocation is ----------------------------------------------------------------------

static void allocations_are_aligned(void **state)
{
    (void)state;
    struct jg_chunks c;
    assert_int_equal(jg_chunks_init(&c, NULL), JG_MEMORY_OK);
    for (int round = 0; round < 3; round++) {
        for (size_t align = 1; align <= JG_CHUNKS_ALIGN; align *= 2) {
            char *p = jg_chunks_alloc(&c, 3, align);
            assert_non_null(p);
            assert_int_equal((uintptr_t)p % align, 0);
            memset(p, 1, 3);
        }
        jg_chunks_reset(&c);
    }
    jg_chunks_fini(&c);
}

static void allocations_are_adjacent(void **state)
{
    (void)state;
    struct jg_chunks c;
    assert_int_equal(jg_chunks_init(&c, NULL), JG_MEMORY_OK);
    char *p = jg_chunks_alloc(&c, 5, 8);
    assert_ptr_equal(jg_chunks_alloc(&c, 1, 1), p + 5);
    assert_ptr_equal(jg_chunks_alloc(&c, 4, 4), p + 8);
    assert_ptr_equal(jg_chunks_alloc(&c, 1, 16), (char *)((uintptr_t)(p + 12 + 15) / 16 * 16));
    jg_chunks_fini(&c);
}

static void zalloc_zeroes_fresh_and_used_memory(void **state)
{
    (void)state;
    struct backing b = {.asked = 0};
    struct jg_chunks c;
    init(&c, &b, 0, 0);
    for (int round = 0; round < 3; round++) {
        for (size_t size = 1; size < 700; size += 13) {
            unsigned char *p = jg_chunks_zalloc(&c, size, 4);
            assert_non_null(p);
            for (size_t i = 0; i < size; i++)
                assert_int_equal(p[i], 0);
            memset(p, 0xff, size);
        }
        jg_chunks_reset(&c);
    }
    fini(&c, &b);
}

static void hostile_requests_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t size, align;
        enum jg_memory_status status;
    } cases[] = {
        {0, 1, JG_MEMORY_SIZE},
        {SIZE_MAX, 1, JG_MEMORY_SIZE},
        {SIZE_MAX - 15, 16, JG_MEMORY_SIZE},
        {(size_t)PTRDIFF_MAX, 8, JG_MEMORY_SIZE},
        {(size_t)PTRDIFF_MAX + 1, JG_CHUNKS_ALIGN, JG_MEMORY_SIZE},
        {8, 0, JG_MEMORY_ALIGN},
        {8, 3, JG_MEMORY_ALIGN},
        {8, SIZE_MAX, JG_MEMORY_ALIGN},
        {8, (size_t)JG_CHUNKS_ALIGN * 2, JG_MEMORY_ALIGN},
        {8, (size_t)1 << 40, JG_MEMORY_ALIGN},
    };
    for (int filled = 0; filled < 2; filled++) {
        struct backing b = {.asked = 0};
        struct jg_chunks c;
        init(&c, &b, 0, 0);
        char *p = filled ? jg_chunks_alloc(&c, 8, 8) : NULL;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            assert_null(jg_chunks_alloc(&c, cases[i].size, cases[i].align));
            assert_int_equal(c.status, cases[i].status);
            assert_null(jg_chunks_zalloc(&c, cases[i].size, cases[i].align));
        }
        assert_int_equal(b.asked, filled);
        if (filled)
            assert_ptr_equal(jg_chunks_alloc(&c, 8, 8), p + 8);
        fini(&c, &b);
    }
}

static void hostile_options_are_refused(void **state)
{
    (void)state;
    static const struct jg_chunks_options cases[] = {
        {.first = SIZE_MAX},
        {.first = (size_t)PTRDIFF_MAX, .largest = (size_t)PTRDIFF_MAX},
        {.largest = SIZE_MAX},
        {.first = 4096, .largest = 1024},
        {.backing = {backing_alloc, NULL, NULL}},
        {.backing = {NULL, backing_free, NULL}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct jg_chunks c;
        assert_int_equal(jg_chunks_init(&c, &cases[i]), JG_MEMORY_OPTION);
        assert_null(jg_chunks_alloc(&c, 8, 8)); // and stay refused
        assert_null(jg_chunks_zalloc(&c, 8, 8));
        assert_int_equal(c.status, JG_MEMORY_OPTION);
        jg_chunks_reset(&c);
        jg_chunks_trim(&c, 0);
        jg_chunks_fini(&c);
    }
}

// ---- a backing that fails -----------------------------------------------------------------------

static void a_failing_backing_harms_nothing(void **state)
{
    (void)state;
    for (unsigned fail = 1; fail <= 10; fail++) {
        struct backing b = {.fail_at = fail};
        struct jg_chunks c;
        init(&c, &b, 512, 4096);
        unsigned failed = 0;
        unsigned char *all[100];
        for (unsigned i = 0; i < 100; i++) {
            all[i] = jg_chunks_zalloc(&c, 300, 8);
            if (!all[i]) {
                assert_int_equal(c.status, JG_MEMORY_NOMEM);
                assert_int_equal(jg_chunks_bytes_live(), b.bytes);
                failed++;
                all[i] = jg_chunks_zalloc(&c, 300, 8); // the next request succeeds
                assert_non_null(all[i]);
                assert_int_equal(c.status, JG_MEMORY_OK);
            }
            memset(all[i], (int)i, 300);
        }
        assert_int_equal(failed, 1);
        for (unsigned i = 0; i < 100; i++)
            for (unsigned k = 0; k < 300; k++)
                assert_int_equal(all[i][k], i);
        fini(&c, &b);
    }
}

// ---- reset and trim -----------------------------------------------------------------------------

static void reset_fills_the_same_chunks_again(void **state)
{
    (void)state;
    struct backing b = {.asked = 0};
    struct jg_chunks c;
    init(&c, &b, 0, 0);
    jg_chunks_reset(&c); // empty: nothing to do
    char *first[50];
    for (int round = 0; round < 4; round++) {
        for (unsigned i = 0; i < 50; i++) {
            char *p = jg_chunks_alloc(&c, 200, 8);
            if (!round)
                first[i] = p;
            assert_ptr_equal(p, first[i]);
        }
        jg_chunks_reset(&c);
    }
    assert_int_equal(b.asked, 5);
    // A request too large for the chunks that wait takes a new one, and those wait on.
    assert_non_null(jg_chunks_alloc(&c, 20000, 8));
    assert_int_equal(b.asked, 6);
    fini(&c, &b);
}

static void trim_keeps_what_is_in_use(void **state)
{
    (void)state;
    struct backing b = {.asked = 0};
    struct jg_chunks c;
    init(&c, &b, 0, 0);
    jg_chunks_trim(&c, 0);
    for (unsigned i = 0; i < 50; i++)
        assert_non_null(jg_chunks_alloc(&c, 200, 8));
    size_t full = b.bytes;
    assert_int_equal(full, 512 + 1024 + 2048 + 4096 + 8192);
    jg_chunks_trim(&c, 0);
    assert_int_equal(b.bytes, full);
    jg_chunks_reset(&c);
    jg_chunks_trim(&c, full);
    assert_int_equal(b.bytes, full);
    jg_chunks_trim(&c, full - 1);
    assert_int_equal(b.bytes, full - 8192);
    char *p = jg_chunks_zalloc(&c, 200, 8);
    jg_chunks_trim(&c, 0);
    assert_int_equal(b.bytes, 512);
    memset(p, 1, 200);
    // Doubling goes on from what is left.
    assert_non_null(jg_chunks_alloc(&c, 500, 8));
    assert_int_equal(b.sizes[b.asked - 1], 1024);
    jg_chunks_reset(&c);
    jg_chunks_trim(&c, 0);
    assert_int_equal(b.bytes, 0);
    assert_non_null(jg_chunks_alloc(&c, 1, 1));
    assert_int_equal(b.sizes[b.asked - 1], 512);
    fini(&c, &b);
    assert_non_null(jg_chunks_alloc(&c, 1, 1)); // fini leaves an allocator that works
    fini(&c, &b);
}

// ---- accounts -----------------------------------------------------------------------------------

static void *grow_and_release(void *unused)
{
    (void)unused;
    for (int round = 0; round < 200; round++) {
        struct jg_chunks c;
        jg_chunks_init(&c, NULL);
        for (int i = 0; i < 100; i++)
            jg_chunks_alloc(&c, 100, 8);
        jg_chunks_fini(&c);
    }
    return NULL;
}

static void bytes_live_come_back_to_zero(void **state)
{
    (void)state;
    assert_int_equal(jg_chunks_bytes_live(), 0);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, grow_and_release, NULL), 0);
    struct jg_chunks a, b;
    jg_chunks_init(&a, NULL);
    jg_chunks_init(&b, NULL);
    assert_non_null(jg_chunks_alloc(&a, 1, 1));
    assert_non_null(jg_chunks_alloc(&b, 800, 1));
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(jg_chunks_bytes_live(), 512 + 1024);
    jg_chunks_fini(&a);
    assert_int_equal(jg_chunks_bytes_live(), 1024);
    jg_chunks_fini(&b);
    assert_int_equal(jg_chunks_bytes_live(), 0);
}

static struct jg_chunks leaked;

struct leaks {
    struct jg_chunks_leak all[4];
    size_t count;
};

static void note_leak(const struct jg_chunks_leak *leak, void *context)
{
    struct leaks *leaks = context;
    if (leaks->count < 4)
        leaks->all[leaks->count++] = *leak;
}

static void leaks_are_reported_with_file_and_line(void **state)
{
    (void)state;
    struct jg_chunks a, b, empty, unaccounted;
    jg_chunks_init_at(&empty, NULL, __FILE__, __LINE__, 1);
    jg_chunks_init_at(&a, NULL, __FILE__, __LINE__, 1);
    int line = __LINE__ - 1;
    jg_chunks_init_at(&b, NULL, "other.c", 7, 1);
    jg_chunks_init_at(&unaccounted, NULL, __FILE__, __LINE__, 0);
    jg_chunks_alloc(&a, 1, 1);
    jg_chunks_alloc(&b, 1, 1);
    jg_chunks_alloc(&a, 500, 1);
    jg_chunks_alloc(&unaccounted, 1, 1);
    struct leaks leaks = {.count = 0};
    assert_int_equal(jg_chunks_leaks(note_leak, &leaks), 2);
    assert_string_equal(leaks.all[0].file, "other.c");
    assert_int_equal(leaks.all[0].line, 7);
    assert_string_equal(leaks.all[1].file, __FILE__);
    assert_int_equal(leaks.all[1].line, line);
    assert_int_equal(leaks.all[1].bytes, 512 + 1024);
    assert_int_equal(leaks.all[1].chunks, 2);
    jg_chunks_reset(&a);
    jg_chunks_trim(&a, 512);
    leaks.count = 0;
    assert_int_equal(jg_chunks_leaks(note_leak, &leaks), 2);
    assert_int_equal(leaks.all[1].bytes, 512);
    jg_chunks_fini(&b);
    assert_int_equal(jg_chunks_leaks(NULL, NULL), 1);
    jg_chunks_fini(&a);
    assert_int_equal(jg_chunks_leaks(NULL, NULL), 0);
    jg_chunks_fini(&unaccounted);
    jg_chunks_fini(&empty);
}

static void make_a_leak(void)
{
    struct jg_chunks gone;
    jg_chunks_init_at(&gone, NULL, "gone.c", 1, 1);
    for (int i = 0; i < 100; i++)
        jg_chunks_alloc(&gone, 100, 8);
    leaked = gone; // for the end of the test only
    memset(&gone, 0xee, sizeof gone);
}

static void a_leak_outlives_its_struct(void **state)
{
    (void)state;
    make_a_leak();
    struct leaks leaks = {.count = 0};
    assert_int_equal(jg_chunks_leaks(note_leak, &leaks), 1);
    assert_string_equal(leaks.all[0].file, "gone.c");
    assert_int_equal(leaks.all[0].bytes, jg_chunks_bytes_live());
    jg_chunks_fini(&leaked);
    assert_int_equal(jg_chunks_leaks(NULL, NULL), 0);
}

static _Atomic bool stop;

static void *open_accounts(void *unused)
{
    while (!stop) {
        struct jg_chunks c;
        jg_chunks_init_at(&c, NULL, "other.c", 1, 1);
        jg_chunks_alloc(&c, 1, 1);
        jg_chunks_fini(&c);
        sched_yield(); // valgrind runs one thread at a time, and need not be fair
    }
    return unused;
}

// The lock of the accounts must be free in a child, whoever held it.
static void children_of_fork_are_not_blocked(void **state)
{
    (void)state;
    pthread_t thread;
    stop = false;
    assert_int_equal(pthread_create(&thread, NULL, open_accounts, NULL), 0);
    for (int i = 0; i < 50; i++) {
        fflush(NULL);
        pid_t pid = fork();
        if (pid == 0) {
            alarm(10); // rather than for ever
#ifdef VALGRIND_CLO_CHANGE
            VALGRIND_CLO_CHANGE("--leak-check=no"); // the other thread is lost
#endif
            struct jg_chunks c;
            jg_chunks_init_at(&c, NULL, "child.c", 1, 1);
            _exit(jg_chunks_alloc(&c, 1, 1) == NULL || jg_chunks_leaks(NULL, NULL) == 0);
        }
        int status = -1;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
    }
    stop = true;
    pthread_join(thread, NULL);
}

static void every_status_has_its_own_text(void **state)
{
    (void)state;
    for (int i = 0; i < JG_MEMORY_STATUS_COUNT; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(jg_memory_status_text((enum jg_memory_status)i),
                                    jg_memory_status_text((enum jg_memory_status)k));
    assert_string_equal(jg_memory_status_text(JG_MEMORY_STATUS_COUNT), "unknown status");
    assert_string_equal(jg_memory_status_text((enum jg_memory_status) - 1), "unknown status");
}

// ---- large
// ---------------------------------------------------------------------------------------

#define MIB ((size_t)1 << 20)

static size_t resident(void)
{
    unsigned long size, pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%lu %lu", &size, &pages), 2);
    fclose(f);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

struct node {
    struct node *next;
    uint64_t value;
};

// No more than doubling may waste, and nothing left behind.
static void two_million_nodes(void **state)
{
    (void)state;
    enum { NODES = 2000001 };
    struct jg_chunks c;
    jg_chunks_init(&c, NULL);
    struct node *first = NULL;
    for (uint64_t i = 0; i < NODES; i++) {
        struct node *node = jg_chunks_zalloc(&c, sizeof *node, _Alignof(struct node));
        assert_non_null(node);
        node->next = first;
        node->value = i;
        first = node;
    }
    uint64_t value = NODES;
    for (const struct node *node = first; node; node = node->next)
        assert_true(node->value == --value);
    assert_int_equal(value, 0);
    assert_true(jg_chunks_bytes_live() >= NODES * sizeof(struct node));
    assert_true(jg_chunks_bytes_live() <= 2 * NODES * sizeof(struct node) + MIB);
    jg_chunks_fini(&c);
    assert_int_equal(jg_chunks_bytes_live(), 0);
}

static void *fill_and_drop(void *unused)
{
    struct jg_chunks c;
    jg_chunks_init(&c, NULL);
    for (size_t bytes = 0, size = 16; bytes < 32 * MIB; bytes += size, size = size * 7 % 65521 + 16)
        if (!jg_chunks_zalloc(&c, size, 16))
            abort();
    jg_chunks_fini(&c);
    return unused;
}

// Eight threads in turn, again and again: what one has dropped is not kept for it.
static void dropped_memory_leaves_the_process(void **state)
{
    (void)state;
    if (!IS_MEMORY_THE_SYSTEMS)
        skip();
    size_t before = resident();
    for (int i = 0; i < 10; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, fill_and_drop, NULL), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
    assert_int_equal(jg_chunks_bytes_live(), 0);
    assert_true(resident() < before + 16 * MIB);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_double_up_to_the_largest),
        cmocka_unit_test(a_first_chunk_holds_the_first_request),
        cmocka_unit_test(an_account_leaves_room_for_the_first_request),
        cmocka_unit_test(a_request_beyond_the_largest_gets_its_own_size),
        cmocka_unit_test(pointers_survive_growth),
        cmocka_unit_test(the_64th_chunk_is_the_last),
        cmocka_unit_test(allocations_are_aligned),
        cmocka_unit_test(allocations_are_adjacent),
        cmocka_unit_test(zalloc_zeroes_fresh_and_used_memory),
        cmocka_unit_test(hostile_requests_are_refused),
        cmocka_unit_test(hostile_options_are_refused),
        cmocka_unit_test(a_failing_backing_harms_nothing),
        cmocka_unit_test(reset_fills_the_same_chunks_again),
        cmocka_unit_test(trim_keeps_what_is_in_use),
        cmocka_unit_test(bytes_live_come_back_to_zero),
        cmocka_unit_test(leaks_are_reported_with_file_and_line),
        cmocka_unit_test(a_leak_outlives_its_struct),
        cmocka_unit_test(children_of_fork_are_not_blocked),
        cmocka_unit_test(every_status_has_its_own_text),
        cmocka_unit_test(two_million_nodes),
        cmocka_unit_test(dropped_memory_leaves_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
