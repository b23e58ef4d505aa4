// SPDX-License-Identifier: Apache-2.0
//
// Child processes that work for this one: what ends them, how much memory they may have, and what
// to say of one that ended before its time.

#ifndef JG_PROJECT_CHILD_H
#define JG_PROJECT_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

enum jg_job_end {
    JG_JOB_DONE,
    JG_JOB_CRASHED,
    JG_JOB_TIMEOUT,
    JG_JOB_OUT_OF_MEMORY,
    JG_JOB_CANCELLED, // the user interrupted the run (interrupt.h)
};

int64_t jg_child_clock(void); // milliseconds, monotonic

// In the child: whatever ends the parent ends it, too.
void jg_child_die_with(pid_t parent);

// The limit in force for a child that may have `wanted` bytes of data: a tighter one of the user's
// holds. 0: none, as always under AddressSanitizer.
uint64_t jg_child_memory(uint64_t wanted);
void jg_child_limit_memory(uint64_t bytes); // in the child; 0: changes nothing

struct jg_child_limit {
    uint64_t memory; // in force; 0: none
    uint64_t hungry; // who had so many bytes in use when it crashed did so for want of memory
    bool own;        // the limit is this program's, or tighter
};

// What is said of a child that ended in the middle of its work. *why: heap, such as "signal 11
// (Segmentation fault)".
enum jg_job_end jg_child_ended(int status, const struct rusage *usage,
                               const struct jg_child_limit *limit, char **why);

#endif
