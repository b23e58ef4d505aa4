// SPDX-License-Identifier: Apache-2.0
//
// Watchers: what checks see while the engine explores, for rules that no protocol can state.
//
// A watcher names a kind of moment and is called at each of them, on every path, with the values at
// hand. It asks through the functions below and reports with jg_moment_report; it changes nothing
// of the state but what it remembers there itself (jg_moment_remember). Values and regions are
// those of domain.h and live until the function is left. The engine knows no rule:
// checks/checks.def lists the watchers and checks/ hands them over.
//
// The usual shape, here at JG_MOMENT_CALL:
//   if (!jg_moment_calls(m, JG_JNI_FindClass) || !jg_engine_in_loop(m->engine, m->insn))
//       return;
//   struct jg_violation v = jg_violation_of(JG_RULE_...);
//   v.name = ...; // what the text needs: name, detail, number; origin and since of an object
//   jg_moment_report(m, v, m->insn);
// One path is enough for a finding. What holds on all paths or on none ("never needed") is marked
// on the way (jg_engine_mark) and reported at JG_MOMENT_FUNCTION.
//
// One thread, the engine's. A moment is valid during the call only.

#ifndef JG_ENGINE_WATCH_H
#define JG_ENGINE_WATCH_H

#include "analyzer/engine/contexts.h"
#include "analyzer/engine/domain.h"
#include "analyzer/engine/engine.h"
#include "analyzer/engine/model.h"
#include "rules/jni.h"

struct jg_path;

enum jg_moment_kind {
    JG_MOMENT_CALL,     // before a call of any kind: `call`, `args`
    JG_MOMENT_READ,     // before a load through a pointer: `place`, `pointer`
    JG_MOMENT_WRITE,    // before a store through a pointer: `place`, `pointer`, `value`
    JG_MOMENT_COMPARE,  // a comparison: `call` is its JG_OP_BIN; args[0] and args[1] are compared
    JG_MOMENT_RETURN,   // at a return: `value`; `insn` is JG_NONE
    JG_MOMENT_FUNCTION, // once, when all paths have been explored: no path, no values
    JG_MOMENT_COUNT
};

struct jg_moment {
    struct jg_engine *engine;
    struct jg_path *path; // NULL at JG_MOMENT_FUNCTION
    const struct jg_unit *unit;
    uint32_t function;          // index into jg_unit.functions
    uint32_t block;             // function-relative
    uint32_t insn;              // unit-wide; JG_NONE at returns
    const struct jg_insn *call; // the instruction; NULL at returns
    const jg_value *args;       // of the call, or the two sides of a comparison
    uint32_t place;             // unit-wide
    jg_value pointer, value;
};

struct jg_watcher {
    enum jg_moment_kind moment;
    enum jg_family family; // whose time it is
    void (*see)(const struct jg_moment *m);
};

// The watchers of an engine, before its first exploration; `list` must outlive it. `timed`: sums up
// what each costs.
void jg_engine_watch(struct jg_engine *e, const struct jg_watcher *list, unsigned count,
                     bool timed);
// Nanoseconds, from some point in the past.
uint64_t jg_engine_clock(void);
// Nanoseconds that the watchers of a family have taken; 0 unless timed.
uint64_t jg_engine_family_cost(const struct jg_engine *e, enum jg_family family);

// ---- who is called ------------------------------------------------------------------------------

// The row of the JNI function the moment's call names; NULL for other calls.
const struct jg_jni_function *jg_moment_jni(const struct jg_moment *m);
// Is it that JNI function, JG_JNI_<name> (that function of the invocation interface,
// JG_INVOKE_<name>)?
bool jg_moment_calls(const struct jg_moment *m, enum jg_jni_slot slot);
// The name of a called C function, NULL when it is called through a pointer or is no such call.
const char *jg_moment_callee(const struct jg_moment *m);
// The model of a function that is called by its name; NULL when there is none, or when the program
// defines the function.
const struct jg_model *jg_moment_model(const struct jg_moment *m);
// Does the called function, or one that it calls, store to memory that its parameter
// `index` points to?
bool jg_moment_stores_through(const struct jg_moment *m, uint32_t index);
// What the call, JNI or of a helper, gives back: array elements, with which mode (unknown: it
// depends on what is not seen, or the helper does so in several ways).
// Of a helper: in the cases that are possible here and do not throw.
#define JG_MAX_GIVEN_BACK 8
struct jg_given_back {
    jg_value pointer, mode;
};
unsigned jg_moment_gives_back(const struct jg_moment *m,
                              struct jg_given_back list[JG_MAX_GIVEN_BACK]);
