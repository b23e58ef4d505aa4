// SPDX-License-Identifier: Apache-2.0
//
// Interning of values and regions; see domain.h. Structural equality becomes equality of indexes,
// so states compare and merge by comparing integers.

#include "analyzer/engine/domain.h"

#include <stdlib.h>
#include <string.h>

#define MAX_EXPR_DEPTH 6

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9E3779B97F4A7C15u;
    return h ^ (h >> 29);
}

static uint64_t hash_value(const struct jg_value_info *v)
{
    uint64_t h = mix(1, (uint64_t)v->kind << 16 | (uint64_t)v->op << 8 | v->older);
    h = mix(h, (uint64_t)v->a << 32 | v->b);
    return mix(h, (uint64_t)v->c);
}

static bool same_value(const struct jg_value_info *x, const struct jg_value_info *y)
{
    return x->kind == y->kind && x->op == y->op && x->older == y->older && x->a == y->a &&
           x->b == y->b && x->c == y->c;
}

static uint64_t hash_region(const struct jg_region_info *r)
{
    return mix(mix(2, (uint64_t)r->kind << 32 | r->parent), r->a);
}

static bool same_region(const struct jg_region_info *x, const struct jg_region_info *y)
{
    return x->kind == y->kind && x->parent == y->parent && x->a == y->a;
}

static void grow_values(struct jg_domain *d)
{
    uint32_t size = (d->value_mask + 1) * 2;
    free(d->value_table);
    d->value_table = jg_calloc(size, sizeof *d->value_table);
    d->value_mask = size - 1;
    for (uint32_t i = 0; i < d->values.count; i++) {
        uint32_t at = (uint32_t)hash_value(&d->values.data[i]) & d->value_mask;
        while (d->value_table[at])
            at = (at + 1) & d->value_mask;
        d->value_table[at] = i + 1;
    }
}

static void grow_regions(struct jg_domain *d)
{
    uint32_t size = (d->region_mask + 1) * 2;
    free(d->region_table);
    d->region_table = jg_calloc(size, sizeof *d->region_table);
    d->region_mask = size - 1;
    for (uint32_t i = 0; i < d->regions.count; i++) {
        uint32_t at = (uint32_t)hash_region(&d->regions.data[i]) & d->region_mask;
        while (d->region_table[at])
            at = (at + 1) & d->region_mask;
        d->region_table[at] = i + 1;
    }
}

static bool is_symbol_kind(uint8_t kind)
{
    return kind == JG_V_INIT || kind == JG_V_MADE || kind == JG_V_PHI;
}

static jg_value intern_value(struct jg_domain *d, struct jg_value_info info)
{
    uint32_t at = (uint32_t)hash_value(&info) & d->value_mask;
    while (d->value_table[at]) {
        uint32_t i = d->value_table[at] - 1;
        if (same_value(&d->values.data[i], &info))
            return i;
        at = (at + 1) & d->value_mask;
    }
    uint32_t i = d->values.count;
    if (is_symbol_kind(info.kind))
        info.leaves |= 1ull << (i & 63);
    if (info.kind == JG_V_ADDR || info.kind == JG_V_ELEM || info.kind == JG_V_INIT)
        info.leaves |= d->regions.data[info.a].leaves;
    if (info.kind == JG_V_EXPR)
        info.leaves |= d->values.data[info.a].leaves | d->values.data[info.b].leaves;
    *JG_VEC_PUSH(&d->values) = info;
    d->value_table[at] = i + 1;
    if (d->values.count * 2 > d->value_mask)
        grow_values(d);
    return i;
}

static bool is_element_kind(uint8_t kind)
{
    return kind == JG_R_INDEX || kind == JG_R_AT || kind == JG_R_ANY;
}

static jg_region intern_region(struct jg_domain *d, struct jg_region_info info)
{
    uint32_t at = (uint32_t)hash_region(&info) & d->region_mask;
    while (d->region_table[at]) {
        uint32_t i = d->region_table[at] - 1;
        if (same_region(&d->regions.data[i], &info))
            return i;
        at = (at + 1) & d->region_mask;
    }
    uint32_t i = d->regions.count;
    if (info.parent) {
        const struct jg_region_info *parent = &d->regions.data[info.parent];
        info.root = parent->root;
        info.outlives = parent->outlives;
        info.element = parent->element || is_element_kind(info.kind);
        info.leaves = parent->leaves;
    } else {
        info.root = i;
    }
    if (info.kind == JG_R_AT || info.kind == JG_R_DEREF)
        info.leaves |= d->values.data[info.a].leaves;
    *JG_VEC_PUSH(&d->regions) = info;
    d->region_table[at] = i + 1;
    if (d->regions.count * 2 > d->region_mask)
        grow_regions(d);
    return i;
}

