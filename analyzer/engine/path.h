// SPDX-License-Identifier: Apache-2.0
//
// The abstract state of one path: store, facts, objects, exception, frames.
//
// States live in an arena that is reset per function. The three tables are sorted, so that states
// compare and merge in one pass. A region without entry still holds what it held when the function
// began (or at `epoch`, for memory that others can write).

#ifndef JG_ENGINE_PATH_H
#define JG_ENGINE_PATH_H

#include "analyzer/engine/domain.h"
#include "analyzer/engine/engine.h"
#include "analyzer/engine/summary.h"

struct jg_entry {
    jg_region region;
    jg_value value;
    uint32_t insn; // that stored it; JG_NONE
};

// low <= value <= high, and value != 0 when `nonzero`.
struct jg_fact {
    jg_value value;
    bool nonzero;
    int64_t low, high;
};

enum jg_object_flag {
    JG_OBJ_ESCAPED = 1u << 0,        // somebody else may release it: no absence is reported
    JG_OBJ_REPORTED = 1u << 1,       // one defect, one finding
    JG_OBJ_LENT = 1u << 2,           // given to a function whose body is not known
    JG_OBJ_CALLED = 1u << 4,         // critical regions: an illegal call inside it was reported
    JG_OBJ_IN_LOOP = 1u << 3,        // made inside a loop
    JG_OBJ_WRITTEN = 1u << 5,        // buffers: a store was seen since it was made or copied back
    JG_OBJ_MAY_BE_WRITTEN = 1u << 6, // ... or it was given to somebody who may store
    JG_OBJ_KEPT = 1u << 7,           // buffers: a function may have stored it where others find it

    // What paths that are merged need not agree on: the union is kept.
    JG_OBJ_UNITED = JG_OBJ_LENT | JG_OBJ_WRITTEN | JG_OBJ_MAY_BE_WRITTEN | JG_OBJ_KEPT,
};

// A tracked object. References that are live and not made in a loop are *implicit*: their kind
// follows from their symbol, and they get a row only when they are deleted.
struct jg_object {
    jg_value symbol;
    jg_state_set states;
    uint8_t kind;                 // enum jg_kind
    uint8_t flags;                // enum jg_object_flag
    uint8_t level;                // number of local frames open when it was made
    jg_value owner;               // buffers: the array or string; weak: the object it was made of
    jg_region holder[2];          // summary regions: some element of these arrays holds it; 0
    uint32_t pair;                // of JG_KIND_PAIR: its number, see jg_models_pair
    uint32_t origin;              // instruction; JG_NONE
    uint32_t cause;               // instruction that deleted or released it; JG_NONE
    uint32_t stored;              // buffers: the last instruction seen to write into it; JG_NONE
    uint32_t kept;                // instruction that stored it into an element of `holder`; JG_NONE
    const struct jg_trace *since; // the path's trace when it was made
    const struct jg_trace *ended; // ... when it was deleted or released
    const struct jg_trace *turn;  // ... when it last passed the head of a loop
    uint32_t turn_block;          // that head
};

#define JG_MAX_MEMOS 4

// What a watcher has remembered about the path; see jg_moment_remember.
struct jg_memo {
    uint32_t topic;
    uint32_t insn;   // the call it is about
    jg_value result; // of that call: paths on which it is 0, is not, or may be either stay apart
    jg_value value;  // what else the watcher wants to know; the same goes for it
};

// What a helper has done to something that its caller can name: one of its deeds, see summary.h.
struct jg_path_deed {
    jg_value value; // what the place held when the function began
    uint16_t slot;  // enum jg_jni_slot
    uint8_t event;  // enum jg_event
    uint32_t owner; // the parameter that is given as the array or string; JG_NONE
    uint8_t mode;   // enum jg_release_mode, and the parameter of JG_MODE_PARAM; else JG_NONE
    uint32_t mode_param;
};