// The value of the first argument with that role; false when the function has none.
bool jg_moment_argument(const struct jg_moment *m, enum jg_param_role role, jg_value *out,
                        uint32_t *temp);

// ---- values -------------------------------------------------------------------------------------

const struct jg_value_info *jg_moment_value(const struct jg_moment *m, jg_value v);
struct jg_domain *jg_moment_domain(const struct jg_moment *m);
// 1: not 0 or NULL on this path; 0: known to be 0 or NULL; -1: not known.
int jg_moment_truth(const struct jg_moment *m, jg_value v);
// low <= v <= high on this path; the full range when nothing is known.
void jg_moment_range(const struct jg_moment *m, jg_value v, int64_t *low, int64_t *high);
bool jg_moment_constant(const struct jg_moment *m, jg_value v, int64_t *out);
// Everything else the path knows: calls `each` for every value it has narrowed, comparisons (0 or
// 1) included.
void jg_moment_facts(const struct jg_moment *m,
                     void (*each)(void *context, jg_value v, int64_t low, int64_t high),
                     void *context);
// What a pointer was computed from: p for p + 4. `offset`, when asked for, is in elements, or
// JG_VALUE_UNKNOWN when the value is no plain sum.
jg_value jg_moment_base(const struct jg_moment *m, jg_value v, jg_value *offset);
// The instruction whose result the value is (the newest one made there); JG_NONE.
uint32_t jg_moment_made(const struct jg_moment *m, jg_value v);
// The JNI function whose result the value is; NULL.
const struct jg_jni_function *jg_moment_maker(const struct jg_moment *m, jg_value v);
// What a place holds on this path, or at the start of the function. `region`: from domain.h.
jg_value jg_moment_holds(const struct jg_moment *m, jg_region region);
// What this path has stored into a region and all places in it; `insn`: where, or JG_NONE.
void jg_moment_stored(const struct jg_moment *m, jg_region region,
                      void (*each)(void *context, jg_region place, jg_value value, uint32_t insn),
                      void *context);
// The parameter whose initial value it is (index into jg_unit.vars); JG_NONE.
uint32_t jg_moment_parameter(const struct jg_moment *m, jg_value v);
// The text of a string literal; NULL.
const char *jg_moment_string(const struct jg_moment *m, jg_value v);
// Is it the JNIEnv of the thread: what GetEnv, AttachCurrentThread or a helper has given?
bool jg_moment_is_env(const struct jg_moment *m, jg_value v);
// What the source calls the value: a variable that holds it now or was given it when it was made.
const char *jg_moment_name(const struct jg_moment *m, jg_value v);

// All that memory behind a pointer is known to hold on this path: calls `each` with the places, the
// values and the instructions that stored them (JG_NONE).
void jg_moment_behind(const struct jg_moment *m, jg_value pointer,
                      void (*each)(void *context, jg_region place, jg_value value, uint32_t insn),
                      void *context);
// The place that an instruction of the function will store to when it runs, as far as the moment
// can tell; 0.
jg_region jg_moment_target(const struct jg_moment *m, uint32_t place);
// Does some variable or other place that is still needed, but `except`, hold the value?
bool jg_moment_is_held(const struct jg_moment *m, jg_value v, jg_region except);

// At JG_MOMENT_RETURN: does the caller get the value, as the result or in a place that it can see?
bool jg_moment_is_given_back(const struct jg_moment *m, jg_value v);

// ---- what a watcher remembers of a path ---------------------------------------------------------

// Remembers on this path that it has come by a call, until it forgets; what was remembered under
// that topic before is replaced. Paths that remember different things are not merged, nor are those
// on which the result of the call, or `value`, is known to be 0 and known not to be. Topics are the
// instruction the matter is about, the jg_key_of_region of a place, or JG_TOPIC_*. At most four at
// a time; more are not remembered.
void jg_moment_remember(const struct jg_moment *m, uint32_t topic, uint32_t insn, jg_value value);
void jg_moment_forget(const struct jg_moment *m, uint32_t topic);
struct jg_recalled {
    uint32_t topic, insn;
    jg_value value;
    int result; // of the call at `insn`, 1: not 0; 0: 0; -1: not known
};
// False when there is nothing.
bool jg_moment_recall(const struct jg_moment *m, uint32_t topic, struct jg_recalled *out);
void jg_moment_recall_all(const struct jg_moment *m,
                          void (*each)(void *context, const struct jg_recalled *memo),
                          void *context);