static void seed(struct jg_domain *d)
{
    struct jg_region_info none = {.kind = JG_R_ANY};
    *JG_VEC_PUSH(&d->regions) = none; // region 0 is "none"
    intern_value(d, (struct jg_value_info){.kind = JG_V_UNKNOWN});
    intern_value(d, (struct jg_value_info){.kind = JG_V_UNSET});
    intern_value(d, (struct jg_value_info){.kind = JG_V_CONST, .c = 0});
    intern_value(d, (struct jg_value_info){.kind = JG_V_CONST, .c = 1});
}

void jg_domain_init(struct jg_domain *d, const struct jg_unit *unit)
{
    memset(d, 0, sizeof *d);
    d->unit = unit;
    d->value_mask = d->region_mask = 255;
    d->value_table = jg_calloc(256, sizeof *d->value_table);
    d->region_table = jg_calloc(256, sizeof *d->region_table);
    seed(d);
}

void jg_domain_reset(struct jg_domain *d)
{
    memset(d->value_table, 0, (d->value_mask + 1) * sizeof *d->value_table);
    memset(d->region_table, 0, (d->region_mask + 1) * sizeof *d->region_table);
    d->values.count = d->regions.count = 0;
    seed(d);
}

void jg_domain_fini(struct jg_domain *d)
{
    jg_bump_fini(&d->scratch);
    JG_VEC_FREE(&d->values);
    JG_VEC_FREE(&d->regions);
    free(d->value_table);
    free(d->region_table);
}

// ---- values -------------------------------------------------------------------------------------

jg_value jg_value_const(struct jg_domain *d, int64_t c)
{
    if (c == 0)
        return JG_VALUE_ZERO;
    return intern_value(d, (struct jg_value_info){.kind = JG_V_CONST, .c = c});
}

jg_value jg_value_make(struct jg_domain *d, enum jg_value_kind kind, uint32_t a, uint32_t b)
{
    return intern_value(d, (struct jg_value_info){.kind = (uint8_t)kind, .a = a, .b = b});
}

jg_value jg_value_older(struct jg_domain *d, jg_value symbol)
{
    struct jg_value_info info = d->values.data[symbol];
    info.older = 1;
    info.leaves = 0;
    return intern_value(d, info);
}

bool jg_value_is_symbol(const struct jg_domain *d, jg_value v)
{
    return is_symbol_kind(d->values.data[v].kind);
}

bool jg_value_is_exact(const struct jg_domain *d, jg_value v)
{
    const struct jg_value_info *i = &d->values.data[v];
    switch (i->kind) {
    case JG_V_UNKNOWN:
    case JG_V_UNSET:
    case JG_V_ELEM:
        return false;
    case JG_V_EXPR:
        return jg_value_is_exact(d, i->a) && jg_value_is_exact(d, i->b);
    default:
        return !i->older;
    }
}

static bool is_compare(enum jg_bin op)
{
    return op >= JG_BIN_EQ;
}

jg_value jg_value_not(struct jg_domain *d, jg_value v)
{
    return jg_value_expr(d, JG_BIN_EQ, v, JG_VALUE_ZERO);
}

// Address arithmetic on &array[k].
static jg_value shift_address(struct jg_domain *d, jg_value address, int64_t by)
{
    struct jg_region_info r = d->regions.data[d->values.data[address].a];
    if (r.kind != JG_R_INDEX && r.kind != JG_R_AT)
        return JG_VALUE_UNKNOWN;
    jg_region to =
        r.kind == JG_R_INDEX
            ? jg_region_index(d, r.parent, (int64_t)(int32_t)r.a + by)
            : jg_region_at(d, r.parent, jg_value_expr(d, JG_BIN_ADD, r.a, jg_value_const(d, by)));
    return jg_value_make(d, JG_V_ADDR, to, 0);
}

