// SPDX-License-Identifier: Apache-2.0
//
// How long local references live that a function leaves behind, by where it runs and by what its
// callers do: until control returns to Java, until a frame is popped or the thread detaches, or for
// ever. JNI specification, chapter 2, Global and Local References.
//
// Functions of the program by id. Thread-safe: the program is only read.

#ifndef JG_ENGINE_LIFETIME_H
#define JG_ENGINE_LIFETIME_H

#include "analyzer/engine/contexts.h"
#include "analyzer/engine/program.h"
#include "analyzer/ir/hash.h"
#include "rules/rule.h"

// Does the function, or one that it calls, end what local references live in?
bool jg_function_frees(const struct jg_program *p, uint32_t id);

// Do all that call the function so, after each call? False when nobody is seen to call it.
bool jg_callers_free(const struct jg_program *p, uint32_t id);

// The virtual machine calls it, or a thread begins with it: it runs once before its references go.
bool jg_is_outermost(const struct jg_program *p, uint32_t id);

// Is the root of the context what a thread begins with? Others are called on that thread by someone
// who is not known, and attach it.
bool jg_is_thread_entry(const struct jg_context_reason *r);

// Which of the rules local-ref-leak-in-helper, -on-thread and -in-callback is broken by local
// references that the function leaves behind.
enum jg_rule jg_leak_rule(const struct jg_program *p, uint32_t id);

// Adds all that the functions above say of the function, and how it comes to run there.
void jg_add_lifetime(struct jg_hasher *h, const struct jg_program *p, uint32_t id);

#endif
