// SPDX-License-Identifier: Apache-2.0
//
// A worker process: runs jobs one after the other, so that a crash costs one job and nothing else.
//
// The worker is forked with the first job and lives until it crashes or is freed; the next job then
// starts another one. It shares nothing with its parent but the memory image at the time of the
// fork: a job is a number, its result a string of bytes that the parent must check. Several workers
// may run side by side; each belongs to one thread.

#ifndef JG_PROJECT_WORKER_H
#define JG_PROJECT_WORKER_H

#include "analyzer/ir/mem.h"

#include <stdbool.h>
#include <stdint.h>

struct jg_bytes JG_VEC(char);

void jg_bytes_add(struct jg_bytes *b, const void *data, size_t size);

// Runs in the worker. Appends the result to `reply`. State made by one job may be kept for the
// next.
typedef void jg_worker_job(void *context, uint32_t job, struct jg_bytes *reply);

struct jg_worker;

struct jg_worker *jg_worker_new(jg_worker_job *job, void *context);
void jg_worker_free(struct jg_worker *w);

// Runs one job and waits for it. True: `reply` holds its result (emptied first). False: the worker
// ended without a result and *why is a heap string such as "signal 11 (Segmentation fault)".
bool jg_worker_run(struct jg_worker *w, uint32_t job, struct jg_bytes *reply, char **why);

#endif
