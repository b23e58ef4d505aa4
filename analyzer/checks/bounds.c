// SPDX-License-Identifier: Apache-2.0
//
// Array elements accessed outside their array, where that is certain: an index that is no smaller
// than the length on this path, a loop that runs while `i <= length`, a constant number of bytes
// that is too large. Also, as a weak note, an index that Java passes and nobody compares with
// anything.
//
// Not seen: indexes of elements through pointers to another type, and lengths that the code learns
// in another way than from GetArrayLength or the constant in New…Array.

#include "analyzer/checks/describe.h"
#include "analyzer/checks/sizes.h"

#include <string.h>

// jg_violation.detail; the event says whether something is written (USE) or read (ACCESS).
static const char before_start[] = "before", past_end[] = "past", last_turn[] = "turn",
                  bytes_past[] = "bytes";

struct access {
    const struct jg_moment *m;
    struct jg_seen object;
    jg_value pointer, index;
    uint32_t size; // of an element
};

// Is the pointer computed in steps of elements of that size all the way from the acquisition?
static bool counts_elements(const struct jg_moment *m, uint32_t temp, uint32_t size, int depth)
{
    const struct jg_unit *u = m->unit;
    const struct jg_insn *in = jg_engine_definition(m->engine, temp);
    if (!in || depth == 0)
        return false;
    const struct jg_type *t = in->type == JG_NONE ? NULL : &u->types.data[in->type];
    bool fits = t && t->pointee != JG_NONE && u->types.data[t->pointee].size == size;
    if (in->op == JG_OP_CALL)
        return true;
    if (in->op == JG_OP_BIN)
        return fits && counts_elements(m, in->a, size, depth - 1);
    if (in->op == JG_OP_ADDR)
        return fits && u->places.data[in->a].base_kind == JG_BASE_DEREF &&
               counts_elements(m, u->places.data[in->a].base, size, depth - 1);
    if (in->op == JG_OP_PHI) {
        for (uint32_t k = 1; k < in->arg_count; k += 2)
            if (!counts_elements(m, u->args.data[in->first_arg + k], size, depth - 1))
                return false;
        return true;
    }
    uint32_t var = jg_engine_loaded(m->engine, temp);
    if (var == JG_NONE)
        return false;
    const struct jg_insn *store = jg_engine_sole_store(m->engine, var);
    const struct jg_type *v = &u->types.data[u->vars.data[var].type];
    bool untyped = v->pointee != JG_NONE && u->types.data[v->pointee].size == 0;
    return (fits || untyped) && (store ? counts_elements(m, store->b, size, depth - 1) : fits);
}

// Array elements whose index is known as a value.
static bool find(struct access *a, const struct jg_moment *m, jg_value pointer)
{
    a->m = m;
    jg_value base = jg_moment_base(m, pointer, &a->index);
    if (a->index == JG_VALUE_UNKNOWN || !jg_moment_object(m, pointer, &a->object) ||
        (a->object.kind != JG_KIND_ELEMENTS && a->object.kind != JG_KIND_CRITICAL) ||
        jg_moment_made(m, base) != a->object.origin || a->object.origin == JG_NONE)
        return false;
    a->size = jg_element_size(m, a->object.origin);
    a->pointer = pointer;
    return a->size != 0;
}

static void report(const struct access *a, const char *detail, int64_t number, bool writes)
{
    struct jg_violation v = jg_violation_of(JG_RULE_BUFFER_OVERRUN);
    v.kind = a->object.kind;
    v.event = writes ? JG_EVENT_USE : JG_EVENT_ACCESS;
    v.origin = a->object.origin;
    v.detail = detail;
    v.number = number;
    v.name = jg_moment_name(a->m, jg_moment_base(a->m, a->pointer, NULL));
    v.other = jg_moment_name(a->m, a->object.owner);
    jg_moment_report(a->m, v, a->m->insn);
}

// ---- the last turn of a loop --------------------------------------------------------------------

struct bound {
    const struct access *a;
    bool inclusive, exclusive; // index <= length; index < length
    unsigned others;           // other comparisons that the index takes part in
};

