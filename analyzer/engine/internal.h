// SPDX-License-Identifier: Apache-2.0
//
// What the files of the engine share: the engine object, the tables of one function, and who calls
// whom. function.c fills the tables, explore.c walks the blocks, transfer.c runs instructions,
// jni.c runs JNI calls, calls.c all other calls, returns.c ends a path, violation.c collects what
// was wrong; summary.c and leaks.c make summaries, apply.c applies them.

#ifndef JG_ENGINE_INTERNAL_H
#define JG_ENGINE_INTERNAL_H

#include "analyzer/engine/analysis.h"
#include "analyzer/engine/engine.h"
#include "analyzer/engine/path.h"
#include "analyzer/engine/program.h"
#include "analyzer/engine/watch.h"
#include "rules/jni.h"

#define JG_MAX_STATES 32                // per block
#define JG_MAX_VISITS 20000             // block visits per function, all explorations together,
#define JG_MAX_BLOCK_VISITS 64u         // ... and so many more for each of its blocks
#define JG_MAX_STATE_BYTES (256u << 20) // of states per function, all explorations together

// What one exploration tracks. Everything at once first; where that needs more states than the cap,
// one allocation site at a time, and the state of the thread alone.
enum jg_focus_kind {
    JG_FOCUS_ALL,
    JG_FOCUS_SITE,
    JG_FOCUS_OTHERS,
    JG_FOCUS_EXCEPTION,
    JG_FOCUS_FRAMES
};
struct jg_focus {
    enum jg_focus_kind kind;
    uint32_t site, last; // JG_FOCUS_SITE: the first and the last instruction
};

// What one visit of a predecessor sent to a block.
struct jg_input {
    uint32_t pred, slot, run; // block, its state, and the visit that ran it
    struct jg_path *state;
};

struct jg_block_states {
    struct jg_path *state[JG_MAX_STATES];
    bool dirty[JG_MAX_STATES];
    uint32_t count, dirty_count;
    struct jg_input *inputs; // of blocks that are no loop header
    uint32_t input_count, input_capacity;
    bool rebuild; // inputs have changed since the states were made from them
};

// A finding in the making; one for each (rule, primary instruction).
struct jg_pending {
    struct jg_violation violation;
    uint32_t primary;
};

// Bits that checks attach to an instruction.
struct jg_mark {
    uint32_t insn;
    uint64_t bits;
};

// How long an array or a string is.
struct jg_length {
    jg_value array, length;
};

// A local reference that a path leaves behind where it returns.
struct jg_leak {
    uint32_t insn, block; // that makes it, that returns
    const struct jg_path *state;
};

struct jg_engine {
    struct jg_analysis *analysis;
    uint32_t unit_index;        // of the function under exploration
    const struct jg_unit *unit; // the same
    struct jg_domain domain;
    struct jg_bump arena; // tables, traces, texts of one function
    struct jg_bump paths; // states of one exploration
    struct jg_engine_stats stats;
    const atomic_bool *stop; // set by whoever wants no more; NULL: nobody does

