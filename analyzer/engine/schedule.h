// SPDX-License-Identifier: Apache-2.0
//
// Runs a task for every component of a program on several threads, callees before callers.
//
// A component is begun when everything that its functions call is done, functions of equal text in
// other units included. What a task has written is seen by the tasks of all callers.

#ifndef JG_ENGINE_SCHEDULE_H
#define JG_ENGINE_SCHEDULE_H

#include "analyzer/engine/program.h"

// `worker`: from 0, one thread at a time.
typedef void jg_component_task(void *context, unsigned worker, uint32_t component);

// The calling thread is worker 0; where no further thread can be made, there are fewer. Returns
// when all is done. Cost: linear in the call graph.
void jg_schedule(const struct jg_program *p, unsigned workers, jg_component_task *task,
                 void *context);

#endif
