// SPDX-License-Identifier: Apache-2.0
//
// The summary of a function: what calling it does, as its callers need to know it. A handful of
// cases, each {conditions at entry; result; exception at exit; effects}.
//
// Made by exploring the function once, applied at each of its calls. A summary that is not exact
// has no cases: then only its effects hold, which know no paths. Summaries are pointer-free but for
// the texts of their chains.

#ifndef JG_ENGINE_SUMMARY_H
#define JG_ENGINE_SUMMARY_H

#include "analyzer/ir/ir.h"
#include "rules/protocol.h"
#include "rules/rule.h"

#define JG_MAX_CASES 8
#define JG_MAX_DEEDS 6         // of one case
#define JG_MAX_OUTS 4          // of one case
#define JG_MAX_CONDITIONS 6    // of one case
#define JG_MAX_ACCESS 6        // steps
#define JG_MAX_CHAIN 5         // calls
#define JG_MAX_MONITORS 2      // of one case
#define JG_MAX_FRAMES 8        // pushed
#define JG_MAX_POPPED 2        // frames of the caller
#define JG_ANY_SLOT UINT16_MAX // of a deed: by which function is not known

// What the body of a function can do, without regard to flow.
enum jg_effect {
    JG_EFFECT_JNI = 1u << 0,      // makes a JNI call, or calls something unknown that gets env
    JG_EFFECT_RELEASES = 1u << 1, // releases or deletes something that is no argument
    JG_EFFECT_PUSHES = 1u << 2,   // pushes local frames
    JG_EFFECT_POPS = 1u << 3,     // pops local frames
    JG_EFFECT_GETS_ENV = 1u << 4, // the same, but callbacks without env do not count
    JG_EFFECT_ANY = (1u << 5) - 1,
    JG_EFFECT_NEVER_RETURNS = 1u << 5,
    JG_EFFECT_ACQUIRES =
        1u << 6,                 // calls a function of a pair, or one whose model stores references
    JG_EFFECT_INVOKES = 1u << 7, // calls the invocation interface: GetEnv, ...
    JG_EFFECT_ATTACHES = 1u << 8,        // may attach the thread
    JG_EFFECT_DETACHES = 1u << 9,        // may detach the thread, or see to it that somebody will
    JG_EFFECT_UNSEEN = 1u << 10,         // calls something unknown that gets env, or a callback
    JG_EFFECT_FRAMES_UNKNOWN = 1u << 11, // may push and pop frames, and not as many of both
    JG_EFFECT_RESERVES = 1u << 12,       // calls EnsureLocalCapacity
};

struct jg_effects {
    uint16_t what;     // enum jg_effect
    uint32_t released; // bit i: releases, deletes or exits what parameter i is or leads to
    uint32_t kept;     // bit i: stores parameter i where it may outlive the call, or returns it
    uint32_t written;  // bit i: stores to memory that parameter i points to
    uint32_t blocks;   // the call (an instruction of its unit, + 1) that may block; 0: none
    uint64_t statics;  // jg_static_bit of the variables of static storage that it may store to
    uint64_t fields;   // jg_field_bit of the fields behind parameters that it may store to
};

#define JG_MAX_EFFECT_PARAMS 32u // of the others nothing is known

#define JG_PARAM_RESULT JG_NONE

// A place that caller and callee both know: a parameter, or memory that one or the result leads to.
struct jg_access {
    uint32_t param;                // or JG_PARAM_RESULT: a struct, say, that the callee allocates
    uint32_t count;                // of steps; 0: the value of the parameter itself
    uint32_t steps[JG_MAX_ACCESS]; // JG_NONE: what it points to; else the field (its id in the
                                   // program)
};

struct jg_condition { // low <= what was there at entry <= high
    struct jg_access at;
    bool kept; // in memory: it is still there at the return
    bool nonzero;
    int64_t low, high;
};

// What a release of array elements does with them; the constants of the JNI specification, chapter
// 4, *Release<PrimitiveType>ArrayElements Routines*.
enum jg_release_mode {
    JG_MODE_COPY_BACK = 0,
    JG_MODE_COMMIT = 1,
    JG_MODE_ABORT = 2,
    JG_MODE_PARAM = 3, // what a parameter says
    JG_MODE_UNKNOWN = 4,
};

// What a path does with something of the caller's.
struct jg_deed {
    struct jg_access at;
    uint8_t event;  // enum jg_event: a deletion or a release
    uint16_t slot;  // enum jg_jni_slot of the function that does it
    uint32_t owner; // buffers: the parameter that is given as the array or string; JG_NONE
    uint8_t mode;   // enum jg_release_mode, and the parameter of JG_MODE_PARAM; else JG_NONE
    uint32_t mode_param;
};

// What a path makes and leaves to its caller.
struct jg_made {
    uint8_t kind;  // enum jg_kind
    bool result;   // it is the result
    bool stored;   // it is stored at `at`
    bool shared;   // it is stored elsewhere besides: given back by whichever name
    uint16_t slot; // buffers: enum jg_jni_slot of the function that acquires it; JG_ANY_SLOT
    struct jg_access at;
    uint32_t owner; // buffers: the parameter that is the array or string; JG_NONE
    uint32_t pair;  // of JG_KIND_PAIR: its number
};