    // ---- the function under exploration ----
    uint32_t function;
    const struct jg_function *fn;
    bool native;
    bool helper;                      // not called by the JVM: its callers want a summary
    bool has_push, has_pop, has_exit; // calls of PushLocalFrame, PopLocalFrame, MonitorExit, or of
                                      // a function that does that for its caller
    uint32_t *temp_def;               // temporary -> instruction (unit-wide), JG_NONE
    uint32_t *temp_block;             // temporary -> block of its definition
    bool *temp_crosses;               // read outside the block of its definition
    uint32_t *live_in;                // block -> bit set over variables and crossing temporaries
    uint32_t live_words;
    struct jg_liveness *liveness; // while function.c computes live_in
    uint32_t *temp_live_bit;      // temporary -> bit
    bool *in_loop;                // block -> inside a natural loop
    uint32_t *loops_around;       // block -> how many of them
    uint32_t loop_depth;          // the most loops around any block
    uint32_t *trips;              // block -> product of constant trip counts, UINT32_MAX
    uint32_t *known_trips;        // block -> product of those trip counts that are constant
    uint32_t
        *limit_var; // block -> the variable that bounds its only loop without constant trip count
    uint32_t *pred_first, *preds; // predecessors in one array
    struct jg_block_states *blocks;
    struct jg_focus focus;
    bool hit_cap;
    uint32_t visits;    // of all explorations of this function
    size_t state_bytes; // of the explorations before the present one
    struct JG_VEC(struct jg_pending) pending;
    struct JG_VEC(struct jg_summary_case) cases; // of the summary in the making
    struct JG_VEC(struct jg_leak) leaks;         // likewise
    bool cases_full, outs_forgotten;
    bool leaves_critical; // some path leaves a critical region of the caller
    uint32_t used;        // parameters used as references or buffers
    jg_value returned; // while what the caller gets is collected: memory allocated here; or unknown
    uint32_t pending_insn, critical_insn, leak_insn, throw_insn; // where the chains begin; JG_NONE
    uint32_t deed_slot;            // of the release at hand: the JNI function,
    jg_value deed_owner;           // ... the array or string that is given to it,
    jg_value deed_mode;            // ... the mode, or unknown,
    uint32_t owner_arg;            // ... and which argument of the call that is
    uint32_t *dominator;           // block -> its immediate dominator; made when first asked for
    uint8_t *local_number;         // instruction (of the function) -> see jg_note_gone; likewise
    struct JG_VEC(uint32_t) ended; // origins of objects that some path deletes, releases or keeps
    struct JG_VEC(struct jg_mark) marks;
    struct JG_VEC(struct jg_length) lengths;
    uint32_t *temp_reads; // how many read each temporary; made when it is first asked for

    const struct jg_watcher *watchers;
    unsigned watcher_count;
    bool timed;
    uint64_t family_cost[JG_FAMILY_COUNT]; // nanoseconds
    uint64_t watched;                      // bit k: some watcher wants moments of kind k
};

// The kind of reference a place holds, by what is stored there anywhere in the unit; false:
// unknown.
bool jg_place_kind(const struct jg_engine *e, jg_region region, enum jg_kind *kind);

// function.c
void jg_function_facts(struct jg_engine *e, uint32_t function);
// The variable that bounds the turns of the loops around an instruction from above.
bool jg_loop_bound(const struct jg_engine *e, uint32_t insn, uint32_t *var, uint32_t *trips_around);
typedef void jg_on_temp(struct jg_engine *e, uint32_t temp, uint32_t block);
// Calls `use` for every temporary the instruction reads; operands of a PHI are left out.
void jg_insn_temps(struct jg_engine *e, const struct jg_insn *in, uint32_t block, jg_on_temp *use);
bool jg_is_live(const struct jg_engine *e, uint32_t block, jg_region root);

// explore.c
void jg_explore_function(struct jg_engine *e);
void jg_explore_once(struct jg_engine *e, struct jg_focus focus);
// The result that tells of an exception may have become known to be NULL, or not to be.
void jg_settle_exception(struct jg_engine *e, struct jg_path *s, uint32_t block);
// What is known of `condition` may say that an acquisition returned NULL: it acquired nothing;
// whether it threw is not specified.
void jg_settle_acquisition(struct jg_engine *e, struct jg_path *s, jg_value condition);

// transfer.c: runs a block on a state; calls `leave` with every state that reaches its terminator.
typedef void jg_leave(void *context, struct jg_path *state, jg_value condition);
void jg_run_block(struct jg_engine *e, uint32_t block, struct jg_path *state, jg_leave *leave,
                  void *context);
// The symbol an instruction makes; the one it made before becomes older.
jg_value jg_fresh(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn,
                  jg_region region);
void jg_escape_below(struct jg_engine *e, struct jg_path *s, jg_region region);
void jg_escape(struct jg_engine *e, struct jg_path *s, jg_value value);
// The same for what the function returns: on this path only.
void jg_escape_result(struct jg_engine *e, struct jg_path *s, jg_value value);
// Do elements that the summary region stands for hold tracked objects?
bool jg_elements_hold_objects(struct jg_engine *e, const struct jg_path *s, jg_region summary,
                              bool own);
// Has what lies around the region been changed by somebody else?
bool jg_is_changed_around(struct jg_engine *e, const struct jg_path *s, jg_region region);
// Stores `value` to `region`, which is 0 when the function does not know it.
void jg_store(struct jg_engine *e, struct jg_path *s, jg_region region, jg_value value,
              uint32_t insn);
