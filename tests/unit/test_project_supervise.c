// SPDX-License-Identifier: Apache-2.0
//
// Work under supervision: whatever happens to one item happens to it alone, however many threads
// there are, and what cannot be helped is an error.

#include "analyzer/project/supervise.h"

#include "analyzer/ir/mem.h"
#include "analyzer/project/interrupt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ITEMS = 200, MOST_THREADS = 8, CODE = 7 };

enum kind { FINE, CRASH, ABORT, LEAVE, EAT, HANG, INTERRUPT };

// What the test and all children see.
struct shared {
    atomic_uint runs[ITEMS];  // how often an item was begun
    atomic_uint ended[ITEMS]; // by the child that wrote
    atomic_uint children, written, over;
    char lost[1000]; // "3: signal 11 ...\n", by the child that wrote
};

struct test {
    enum kind kinds[ITEMS];
    struct shared *shared;
    unsigned threads;
    bool crash_before, crash_after, crash_writing;
    bool dawdle; // outside of items, until it is killed, if it may not be in haste
    struct jg_supervised *v;
    atomic_uint next;
};

// Well over the limit; no further, should it not hold (under valgrind it does not).
static void eat(void)
{
    static char *kept[256]; // not lost: that would be another fault
    for (int megabytes = 0; megabytes < 256; megabytes++) {
        kept[megabytes] = malloc(1 << 20);
        if (!kept[megabytes])
            jg_out_of_memory();
        memset(kept[megabytes], 1, 1 << 20);
    }
    jg_out_of_memory();
}

static void do_item(struct test *t, uint32_t item)
{
    atomic_fetch_add(&t->shared->runs[item], 1);
    switch (t->kinds[item]) {
    case CRASH:
        raise(SIGSEGV);
        break;
    case ABORT:
        abort();
    case LEAVE:
        _exit(9);
    case EAT:
        eat();
        break;
    case HANG:
        while (!atomic_load(jg_supervised_stop(t->v)))
            usleep(1000);
        break;
    case INTERRUPT:
        kill(getppid(), SIGINT);
        while (!atomic_load(jg_supervised_stop(t->v)))
            usleep(1000);
        break;
    case FINE:
        break;
    }
}

struct thread {
    struct test *t;
    unsigned number;
    pthread_t id;
};

static void *work(void *context)
{
    struct thread *w = context;
    for (uint32_t item; (item = atomic_fetch_add(&w->t->next, 1)) < ITEMS;) {
        if (!jg_supervised_begin(w->t->v, w->number, item, item))
            continue;
        do_item(w->t, item);
        atomic_store(&w->t->shared->ended[item], 1);
        jg_supervised_end(w->t->v, w->number, 1, item % 2);
    }
    return NULL;
}

static void note_lost(struct test *t)
{
    uint32_t count;
    size_t n = 0;
    const struct jg_lost_item *lost = jg_supervised_lost(t->v, &count);
    t->shared->lost[0] = '\0';
    for (uint32_t item = 0; item < ITEMS; item++)
        for (uint32_t i = 0; i < count && n < sizeof t->shared->lost; i++)
            if (lost[i].item == item)
                n += (size_t)snprintf(t->shared->lost + n, sizeof t->shared->lost - n, "%u: %s\n",
                                      item, lost[i].why);
}

static int run(void *context, struct jg_supervised *v)
{
    struct test *t = context;
    struct thread threads[MOST_THREADS];
    t->v = v;
    signal(SIGSEGV, SIG_DFL); // cmocka has handlers, and so have sanitizers
    signal(SIGBUS, SIG_DFL);
    signal(SIGABRT, SIG_DFL);
    atomic_fetch_add(&t->shared->children, 1);
    for (uint32_t i = 0; i < ITEMS; i++)
        atomic_store(&t->shared->ended[i], 0);
    if (t->crash_before)
        raise(SIGSEGV);
    if (t->dawdle && !jg_supervised_in_haste(v)) {
        kill(getppid(), SIGTERM);
        sleep(60);
    }
    jg_supervised_total(v, ITEMS);
    for (unsigned i = 0; i < t->threads; i++) {
        threads[i] = (struct thread){.t = t, .number = i};
        assert_int_equal(pthread_create(&threads[i].id, NULL, work, &threads[i]), 0);
    }
    for (unsigned i = 0; i < t->threads; i++)
        pthread_join(threads[i].id, NULL);
    jg_supervised_stage(v, "resting");
    if (t->crash_after)
        raise(SIGBUS);
    note_lost(t);
    jg_supervised_write(v);
    if (t->crash_writing)
        raise(SIGSEGV);
    atomic_fetch_add(&t->shared->written, 1);
    return CODE;
}

static void over(void *context)
{
    atomic_fetch_add(&((struct test *)context)->shared->over, 1);
}