// The engine's own topics, about the thread; `insn` may be the call of a helper that does it.
// Attached here, and not detached since; `value`: the environment, JG_VALUE_UNKNOWN.
#define JG_TOPIC_ATTACHED (JG_NONE - 1)
// GetEnv has been asked, in a function that attaches or detaches; `result`: its status.
#define JG_TOPIC_GET_ENV (JG_NONE - 2)
// Detached (`value` 1), or it may be (0), without having been attached here; `result`: the status
// of the GetEnv before.
#define JG_TOPIC_DETACHED (JG_NONE - 3)
#define JG_TOPIC_LAST JG_TOPIC_DETACHED // the lowest of them

// ---- objects and the thread ---------------------------------------------------------------------

struct jg_seen {
    enum jg_kind kind;
    jg_state_set states;
    uint32_t origin; // the instruction that made it; JG_NONE: a parameter or a loaded place
    jg_value owner;  // buffers: the array or string; weak: the reference it was made of; 0
    bool inferred;   // the kind is what other code of the unit stores into the place
    bool parameter;
    bool lent, escaped;
    bool kept;                    // buffers: a function may have stored it where others find it
    const struct jg_trace *since; // the trace when it was made: for jg_violation
    bool written, may_be_written; // buffers: a store was seen; a callee may have stored
    uint32_t stored;              // buffers: the last instruction seen to store; JG_NONE
};

// The reference, buffer or monitor that the value names or points into; false when it is none that
// is known.
bool jg_moment_object(const struct jg_moment *m, jg_value v, struct jg_seen *out);
// All buffers held at this moment, critical ones included: calls `each` with their symbols.
void jg_moment_held(const struct jg_moment *m,
                    void (*each)(void *context, jg_value symbol, const struct jg_seen *object),
                    void *context);
// The exception state, and the instruction it comes from (JG_NONE).
enum jg_state jg_moment_exception(const struct jg_moment *m, uint32_t *origin);
// The trace when it arose: for jg_violation.
const struct jg_trace *jg_moment_exception_since(const struct jg_moment *m);
bool jg_moment_is_native(const struct jg_moment *m);
// Where the function runs: a set of enum jg_context.
uint8_t jg_moment_contexts(const struct jg_moment *m);
// Is it given to a function that runs it on a thread of its own, somewhere in the program?
bool jg_moment_is_thread_entry(const struct jg_moment *m);
// All units.
const struct jg_program *jg_moment_program(const struct jg_moment *m);

// At JG_MOMENT_RETURN: what this function has stored where it lives on, and is still there; memory
// whose address a native method returns, or keeps in such a place, included.
void jg_moment_kept(const struct jg_moment *m,
                    void (*each)(void *context, jg_region place, jg_value value, uint32_t insn),
                    void *context);
// How the source calls a place; NULL.
const char *jg_moment_place_name(const struct jg_moment *m, jg_region place);

// Notes on an instruction that all paths share, kept until the function is left. Read them where a
// violation is put into words: every path has been explored by then. The engine itself notes:
enum jg_mark_bit {
    JG_MARK_WRITTEN = 1u << 0,        // acquisition: something is stored through its pointer
    JG_MARK_MAY_BE_WRITTEN = 1u << 1, // ... or it is given to somebody who may
    JG_MARK_TESTED = 1u << 2,         // ... a branch depends on whether it is NULL
    JG_MARK_OWN_ARRAY = 1u << 3,      // access: the array was made in this function
    JG_MARK_SHARED = 1u << 4,         // allocation: its address goes where others may find it
};
// Bits from 8 on are the checks' own: checks/marks.h.
static inline uint64_t jg_mark_bit(unsigned bit)
{
    return (uint64_t)1 << bit;
}
void jg_engine_mark(struct jg_engine *e, uint32_t insn, uint64_t bits);
uint64_t jg_engine_marks(const struct jg_engine *e, uint32_t insn);

// A violation of `rule` with every index unset.
struct jg_violation jg_violation_of(enum jg_rule rule);
// Reports what the moment shows; function, path, and outside JG_MOMENT_FUNCTION block and insn, are
// filled in. One finding for each (rule, primary): `primary` is mostly m->insn, or the origin where
// several places show the same defect; at a return, where insn is JG_NONE, the block; or whatever
// else the defect is one of, such as a place. Keys like that may carry marks, too.
void jg_moment_report(const struct jg_moment *m, struct jg_violation v, uint32_t primary);
static inline uint32_t jg_key_of_region(jg_region r)
{
    return r | 0x80000000u; // no instruction has that number
}

// ---- the function, without regard to paths ------------------------------------------------------