// `value` has been stored to `region`, which may keep it for somebody else.
void jg_stored_object(struct jg_engine *e, struct jg_path *s, jg_region region, jg_value value);
// What is in the region changes, in ways that are not seen; who changes it may keep what was there.
void jg_havoc_region(struct jg_engine *e, struct jg_path *s, jg_region region, uint32_t insn);
// ... and keeps nothing, and only stores to these fields (jg_field_bit).
void jg_change_region(struct jg_engine *e, struct jg_path *s, jg_region region, uint32_t insn,
                      uint64_t fields);
const struct jg_trace *jg_trace_add(struct jg_engine *e, const struct jg_trace *before,
                                    enum jg_trace_kind kind, uint32_t at, uint8_t taken);

// jni.c
#define JG_MAX_OUTCOMES (2 * JG_MAX_CASES)
struct jg_outcomes { // of one call: the states that follow and the result in each
    struct jg_path *state[JG_MAX_OUTCOMES];
    jg_value result[JG_MAX_OUTCOMES];
    unsigned count;
};
// calls.c
void jg_call_other(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn,
                   const jg_value *args, struct jg_outcomes *out);
// jni.c again
void jg_call_jni(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn,
                 const jg_value *args, struct jg_outcomes *out);
// Does the instruction make what must be given back: a buffer, a global reference, a lock?
bool jg_is_owed(const struct jg_engine *e, uint32_t insn);
// The instruction is about to make `symbol` again: the one of the last turn is lost if nothing
// holds it. `pending`: with an exception pending, which is the defect then.
void jg_begin_object(struct jg_engine *e, struct jg_path *s, jg_value symbol, bool pending,
                     uint32_t block, uint32_t insn);
// What giving `pointer` to the release function `fn` means: `event`, or that it is the wrong
// function or pointer.
// e->deed_owner: the array or string that it is given with.
enum jg_event jg_release_event(struct jg_engine *e, struct jg_path *s,
                               const struct jg_jni_function *fn, jg_value pointer,
                               enum jg_event event);
// A call that is not legal in a critical region.
void jg_call_in_critical(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn);
// Somebody asks whether an exception is pending: the states in which there is one and in which
// there is none; NULL where that is impossible. `s` is used up.
void jg_split_exception(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn,
                        struct jg_path **found, struct jg_path **none);
void jg_note_pending_call(struct jg_engine *e, struct jg_path *s, uint32_t insn);

// summary.c: makes the summary of a helper, a function that is no native method.
void jg_summary_begin(struct jg_engine *e);
void jg_summary_finish(struct jg_engine *e);
// The place as the caller knows it; of a value: the one that held it when the function began.
bool jg_access_of_region(const struct jg_engine *e, jg_region region, struct jg_access *out);
bool jg_access_of_value(const struct jg_engine *e, jg_value value, struct jg_access *out);
bool jg_is_same_access(const struct jg_access *a, const struct jg_access *b);
bool jg_is_same_made(const struct jg_made *a, const struct jg_made *b);
// Unites the case with one that the caller can tell apart by nothing but the result and the
// conditions; false when there is none.
bool jg_unite_case(struct jg_summary_case *cases, uint32_t count, const struct jg_summary_case *c);
// A path returns; before anything is judged there.
void jg_note_return(struct jg_engine *e, const struct jg_path *s, uint32_t block, jg_value result);
// Is it something that this function has made itself, by a call?
bool jg_is_own(const struct jg_engine *e, jg_value root);
// Is it held by something that outlives the call, other than the place `except` (NULL: none)?
bool jg_is_held_outside(struct jg_engine *e, const struct jg_path *s, jg_value symbol,
                        const struct jg_access *except);
// An event on something that may be the caller's. For releases e->deed_slot says by which function,
// e->deed_owner with which array or string.
void jg_note_deed(struct jg_engine *e, struct jg_path *s, jg_value value, enum jg_event event);
// Somebody unknown may release or keep the value.
void jg_note_lost(struct jg_engine *e, struct jg_path *s, jg_value value);

// leaks.c: local references that a helper leaves behind.
// The local reference that the call `insn` makes is NULL, or has been deleted.
void jg_note_gone(struct jg_engine *e, struct jg_path *s, uint32_t insn);
// A path returns: the first call that leaves a reference behind, JG_NONE. Those that this function
// makes itself are kept to be reported, unless something is `thrown` here, or has failed: NULL is
// returned for a reference. `*ended`: one was NULL, or has been deleted.
uint32_t jg_find_leaks(struct jg_engine *e, const struct jg_path *s, jg_value returned,
                       uint32_t block, bool thrown, bool *ended);
