// SPDX-License-Identifier: Apache-2.0
//
// What the checks of threads share: which functions start one, and which start here.

#ifndef JG_CHECKS_THREADS_H
#define JG_CHECKS_THREADS_H

#include "analyzer/engine/watch.h"

// A function that starts a thread; which of its parameters is the function to run, and which is
// what that function is given.
struct jg_thread_start {
    const char *name;
    uint8_t entry, argument;
};

// NULL when no such function of that name is known; `name` may be NULL.
const struct jg_thread_start *jg_thread_start(const char *name);

// Does a function of this unit start a thread that runs this one?
bool jg_is_thread_entry(const struct jg_moment *m);

// Has this function attached the thread on this path, and not detached it? `*attached`: by what
// call.
bool jg_is_attached(const struct jg_moment *m, struct jg_recalled *attached);

// Is it a JNIEnv pointer: a parameter, or what GetEnv or AttachCurrentThread has stored?
bool jg_is_env(const struct jg_moment *m, jg_value value);

#endif