const struct jg_program *jg_engine_program(const struct jg_engine *e);
// The function explored last, as the program numbers it.
uint32_t jg_engine_function_id(const struct jg_engine *e);
// The instruction that defines a temporary, casts skipped; NULL.
const struct jg_insn *jg_engine_definition(const struct jg_engine *e, uint32_t temp);
// Index of an instruction of the unit, from its address.
static inline uint32_t jg_insn_index(const struct jg_unit *u, const struct jg_insn *in)
{
    return (uint32_t)(in - u->insns.data);
}
// What kind of object the call at `insn` makes as its result, a JNI function or a helper that
// always does; false: none, or of several kinds.
bool jg_engine_makes(const struct jg_engine *e, uint32_t insn, enum jg_kind *kind);
// What kind of reference every store of the program puts into the field; false: of several kinds,
// or not known.
bool jg_engine_field_kind(const struct jg_engine *e, uint32_t field, enum jg_kind *kind);
// The local variable a temporary is the plain value of, casts skipped; JG_NONE.
uint32_t jg_engine_loaded(const struct jg_engine *e, uint32_t temp);
// The only store to a local variable whose address is not taken; NULL when there is none or more
// than one.
const struct jg_insn *jg_engine_sole_store(const struct jg_engine *e, uint32_t var);
// How many instructions and branches of the function read a temporary.
uint32_t jg_engine_reads(const struct jg_engine *e, uint32_t temp);
// Nobody looks at the result of a call; `*var`: the local variable that it is stored in and that is
// never loaded, or JG_NONE.
bool jg_engine_is_unread(const struct jg_engine *e, uint32_t call, uint32_t *var);
// Can control come back to it? Not in `do { ... } while (0)`.
bool jg_engine_in_loop(const struct jg_engine *e, uint32_t insn);
// The JNI function that an instruction calls; NULL for all other instructions.
static inline const struct jg_jni_function *jg_insn_jni(const struct jg_insn *in)
{
    return in->op == JG_OP_CALL && in->sub == JG_CALLEE_JNI ? jg_jni_function(in->a) : NULL;
}
static inline bool jg_insn_calls(const struct jg_insn *in, enum jg_jni_slot slot)
{
    return in->op == JG_OP_CALL && in->sub == JG_CALLEE_JNI && in->a == (uint32_t)slot;
}
// The name of the C function that an instruction calls; NULL for all other instructions.
static inline const char *jg_insn_callee(const struct jg_unit *u, const struct jg_insn *in)
{
    bool named = in->op == JG_OP_CALL && in->sub == JG_CALLEE_SYMBOL;
    return named ? jg_unit_str(u, u->symbols.data[in->a].name) : NULL;
}
// Does the function call that JNI function anywhere?
bool jg_engine_calls(const struct jg_engine *e, enum jg_jni_slot slot);
// May what is called at `insn`, or run where a scope ends there, attach the thread? Or detach it,
// or see to it that somebody will? GetEnv and its like, helpers in any file, models, names.
bool jg_engine_may_attach(const struct jg_engine *e, uint32_t insn);
bool jg_engine_may_detach(const struct jg_engine *e, uint32_t insn);
// How the helper called at `insn` attaches the thread and leaves it so.
enum jg_attaching {
    JG_ATTACHES_NOT,
    JG_ATTACHES_ALWAYS,
    JG_ATTACHES_IF_NEEDED,
    JG_ATTACHES_AND_TELLS, // ... and says by a number whether it has
};
enum jg_attaching jg_engine_attaches(const struct jg_engine *e, uint32_t insn);
// Is the result of the helper, in all its cases, a reference that stays its own?
enum jg_borrowed jg_engine_borrows(const struct jg_engine *e, uint32_t insn);
// Is the result of the helper the JNIEnv of the thread?
bool jg_engine_gives_env(const struct jg_engine *e, uint32_t insn);
// The first and one past the last instruction of the function, of a block.
void jg_engine_insns(const struct jg_engine *e, uint32_t *first, uint32_t *end);
// The block that an instruction of the function lies in.
uint32_t jg_engine_block_of(const struct jg_engine *e, uint32_t insn);
void jg_engine_block(const struct jg_engine *e, uint32_t block, uint32_t *first, uint32_t *end);
// Can control come from one block to another, or are both the same? Cost: linear in the blocks.
bool jg_engine_reaches(const struct jg_engine *e, uint32_t from, uint32_t to);
// The same in any function.
bool jg_function_reaches(const struct jg_unit *u, const struct jg_function *f, uint32_t from,
                         uint32_t to);

#endif