// All paths have returned: reports them, and strikes from the cases what does not add up.
void jg_settle_leaks(struct jg_engine *e);

// apply.c: uses them.
const struct jg_summary *jg_callee_summary(const struct jg_engine *e, uint32_t insn); // NULL
// What the deeds of a summary are done to, in the state before the call: the callee may change the
// places that lead there.
jg_value *jg_find_targets(struct jg_engine *e, struct jg_path *s, uint32_t insn,
                          const jg_value *args, const struct jg_summary *summary);
// Can the state be one in which case `number` happens?
bool jg_case_is_possible(struct jg_engine *e, const struct jg_path *s, uint32_t insn,
                         const jg_value *args, const jg_value *targets,
                         const struct jg_summary *summary, uint32_t number);
// What deed `deed` of case `number` is done to.
jg_value jg_target_of(const jg_value *targets, uint32_t number, uint32_t deed);
void jg_apply_summary(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn,
                      const jg_value *args, const jg_value *targets,
                      const struct jg_summary *summary, struct jg_outcomes *out);
// The mode with which the call `in` makes a release of its callee's.
jg_value jg_mode_of_deed(struct jg_engine *e, const struct jg_insn *in, const jg_value *args,
                         const struct jg_deed *deed);
// The kind of object that is the result of the call, JNI or not; false when it is none.
bool jg_kind_made_by(const struct jg_engine *e, uint32_t insn, enum jg_kind *kind);
// Does the function called make what must be given back?
bool jg_makes_owed(const struct jg_engine *e, uint32_t insn);
// What marks the symbol of a reference that a callee leaves behind: JG_V_MADE with this region.
jg_region jg_region_left_behind(struct jg_engine *e);
// A field as the whole program knows it, and back; see JG_FIELD_OF_PROGRAM.
uint32_t jg_field_id(const struct jg_engine *e, uint32_t field);
uint32_t jg_field_of(const struct jg_engine *e, uint32_t id);
bool jg_tracks_site(const struct jg_engine *e, uint32_t insn);
bool jg_tracks_exception(const struct jg_engine *e);
bool jg_tracks_frames(const struct jg_engine *e);
// The kind and state of the reference `symbol` names: its row, or what its origin implies.
bool jg_find_object(struct jg_engine *e, const struct jg_path *s, jg_value symbol,
                    struct jg_object *out, bool *inferred);
// What is returned on this path: a reference from static storage, or kept there, or lent by a
// helper?
enum jg_borrowed jg_borrowed_result(struct jg_engine *e, const struct jg_path *s,
                                    jg_value returned);
// The kind of object that a JNI function with that result makes; false when it makes none.
bool jg_kind_of_result(enum jg_result result, enum jg_kind *kind);
// Feeds an event to whatever `value` names or points into, elements of arrays included.
void jg_event_on_value(struct jg_engine *e, struct jg_path *s, jg_value value, enum jg_event event,
                       uint32_t block, uint32_t insn);
// Feeds an event to an object; reports where the protocol says so.
void jg_object_event(struct jg_engine *e, struct jg_path *s, jg_value symbol, enum jg_event event,
                     uint32_t block, uint32_t insn);
// The memory of a buffer is used at `insn` (JG_NONE: no use, but somebody else has its address).
// `flag`: JG_OBJ_WRITTEN, JG_OBJ_MAY_BE_WRITTEN or 0.
void jg_buffer_used(struct jg_engine *e, struct jg_path *s, jg_value pointer, uint8_t flag,
                    uint32_t block, uint32_t insn);
// Reports a pointer from an acquisition that may have returned NULL, when nobody has looked and it
// is dereferenced here, or by the C function called here.
void jg_check_untested(struct jg_engine *e, struct jg_path *s, jg_value pointer, uint32_t block,
                       uint32_t insn);
void jg_exception_event(struct jg_engine *e, struct jg_path *s, enum jg_event event, uint32_t block,
                        uint32_t insn);
