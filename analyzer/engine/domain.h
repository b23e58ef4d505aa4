// SPDX-License-Identifier: Apache-2.0
//
// The abstract domain of the engine: values and regions, interned so that equality is equality of
// indexes.
//
// A *value* is what a temporary or a region holds on a path: a constant, an address, a symbol (an
// unknown but fixed quantity, named by where it came from), or an expression over values. Facts are
// kept about values in the state, so a repeated condition is recognised by its index.
//
// A *region* is a memory location on a path: a variable, a temporary that lives across blocks, what
// a value points to, and fields and elements of those.
//
// A symbol made at an instruction names the *newest* one made there; when the instruction runs
// again the previous one is renamed to its `older` twin, which stands for all before it (recency
// abstraction: Balakrishnan and Reps, SAS 2006). Nothing is ever concluded about an older one's
// value.

#ifndef JG_ENGINE_DOMAIN_H
#define JG_ENGINE_DOMAIN_H

#include "analyzer/ir/ir.h"

typedef uint32_t jg_value;  // 0: unknown
typedef uint32_t jg_region; // 0: none

enum jg_value_kind {
    JG_V_UNKNOWN,
    JG_V_UNSET, // an uninitialised local
    JG_V_CONST, // c
    JG_V_STR,   // string literal a
    JG_V_FN,    // function symbol a
    JG_V_ADDR,  // address of region a
    JG_V_ELEM,  // an element that the summary region a stands for, where tracked objects are held
    JG_V_INIT,  // symbol: what region a held at epoch b
    JG_V_MADE,  // symbol: what instruction a made; b: a region it wrote, or 0
    JG_V_PHI,   // symbol: what region b holds after the join at block a
    JG_V_EXPR,  // a op b
};

struct jg_value_info {
    uint8_t kind;
    uint8_t op; // enum jg_bin
    uint8_t older;
    uint8_t depth; // of the expression
    uint32_t a, b;
    int64_t c;
    uint64_t leaves; // Bloom mask of the symbols in it
};

enum jg_region_kind {
    JG_R_VAR,   // a: variable
    JG_R_TEMP,  // a: temporary
    JG_R_DEREF, // a: value that points to it
    JG_R_FIELD, // parent, a: field, see jg_unit_field
    JG_R_INDEX, // parent, a: constant index
    JG_R_AT,    // parent, a: value of the index
    JG_R_ANY,   // parent: any element
};

struct jg_region_info {
    uint8_t kind;
    bool element;  // an array element, or below one
    bool outlives; // static storage, or reached through a pointer: the caller can see it
    jg_region parent, root;
    uint32_t a;
    uint64_t leaves;
};

struct jg_domain {
    const struct jg_unit *unit;
    struct JG_VEC(struct jg_value_info) values;
    struct JG_VEC(struct jg_region_info) regions;
    bool helper;            // the function is no native method
    const bool *index_vars; // variable -> some place uses it as an element index; NULL: none
    uint32_t *value_table, *region_table; // open addressing, powers of two
    uint32_t value_mask, region_mask;
    struct jg_bump scratch; // of merge.c
};

void jg_domain_init(struct jg_domain *d, const struct jg_unit *unit);
void jg_domain_reset(struct jg_domain *d); // forget everything; keeps memory
void jg_domain_fini(struct jg_domain *d);

static inline const struct jg_value_info *jg_value_info(const struct jg_domain *d, jg_value v)
{
    return &d->values.data[v];
}
static inline const struct jg_region_info *jg_region_info(const struct jg_domain *d, jg_region r)
{
    return &d->regions.data[r];
}

// A comparison: 0 or 1.
static inline bool jg_value_is_boolean(const struct jg_value_info *v)
{
    return v->kind == JG_V_EXPR && v->op >= JG_BIN_EQ;
}

#define JG_VALUE_UNKNOWN 0u
#define JG_VALUE_UNSET 1u
#define JG_VALUE_ZERO 2u
#define JG_VALUE_ONE 3u

jg_value jg_value_const(struct jg_domain *d, int64_t c);
jg_value jg_value_make(struct jg_domain *d, enum jg_value_kind kind, uint32_t a, uint32_t b);
jg_value jg_value_older(struct jg_domain *d, jg_value symbol);
// Folds constants, cancels p + k - k, writes every comparison with == and < alone.
jg_value jg_value_expr(struct jg_domain *d, enum jg_bin op, jg_value a, jg_value b);
jg_value jg_value_not(struct jg_domain *d, jg_value v);

bool jg_value_is_symbol(const struct jg_domain *d, jg_value v);
bool jg_value_contains(const struct jg_domain *d, jg_value v, jg_value symbol);
bool jg_region_contains(const struct jg_domain *d, jg_region r, jg_value symbol);
// Splits base + offset: the base is a symbol, or the address of element 0 of an array. False when
// the value is no such sum; a plain symbol has offset 0.
bool jg_value_split(struct jg_domain *d, jg_value v, jg_value *base, jg_value *offset);
// The value a pointer was computed from: skips additions and bit operations.
jg_value jg_value_root(const struct jg_domain *d, jg_value v);
jg_value jg_value_replace(struct jg_domain *d, jg_value v, jg_value from, jg_value to);
jg_region jg_region_replace(struct jg_domain *d, jg_region r, jg_value from, jg_value to);
// False for values that stand for more than one concrete value: equality of index proves nothing.
bool jg_value_is_exact(const struct jg_domain *d, jg_value v);

jg_region jg_region_var(struct jg_domain *d, uint32_t var);
jg_region jg_region_temp(struct jg_domain *d, uint32_t temp);
jg_region jg_region_deref(struct jg_domain *d, jg_value pointer);
jg_region jg_region_field(struct jg_domain *d, jg_region parent, uint32_t field);

// A field that the unit does not mention, but a function that it calls does, goes by its number in
// the program: regions of one are told apart like others, but nothing else is known of it here.
#define JG_FIELD_OF_PROGRAM (1u << 31)
// What the unit says of the field of a region; NULL.
static inline const struct jg_field *jg_unit_field(const struct jg_unit *u, uint32_t field)
{
    return field & JG_FIELD_OF_PROGRAM ? NULL : &u->fields.data[field];
}
// Its type in the unit; JG_NONE.
static inline uint32_t jg_unit_field_type(const struct jg_unit *u, uint32_t field)
{
    const struct jg_field *f = jg_unit_field(u, field);
    return f ? f->type : JG_NONE;
}

jg_region jg_region_index(struct jg_domain *d, jg_region parent, int64_t index);
jg_region jg_region_at(struct jg_domain *d, jg_region parent, jg_value index);
// The region with every element index replaced by "any": what stands for all elements of the array.
jg_region jg_region_summary(struct jg_domain *d, jg_region r);
// Is it an element that the summary stands for? What a pointer points to is element 0 behind it.
bool jg_region_is_element_of(struct jg_domain *d, jg_region r, jg_region summary);
// The region with every element index that is `from` replaced by `to`; 0 when it has none.
jg_region jg_region_reindex(struct jg_domain *d, jg_region r, jg_value from, jg_value to);
bool jg_region_is_below(const struct jg_domain *d, jg_region r, jg_region ancestor); // or equal

#endif
