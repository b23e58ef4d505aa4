// SPDX-License-Identifier: Apache-2.0
//
// C functions that decide which code runs where, as data: one row of `control_functions.def` each.
// Immutable static data, any thread.

#ifndef JG_RULES_CONTROL_FUNCTION_H
#define JG_RULES_CONTROL_FUNCTION_H

#include <stdint.h>

enum jg_control_kind {
    JG_CONTROL_THREAD,    // the function in the parameter runs on a thread of its own
    JG_CONTROL_SIGNAL,    // ... becomes a signal handler
    JG_CONTROL_CALLED,    // ... is called before this call returns, and not afterwards
    JG_CONTROL_FORKS,     // returns twice, 0 in a new process
    JG_CONTROL_UNWINDS,   // leaves this function and some of its callers
    JG_CONTROL_CATCHES,   // marks the function as one that UNWINDS may lead back to
    JG_CONTROL_STARTS_VM, // creates a virtual machine in this process
};

#define JG_CONTROL_NONE UINT32_MAX // no parameter

struct jg_control_function {
    const char *name;
    enum jg_control_kind kind;
    uint32_t param;    // that takes the function
    uint32_t argument; // that a new thread's function gets
};

// NULL for all other functions. Cost: logarithmic.
const struct jg_control_function *jg_control_find(const char *name);

#endif
