// SPDX-License-Identifier: Apache-2.0
//
// The tables of a program and who fills them: program_link.c what names mean, program_targets.c
// and program_records.c what pointers hold, callgraph.c edges and components, program_share.c
// representatives, program_kinds.c what kinds of references are stored where, contexts.c where code
// runs. Each requires what the ones before it provide.

#ifndef JG_ENGINE_PROGRAM_INTERNAL_H
#define JG_ENGINE_PROGRAM_INTERNAL_H

#include "analyzer/engine/program.h"

// A list of function ids that lies somewhere in the program's memory.
struct jg_ids {
    const uint32_t *at;
    uint32_t count;
    bool complete;
};

// Two strings -> number. Zero-initialised is empty; strings must outlive it.
struct jg_names {
    struct jg_name {
        uint64_t hash;
        const char *a, *b;
        uint32_t value;
    } * table;
    uint32_t count, size;
};

// The value of the pair, which is `fresh` when it is new.
uint32_t jg_names_add(struct jg_names *n, const char *a, const char *b, uint32_t fresh);
uint32_t jg_names_find(const struct jg_names *n, const char *a, const char *b); // JG_NONE
void jg_names_fini(struct jg_names *n);

// A call through a pointer.
struct jg_indirect_call {
    uint32_t insn;
    struct jg_ids callees;
};

// Functions whose addresses are an argument of a call.
struct jg_gift {
    uint32_t unit, insn, arg;
    uint32_t caller; // id
    uint32_t param;  // the caller's own parameter, passed on as it came; JG_NONE
    struct jg_ids given;
};

// Functions whose addresses are stored where the program itself never looks: a library does.
struct jg_deposit {
    uint32_t unit, loc;
    const char *record, *name; // of the field; "" for variables
    struct jg_ids given;
};

struct jg_program_field {
    const char *record, *name;
};

// Rows of a table of rows: row i is [first[i], first[i + 1]) of `at`.
struct jg_rows {
    uint32_t *first, *at;
};

struct jg_program {
    struct jg_bump arena; // all tables
    const struct jg_unit **units;
    uint32_t unit_count;
    // Per unit, with one more at the end: the number of its first function, symbol, variable,
    // field.
    uint32_t *first_function, *first_symbol, *first_var, *first_field;
    uint32_t *ids;     // ids[i] == i: a list of one function
    uint32_t *unit_of; // id -> unit

    struct jg_ids *definitions;     // per symbol of any unit
    const struct jg_model **models; // per symbol of any unit: what is said of it; NULL
    uint32_t *fields;               // per field of any unit: its number in the program
    struct jg_program_field *field_info;
    uint32_t field_count;
    struct jg_names field_names; // (record, name) -> number in the program
    uint32_t *variables;         // per variable of any unit: its number in the program, or JG_NONE
    uint32_t variable_count;

    struct JG_VEC(struct jg_indirect_call) indirect; // by unit, by instruction
    uint32_t *first_indirect;                        // per unit
    bool *native, *address_given;                    // per id
    bool *called_by_pointer;                         // per id
    struct JG_VEC(struct jg_gift) gifts;             // by unit, by instruction
    struct JG_VEC(struct jg_deposit) deposits;       // by unit

    struct jg_rows calls, callers;
    uint32_t component_count;
    uint32_t *component_of;
    struct jg_rows components;
    bool *recursive; // per component

    uint32_t *representative;
    uint8_t *contexts;                     // per id
    struct jg_context_reason *reasons;     // JG_CONTEXT_COUNT per id
    uint8_t *field_kinds, *variable_kinds; // enum jg_stored_kind, by number in the program
};

void jg_program_link(struct jg_program *p);
void jg_program_targets(struct jg_program *p);
// Marks the fields, by number in the program, of records that a function without a body may fill
// in. Requires linked names.
void jg_program_filled_records(const struct jg_program *p, bool *fields);
void jg_program_find_models(struct jg_program *p);
void jg_program_callgraph(struct jg_program *p);
// Of what stands for functions: made anew when that has changed.
void jg_program_components(struct jg_program *p);
void jg_program_share(struct jg_program *p);
void jg_program_kinds(struct jg_program *p);
void jg_program_find_contexts(struct jg_program *p);

// What becomes of the gift when it goes to no function of the program: of enum jg_model_use, those
// that say who calls it; 0 when no model says so.
unsigned jg_gift_uses(const struct jg_program *p, const struct jg_gift *g);
// Does the field hold a signal handler? glibc makes sa_handler a member of a union inside: such
// names go on with their place.
bool jg_is_signal_field(const char *name);
// The name of the function or field that is called with the gift; "".
const char *jg_gift_callee(const struct jg_program *p, const struct jg_gift *g);

static inline void *jg_program_array(struct jg_program *p, size_t count, size_t size)
{
    return jg_bump_alloc(&p->arena, (count + 1) * size);
}

static inline const struct jg_symbol *jg_program_symbol(const struct jg_program *p, uint32_t id)
{
    const struct jg_unit *u = p->units[p->unit_of[id]];
    return &u->symbols.data[u->functions.data[id - p->first_function[p->unit_of[id]]].symbol];
}

#endif
