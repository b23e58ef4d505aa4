// SPDX-License-Identifier: Apache-2.0
//
// The worker process: results come back, a crash costs one job.

#include "analyzer/project/worker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ADD, DIE, LEAVE, LARGE };

static void work(void *context, uint32_t job, struct jg_bytes *reply)
{
    int *jobs_done = context;
    switch (job) {
    case DIE:
        signal(SIGSEGV, SIG_DFL); // a sanitizer's own handler would exit instead
        raise(SIGSEGV);
        break;
    case LEAVE:
        _exit(7);
    case LARGE:
        for (unsigned i = 0; i < 300000; i++)
            jg_bytes_add(reply, "0123456789", 10);
        break;
    default:
        ++*jobs_done;
        jg_bytes_add(reply, jobs_done, sizeof *jobs_done);
    }
}

static int add(struct jg_worker *w)
{
    struct jg_bytes reply = {0};
    char *why = NULL;
    int value = 0;
    assert_true(jg_worker_run(w, ADD, &reply, &why));
    assert_int_equal(reply.count, sizeof value);
    memcpy(&value, reply.data, sizeof value);
    JG_VEC_FREE(&reply);
    return value;
}

static void one_worker_serves_many_jobs(void **state)
{
    (void)state;
    int jobs_done = 0;
    struct jg_worker *w = jg_worker_new(work, &jobs_done);
    assert_int_equal(add(w), 1);
    assert_int_equal(add(w), 2);    // the same process
    assert_int_equal(jobs_done, 0); // and not this one
    jg_worker_free(w);
}

static void a_crash_costs_one_job(void **state)
{
    (void)state;
    int jobs_done = 0;
    struct jg_worker *w = jg_worker_new(work, &jobs_done);
    struct jg_bytes reply = {0};
    char *why = NULL;
    assert_int_equal(add(w), 1);
    assert_false(jg_worker_run(w, DIE, &reply, &why));
    assert_string_equal(why, "signal 11 (Segmentation fault)");
    free(why);
    assert_int_equal(add(w), 1); // a new process
    assert_false(jg_worker_run(w, LEAVE, &reply, &why));
    assert_string_equal(why, "exit code 7");
    free(why);
    JG_VEC_FREE(&reply);
    jg_worker_free(w);
}

static void large_results_arrive_whole(void **state)
{
    (void)state;
    int jobs_done = 0;
    struct jg_worker *w = jg_worker_new(work, &jobs_done);
    struct jg_bytes reply = {0};
    char *why = NULL;
    assert_true(jg_worker_run(w, LARGE, &reply, &why));
    assert_int_equal(reply.count, 3000000);
    assert_memory_equal(reply.data + 2999990, "0123456789", 10);
    JG_VEC_FREE(&reply);
    jg_worker_free(w);
}

static void an_unused_worker_can_be_freed(void **state)
{
    (void)state;
    jg_worker_free(jg_worker_new(work, NULL));
    jg_worker_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_worker_serves_many_jobs),
        cmocka_unit_test(a_crash_costs_one_job),
        cmocka_unit_test(large_results_arrive_whole),
        cmocka_unit_test(an_unused_worker_can_be_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
