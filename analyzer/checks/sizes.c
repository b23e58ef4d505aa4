// SPDX-License-Identifier: Apache-2.0
//
// Sizes and lengths as the code computes them; see sizes.h.

#include "analyzer/checks/sizes.h"

#include <string.h>
#include <strings.h>

#define MAX_DEPTH 8

static const struct jg_size unknown = {.call = JG_NONE, .var = JG_NONE};

static uint32_t argument(const struct jg_unit *u, uint32_t call, uint32_t index)
{
    const struct jg_insn *in = &u->insns.data[call];
    return index < in->arg_count ? u->args.data[in->first_arg + index] : JG_NONE;
}

// A parameter that the function never assigns.
static bool is_fixed_parameter(const struct jg_moment *m, uint32_t var)
{
    const struct jg_unit *u = m->unit;
    if (u->vars.data[var].kind != JG_VAR_PARAM || u->vars.data[var].address_taken)
        return false;
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (jg_insn_writes(u, in, var))
            return false;
    }
    return true;
}

static bool scale(struct jg_size *s, int64_t by)
{
    return !__builtin_mul_overflow(s->times, by, &s->times) &&
           !__builtin_mul_overflow(s->plus, by, &s->plus);
}

static struct jg_size size_of(const struct jg_moment *m, uint32_t temp, int depth);

static struct jg_size combined(const struct jg_moment *m, const struct jg_insn *in, int depth)
{
    struct jg_size a = size_of(m, in->a, depth), b = size_of(m, in->b, depth);
    if (!a.known || !b.known)
        return unknown;
    if (in->sub == JG_BIN_ADD || in->sub == JG_BIN_SUB) {
        if (in->sub == JG_BIN_SUB && !scale(&b, -1))
            return unknown;
        bool same = a.call == b.call && a.var == b.var;
        if (a.times && b.times && !same)
            return unknown;
        struct jg_size sum = a.times ? a : b;
        return __builtin_add_overflow(a.plus, b.plus, &sum.plus) ||
                       __builtin_add_overflow(a.times, b.times, &sum.times)
                   ? unknown
                   : sum;
    }
    if (in->sub == JG_BIN_MUL && (a.times == 0 || b.times == 0)) {
        struct jg_size product = a.times ? a : b;
        return scale(&product, a.times ? b.plus : a.plus) ? product : unknown;
    }
    if (in->sub == JG_BIN_SHL && b.times == 0 && b.plus >= 0 && b.plus < 32)
        return scale(&a, (int64_t)1 << b.plus) ? a : unknown;
    return unknown;
}

static struct jg_size size_of(const struct jg_moment *m, uint32_t temp, int depth)
{
    const struct jg_insn *in = jg_engine_definition(m->engine, temp);
    if (!in || depth == 0)
        return unknown;
    struct jg_size s = unknown;
    switch (in->op) {
    case JG_OP_CONST:
        s.known = true;
        s.plus = in->imm;
        return s;
    case JG_OP_CALL:
        s.known = true;
        s.call = jg_insn_index(m->unit, in);
        s.times = 1;
        return s;
    case JG_OP_LOAD: {
        uint32_t var = jg_engine_loaded(m->engine, temp);
        if (var == JG_NONE)
            return unknown;
        const struct jg_insn *store = jg_engine_sole_store(m->engine, var);
        if (store)
            return size_of(m, store->b, depth - 1);
        if (!is_fixed_parameter(m, var))
            return unknown;
        s.known = true;
        s.var = var;
        s.times = 1;
        return s;
    }
    case JG_OP_BIN:
        return combined(m, in, depth - 1);
    default:
        return unknown;
    }
}

struct jg_size jg_size_of(const struct jg_moment *m, uint32_t temp)
{
    return size_of(m, temp, MAX_DEPTH);
}

static struct jg_size multiply(const struct jg_size *a, const struct jg_size *b)
{
    if (!a->known || !b->known || (a->times && b->times))
        return unknown;
    struct jg_size product = a->times ? *a : *b;
    return scale(&product, a->times ? b->plus : a->plus) ? product : unknown;
}