static void compare(void *context, jg_value v, int64_t low, int64_t high)
{
    struct bound *x = context;
    const struct jg_moment *m = x->a->m;
    const struct jg_value_info i = *jg_moment_value(m, v);
    if (!jg_value_is_boolean(&i) || low != high ||
        !jg_value_contains(jg_moment_domain(m), v, x->a->index))
        return;
    if (jg_moment_value(m, i.a)->kind == JG_V_CONST || jg_moment_value(m, i.b)->kind == JG_V_CONST)
        return; // the range of the index says it
    int64_t c;
    uint32_t origin = x->a->object.origin;
    // index < n + c, or not n + c < index
    if (i.op == JG_BIN_LT && low == 1 && i.a == x->a->index &&
        jg_is_length_of(m, i.b, origin, &c)) {
        x->inclusive |= c == 1;
        x->exclusive |= c <= 0;
    } else if (i.op == JG_BIN_LT && low == 0 && i.b == x->a->index &&
               jg_is_length_of(m, i.a, origin, &c)) {
        x->inclusive |= c == 0;
        x->exclusive |= c < 0;
    } else {
        x->others++;
    }
}

// Is the access reached from the head of the loop that the index counts without another branch?
static bool is_unconditional(const struct jg_moment *m, uint32_t head)
{
    const struct jg_unit *u = m->unit;
    const struct jg_function *f = &u->functions.data[m->function];
    const struct jg_block *b = &u->blocks.data[f->first_block + head];
    uint32_t at = b->succ_count ? u->succs.data[b->first_succ] : head;
    for (int i = 0; i < 4; i++) {
        if (at == m->block)
            return true;
        b = &u->blocks.data[f->first_block + at];
        if (b->term != JG_TERM_JUMP)
            return false;
        at = u->succs.data[b->first_succ];
    }
    return false;
}

// The index counts the turns of a loop, and the access belongs to every one of them.
static bool in_last_turn(const struct access *a, int64_t most)
{
    const struct jg_moment *m = a->m;
    const struct jg_value_info index = *jg_moment_value(m, a->index);
    const struct jg_function *f = &m->unit->functions.data[m->function];
    if (index.kind != JG_V_PHI || index.older ||
        !m->unit->blocks.data[f->first_block + index.a].loop_header ||
        !is_unconditional(m, index.a))
        return false;
    int64_t low, high;
    jg_moment_range(m, a->index, &low, &high);
    struct bound x = {.a = a};
    jg_moment_facts(m, compare, &x);
    bool constant = most != INT64_MAX && high != INT64_MAX && high >= most && x.others == 0;
    return constant || (x.inclusive && !x.exclusive && x.others == 0);
}

static void check_index(const struct access *a, bool writes)
{
    const struct jg_moment *m = a->m;
    int64_t low, high, c, most = jg_length_at_most(m, a->object.origin);
    jg_moment_range(m, a->index, &low, &high);
    if (high < 0)
        report(a, before_start, high, writes);
    else if (low >= most)
        report(a, past_end, most, writes);
    else if (jg_is_length_of(m, a->index, a->object.origin, &c) && c >= 0)
        report(a, past_end, -1, writes);
    else if (in_last_turn(a, most))
        report(a, last_turn, most == INT64_MAX ? -1 : most, writes);
}

// An index that Java passes, as it came.
static void check_parameter(const struct access *a)
{
    const struct jg_moment *m = a->m;
    uint32_t var = jg_moment_parameter(m, a->index);
    int64_t low, high;
    jg_moment_range(m, a->index, &low, &high);
    struct bound x = {.a = a};
    jg_moment_facts(m, compare, &x);
    if (var == JG_NONE || !jg_moment_is_native(m) || low != INT64_MIN || high != INT64_MAX ||
        x.others || x.inclusive || x.exclusive)
        return;
    struct jg_violation v = jg_violation_of(JG_RULE_REGION_BOUNDS);
    v.kind = a->object.kind;
    v.origin = a->object.origin;
    v.number = var;
    v.parameter = true;
    v.name = jg_moment_name(m, a->index);
    v.other = jg_moment_name(m, a->object.owner);
    jg_moment_report(m, v, a->object.origin);
}

static void check_access(const struct jg_moment *m, bool writes)
{
    const struct jg_unit *u = m->unit;
    const struct jg_place *p = &u->places.data[m->place];
    struct access a;
    if (p->type == JG_NONE || p->elem_count > 1 || !find(&a, m, m->pointer) ||
        u->types.data[p->type].size != a.size || u->types.data[p->type].kind == JG_TYPE_RECORD)
        return;
    if (!counts_elements(m, p->base, a.size, 6))
        return;
    check_index(&a, writes);
    check_parameter(&a);
}

