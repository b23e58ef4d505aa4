// SPDX-License-Identifier: Apache-2.0
//
// What the checks of threads and environments share.

#ifndef JG_CHECKS_THREADS_H
#define JG_CHECKS_THREADS_H

#include "analyzer/engine/watch.h"

// Has this function attached the thread on this path, and not detached it? `*attached`: by what
// call.
bool jg_is_attached(const struct jg_moment *m, struct jg_recalled *attached);

// What jg_watch_not_detached reads of all units; see engine/reads.h.
struct jg_hash jg_attachment_facts(const struct jg_program *p);

// Is it a JNIEnv pointer: a parameter, or what GetEnv or AttachCurrentThread has stored?
bool jg_is_env(const struct jg_moment *m, jg_value value);

#endif
