// SPDX-License-Identifier: Apache-2.0
//
// Runs a piece of work on several threads in a child process, so that a crash, a hang or hunger for
// memory costs one item of it and nothing else.
//
// The child inherits all that this process has read, says on which items its threads are, and ends
// the process's business itself: it writes the outputs, and its exit code is the run's. When it
// dies before it has begun to write, another child does the work again, without the item that was
// to blame. With several threads it takes one more child to know which one that is: all items that
// were worked on then get the process to themselves, one after the other. So nothing that is
// written depends on the number of threads.
//
// The parent is one thread, does nothing but wait, and shows the progress. Should it die, the child
// dies with it. Ctrl-C asks the child to come to an end with what it has.

#ifndef JG_PROJECT_SUPERVISE_H
#define JG_PROJECT_SUPERVISE_H

#include "analyzer/project/child.h"

#include <stdatomic.h>

struct jg_supervised;

struct jg_supervision {
    // In the child: does the work, returns the exit code.
    int (*run)(void *context, struct jg_supervised *v);
    // In the parent, ten times a second while the work is done; NULL: never. And whenever that is
    // over for this child, before anything is written; NULL: not.
    void (*progress)(void *context, const struct jg_supervised *v);
    void (*over)(void *context);
    void *context;

    unsigned workers; // threads of the child; at least 1
    unsigned timeout; // seconds that an item may take; 0: any time
    uint64_t memory;  // bytes that the child may add to what there is; 0: any size
};

// Waits for the work to be done. The exit code; or -1 and *error (heap): it could not be done.
// Where no process can be made, the work is done in this one, unwatched.
int jg_supervise(const struct jg_supervision *s, char **error);

// ---- in the child -------------------------------------------------------------------------------

// What is being done outside of any item, for an error message: "linking". Not copied.
void jg_supervised_stage(struct jg_supervised *v, const char *what);

// How many of whatever `weight` counts there are in all.
void jg_supervised_total(struct jg_supervised *v, uint32_t total);

// The thread `worker` begins, and has ended, to work on an item. False: it is one of those that are
// lost, or there is no time any more. `place`: of the item, for the progress.
bool jg_supervised_begin(struct jg_supervised *v, unsigned worker, uint32_t item, uint32_t place);
void jg_supervised_end(struct jg_supervised *v, unsigned worker, uint32_t weight, uint32_t found);

// True as soon as the user wants no more.
const atomic_bool *jg_supervised_stop(const struct jg_supervised *v);

// The user wanted no more, and an earlier child did not come to an end: only what takes no time is
// to be done.
bool jg_supervised_in_haste(const struct jg_supervised *v);

struct jg_lost_item {
    uint32_t item;
    enum jg_job_end end;
    const char *why; // "signal 11 (Segmentation fault)"
};

// The items that earlier children were lost with.
const struct jg_lost_item *jg_supervised_lost(const struct jg_supervised *v, uint32_t *count);

// From here on outputs are written; there is no second try.
void jg_supervised_write(struct jg_supervised *v);

// ---- in the parent ------------------------------------------------------------------------------

struct jg_supervised_progress {
    uint32_t total, done, found; // total 0: the work on items has not begun
    uint32_t place;              // of some item that is being worked on; UINT32_MAX
    bool stopping;
};
struct jg_supervised_progress jg_supervised_progress(const struct jg_supervised *v);

#endif
