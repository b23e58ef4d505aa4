// SPDX-License-Identifier: Apache-2.0
//
// The program: several units linked. Who is meant by a name, which functions a pointer may hold,
// who calls whom, and in which order summaries are made.
//
// In: units, in an order that the caller fixes (by path), so that equal programs give equal
// numbers. Out: tables that never change again: any number of threads may read them at once. The
// units are read only and must outlive the program.
//
// Symbols. An external function is known by its USR (in C: its name). A `static` one belongs to its
// unit, whatever other files call theirs. A call goes to the definition of its own unit if there is
// one; otherwise to all definitions, for a database may hold several programs. Of those, the one
// whose object lies in the same CMake or Meson target as the caller's is certain to be meant, when
// there is just one; that two lie in the same folder says nothing, since one folder may hold the
// programs of several tests, each with a `usage` of its own. What is done by all definitions is
// known of the call, see unite.c.
//
// A definition that is weak gives way to all that are not, even in its own unit. Where there are
// weak ones only, the linker would take the first, but somebody outside the database may define the
// strong one: they are possible, the set is not complete, and nothing is concluded from a body.
//
// Pointers. What a variable of static storage, a local variable or a record field ever holds is
// united without regard to flow; a field is known by (record, name) over all units. Parameters, and
// whatever functions return, hold unknown functions. A set is *complete* when nothing unknown is
// ever stored there, its address is not taken, and no function without a body is handed the record
// to fill in.
//
// Cost: linear in the size of the units, but for sorting.

#ifndef JG_ENGINE_PROGRAM_H
#define JG_ENGINE_PROGRAM_H

#include "analyzer/ir/ir.h"
#include "analyzer/models/models.h"

// A place holds at most so many functions; of larger sets nothing is known.
#define JG_MAX_TARGETS 64

struct jg_program;

// A function of the program: its unit, the number of that unit, and its index in it.
struct jg_function_ref {
    const struct jg_unit *unit;
    uint32_t unit_index, index;
};

// `units` is copied, the units are not. Free with jg_program_free.
struct jg_program *jg_program_new(const struct jg_unit *const *units, uint32_t count);
void jg_program_free(struct jg_program *p);

uint32_t jg_program_unit_count(const struct jg_program *p);
const struct jg_unit *jg_program_unit(const struct jg_program *p, uint32_t unit);

// ---- functions ----------------------------------------------------------------------------------

// Functions are numbered through the program: those of unit 0 first.
uint32_t jg_program_function_count(const struct jg_program *p);
uint32_t jg_program_id(const struct jg_program *p, uint32_t unit, uint32_t function);
struct jg_function_ref jg_program_function(const struct jg_program *p, uint32_t id);
const char *jg_program_function_name(const struct jg_program *p, uint32_t id);

// The same function in several units (an `inline` body in a header, a file compiled twice): equal
// text at the same place that calls equal functions. The first one stands for all.
uint32_t jg_program_representative(const struct jg_program *p, uint32_t id);

// A native method: Java_*, or listed in a JNINativeMethod table of any unit, static or filled at
// run time.
bool jg_program_is_native(const struct jg_program *p, uint32_t id);

// ---- who is called ------------------------------------------------------------------------------

// The model of what is called at an instruction; NULL when there is none, or when the program
// defines the function: a body wins, unless it holds a compile error.
const struct jg_model *jg_program_model(const struct jg_program *p, uint32_t unit, uint32_t insn);

// The definitions a symbol of a unit may mean; none when the program has no body for it.
const uint32_t *jg_program_definitions(const struct jg_program *p, uint32_t unit, uint32_t symbol,
                                       uint32_t *count);
// Is it certain that it is one of these? Not when all are weak, nor when there is none.
bool jg_program_is_defined(const struct jg_program *p, uint32_t unit, uint32_t symbol);

// The functions that a JG_OP_CALL may call (`insn`: unit-wide index), in ascending order. Not
// `complete`: others are possible, too. Nothing known, and calls of JNI: 0 and not complete. Cost:
// logarithmic in the number of calls through pointers of the unit.
const uint32_t *jg_program_callees(const struct jg_program *p, uint32_t unit, uint32_t insn,
                                   uint32_t *count, bool *complete);

// Fields and variables of static storage are numbered through the program, too: equal numbers mean
// the same field, or the same external variable, in several units. Pointers that share a union are
// one field. JG_NONE for variables of functions.
uint32_t jg_program_field(const struct jg_program *p, uint32_t unit, uint32_t field);
// The names that a field of the program goes by, and the number of such a field; JG_NONE.
void jg_program_field_name(const struct jg_program *p, uint32_t id, const char **record,
                           const char **name);
uint32_t jg_program_find_field(const struct jg_program *p, const char *record, const char *name);
uint32_t jg_program_variable(const struct jg_program *p, uint32_t unit, uint32_t var);

// What is ever stored into a field or a variable of static storage, or into elements of it, in any
// unit: a set of enum jg_stored_kind. Several kinds: nothing is known. 0: nothing, or NULL only.
enum jg_stored_kind {
    JG_STORED_LOCAL = 1u << 0,
    JG_STORED_GLOBAL = 1u << 1,
    JG_STORED_WEAK = 1u << 2,
    JG_STORED_OTHER = 1u << 3,
};
uint8_t jg_program_field_kinds(const struct jg_program *p, uint32_t unit, uint32_t field);
// JG_STORED_OTHER for variables of functions.
uint8_t jg_program_variable_kinds(const struct jg_program *p, uint32_t unit, uint32_t var);
// What is concluded from a set of kinds: JG_STORED_GLOBAL or JG_STORED_WEAK where there is no
// other; else 0. Nothing else must be read from them while functions are explored (see reads.h).
static inline uint8_t jg_sole_kind(uint8_t kinds)
{
    return kinds == JG_STORED_GLOBAL || kinds == JG_STORED_WEAK ? kinds : 0;
}

// ---- the call graph -----------------------------------------------------------------------------

// All functions that a function may call, those through pointers, cleanup functions of variables
// and what it has qsort and its like call included; ascending, each once.
const uint32_t *jg_program_calls(const struct jg_program *p, uint32_t id, uint32_t *count);
const uint32_t *jg_program_callers(const struct jg_program *p, uint32_t id, uint32_t *count);

// The first instruction of `caller` that may call `callee`: a call, the end of a variable with a
// cleanup function, a call of qsort with it. `direct`: by name, with no other candidate. JG_NONE
// when there is none. Cost: linear in the size of the caller.
uint32_t jg_program_call_site(const struct jg_program *p, uint32_t caller, uint32_t callee,
                              bool *direct);

// Strongly connected components, in an order in which callees come before callers: what stands for
// anything that a component calls lies in it or in those with smaller numbers. Members ascend.
uint32_t jg_program_component_count(const struct jg_program *p);
uint32_t jg_program_component_of(const struct jg_program *p, uint32_t id);
const uint32_t *jg_program_component(const struct jg_program *p, uint32_t component,
                                     uint32_t *count);
// Does it call itself, directly or through others?
bool jg_program_is_recursive(const struct jg_program *p, uint32_t component);

#endif
