// SPDX-License-Identifier: Apache-2.0
//
// The pool of workers: results come back, whatever happens to one job happens to it alone, and
// nothing is left behind.

#include "analyzer/project/interrupt.h"
#include "analyzer/project/worker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 64, LARGE_SIZE = 3000000 };

enum kind {
    ADD,       // how many this worker has done
    DIE,       // SIGSEGV
    LEAVE,     // exit code 7
    HANG,      // for ever
    EAT,       // allocates until there is nothing left
    EAT_ABORT, // the same, but ends as libclang does
    LARGE,
    PIECES,  // LARGE through a socket that takes little at a time
    MEET,    // waits until four do; how many descriptors are open
    SIGNALS, // survives what a terminal sends to all
};

// What parent and workers share.
struct shared {
    atomic_uint met;
    atomic_int writing; // the worker that is about to send
};

struct test {
    enum kind kinds[MOST];
    struct shared *shared;
    unsigned done_here; // in a worker
    int value[MOST];
    enum jg_job_end ends[MOST];
    char why[MOST][100];
    unsigned begun, ended;
    unsigned interrupt_at, stop_at; // at this begun or ended job, from 1
};

// Well over the limit; no further, should it not hold (under valgrind it does not).
static void eat(void)
{
    for (int megabytes = 0; megabytes < 256; megabytes++) {
        char *p = malloc(1 << 20);
        if (!p)
            break;
        memset(p, 1, 1 << 20);
    }
}

static unsigned open_descriptors(void)
{
    unsigned count = 0;
    DIR *dir = opendir("/proc/self/fd");
    while (dir && readdir(dir))
        count++;
    closedir(dir);
    return count;
}

static void narrow_sockets(void)
{
    for (int fd = 3; fd < 64; fd++)
        setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &(int){1}, sizeof(int));
}

static void work(void *context, uint32_t job, struct jg_bytes *reply)
{
    struct test *t = context;
    int value = (int)++t->done_here;
    switch (t->kinds[job]) {
    case ADD:
        break;
    case DIE:
        signal(SIGSEGV, SIG_DFL); // a sanitizer's own handler would exit instead
        raise(SIGSEGV);
        break;
    case LEAVE:
        _exit(7);
    case HANG:
        for (;;)
            pause();
    case EAT:
        eat();
        jg_out_of_memory();
    case EAT_ABORT:
        signal(SIGABRT, SIG_DFL);
        eat();
        abort();
    case PIECES:
        narrow_sockets();
        // fall through
    case LARGE:
        for (unsigned i = 0; i < LARGE_SIZE / 10; i++)
            jg_bytes_add(reply, "0123456789", 10);
        atomic_store(&t->shared->writing, (int)getpid());
        return;
    case MEET:
        atomic_fetch_add(&t->shared->met, 1);
        while (atomic_load(&t->shared->met) < 4)
            sched_yield();
        value = (int)open_descriptors();
        break;
    case SIGNALS:
        raise(SIGINT);
        raise(SIGTERM);
        raise(SIGHUP);
        break;
    }
    jg_bytes_add(reply, &value, sizeof value);
}

static void begun(void *context, uint32_t job)
{
    struct test *t = context;
    (void)job;
    if (++t->begun == t->interrupt_at)
        raise(SIGINT);
}

static bool ended(void *context, uint32_t job, const struct jg_job_result *result)
{
    struct test *t = context;
    t->ends[job] = result->end;
    if (result->end != JG_JOB_DONE) {
        assert_int_equal(result->reply->count, 0);
        strncpy(t->why[job], result->why, sizeof t->why[job] - 1);
    } else if (result->reply->count == sizeof t->value[job]) {
        memcpy(&t->value[job], result->reply->data, sizeof t->value[job]);
    } else {
        assert_int_equal(result->reply->count, LARGE_SIZE);
        for (unsigned i = 0; i < LARGE_SIZE; i++)
            assert_int_equal(result->reply->data[i], '0' + (int)(i % 10));
        t->value[job] = LARGE_SIZE;
    }
    return ++t->ended != t->stop_at;
}

