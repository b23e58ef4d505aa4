// SPDX-License-Identifier: Apache-2.0
//
// A pool of worker processes: runs jobs side by side, so that a crash, a hang or hunger for memory
// costs one job and nothing else.
//
// A worker is forked when there is a job for it and lives until the pool is done with all jobs, or
// until it crashes; the next job then gets another one. It shares nothing with its parent but the
// memory image at the time of the fork: a job is a number, its result a string of bytes that the
// parent must check. The parent is one thread and never waits for one worker alone. Should it die,
// its workers die with it.

#ifndef JG_PROJECT_WORKER_H
#define JG_PROJECT_WORKER_H

#include "analyzer/ir/mem.h"
#include "analyzer/project/child.h"

#include <stdbool.h>
#include <stdint.h>

struct jg_bytes JG_VEC(char);

void jg_bytes_add(struct jg_bytes *b, const void *data, size_t size);

// Both are the pool's, and valid during the call only; a callback may move the bytes out.
struct jg_job_result {
    enum jg_job_end end;
    struct jg_bytes *reply; // JG_JOB_DONE: what the job wrote; else empty
    const char *why;        // else: a text such as "signal 11 (Segmentation fault)"
};

struct jg_pool {
    // Runs in a worker. Appends the result to `reply`. State made by one job may be kept for the
    // next.
    void (*run)(void *context, uint32_t job, struct jg_bytes *reply);
    // Run in the parent: a job was given to a worker; a job ended, in whatever order. False stops
    // the pool: jobs that have not ended are dropped without a word. `begun` may be NULL.
    void (*begun)(void *context, uint32_t job);
    bool (*ended)(void *context, uint32_t job, const struct jg_job_result *result);
    void *context;

    unsigned workers; // at most so many; at least 1
    unsigned timeout; // seconds that a job may take; 0: any time
    uint64_t
        memory; // bytes of data that a worker may have; 0: any size. Not under AddressSanitizer
};

// Runs all jobs, in the order given as far as workers are free, and waits for them. Every job ends
// with one call of `ended`, unless that stopped the pool.
void jg_pool_run(const struct jg_pool *pool, const uint32_t *jobs, uint32_t count);

#endif