struct jg_path {
    struct jg_entry *entries;
    struct jg_fact *facts;
    struct jg_object *objects;
    uint32_t entry_count, entry_capacity;
    uint32_t fact_count, fact_capacity;
    uint32_t object_count, object_capacity;
    uint16_t exception;        // enum jg_state
    uint16_t exception_before; // NULL_UNTESTED: what holds again if the result is not NULL
    uint8_t frame_count;
    uint8_t joins;        // how often another state was merged in: widening
    uint16_t reserved;    // bit k: with k frames open, room for a computed number of references was
                          // reserved
    uint8_t entry;        // enum jg_entry_state, of helpers
    bool leaves_critical; // of helpers: a region of the caller may have been left
    bool deletes;         // of helpers: a local reference was deleted
    bool needs_clean;   // of helpers: a call was not legal with an exception of the caller pending
    bool calls_jni;     // of helpers: a call was not legal in a critical region of the caller
    bool calls_first;   // of helpers: that is so on all paths that were merged
    bool ended;         // of helpers: a reference that a callee made was NULL, or is deleted
    bool entry_kept;    // of helpers: what was pending at entry, if anything, still is
    uint8_t deed_count; // of helpers
    uint8_t popped;     // of helpers: how many frames of the caller
    uint8_t exit_count; // of helpers
    bool frames_uncounted;     // a push in a loop, or too many: pops are not held against it
    bool unknown_callee;       // a function without known body was called on this path
    bool may_end;              // a function was called that may not return, by its name
    bool exception_lent;       // ... since the exception arose, and it may have looked
    uint32_t exception_origin; // instruction; JG_NONE
    jg_value acquired;         // the symbol of the acquisition whose failure a check would find; 0
    uint32_t epoch,
        heap_epoch; // of statics, and of what pointers reach: the call that may have changed them
    uint32_t frames[JG_MAX_FRAMES]; // PushLocalFrame instructions
    uint32_t used;                  // of helpers: parameters used as references or buffers
    uint32_t lost; // of helpers, bit i: others may have released or kept what parameter i leads to
    struct jg_path_deed deeds[JG_MAX_DEEDS];
    jg_value exits[JG_MAX_MONITORS]; // of helpers: objects whose monitors the caller has entered
    uint64_t gone; // of helpers: which calls' local references are NULL or deleted; jg_note_gone
    uint32_t left_behind; // of helpers: a call that leaves a local reference behind, + 1; 0: none
    uint8_t memo_count;
    struct jg_memo memos[JG_MAX_MEMOS]; // sorted by topic
    uint32_t source, run; // slot of the predecessor's state it was made from, and in which visit
    const struct jg_trace *trace;
    const struct jg_trace *exception_since; // the trace when the exception arose
};

// Room for one element at `index` of a sorted table; returns the table, which may have moved.
void *jg_table_insert(struct jg_bump *arena, void *data, uint32_t *count, uint32_t *capacity,
                      uint32_t index, size_t size);

// What is remembered under a topic; NULL.
const struct jg_memo *jg_path_memo(const struct jg_path *s, uint32_t topic);
// Replaces what was remembered under the topic. Where there is no room it is not remembered.
void jg_path_remember(struct jg_path *s, struct jg_memo memo);
void jg_path_forget_memo(struct jg_path *s, uint32_t topic);

struct jg_path *jg_path_new(struct jg_bump *arena);
struct jg_path *jg_path_clone(struct jg_bump *arena, const struct jg_path *s);

struct jg_entry *jg_path_entry(const struct jg_path *s, jg_region region); // NULL when absent
// What a region without entry holds.
jg_value jg_path_initial(struct jg_domain *d, const struct jg_path *s, jg_region r);
void jg_path_set(struct jg_bump *arena, struct jg_path *s, jg_region region, jg_value value,
                 uint32_t insn);
void jg_path_remove_entry(struct jg_path *s, uint32_t index);

// The range of a value: constants are their own, values without fact get the full range.
struct jg_fact jg_path_fact(const struct jg_domain *d, const struct jg_path *s, jg_value v);
void jg_path_set_fact(struct jg_bump *arena, struct jg_path *s, struct jg_fact fact);

void jg_path_remove_fact(struct jg_path *s, uint32_t index);

// 1: true, 0: false, -1: either.
int jg_path_truth(const struct jg_domain *d, const struct jg_path *s, jg_value condition);
// Narrows the state to `condition` being `truth`; false when that is impossible.
bool jg_path_assume(struct jg_domain *d, struct jg_bump *arena, struct jg_path *s,
                    jg_value condition, bool truth);

struct jg_object *jg_path_object(const struct jg_path *s, jg_value symbol); // NULL when implicit
struct jg_object *jg_path_add_object(struct jg_bump *arena, struct jg_path *s, jg_value symbol);
void jg_path_remove_object(struct jg_path *s, jg_value symbol);

// Elements of up to two arrays can hold an object; a third is forgotten.
void jg_object_hold(struct jg_object *o, jg_region summary);
bool jg_object_is_held(const struct jg_object *o, jg_region summary);

// True when a live region, or an element of an array, holds the symbol or a value computed from it.
bool jg_path_holds(const struct jg_domain *d, const struct jg_path *s, jg_value symbol);

// Renames a symbol everywhere: its instruction is about to run again.
void jg_path_age(struct jg_domain *d, struct jg_bump *arena, struct jg_path *s, jg_value symbol);
// Forgets the facts about a symbol and every region entry and element that its value names.
void jg_path_forget(struct jg_domain *d, struct jg_bump *arena, struct jg_path *s, jg_value symbol);

// Drops facts and dead objects that nothing refers to any more. `live` says whether a variable or
// temporary region can still be read.
void jg_path_collect(struct jg_domain *d, struct jg_path *s);

// Array elements that hold objects made in loops become "some element of the array".
void jg_path_blur_elements(struct jg_domain *d, struct jg_path *s);

bool jg_path_equal(const struct jg_path *a, const struct jg_path *b); // store and facts
// Merging is allowed when both agree on every protocol.
bool jg_path_mergeable(const struct jg_domain *d, const struct jg_path *a, const struct jg_path *b);
// Merges `from` into `into` at the entry of `block`; true when `into` changed. `widen`: ranges that
// grow become unbounded, so that loops settle.
bool jg_path_merge(struct jg_domain *d, struct jg_bump *arena, struct jg_path *into,
                   struct jg_path *from, uint32_t block, bool widen);

#endif
