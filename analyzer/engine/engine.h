// SPDX-License-Identifier: Apache-2.0
//
// The engine: explores one function along its paths, feeds what JNI calls do to the protocols of
// `rules/protocols.def`, and hands out every illegal step.
//
// In: an analysis (the units of a program and what is known of their functions) and a function of
// it. Out: its summary, kept in the analysis, and violations, in a deterministic order, one for
// each (rule, primary instruction). Functions are explored after those that they call.
// The engine has no opinion about severities, texts or which findings a user wants; checks/ has.
//
// One jg_engine belongs to one thread; several share an analysis. Everything an engine hands out
// lives until the next call.

#ifndef JG_ENGINE_ENGINE_H
#define JG_ENGINE_ENGINE_H

#include "analyzer/engine/summary.h"
#include "analyzer/ir/ir.h"
#include "rules/protocol.h"

#include <stdatomic.h>
#include <stdio.h>

enum jg_trace_kind {
    JG_TRACE_BRANCH, // at: block; taken: index of the successor
    JG_TRACE_SWITCH, // the same, for a switch
    JG_TRACE_NULL,   // at: the call assumed to return NULL (or to fail)
    JG_TRACE_FOUND,  // at: the check assumed to find an exception
    JG_TRACE_FOUND_NONE,
};

// A path, newest step first.
struct jg_trace {
    const struct jg_trace *before;
    uint32_t at; // block (function-relative) or instruction (unit-wide)
    uint8_t kind;
    uint8_t taken;
};

#define JG_MAX_EXITS 5

struct jg_violation {
    enum jg_rule rule;
    enum jg_kind kind;   // of the object
    enum jg_event event; // what happened to it
    enum jg_state from;  // the state it was in
    bool all;            // illegal in every state it can be in
    uint32_t function;   // index into jg_unit.functions
    uint32_t block;      // where it shows, function-relative
    uint32_t insn;       // where it shows, unit-wide; JG_NONE: at the terminator of `block`
    uint32_t origin;     // instruction that made the object; JG_NONE: a parameter or a loaded place
    uint32_t cause;      // instruction that brought it into `from`; JG_NONE
    const char *name;    // how the source calls the object; NULL when it has no name
    const char *other;   // buffers: how the source calls the array or string it was taken from
    const char *place;   // escapes: the place, as written
    const char *detail;  // of watchers: whatever their text needs
    int64_t number;      // likewise
    uint32_t pair;       // of JG_KIND_PAIR: its number, see jg_models_pair
    bool inferred;       // the kind was inferred from other stores to the same place
    bool parameter;      // the object is a parameter of the native method
    bool framed;         // a local frame was open when it was made
    bool assumed;     // on a path on which an exception was pending before the function was called
    bool left_behind; // a reference that the callee at `origin` leaves behind, held by nobody
    bool unknown_callee;          // lent to a function whose body is not known
    const struct jg_trace *trace; // how the path came here
    const struct jg_trace *since; // the trace when the object was made; NULL: from the start
    const struct jg_trace *ended; // the trace at `cause`
    uint32_t exits[JG_MAX_EXITS]; // locations of further exits that show the same defect
    unsigned exit_count;
};

struct jg_engine_stats {
    uint64_t block_visits, states, capped, exhausted, explored, jni_calls;
};

struct jg_engine;

typedef void jg_violation_sink(void *context, const struct jg_violation *violation);

struct jg_analysis;

struct jg_engine *jg_engine_new(struct jg_analysis *analysis);
void jg_engine_free(struct jg_engine *e);

// Once `stop`, which must outlive the engine, is true, functions are given up after a few
// milliseconds, and what was found in them is worth nothing.
void jg_engine_stop_when(struct jg_engine *e, const atomic_bool *stop);

// Explores function `function` of unit `unit` (indexes into the analysis and the unit); calls the
// sink for each violation of a rule that the analyzer has built.
void jg_engine_explore(struct jg_engine *e, uint32_t unit, uint32_t function,
                       jg_violation_sink *sink, void *context);

// As above, printing the state of every object made on `line` of the file `file` (index into
// jg_unit.files) at the entry of every block. Returns how many acquisitions lie on that line.
unsigned jg_engine_debug(struct jg_engine *e, uint32_t unit, uint32_t function, uint32_t file,
                         uint32_t line, FILE *out);

const struct jg_engine_stats *jg_engine_stats(const struct jg_engine *e);

// ---- what checks need to put a violation into words ---------------------------------------------

// The expression a temporary of the function explored last stands for, as a user would write it
// ("ctx->cls", "&copied"); NULL when it has no short form. Lives in the engine's arena.
const char *jg_engine_expression(struct jg_engine *e, uint32_t temp);

// The same for a place: "p[i]".
const char *jg_engine_place(struct jg_engine *e, uint32_t place);

// What taking successor `taken` of a branch says: "'cls' is NULL"; NULL when there is no short
// form.
const char *jg_engine_condition(struct jg_engine *e, uint32_t function, uint32_t block,
                                unsigned taken);

// Does some path of the function explored last delete, release or keep what `origin` makes?
bool jg_engine_ends_elsewhere(const struct jg_engine *e, uint32_t origin);

// The calls by which the function called at `insn` comes to something; NULL when it does not.
const struct jg_chain *jg_engine_chain(struct jg_engine *e, uint32_t insn, enum jg_chain_kind kind);

// Does the function called at `insn` leave an exception pending whatever happens in it?
bool jg_engine_always_throws(const struct jg_engine *e, uint32_t insn);

// Is `insn` no call of a function of which neither body nor model is known?
bool jg_engine_knows(const struct jg_engine *e, uint32_t insn);

// What the function called at `insn`, whose body is known, does on some path: it looks whether an
// exception is pending, or clears it; leaves a critical region of its caller; deletes the local
// reference that it is given as argument `arg`; reserves room for local references, or pushes or
// pops a frame.
bool jg_engine_checks(const struct jg_engine *e, uint32_t insn);
bool jg_engine_leaves_critical(const struct jg_engine *e, uint32_t insn);
bool jg_engine_deletes(const struct jg_engine *e, uint32_t insn, uint32_t arg);
bool jg_engine_makes_room(const struct jg_engine *e, uint32_t insn);

// The JNI function (enum jg_jni_slot) by which the call at `insn`, or a function of the project
// that is called there, acquires buffers, and by which it releases what it is given; UINT16_MAX: by
// none, or by several.
uint16_t jg_engine_acquirer(const struct jg_engine *e, uint32_t insn);
uint16_t jg_engine_releaser(const struct jg_engine *e, uint32_t insn);

// The model of what is called at `insn`; see jg_program_model.
const struct jg_model *jg_engine_model(const struct jg_engine *e, uint32_t insn);

// True when the function is a native method, or JNI_OnLoad and its like: the JVM calls it.
bool jg_engine_is_native(const struct jg_engine *e, uint32_t function);

// Trip count of the loops around an instruction, their product; UINT32_MAX when not a known
// constant.
uint32_t jg_engine_trips(struct jg_engine *e, uint32_t function, uint32_t insn);

#endif