bool jg_is_null(const struct jg_engine *e, const struct jg_path *s, jg_value v);
// Does the present exploration follow the object that `symbol` names?
bool jg_tracks_symbol(const struct jg_engine *e, jg_value symbol);
// The JNI function that made the symbol; NULL.
const struct jg_jni_function *jg_maker(const struct jg_engine *e, const struct jg_value_info *v);
// Is it memory that this function has allocated: the result of malloc and its like,
// or of a helper that returns what it has allocated.
bool jg_is_allocated(const struct jg_engine *e, jg_value pointer);
// Memory allocated here: has its address gone to where somebody else may find it, on some path seen
// so far?
bool jg_is_shared(const struct jg_engine *e, jg_value pointer);
// It goes there on this path, and what the memory holds with it.
void jg_note_shared(struct jg_engine *e, struct jg_path *s, jg_value pointer);
// What lies in the variable or array that the pointer leads to goes there.
void jg_share_below(struct jg_engine *e, struct jg_path *s, jg_value pointer);
// The parameter whose initial value the symbol is; JG_NONE.
uint32_t jg_parameter_of(const struct jg_engine *e, const struct jg_value_info *v);
// How the source calls what the symbol stands for; NULL.
const char *jg_value_name(struct jg_engine *e, jg_value v);
void jg_push_frame(struct jg_engine *e, struct jg_path *s, uint32_t insn);
// The innermost frame goes, and its references with it; a frame of the caller where there is none.
void jg_pop_frame(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn);
// Is the innermost frame one that a callee has pushed?
bool jg_is_pushed_by_helper(const struct jg_engine *e, const struct jg_path *s);
// The bit of a variable of static storage in jg_effects.statics, by its name: several share one.
uint64_t jg_static_bit(const struct jg_unit *u, uint32_t var);
// Does it get a function, which it or somebody later may call?
bool jg_takes_function(const struct jg_unit *u, const struct jg_symbol *s);
// Likewise of a field, in jg_effects.fields.
uint64_t jg_field_bit(const struct jg_program *p, const struct jg_unit *u, uint32_t field);
// Do these effects pop a frame that somebody else has pushed?
bool jg_pops_for_caller(uint16_t effects);
// A function of which nothing is known but these effects has run: the caller's frame may be gone,
// or a new one be there.
void jg_lend_frames(struct jg_engine *e, struct jg_path *s, uint16_t effects, uint32_t block,
                    uint32_t insn);
void jg_report_frame(struct jg_engine *e, struct jg_path *s, enum jg_state from,
                     enum jg_event event, uint32_t block, uint32_t insn, uint32_t origin);

// Two objects that cannot be the same: two parameters, or one that was made here.
bool jg_provably_different(struct jg_engine *e, jg_value a, jg_value b);

// monitors.c
// MonitorEnter and MonitorExit, JNI or by a callee.
jg_value jg_enter_monitor(struct jg_engine *e, struct jg_path *s, jg_value object, bool pending,
                          uint32_t block, uint32_t insn);
void jg_exit_monitor(struct jg_engine *e, struct jg_path *s, jg_value object, uint32_t block,
                     uint32_t insn);
// A callee enters its monitor number `index` for this function. `doubtful`: or does not.
void jg_enter_for_caller(struct jg_engine *e, struct jg_path *s, jg_value object, bool doubtful,
                         uint32_t index, uint32_t block, uint32_t insn);
// Whether somebody exits the monitor of the object, or of any that may be it, is not known.
void jg_doubt_monitor(struct jg_engine *e, struct jg_path *s, jg_value object);
// A function is called that may do all this unseen to the monitors of its arguments; see calls.c.
struct jg_lent_monitors {
    bool gets_env;          // or calls JNI functions
    bool unseen;            // it may be, or call, the twin of a helper that has entered a monitor
    uint32_t exits, enters; // bit i: that of argument i
};
void jg_lend_monitors(struct jg_engine *e, struct jg_path *s, const struct jg_insn *in,
                      const jg_value *args, struct jg_lent_monitors lent);
// What the function has entered is its callers' to exit: it exits none, and is no native method.
bool jg_leaves_monitors(const struct jg_engine *e);
// Does the function called exit, or enter, a monitor for its caller?
bool jg_call_exits(const struct jg_engine *e, uint32_t insn);
bool jg_call_enters(const struct jg_engine *e, uint32_t insn);
void jg_collect_monitors(struct jg_engine *e, const struct jg_path *s, struct jg_summary_case *c);
// All paths have returned: strikes from the cases what is reported here.
void jg_settle_monitors(struct jg_engine *e);
// Where another monitor that is held was entered; JG_NONE.
uint32_t jg_other_monitor(const struct jg_path *s, const struct jg_object *o);
bool jg_is_same_monitor(const struct jg_monitor *a, const struct jg_monitor *b);
bool jg_is_same_monitors(const struct jg_summary_case *a, const struct jg_summary_case *b);
// The variable of static storage that the summary names; 0: this unit does not know it.
jg_region jg_region_of_monitor(struct jg_engine *e, const struct jg_monitor *m);