bool jg_value_split(struct jg_domain *d, jg_value v, jg_value *base, jg_value *offset)
{
    struct jg_value_info i = d->values.data[v];
    *base = v;
    *offset = JG_VALUE_ZERO;
    if (i.kind == JG_V_EXPR && i.op == JG_BIN_ADD) {
        *offset = i.b;
        *base = i.a;
        i = d->values.data[i.a];
    }
    if (i.kind == JG_V_ADDR) {
        struct jg_region_info r = d->regions.data[i.a];
        if (*base != v || (r.kind != JG_R_INDEX && r.kind != JG_R_AT))
            return false;
        *offset = r.kind == JG_R_AT ? r.a : jg_value_const(d, (int32_t)r.a);
        *base = jg_value_make(d, JG_V_ADDR, jg_region_index(d, r.parent, 0), 0);
        return true;
    }
    return is_symbol_kind(i.kind) && jg_value_is_exact(d, v);
}

// Comparisons and differences of two sums with the same base are those of the offsets.
static bool same_base(struct jg_domain *d, jg_value *a, jg_value *b)
{
    jg_value base_a, base_b, offset_a, offset_b;
    if (*a == *b || !jg_value_split(d, *a, &base_a, &offset_a) ||
        !jg_value_split(d, *b, &base_b, &offset_b) || base_a != base_b)
        return false;
    *a = offset_a;
    *b = offset_b;
    return true;
}

jg_value jg_value_expr(struct jg_domain *d, enum jg_bin op, jg_value a, jg_value b)
{
    if (a == JG_VALUE_UNKNOWN || b == JG_VALUE_UNKNOWN || a == JG_VALUE_UNSET ||
        b == JG_VALUE_UNSET)
        return JG_VALUE_UNKNOWN;
    switch (op) { // two comparisons are enough: == and <
    case JG_BIN_NE:
        return jg_value_not(d, jg_value_expr(d, JG_BIN_EQ, a, b));
    case JG_BIN_GT:
        return jg_value_expr(d, JG_BIN_LT, b, a);
    case JG_BIN_GE:
        return jg_value_not(d, jg_value_expr(d, JG_BIN_LT, a, b));
    case JG_BIN_LE:
        return jg_value_not(d, jg_value_expr(d, JG_BIN_LT, b, a));
    default:
        break;
    }
    if ((op == JG_BIN_EQ || op == JG_BIN_LT || op == JG_BIN_SUB) && same_base(d, &a, &b))
        return jg_value_expr(d, op, a, b);
    const struct jg_value_info x = d->values.data[a], y = d->values.data[b];
    int64_t folded;
    if (x.kind == JG_V_CONST && y.kind == JG_V_CONST)
        return op != JG_BIN_SHR && jg_fold(op, false, x.c, y.c, &folded) ? jg_value_const(d, folded)
                                                                         : JG_VALUE_UNKNOWN;
    if (op == JG_BIN_SUB && y.kind == JG_V_CONST) { // x - c is x + -c, unless that overflows
        if (y.c == INT64_MIN)
            return JG_VALUE_UNKNOWN;
        return jg_value_expr(d, JG_BIN_ADD, a, jg_value_const(d, -y.c));
    }
    if ((op == JG_BIN_ADD || op == JG_BIN_EQ) && x.kind == JG_V_CONST)
        return jg_value_expr(d, op, b, a); // constants to the right
    if (op == JG_BIN_ADD && b == JG_VALUE_ZERO)
        return a;
    if (x.kind == JG_V_ADDR && op == JG_BIN_ADD && y.kind == JG_V_CONST && y.c > INT32_MIN &&
        y.c < INT32_MAX) {
        jg_value shifted = shift_address(d, a, y.c);
        if (shifted)
            return shifted;
    }
    if (op == JG_BIN_ADD && x.kind == JG_V_EXPR && x.op == JG_BIN_ADD &&
        (y.kind == JG_V_CONST || is_symbol_kind(d->values.data[x.a].kind))) {
        jg_value sum = jg_value_expr(d, JG_BIN_ADD, x.b, b); // base + (offset + more)
        if (sum != JG_VALUE_UNKNOWN)
            return jg_value_expr(d, JG_BIN_ADD, x.a, sum);
    }
    if (jg_value_is_exact(d, a) && jg_value_is_exact(d, b)) {
        if (x.kind == JG_V_EXPR && x.op == JG_BIN_ADD && op == JG_BIN_SUB && x.b == b)
            return x.a; // (p + n) - n
        if (x.kind == JG_V_EXPR && x.op == JG_BIN_SUB && op == JG_BIN_ADD && x.b == b)
            return x.a; // (p - n) + n
        if (a == b && op == JG_BIN_SUB)
            return JG_VALUE_ZERO;
        if (a == b && is_compare(op))
            return op == JG_BIN_EQ ? JG_VALUE_ONE : JG_VALUE_ZERO;
    }
    uint8_t depth = (uint8_t)(1 + (x.depth > y.depth ? x.depth : y.depth));
    if (depth > MAX_EXPR_DEPTH)
        return JG_VALUE_UNKNOWN;
    return intern_value(d,
                        (struct jg_value_info){
                            .kind = JG_V_EXPR, .op = (uint8_t)op, .a = a, .b = b, .depth = depth});
}