// What a path leaves in a place of the caller's: a number, or a pointer.
struct jg_out {
    struct jg_access at;
    bool nonzero;
    int64_t low, high;
};

// A monitor that a path enters and leaves to its caller, or exits for it.
struct jg_monitor {
    bool exits;
    bool at_known; // its object is at `at`
    struct jg_access at;
    const char *variable; // or in this variable of static storage; both unknown: the caller cannot
                          // name it
    const char *file;     // of the unit where only that knows the variable; NULL
    uint32_t origin;      // while the summary is made: where it was entered
};

enum jg_entry_state { JG_ENTRY_ANY, JG_ENTRY_PENDING, JG_ENTRY_CLEAN };
enum jg_exit_state {
    JG_EXIT_SAME, // whatever was pending at entry still is
    JG_EXIT_CLEAN,
    JG_EXIT_PENDING,    // thrown here
    JG_EXIT_AFTER_CALL, // a Java method was called and nobody has looked
    JG_EXIT_UNKNOWN,
};

// What a path does to the attachment of the thread.
enum jg_thread {
    JG_THREAD_SAME,
    JG_THREAD_FOUND, // nothing: it has asked, and the thread is attached
    JG_THREAD_ATTACHED,
    JG_THREAD_DETACHED, // and was not attached here
    JG_THREAD_UNKNOWN,  // may have detached it, or has seen to it that somebody will
};

// Is the result a reference that stays the callee's, kept for good in static storage?
enum jg_borrowed { JG_BORROWED_NOT, JG_BORROWED_SOME, JG_BORROWED_GLOBAL, JG_BORROWED_WEAK };

struct jg_summary_case {
    uint8_t entry;        // enum jg_entry_state: only with, only without a pending exception
    uint8_t exit;         // enum jg_exit_state
    bool leaves_critical; // a critical region of the caller may have been left
    bool needs_clean;     // makes a call that is not legal with an exception of the caller pending
    bool calls_jni;       // ... in a critical region of the caller
    bool calls_first;     // ... and always, before the region may be left
    bool deletes;         // deletes a local reference
    bool ended;           // a local reference that it made was NULL, or has been deleted
    bool leaks;           // leaves a local reference behind that nobody holds
    bool frames_unknown;  // how many local frames there are afterwards is not known; else
    uint8_t pops, pushes; // ... first so many of the caller's are popped, then so many pushed
    uint8_t thread;       // enum jg_thread
    uint8_t borrowed;     // enum jg_borrowed
    bool env;             // the result is the JNIEnv of the thread
    bool nonzero;         // the result is not 0 or NULL
    int64_t low, high;
    uint32_t alias; // the parameter that is returned; JG_NONE
    uint16_t by;    // of a united summary: in which of its functions it happens, as bits; else 0
    uint32_t used;  // bit i: parameter i is used as a reference or a buffer
    uint32_t lost;  // bit i: more may have been done to parameter i, or below it, than the deeds
    uint32_t condition_count, deed_count, made_count, out_count, monitor_count;
    struct jg_condition conditions[JG_MAX_CONDITIONS];
    struct jg_deed deeds[JG_MAX_DEEDS];
    struct jg_made made[JG_MAX_DEEDS];
    struct jg_out outs[JG_MAX_OUTS];
    struct jg_monitor monitors[JG_MAX_MONITORS];
};

// A call on the way to what a chain ends in.
struct jg_link {
    const char *path;
    uint32_t line, column; // from 1; 0: not known
    const char *function;  // that makes the call
    char *callee;          // "FindClass", or "'helper'" for a function of the project
};

struct jg_chain {
    uint32_t count;
    enum jg_rule leak_rule; // of the function that makes the last call; see lifetime.h
    struct jg_link links[JG_MAX_CHAIN];
};

enum jg_chain_kind {
    JG_CHAIN_PENDING,
    JG_CHAIN_CRITICAL,
    JG_CHAIN_LEAK,
    JG_CHAIN_THROWS,
    JG_CHAIN_BLOCKS
};

struct jg_summary {
    bool exact;       // the cases are all that can happen
    bool null_throws; // NULL is returned exactly when an exception is pending, as from FindClass
    uint32_t used;    // bit i: parameter i is used as a reference or a buffer
    uint16_t by;      // united, see unite.c: a bit for each of the functions; 0: of one function
    struct jg_chain pending_call;  // the first call that is not legal with a pending exception
    struct jg_chain critical_call; // the first call that is not legal in a critical region
    struct jg_chain leak;          // where the reference that it leaves behind is made
    struct jg_chain throws;        // where the exception arises that it may leave pending
    uint32_t case_count;
    struct jg_summary_case cases[];
};

void jg_summary_free(struct jg_summary *s);

// The call at `insn` of a function. `callee` is the caller's to free.
struct jg_link jg_link_of(const struct jg_unit *u, const struct jg_function *f, uint32_t insn);

#endif