// pair.c: calls of functions that a pair of the models names.
// Does the call acquire something by a pair?
bool jg_acquires_pair(const struct jg_engine *e, uint32_t insn);
// Before anything else is known of the call: what it gives back; and what it is about to write
// over.
void jg_release_pair(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn,
                     const jg_value *args);
void jg_begin_pair(struct jg_engine *e, struct jg_path *s, uint32_t insn, const jg_value *args);
// What it acquires in each of its outcomes; splits those in which it may have failed.
void jg_acquire_pair(struct jg_engine *e, uint32_t block, uint32_t insn, const jg_value *args,
                     bool gets_env, struct jg_outcomes *out);
// Is `value`, which the body of the function releases at `at`, what the pair has given back?
bool jg_is_said_by_pair(const struct jg_engine *e, const struct jg_path *s, uint32_t insn,
                        const struct jg_access *at, jg_value value);

// threads.c
// The value is the environment of the thread, or NULL: stored by GetEnv or AttachCurrentThread, or
// given by a helper.
bool jg_value_is_env(const struct jg_engine *e, jg_value value);
bool jg_region_is_env(const struct jg_engine *e, jg_region region); // by its type
int jg_env_truth(struct jg_engine *e, const struct jg_path *s, jg_value env);
// `result` is the status of a call that stores the environment, and nobody has looked at it: the
// comparison that decides; JG_VALUE_UNKNOWN when it is none.
jg_value jg_untested_status(struct jg_engine *e, const struct jg_path *s, jg_value result);
// A function of the invocation interface has been called; `env`: what it stored.
void jg_thread_invoked(struct jg_engine *e, struct jg_path *s, uint32_t insn, jg_value env);
// A function without summary has been called, or the cleanup of a scope has run.
void jg_thread_lent(const struct jg_engine *e, struct jg_path *s, uint32_t insn);
// A function has been called and does this; `env`: what it gave, `sure`: it does so in all its
// cases that are possible here. False when this case cannot be.
bool jg_thread_applied(struct jg_engine *e, struct jg_path *s, uint32_t insn, enum jg_thread thread,
                       jg_value env, bool sure);
enum jg_thread jg_thread_at_return(struct jg_engine *e, const struct jg_path *s);
enum jg_attaching jg_summary_attaches(const struct jg_summary *s);
bool jg_tells_of_thread(const struct jg_summary *s); // is anything done to it in some case?

// bounds.c
// Takes note of the length that a JNI call has asked for or given to a new array.
void jg_note_length(struct jg_engine *e, const struct jg_insn *in, const jg_value *args,
                    jg_value result);
// Does an element or region access lie inside its array, as far as the path knows for certain?
bool jg_in_bounds(struct jg_engine *e, const struct jg_path *s, const struct jg_insn *in,
                  const jg_value *args);

// returns.c
// Memory that lives on when a native method returns to Java.
bool jg_outlives_call(struct jg_engine *e, jg_region region);
// The same, and memory whose address is kept in such a place, or returned by the native method, as
// a long, to be handed in again.
bool jg_lives_on(struct jg_engine *e, const struct jg_path *s, jg_region region, jg_value result);
void jg_at_return(struct jg_engine *e, struct jg_path *s, uint32_t block, jg_value result);

// watch.c: calls the watchers of `kind`.
void jg_watch(struct jg_engine *e, enum jg_moment_kind kind, struct jg_moment m);
static inline bool jg_is_watched(const struct jg_engine *e, enum jg_moment_kind kind)
{
    return (e->watched >> kind & 1) != 0;
}

// violation.c
// `s` NULL: about the function as a whole.
void jg_report(struct jg_engine *e, const struct jg_path *s, struct jg_violation v,
               uint32_t primary);
const char *jg_object_name(struct jg_engine *e, uint32_t origin);
// The variable that an object is stored into when it is made; JG_NONE.
uint32_t jg_object_variable(struct jg_engine *e, uint32_t origin);
const char *jg_region_name(struct jg_engine *e, jg_region r);

#endif
