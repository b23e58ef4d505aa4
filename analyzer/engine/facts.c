// SPDX-License-Identifier: Apache-2.0
//
// What a path knows of values: ranges, whether they are zero, and the outcome of comparisons. In: a
// condition. Out: its truth, or the state narrowed to it. Facts are kept sorted by value.

#include "analyzer/engine/path.h"
#include "rules/jni.h"

#include <string.h>

static uint32_t find_fact(const struct jg_path *s, jg_value v)
{
    uint32_t low = 0, high = s->fact_count;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (s->facts[mid].value < v)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

// A jboolean or bool: anything else in it is undefined behaviour or a defect of its own.
static bool is_flag(const struct jg_domain *d, const struct jg_value_info *v)
{
    const struct jg_unit *u = d->unit;
    uint32_t type = JG_NONE;
    if (v->kind == JG_V_INIT) {
        const struct jg_region_info *r = jg_region_info(d, v->a);
        type = r->kind == JG_R_VAR     ? u->vars.data[r->a].type
               : r->kind == JG_R_FIELD ? jg_unit_field_type(u, r->a)
                                       : JG_NONE;
    } else if (v->kind == JG_V_MADE && !v->b && v->a < u->insns.count) {
        type = u->insns.data[v->a].type;
    }
    return type != JG_NONE && type < u->types.count &&
           (u->types.data[type].role == JG_ROLE_JBOOLEAN ||
            u->types.data[type].kind == JG_TYPE_BOOL);
}

// The length of an array or a string, which is never negative.
static bool is_length(const struct jg_domain *d, const struct jg_value_info *v)
{
    if (v->kind != JG_V_MADE || v->b || v->a >= d->unit->insns.count)
        return false;
    const struct jg_insn *in = &d->unit->insns.data[v->a];
    return in->op == JG_OP_CALL && in->sub == JG_CALLEE_JNI &&
           (in->a == JG_JNI_GetArrayLength || in->a == JG_JNI_GetStringLength ||
            in->a == JG_JNI_GetStringUTFLength);
}

struct jg_fact jg_path_fact(const struct jg_domain *d, const struct jg_path *s, jg_value v)
{
    const struct jg_value_info *info = jg_value_info(d, v);
    if (info->kind == JG_V_CONST)
        return (struct jg_fact){
            .value = v, .nonzero = info->c != 0, .low = info->c, .high = info->c};
    uint32_t i = find_fact(s, v);
    if (i < s->fact_count && s->facts[i].value == v)
        return s->facts[i];
    struct jg_fact f = {.value = v, .low = INT64_MIN, .high = INT64_MAX};
    if (info->kind == JG_V_ADDR || info->kind == JG_V_STR || info->kind == JG_V_FN)
        f.nonzero = true;
    if (jg_value_is_boolean(info) || is_flag(d, info))
        f.low = 0, f.high = 1;
    if (is_length(d, info))
        f.low = 0;
    // Elements and older objects: where some are tracked, the path on which they exist is the one
    // worth following.
    if (info->kind == JG_V_ELEM || (info->older && jg_path_object(s, v)))
        f.nonzero = true;
    if (info->kind == JG_V_EXPR && info->op == JG_BIN_ADD) {
        struct jg_fact a = jg_path_fact(d, s, info->a), b = jg_path_fact(d, s, info->b);
        bool low = a.low != INT64_MIN && b.low != INT64_MIN;
        bool high = a.high != INT64_MAX && b.high != INT64_MAX;
        if (!low || __builtin_add_overflow(a.low, b.low, &f.low))
            f.low = INT64_MIN;
        if (!high || __builtin_add_overflow(a.high, b.high, &f.high))
            f.high = INT64_MAX;
        f.nonzero = f.low > 0 || f.high < 0;
    }
    return f;
}

void jg_path_set_fact(struct jg_bump *arena, struct jg_path *s, struct jg_fact fact)
{
    uint32_t i = find_fact(s, fact.value);
    if (i == s->fact_count || s->facts[i].value != fact.value)
        s->facts = jg_table_insert(arena, s->facts, &s->fact_count, &s->fact_capacity, i,
                                   sizeof *s->facts);
    s->facts[i] = fact;
}

void jg_path_remove_fact(struct jg_path *s, uint32_t i)
{
    s->fact_count--;
    memmove(&s->facts[i], &s->facts[i + 1], (s->fact_count - i) * sizeof *s->facts);
}

// The address of a variable and memory that the JVM handed out.
static bool are_apart(const struct jg_domain *d, const struct jg_path *s, jg_value address,
                      jg_value buffer)
{
    return jg_value_info(d, address)->kind == JG_V_ADDR &&
           jg_path_object(s, jg_value_root(d, buffer));
}

// Two buffers that are both held, `a` not being NULL.
static bool are_two_buffers(const struct jg_domain *d, const struct jg_path *s, jg_value a,
                            jg_value b)
{
    const struct jg_object *x = jg_path_object(s, a), *y = jg_path_object(s, b);
    return x && y && x != y && jg_value_is_exact(d, a) && jg_value_is_exact(d, b) &&
           x->kind >= JG_KIND_ELEMENTS && x->kind <= JG_KIND_STRING_CRITICAL &&
           y->kind >= JG_KIND_ELEMENTS && y->kind <= JG_KIND_STRING_CRITICAL &&
           x->states == JG_STATE_HELD && y->states == JG_STATE_HELD &&
           jg_path_fact(d, s, a).nonzero;
}

// The buffer that the value points into: no pointer into it is NULL unless it is. JG_VALUE_UNKNOWN
// when it is no such sum.
static jg_value buffer_below(const struct jg_domain *d, const struct jg_path *s, jg_value v)
{
    const struct jg_value_info *i = jg_value_info(d, v);
    if (i->kind != JG_V_EXPR || i->op != JG_BIN_ADD)
        return JG_VALUE_UNKNOWN;
    const struct jg_object *o = jg_path_object(s, i->a);
    return o && jg_kind_is_buffer(o->kind) ? i->a : JG_VALUE_UNKNOWN;
}

int jg_path_truth(const struct jg_domain *d, const struct jg_path *s, jg_value condition)
{
    const struct jg_value_info *v = jg_value_info(d, condition);
    struct jg_fact f = jg_path_fact(d, s, condition);
    if (f.nonzero || f.low > 0 || f.high < 0)
        return 1;
    if (f.low == 0 && f.high == 0)
        return 0;
    jg_value buffer = buffer_below(d, s, condition);
    if (buffer != JG_VALUE_UNKNOWN)
        return jg_path_truth(d, s, buffer);
    if (!jg_value_is_boolean(v))
        return -1;
    if (v->op == JG_BIN_EQ && v->b == JG_VALUE_ZERO) {
        int t = jg_path_truth(d, s, v->a);
        return t < 0 ? -1 : !t;
    }
    struct jg_fact a = jg_path_fact(d, s, v->a), b = jg_path_fact(d, s, v->b);
    switch (v->op) {
    case JG_BIN_EQ:
        if (are_apart(d, s, v->a, v->b) || are_apart(d, s, v->b, v->a) ||
            are_two_buffers(d, s, v->a, v->b) || are_two_buffers(d, s, v->b, v->a))
            return 0;
        if (a.low == a.high && b.low == b.high && a.low == b.low)
            return 1;
        if (a.high < b.low || b.high < a.low)
            return 0;
        if ((a.nonzero && b.low == 0 && b.high == 0) || (b.nonzero && a.low == 0 && a.high == 0))
            return 0;
        return -1;
    case JG_BIN_LT:
        return a.high < b.low ? 1 : a.low >= b.high ? 0 : -1;
    default:
        return -1;
    }
}

static bool narrow(struct jg_domain *d, struct jg_bump *arena, struct jg_path *s, jg_value v,
                   int64_t low, int64_t high, bool nonzero)
{
    struct jg_fact f = jg_path_fact(d, s, v);
    struct jg_fact was = f;
    f.low = low > f.low ? low : f.low;
    f.high = high < f.high ? high : f.high;
    f.nonzero |= nonzero;
    if (f.nonzero && f.low == 0)
        f.low = 1;
    if (f.nonzero && f.high == 0)
        f.high = -1;
    if (f.low > f.high)
        return false;
    f.nonzero |= f.low > 0 || f.high < 0;
    const struct jg_value_info *info = jg_value_info(d, v);
    if (info->kind == JG_V_CONST || !jg_value_is_exact(d, v))
        return true;
    if (f.low != was.low || f.high != was.high || f.nonzero != was.nonzero)
        jg_path_set_fact(arena, s, f);
    struct jg_object *o = jg_value_is_symbol(d, v) ? jg_path_object(s, v) : NULL;
    bool nothing = f.low == 0 && f.high == 0;
    bool failed = o && o->kind == JG_KIND_MONITOR ? f.nonzero
                  : o && o->kind == JG_KIND_PAIR  ? nothing || f.high < 0 // such as open
                                                  : nothing;
    if (o && failed)
        jg_path_remove_object(s, v); // NULL is no object, nor is a lock that was not taken
    // What is known of x + c is known of x.
    if (info->kind == JG_V_EXPR && info->op == JG_BIN_ADD &&
        jg_value_info(d, info->b)->kind == JG_V_CONST) {
        int64_t by = jg_value_info(d, info->b)->c, lo = INT64_MIN, hi = INT64_MAX;
        if (f.low != INT64_MIN && __builtin_sub_overflow(f.low, by, &lo))
            lo = INT64_MIN;
        if (f.high != INT64_MAX && __builtin_sub_overflow(f.high, by, &hi))
            hi = INT64_MAX;
        return narrow(d, arena, s, info->a, lo, hi, false);
    }
    return true;
}

bool jg_path_assume(struct jg_domain *d, struct jg_bump *arena, struct jg_path *s,
                    jg_value condition, bool truth)
{
    int known = jg_path_truth(d, s, condition);
    if (known >= 0)
        return known == truth;
    jg_value buffer = buffer_below(d, s, condition);
    if (buffer != JG_VALUE_UNKNOWN)
        return jg_path_assume(d, arena, s, buffer, truth);
    struct jg_value_info v = *jg_value_info(d, condition);
    if (!narrow(d, arena, s, condition, truth ? INT64_MIN : 0, truth ? INT64_MAX : 0, truth))
        return false;
    if (!jg_value_is_boolean(&v))
        return true;
    if (v.op == JG_BIN_EQ && v.b == JG_VALUE_ZERO)
        return jg_path_assume(d, arena, s, v.a, !truth);
    struct jg_fact a = jg_path_fact(d, s, v.a), b = jg_path_fact(d, s, v.b);
    switch (v.op) {
    case JG_BIN_EQ:
        if (truth)
            return narrow(d, arena, s, v.a, b.low, b.high, b.nonzero) &&
                   narrow(d, arena, s, v.b, a.low, a.high, a.nonzero);
        if (b.low == b.high && a.low == b.low &&
            !narrow(d, arena, s, v.a, a.low + 1, INT64_MAX, false))
            return false;
        if (b.low == b.high && a.high == b.low &&
            !narrow(d, arena, s, v.a, INT64_MIN, a.high - 1, false))
            return false;
        return true;
    case JG_BIN_LT:
        if (truth) // a < b
            return (b.high == INT64_MIN ||
                    narrow(d, arena, s, v.a, INT64_MIN, b.high - (b.high != INT64_MAX), false)) &&
                   (a.low == INT64_MAX ||
                    narrow(d, arena, s, v.b, a.low == INT64_MIN ? a.low : a.low + 1, INT64_MAX,
                           false));
        return narrow(d, arena, s, v.a, b.low, INT64_MAX, false) &&
               narrow(d, arena, s, v.b, INT64_MIN, a.high, false);
    default:
        return true;
    }
}