void jg_watch_index_write(const struct jg_moment *m)
{
    check_access(m, true);
}

void jg_watch_index_read(const struct jg_moment *m)
{
    check_access(m, false);
}

// memcpy and its like, with a number of bytes that the array does not have.
void jg_watch_bytes(const struct jg_moment *m)
{
    const struct jg_model *model = jg_moment_model(m);
    int at = model ? jg_model_param_with(model, JG_USE_SIZE) : -1;
    if (at < 0 || (uint32_t)at >= m->call->arg_count)
        return;
    for (uint32_t i = 0; i < m->call->arg_count && i < (uint32_t)at; i++) {
        unsigned uses = jg_model_param(model, i)->uses;
        struct access a;
        uint32_t temp = m->unit->args.data[m->call->first_arg + i];
        int64_t index, low, high;
        bool stops = strncmp(jg_moment_callee(m), "str", 3) == 0; // at a terminator, maybe
        if (!(uses & (JG_USE_OUT | JG_USE_IN)) || stops || !find(&a, m, m->args[i]) ||
            !jg_moment_constant(m, a.index, &index) ||
            (index != 0 && !counts_elements(m, temp, a.size, 6)))
            continue;
        int64_t most = jg_length_at_most(m, a.object.origin);
        jg_moment_range(m, m->args[at], &low, &high);
        if (most < INT32_MAX && index >= 0 && index <= most && low > (most - index) * a.size &&
            low < INT32_MAX)
            report(&a, bytes_past, (most - index) * a.size, (uses & JG_USE_OUT) != 0);
    }
}

// ---- texts --------------------------------------------------------------------------------------

static const char *array_name(const struct jg_describe *d)
{
    return d->violation->other ? jg_bump_format(d->arena, "'%s'", d->violation->other)
                               : "the array";
}

static const char *access_text(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const struct jg_insn *in = &d->unit->insns.data[v->insn];
    const char *text = in->op == JG_OP_CALL ? NULL : jg_engine_place(d->engine, in->a);
    return text ? jg_bump_format(d->arena, "'%s'", text)
                : jg_bump_format(d->arena, "an element of %s", jg_object_text(d));
}

bool jg_describe_overrun(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *array = array_name(d);
    bool writes = v->event == JG_EVENT_USE;
    const char *verb = writes ? "written" : "read";
    const char *harm = writes ? "memory of something else is overwritten"
                              : "what is there belongs to something else";
    if (v->detail == before_start)
        jg_describe_at(d, v->insn,
                       "%s is %s in '%s' at the negative index %lld; %s: use an index from 0 on",
                       access_text(d), verb, d->function, (long long)v->number, harm);
    else if (v->detail == bytes_past)
        jg_describe_at(d, v->insn,
                       "more bytes are %s through %s in '%s' than the %lld that %s has from there "
                       "on; %s: pass at most %lld",
                       verb, jg_object_text(d), d->function, (long long)v->number, array, harm,
                       (long long)v->number);
    else if (v->detail == last_turn && v->number >= 0)
        jg_describe_at(d, v->insn,
                       "%s is %s in '%s' past the end of %s, which has at most %lld elements here; "
                       "%s: end the loop before the index is %lld",
                       access_text(d), verb, d->function, array, (long long)v->number, harm,
                       (long long)v->number);
    else if (v->detail == last_turn)
        jg_describe_at(
            d, v->insn,
            "in the last iteration of the loop in '%s', %s is %s one past the end of %s, since the "
            "index may be equal to its length; %s: compare with '<'",
            d->function, access_text(d), verb, array, harm);
    else if (v->number >= 0)
        jg_describe_at(d, v->insn,
                       "%s is %s in '%s', but %s has at most %lld elements here; %s: use an index "
                       "from 0 to %lld",
                       access_text(d), verb, d->function, array, (long long)v->number, harm,
                       (long long)v->number - 1);
    else
        jg_describe_at(d, v->insn,
                       "%s is %s in '%s' at an index that is not below the length of %s; %s: use "
                       "an index up to GetArrayLength - 1",
                       access_text(d), verb, d->function, array, harm);
    jg_describe_path_past(d, 1, v->origin, "acquired here");
    jg_describe_step(d, v->insn, "%s outside the array here", verb);
    return true;
}