// What an allocation function returned, by its model: of several `allocated` parameters the
// product.
static struct jg_size allocated(const struct jg_moment *m, uint32_t call)
{
    const struct jg_insn *in = &m->unit->insns.data[call];
    const struct jg_model *model = in->op == JG_OP_CALL && in->sub == JG_CALLEE_SYMBOL
                                       ? jg_engine_model(m->engine, call)
                                       : NULL;
    struct jg_size size = unknown;
    for (uint32_t i = 0; model && i < in->arg_count; i++) {
        const struct jg_model_param *p = jg_model_param(model, i);
        if (p->acquires)
            return unknown; // it is that memory
        if (!(p->uses & JG_USE_ALLOCATED))
            continue;
        struct jg_size factor = jg_size_of(m, argument(m->unit, call, i));
        size = size.known ? multiply(&size, &factor) : factor;
        if (!size.known)
            return unknown;
    }
    return size;
}

// The type of a variable or member; NULL.
static const struct jg_type *type_of(const struct jg_moment *m, jg_region r)
{
    const struct jg_region_info *i = jg_region_info(jg_moment_domain(m), r);
    uint32_t type = i->kind == JG_R_VAR     ? m->unit->vars.data[i->a].type
                    : i->kind == JG_R_FIELD ? jg_unit_field_type(m->unit, i->a)
                                            : JG_NONE;
    return type == JG_NONE ? NULL : &m->unit->types.data[type];
}

struct jg_size jg_size_behind(const struct jg_moment *m, jg_value pointer)
{
    jg_value offset, base = jg_moment_base(m, pointer, &offset);
    const struct jg_value_info info = *jg_moment_value(m, base);
    struct jg_size s = unknown;
    int64_t by = 0;
    uint32_t element = 1;
    if (info.kind == JG_V_ADDR) {
        const struct jg_region_info r = *jg_region_info(jg_moment_domain(m), info.a);
        const struct jg_type *t = type_of(m, r.kind == JG_R_INDEX ? r.parent : info.a);
        if (!t || !t->size || (offset == JG_VALUE_UNKNOWN && base != pointer))
            return unknown;
        // The address of a member may stand for that of all that follow it.
        if (r.kind == JG_R_FIELD)
            return unknown;
        // A last member may be longer than it says.
        if (r.kind == JG_R_INDEX && (t->kind != JG_TYPE_ARRAY || t->array_count <= 1))
            return unknown;
        s.known = true;
        s.plus = t->size;
        element = r.kind == JG_R_INDEX ? t->size / t->array_count : 1;
        if (base == pointer && r.kind != JG_R_INDEX)
            return s;
    } else {
        uint32_t made = jg_moment_made(m, base);
        if (made != JG_NONE)
            s = allocated(m, made);
        if (offset != JG_VALUE_ZERO)
            return unknown; // in elements of a type that is not known here
    }
    if (!s.known || !jg_moment_constant(m, offset, &by) || by < 0)
        return unknown;
    s.plus -= by * element;
    return s;
}

const char *jg_buffer_name(const struct jg_moment *m, jg_value pointer)
{
    jg_value base = jg_moment_base(m, pointer, NULL);
    const struct jg_value_info info = *jg_moment_value(m, base);
    if (info.kind != JG_V_ADDR)
        return jg_moment_name(m, base);
    const struct jg_region_info r = *jg_region_info(jg_moment_domain(m), info.a);
    return jg_moment_place_name(m, r.kind == JG_R_INDEX ? r.parent : info.a);
}

bool jg_size_is_from(const struct jg_moment *m, const struct jg_size *s, enum jg_jni_slot slot)
{
    if (!s->known || s->times == 0 || s->call == JG_NONE)
        return false;
    return jg_insn_calls(&m->unit->insns.data[s->call], slot);
}

// ---- lengths of Java arrays and strings ---------------------------------------------------------

bool jg_same_object(const struct jg_moment *m, uint32_t call, uint32_t other)
{
    uint32_t a = argument(m->unit, call, 1), b = argument(m->unit, other, 1);
    const struct jg_insn *x = jg_engine_definition(m->engine, a);
    if (x && x == jg_engine_definition(m->engine, b))
        return true;
    uint32_t var = jg_engine_loaded(m->engine, a);
    return var != JG_NONE && var == jg_engine_loaded(m->engine, b) &&
           (jg_engine_sole_store(m->engine, var) || is_fixed_parameter(m, var));
}