jg_value jg_value_root(const struct jg_domain *d, jg_value v)
{
    for (;;) {
        const struct jg_value_info *i = &d->values.data[v];
        if (i->kind != JG_V_EXPR || is_compare(i->op) || i->op == JG_BIN_MUL)
            return v;
        // `n + p` with an integer first is rare; the pointer is where the symbol is.
        v = d->values.data[i->a].kind == JG_V_CONST ? i->b : i->a;
    }
}

bool jg_value_contains(const struct jg_domain *d, jg_value v, jg_value symbol)
{
    const struct jg_value_info *i = &d->values.data[v];
    if (v == symbol)
        return true;
    if (!(i->leaves & 1ull << (symbol & 63)))
        return false;
    switch (i->kind) {
    case JG_V_EXPR:
        return jg_value_contains(d, i->a, symbol) || jg_value_contains(d, i->b, symbol);
    case JG_V_ADDR:
    case JG_V_ELEM:
    case JG_V_INIT:
        return jg_region_contains(d, i->a, symbol);
    default:
        return false;
    }
}

bool jg_region_contains(const struct jg_domain *d, jg_region r, jg_value symbol)
{
    for (; r && d->regions.data[r].leaves & 1ull << (symbol & 63); r = d->regions.data[r].parent) {
        const struct jg_region_info *i = &d->regions.data[r];
        if ((i->kind == JG_R_DEREF || i->kind == JG_R_AT) && jg_value_contains(d, i->a, symbol))
            return true;
    }
    return false;
}

jg_value jg_value_replace(struct jg_domain *d, jg_value v, jg_value from, jg_value to)
{
    if (v == from)
        return to;
    if (!jg_value_contains(d, v, from))
        return v;
    struct jg_value_info i = d->values.data[v];
    switch (i.kind) {
    case JG_V_EXPR: {
        jg_value a = jg_value_replace(d, i.a, from, to);
        jg_value b = jg_value_replace(d, i.b, from, to);
        return jg_value_expr(d, i.op, a, b);
    }
    case JG_V_ADDR:
    case JG_V_ELEM:
    case JG_V_INIT:
        i.a = jg_region_replace(d, i.a, from, to);
        i.leaves = 0;
        return i.a ? intern_value(d, i) : JG_VALUE_UNKNOWN;
    default:
        return JG_VALUE_UNKNOWN;
    }
}

jg_region jg_region_replace(struct jg_domain *d, jg_region r, jg_value from, jg_value to)
{
    if (!jg_region_contains(d, r, from))
        return r;
    struct jg_region_info i = d->regions.data[r];
    if (i.parent) {
        i.parent = jg_region_replace(d, i.parent, from, to);
        if (!i.parent)
            return 0;
    }
    if (i.kind == JG_R_DEREF || i.kind == JG_R_AT) {
        i.a = jg_value_replace(d, i.a, from, to);
        if (i.a == JG_VALUE_UNKNOWN || !jg_value_is_exact(d, i.a)) {
            if (i.kind == JG_R_DEREF)
                return 0;
            i.kind = JG_R_ANY;
            i.a = 0;
        }
    }
    i.leaves = 0;
    return intern_region(d, i);
}

// ---- regions ------------------------------------------------------------------------------------

jg_region jg_region_var(struct jg_domain *d, uint32_t var)
{
    return intern_region(
        d, (struct jg_region_info){.kind = JG_R_VAR,
                                   .a = var,
                                   .outlives = d->unit->vars.data[var].kind == JG_VAR_STATIC});
}

jg_region jg_region_temp(struct jg_domain *d, uint32_t temp)
{
    return intern_region(d, (struct jg_region_info){.kind = JG_R_TEMP, .a = temp});
}

