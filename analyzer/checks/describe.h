// SPDX-License-Identifier: Apache-2.0
//
// What check files share: the violation at hand and helpers that write messages, steps and notes.
//
// A check file turns violations of its rules into words. It may lower the confidence, and drop a
// violation that no user would want to read (return false). It decides nothing about legality: that
// is rules/protocols.def.
//
// The usual order: jg_describe_at, the step of the origin ("acquired here"), jg_describe_path, the
// step of the place where it shows. violation->name may be NULL: jg_object_text has words for that.

#ifndef JG_CHECKS_DESCRIBE_H
#define JG_CHECKS_DESCRIBE_H

#include "analyzer/checks/finding.h"
#include "analyzer/checks/marks.h"
#include "analyzer/engine/engine.h"
#include "analyzer/engine/watch.h"

struct jg_describe {
    struct jg_engine *engine;
    const struct jg_unit *unit;
    struct jg_bump *arena; // of the findings: texts live there
    const struct jg_violation *violation;
    struct jg_finding *finding; // rule, severity, confidence and function are filled in
    const char *function;
};

typedef bool jg_describe_fn(struct jg_describe *d);

#define JG_CHECK(rule, claim, function) jg_describe_fn function;
#include "analyzer/checks/checks.def"

typedef void jg_watch_fn(const struct jg_moment *m);

#define JG_WATCH(moment, family, function) jg_watch_fn function;
#include "analyzer/checks/checks.def"

// Is it a JNIEnv pointer: a parameter, or what GetEnv or AttachCurrentThread has stored?
bool jg_is_env(const struct jg_moment *m, jg_value value);

// What is deleted belongs to a caller: says so of a use after that deletion, or is false.
bool jg_describe_borrowed(struct jg_describe *d);

// Primary location and message. `insn` JG_NONE: the terminator of the violation's block.
__attribute__((format(printf, 3, 4))) void jg_describe_at(struct jg_describe *d, uint32_t insn,
                                                          const char *fmt, ...);
__attribute__((format(printf, 3, 4))) void jg_describe_step(struct jg_describe *d, uint32_t insn,
                                                            const char *fmt, ...);
__attribute__((format(printf, 3, 4))) void jg_describe_note(struct jg_describe *d, uint32_t loc,
                                                            const char *fmt, ...);
// Adds the branches taken between the origin (violation->since; NULL: the function's start) and the
// violation, leaving room for `reserve` steps: those that the caller adds afterwards.
void jg_describe_path(struct jg_describe *d, unsigned reserve);
// The same with a step for the violation's cause ("deleted here") where it belongs in time.
void jg_describe_path_with(struct jg_describe *d, unsigned reserve, const char *ended);
// The same with a step for an instruction of which nothing but its place in the code is known.
void jg_describe_path_past(struct jg_describe *d, unsigned reserve, uint32_t insn,
                           const char *text);
// What was acquired and is still held at a return, or in the next turn of a loop: the finding, with
// its path and further exits. `harm`: "", or "; " and what comes of it.
void jg_describe_owed(struct jg_describe *d, const char *what, const char *harm,
                      const char *release);
// Notes for the further exits of a leak.
void jg_describe_exits(struct jg_describe *d, const char *message);

// True when the path assumed a condition whose text contains `text`, such as "'x' is not NULL".
bool jg_describe_assumed(struct jg_describe *d, const char *text);

// Did the path enter a branch that calls a function whose name says that it may not return, such as
// fatal_error?
bool jg_describe_may_exit(struct jg_describe *d);

// As jg_describe_at, at a location.
__attribute__((format(printf, 3, 4))) void jg_describe_at_loc(struct jg_describe *d, uint32_t loc,
                                                              const char *fmt, ...);

// As jg_describe_step, at a location.
__attribute__((format(printf, 3, 4))) void jg_describe_step_loc(struct jg_describe *d, uint32_t loc,
                                                                const char *fmt, ...);

// `why`: one line for --explain-finding, without full stop; it lives as long as the findings.
void jg_lower_confidence(struct jg_describe *d, enum jg_confidence most, const char *why);
// Medium confidence, since a function is called on the way whose body is not known; names one.
void jg_doubt_callee(struct jg_describe *d);
#define JG_DOUBT_KIND "what it is was inferred from other uses of the same place"
#define JG_DOUBT_ERRORS "the function holds a compile error"
#define JG_DOUBT_WAY "which functions the calls on the way lead to is not certain"

// The finding turns out to be of a more special rule: takes over its severity, and its confidence
// where that is lower.
void jg_describe_become(struct jg_describe *d, enum jg_rule rule);

// The name of the flag when the buffer is released, but only when that flag says "a copy"; NULL.
const char *jg_only_if_copy(const struct jg_describe *d);
bool jg_describe_only_if_copy(struct jg_describe *d, const char *flag);

// The function an instruction calls by name: "FindClass", but "'memcpy'" for a function that is not
// of JNI; "" for others.
const char *jg_called(struct jg_describe *d, uint32_t insn);
// Does the instruction call a function by name that is not of JNI?
bool jg_is_helper_call(const struct jg_describe *d, uint32_t insn);
// The same as jg_called, as the subject of a sentence: "'helper', which comes to call FindClass,".
// Adds a note for each call on the way.
const char *jg_called_through(struct jg_describe *d, uint32_t insn, enum jg_chain_kind kind);
// The notes alone: where in a helper the exception arises that it may leave pending.
void jg_describe_throws(struct jg_describe *d, uint32_t insn);
// "ReleaseIntArrayElements" for something from GetIntArrayElements.
const char *jg_release_name(struct jg_describe *d);
// "printf" for what a header made of it, "__printf_chk".
const char *jg_library_name(struct jg_describe *d, const char *name);
// " (here 'last')" where the code at hand has another name for the object than the finding; or "".
const char *jg_alias(struct jg_describe *d);
// "local reference 'cls'", or "the local reference returned by FindClass".
const char *jg_subject(struct jg_describe *d);
// "'cls'", or "the result of FindClass" for an object without a name.
const char *jg_object_text(struct jg_describe *d);
// ", thrown by ThrowNew": where the pending exception comes from; "" when that is not known.
const char *jg_whence(struct jg_describe *d);

#endif