// The JNI call that an instruction is; NULL.
static const struct jg_jni_function *jni_call(const struct jg_moment *m, uint32_t insn)
{
    const struct jg_insn *in = insn == JG_NONE ? NULL : &m->unit->insns.data[insn];
    return in ? jg_insn_jni(in) : NULL;
}

static bool tells_length(const struct jg_moment *m, uint32_t insn, uint32_t call)
{
    const struct jg_jni_function *fn = jni_call(m, insn);
    return fn && fn->result == JG_RESULT_LENGTH && jg_same_object(m, insn, call);
}

// The length that the array `call` names was made with, if it was made here.
static struct jg_size made_with(const struct jg_moment *m, uint32_t call)
{
    struct jg_size array = jg_size_of(m, argument(m->unit, call, 1));
    if (!array.known || array.call == JG_NONE || array.times != 1 || array.plus != 0)
        return unknown;
    const struct jg_jni_function *fn = jni_call(m, array.call);
    int at = fn && fn->result == JG_RESULT_LOCAL ? jg_jni_param(fn, JG_PARAM_LENGTH) : -1;
    bool is_array = fn && strncmp(fn->name, "New", 3) == 0 && strstr(fn->name, "Array");
    return at >= 0 && is_array ? jg_size_of(m, argument(m->unit, array.call, (uint32_t)at))
                               : unknown;
}

bool jg_is_length_of(const struct jg_moment *m, jg_value v, uint32_t call, int64_t *c)
{
    jg_value base, offset;
    if (!jg_value_split(jg_moment_domain(m), v, &base, &offset) ||
        jg_moment_value(m, offset)->kind != JG_V_CONST)
        return false;
    *c = jg_moment_value(m, offset)->c;
    uint32_t made = jg_moment_made(m, base);
    if (made != JG_NONE && tells_length(m, made, call))
        return true;
    struct jg_size length = made_with(m, call);
    bool same = length.times == 1 &&
                ((length.call != JG_NONE && length.call == made) ||
                 (length.var != JG_NONE && length.var == jg_moment_parameter(m, base)));
    if (!length.known || !same)
        return false;
    *c -= length.plus;
    return true;
}

struct most {
    const struct jg_moment *m;
    uint32_t call;
    int64_t most;
};

static void narrowed(void *context, jg_value v, int64_t low, int64_t high)
{
    struct most *x = context;
    (void)low;
    if (high < x->most && tells_length(x->m, jg_moment_made(x->m, v), x->call))
        x->most = high;
}

int64_t jg_length_at_most(const struct jg_moment *m, uint32_t call)
{
    struct most x = {.m = m, .call = call, .most = INT64_MAX};
    struct jg_size length = made_with(m, call);
    if (length.known && length.times == 0)
        return length.plus;
    jg_moment_facts(m, narrowed, &x);
    return x.most;
}

uint32_t jg_element_size(const struct jg_moment *m, uint32_t call)
{
    static const struct {
        const char *name;
        uint32_t size;
    } types[] = {{"Boolean", 1}, {"Byte", 1}, {"Char", 2},  {"Short", 2},
                 {"Int", 4},     {"Long", 8}, {"Float", 4}, {"Double", 8}};
    const struct jg_jni_function *fn = jni_call(m, call);
    if (!fn)
        return 0;
    const char *name = fn->name;
    struct jg_size array = jg_size_of(m, argument(m->unit, call, 1));
    const struct jg_jni_function *maker = array.known ? jni_call(m, array.call) : NULL;
    const struct jg_insn *in = jg_engine_definition(m->engine, argument(m->unit, call, 1));
    if (strcmp(name, "GetPrimitiveArrayCritical") != 0)
        name += 3; // Get, Set
    else if (maker && strncmp(maker->name, "New", 3) == 0)
        name = maker->name + 3;
    else
        name = in && in->type != JG_NONE ? jg_unit_str(m->unit, m->unit->types.data[in->type].name)
                                         : "";
    name += *name == 'j'; // of a type
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t n = strlen(types[i].name);
        if (strncasecmp(name, types[i].name, n) == 0 && strncmp(name + n, "Array", 5) == 0)
            return types[i].size;
    }
    if (strncmp(name, "StringRegion", 12) == 0)
        return 2;
    return strncmp(name, "StringUTFRegion", 15) == 0 ? 1 : 0;
}