jg_region jg_region_deref(struct jg_domain *d, jg_value pointer)
{
    struct jg_value_info v = d->values.data[pointer];
    if (v.kind == JG_V_ADDR)
        return v.a;
    if (v.kind == JG_V_UNKNOWN || v.kind == JG_V_UNSET || v.kind == JG_V_CONST ||
        v.kind == JG_V_ELEM)
        return 0;
    if (v.kind == JG_V_EXPR && v.op == JG_BIN_ADD) {
        jg_value base = v.a;
        jg_value index = v.b;
        jg_region to = jg_region_deref(d, base);
        if (!to)
            return 0;
        struct jg_region_info at = d->regions.data[to];
        if (at.kind == JG_R_INDEX && at.a == 0)
            to = at.parent; // &array[0] + i
        return d->values.data[index].kind == JG_V_CONST
                   ? jg_region_index(d, to, d->values.data[index].c)
                   : jg_region_at(d, to, index);
    }
    return intern_region(
        d, (struct jg_region_info){.kind = JG_R_DEREF, .a = pointer, .outlives = true});
}

jg_region jg_region_field(struct jg_domain *d, jg_region parent, uint32_t field)
{
    const struct jg_field *known = jg_unit_field(d->unit, field);
    uint32_t storage = known ? known->storage : field;
    return intern_region(
        d, (struct jg_region_info){.kind = JG_R_FIELD, .parent = parent, .a = storage});
}

jg_region jg_region_index(struct jg_domain *d, jg_region parent, int64_t index)
{
    if (index < INT32_MIN || index > INT32_MAX)
        return intern_region(d, (struct jg_region_info){.kind = JG_R_ANY, .parent = parent});
    return intern_region(d, (struct jg_region_info){.kind = JG_R_INDEX,
                                                    .parent = parent,
                                                    .a = (uint32_t)(int32_t)index});
}

jg_region jg_region_at(struct jg_domain *d, jg_region parent, jg_value index)
{
    if (d->values.data[index].kind == JG_V_CONST)
        return jg_region_index(d, parent, d->values.data[index].c);
    if (!jg_value_is_exact(d, index))
        return intern_region(d, (struct jg_region_info){.kind = JG_R_ANY, .parent = parent});
    return intern_region(d, (struct jg_region_info){.kind = JG_R_AT, .parent = parent, .a = index});
}

jg_region jg_region_summary(struct jg_domain *d, jg_region r)
{
    struct jg_region_info i = d->regions.data[r];
    if (!i.element)
        return r;
    i.parent = jg_region_summary(d, i.parent);
    if (is_element_kind(i.kind)) {
        i.kind = JG_R_ANY;
        i.a = 0;
    }
    i.leaves = 0;
    return intern_region(d, i);
}

bool jg_region_is_element_of(struct jg_domain *d, jg_region r, jg_region summary)
{
    const struct jg_region_info *s = &d->regions.data[summary];
    if (s->kind == JG_R_ANY && r == s->parent)
        return d->regions.data[r].kind == JG_R_DEREF;
    return d->regions.data[r].element && jg_region_summary(d, r) == summary;
}

static bool has_index(const struct jg_domain *d, const struct jg_region_info *i, jg_value index)
{
    const struct jg_value_info *v = &d->values.data[index];
    return (i->kind == JG_R_AT && i->a == index) ||
           (i->kind == JG_R_INDEX && v->kind == JG_V_CONST && v->c == (int32_t)i->a);
}

jg_region jg_region_reindex(struct jg_domain *d, jg_region r, jg_value from, jg_value to)
{
    struct jg_region_info i = d->regions.data[r];
    if (i.kind == JG_R_DEREF) // p->f is p[0].f
        return from == JG_VALUE_ZERO ? jg_region_at(d, r, to) : 0;
    if (!i.parent)
        return 0;
    bool here = has_index(d, &i, from);
    bool first = here || d->regions.data[i.parent].kind != JG_R_DEREF || i.kind == JG_R_FIELD;
    jg_region parent = first && !(here && d->regions.data[i.parent].kind == JG_R_DEREF)
                           ? jg_region_reindex(d, i.parent, from, to)
                           : 0;
    if (!parent && !here)
        return 0;
    parent = parent ? parent : i.parent;
    if (here && to == JG_VALUE_ZERO && d->regions.data[parent].kind == JG_R_DEREF)
        return parent;
    if (here)
        return jg_region_at(d, parent, to);
    i.parent = parent;
    i.leaves = 0;
    return intern_region(d, i);
}

bool jg_region_is_below(const struct jg_domain *d, jg_region r, jg_region ancestor)
{
    if (d->regions.data[r].root != d->regions.data[ancestor].root)
        return false;
    for (; r; r = d->regions.data[r].parent)
        if (r == ancestor)
            return true;
    return false;
}