static void begin(struct test *t)
{
    memset(t, 0, sizeof *t);
    t->shared =
        mmap(NULL, sizeof *t->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(t->shared != MAP_FAILED);
}

static void end(struct test *t)
{
    munmap(t->shared, sizeof *t->shared);
}

// The exit code, or -1 with *error.
static int supervise(struct test *t, unsigned threads, char **error)
{
    memset(t->shared, 0, sizeof *t->shared);
    t->threads = threads;
    struct jg_supervision s = {.run = run,
                               .over = over,
                               .context = t,
                               .workers = threads,
                               .timeout = 1,
                               .memory = 64u << 20};
    return jg_supervise(&s, error);
}

static void expect_lost(struct test *t, const char *lost)
{
    static const unsigned threads[] = {1, 2, 8};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        char *error;
        assert_int_equal(supervise(t, threads[i], &error), CODE);
        assert_null(error);
        assert_string_equal(t->shared->lost, lost);
        assert_int_equal(t->shared->written, 1);
        assert_int_equal(t->shared->over, t->shared->children);
        for (uint32_t k = 0; k < ITEMS; k++)
            assert_int_equal(t->shared->ended[k], t->kinds[k] == FINE);
    }
}

static void expect_error(struct test *t, unsigned threads, const char *expected)
{
    char *error;
    assert_int_equal(supervise(t, threads, &error), -1);
    assert_non_null(error);
    assert_string_equal(error, expected);
    assert_int_equal(t->shared->written, 0);
    free(error);
}

// ---- the tests ----------------------------------------------------------------------------------

static void all_is_well(void **state)
{
    (void)state;
    struct test t;
    begin(&t);
    expect_lost(&t, "");
    assert_int_equal(t.shared->children, 1);
    end(&t);
}

static void a_crash_costs_its_item(void **state)
{
    (void)state;
    struct test t;
    begin(&t);
    t.kinds[17] = CRASH;
    t.kinds[18] = ABORT;
    t.kinds[140] = LEAVE;
    expect_lost(&t, "17: signal 11 (Segmentation fault)\n18: signal 6 (Aborted)\n"
                    "140: exit code 9\n");
    end(&t);
}

static void the_first_and_the_last_item_can_crash(void **state)
{
    (void)state;
    struct test t;
    begin(&t);
    t.kinds[0] = t.kinds[ITEMS - 1] = CRASH;
    expect_lost(&t, "0: signal 11 (Segmentation fault)\n199: signal 11 (Segmentation fault)\n");
    end(&t);
}

static void hunger_costs_its_item(void **state)
{
    (void)state;
    struct test t;
    begin(&t);
    t.kinds[5] = EAT;
    char *error;
    assert_int_equal(supervise(&t, 2, &error), CODE);
    assert_non_null(strstr(t.shared->lost, "5: out of memory"));
    assert_int_equal(t.shared->ended[4] + t.shared->ended[6], 2);
    end(&t);
}

static void a_hang_costs_its_item(void **state)
{
    (void)state;
    struct test t;
    begin(&t);
    t.kinds[9] = HANG;
    char *error;
    assert_int_equal(supervise(&t, 2, &error), CODE);
    assert_string_equal(t.shared->lost, "9: not done after 1 s\n");
    assert_int_equal(t.shared->children, 2);
    end(&t);
}

static void crashes_without_end_are_an_error(void **state)
{
    (void)state;
    struct test t;
    begin(&t);
    for (uint32_t i = 0; i < ITEMS; i++)
        t.kinds[i] = CRASH;
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        expect_error(&t, threads, "signal 11 (Segmentation fault) while linking");
        assert_true(t.shared->children < 80);
    }
    end(&t);
}

static void crashes_outside_of_items_are_errors(void **state)
{
    (void)state;
    struct test t;
    begin(&t);
    t.crash_before = true;
    expect_error(&t, 2, "signal 11 (Segmentation fault) while linking");
    t.crash_before = false;
    t.crash_after = true;
    expect_error(&t, 2, "signal 7 (Bus error) while resting");
    t.crash_after = false;
    t.crash_writing = true;
    expect_error(&t, 2, "signal 11 (Segmentation fault) while writing the report");
    assert_int_equal(t.shared->children, 1);
    end(&t);
}

static void an_interrupt_ends_it_with_what_is_done(void **state)
{
    (void)state;
    struct test t;
    begin(&t);
    t.kinds[50] = INTERRUPT;
    t.kinds[51] = HANG;
    jg_interrupt_watch();
    char *error;
    assert_int_equal(supervise(&t, 2, &error), CODE);
    assert_int_equal(t.shared->children, 1);
    assert_int_equal(t.shared->ended[49], 1);
    assert_int_equal(t.shared->runs[ITEMS - 1], 0);
    jg_interrupt_watch(); // forgets it
    end(&t);
}

static void what_does_not_stop_is_ended(void **state)
{
    (void)state;
    struct test t;
    begin(&t);
    t.dawdle = true;
    jg_interrupt_watch();
    char *error;
    assert_int_equal(supervise(&t, 2, &error), CODE);
    assert_int_equal(t.shared->children, 2);
    assert_int_equal(t.shared->written, 1);
    assert_int_equal(t.shared->runs[0], 0);
    jg_interrupt_watch();
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_well),
        cmocka_unit_test(a_crash_costs_its_item),
        cmocka_unit_test(the_first_and_the_last_item_can_crash),
        cmocka_unit_test(hunger_costs_its_item),
        cmocka_unit_test(a_hang_costs_its_item),
        cmocka_unit_test(crashes_without_end_are_an_error),
        cmocka_unit_test(crashes_outside_of_items_are_errors),
        cmocka_unit_test(an_interrupt_ends_it_with_what_is_done),
        cmocka_unit_test(what_does_not_stop_is_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