static void run_in(struct test *t, struct jg_pool *pool, uint32_t count)
{
    t->shared =
        mmap(NULL, sizeof *t->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(t->shared, MAP_FAILED);
    uint32_t jobs[MOST];
    for (uint32_t i = 0; i < count; i++)
        jobs[i] = i;
    pool->run = work;
    pool->begun = pool->begun ? pool->begun : begun;
    pool->ended = ended;
    pool->context = t;
    unsigned descriptors = open_descriptors();
    jg_pool_run(pool, jobs, count);
    munmap(t->shared, sizeof *t->shared);

    // Nothing is left behind.
    assert_int_equal(open_descriptors(), descriptors);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void run(struct test *t, unsigned workers, uint32_t count)
{
    struct jg_pool pool = {.workers = workers, .timeout = 300};
    run_in(t, &pool, count);
}

// ---- what goes well -----------------------------------------------------------------------------

static void one_worker_serves_many_jobs(void **state)
{
    (void)state;
    struct test t = {.kinds = {ADD, ADD, ADD}};
    run(&t, 1, 3);
    assert_int_equal(t.ended, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(t.value[i], i + 1);
    assert_int_equal(t.done_here, 0); // not in this process
}

static void jobs_run_side_by_side(void **state)
{
    (void)state;
    struct test t = {.kinds = {MEET, MEET, MEET, MEET}};
    run(&t, 4, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(t.ends[i], JG_JOB_DONE);
}

static void every_job_is_done_once(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 9; workers += 4) {
        struct test t = {.kinds = {ADD}};
        run(&t, workers, MOST);
        assert_int_equal(t.ended, MOST);
        for (int i = 0; i < MOST; i++)
            assert_in_range(t.value[i], 1, MOST);
    }
}

static void no_job_is_no_work(void **state)
{
    (void)state;
    struct test t = {0};
    run(&t, 3, 0);
    assert_int_equal(t.ended, 0);
}

static void large_results_arrive_whole(void **state)
{
    (void)state;
    struct test t = {.kinds = {LARGE, PIECES, ADD, LARGE, PIECES}};
    run(&t, 3, 5);
    assert_int_equal(t.value[0], LARGE_SIZE);
    assert_int_equal(t.value[1], LARGE_SIZE);
    assert_int_equal(t.value[3], LARGE_SIZE);
    assert_int_equal(t.value[4], LARGE_SIZE);
}

// The first worker cannot have inherited more; the last one could.
static void a_worker_holds_its_own_socket_only(void **state)
{
    (void)state;
    struct test t = {.kinds = {MEET, MEET, MEET, MEET}};
    run(&t, 4, 4);
    for (int i = 1; i < 4; i++)
        assert_int_equal(t.value[i], t.value[0]);
}

// ---- what goes wrong ----------------------------------------------------------------------------

static void a_crash_costs_one_job(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 3; workers++) {
        struct test t = {.kinds = {ADD, DIE, ADD, LEAVE, ADD, DIE, ADD}};
        run(&t, workers, 7);
        for (int i = 0; i < 7; i++)
            assert_int_equal(t.ends[i], i % 2 ? JG_JOB_CRASHED : JG_JOB_DONE);
        assert_string_equal(t.why[1], "signal 11 (Segmentation fault)");
        assert_string_equal(t.why[3], "exit code 7");
    }
}

static void a_hang_costs_one_job(void **state)
{
    (void)state;
    struct test t = {.kinds = {HANG, ADD, ADD}};
    struct jg_pool pool = {.workers = 1, .timeout = 1};
    run_in(&t, &pool, 3);
    assert_int_equal(t.ends[0], JG_JOB_TIMEOUT);
    assert_string_equal(t.why[0], "not done after 1 s");
    assert_int_equal(t.ends[1], JG_JOB_DONE);
    assert_int_equal(t.ends[2], JG_JOB_DONE);
}

static void hunger_for_memory_costs_one_job(void **state)
{
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    skip(); // no limit holds there
#endif
    struct test t = {.kinds = {EAT, ADD, EAT_ABORT, ADD}};
    struct jg_pool pool = {.workers = 2, .memory = 128 << 20};
    run_in(&t, &pool, 4);
    assert_int_equal(t.ends[0], JG_JOB_OUT_OF_MEMORY);
    assert_int_equal(t.ends[2], JG_JOB_OUT_OF_MEMORY);
    assert_string_equal(t.why[0], "out of memory, limit 128 MB");
    assert_int_equal(t.ends[1], JG_JOB_DONE);
    assert_int_equal(t.ends[3], JG_JOB_DONE);
}

static bool sleeps(pid_t pid)
{
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    fclose(f);
    return strncmp(strrchr(line, ')'), ") S", 3) == 0;
}

// With the second job, while nobody reads: the first worker can send no more and sleeps.
static void kill_the_writer(void *context, uint32_t job)
{
    struct test *t = context;
    if (job != 1)
        return;
    while (!atomic_load(&t->shared->writing) || !sleeps(atomic_load(&t->shared->writing)))
        sched_yield();
    kill(atomic_load(&t->shared->writing), SIGKILL);
}

static void half_a_result_is_none(void **state)
{
    (void)state;
    struct test t = {.kinds = {LARGE, ADD}};
    struct jg_pool pool = {.workers = 2, .begun = kill_the_writer};
    run_in(&t, &pool, 2);
    assert_int_equal(t.ends[0], JG_JOB_CRASHED);
    assert_non_null(strstr(t.why[0], "signal 9 (Killed)"));
    assert_int_equal(t.ends[1], JG_JOB_DONE);
}

// ---- the end ahead of time ----------------------------------------------------------------------

static void an_interrupt_cancels_what_is_not_done(void **state)
{
    (void)state;
    struct test t = {.kinds = {ADD, ADD, HANG, HANG, ADD, ADD}, .interrupt_at = 4};
    jg_interrupt_watch();
    run(&t, 2, 6);
    assert_true(jg_interrupted());
    assert_int_equal(t.ended, 6); // each is accounted for
    for (int i = 2; i < 6; i++) {
        assert_int_equal(t.ends[i], JG_JOB_CANCELLED);
        assert_string_equal(t.why[i], "interrupted");
    }
    assert_int_equal(t.ends[0], JG_JOB_DONE);
    jg_interrupt_watch(); // forgets
    assert_false(jg_interrupted());
}

static void workers_leave_interrupts_to_their_parent(void **state)
{
    (void)state;
    struct test t = {.kinds = {SIGNALS, ADD}};
    run(&t, 1, 2);
    assert_int_equal(t.ends[0], JG_JOB_DONE);
    assert_int_equal(t.value[1], 2); // the same worker
}

static void a_second_interrupt_ends_the_process(void **state)
{
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        jg_interrupt_watch();
        raise(SIGINT);
        if (!jg_interrupted())
            _exit(1);
        raise(SIGTERM);
        _exit(2);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
}

static void a_callback_can_stop_the_pool(void **state)
{
    (void)state;
    struct test t = {.kinds = {ADD, HANG, HANG, ADD}, .stop_at = 1};
    run(&t, 3, 4);
    assert_int_equal(t.ended, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_worker_serves_many_jobs),
        cmocka_unit_test(jobs_run_side_by_side),
        cmocka_unit_test(every_job_is_done_once),
        cmocka_unit_test(no_job_is_no_work),
        cmocka_unit_test(large_results_arrive_whole),
        cmocka_unit_test(a_worker_holds_its_own_socket_only),
        cmocka_unit_test(a_crash_costs_one_job),
        cmocka_unit_test(a_hang_costs_one_job),
        cmocka_unit_test(hunger_for_memory_costs_one_job),
        cmocka_unit_test(half_a_result_is_none),
        cmocka_unit_test(an_interrupt_cancels_what_is_not_done),
        cmocka_unit_test(workers_leave_interrupts_to_their_parent),
        cmocka_unit_test(a_second_interrupt_ends_the_process),
        cmocka_unit_test(a_callback_can_stop_the_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
