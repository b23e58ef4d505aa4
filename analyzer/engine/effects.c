// SPDX-License-Identifier: Apache-2.0
//
// What functions can do, without regard to flow: make JNI calls, push frames, and which of their
// arguments they release, keep or write through. In: the functions of a component, and the effects
// of all that they call. Out: their `effects` in the analysis.
//
// Each value carries the set of parameters that it comes from, loads through a pointer included:
// who releases `ctx->chars` releases something that `ctx` leads to. Callees that are defined here
// are followed to a fixed point; others count as releasing only when they get env and their name
// says so, as where they are called directly (calls.c).

#include "analyzer/engine/internal.h"
#include "rules/jni.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROUNDS 8

struct flow {
    struct jg_analysis *a;
    uint32_t unit;
    const struct jg_unit *u;
    const struct jg_function *f;
    uint64_t *temps, *vars; // bit i: comes from parameter i; bit 32 + i: by pointers alone
    bool *envs;             // temporary -> it is a JNIEnv or JavaVM pointer
    struct jg_effects *out;
    bool changed;
};

static bool is_own_var(const struct flow *w, uint32_t var)
{
    return var >= w->f->first_var && var - w->f->first_var < w->f->var_count &&
           w->u->vars.data[var].kind != JG_VAR_STATIC;
}

static uint64_t bit_of(const char *name)
{
    uint32_t hash = 2166136261u; // FNV-1a
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return UINT64_C(1) << (hash >> 26);
}

uint64_t jg_static_bit(const struct jg_unit *u, uint32_t var)
{
    return bit_of(jg_unit_str(u, u->vars.data[var].name));
}

uint64_t jg_field_bit(const struct jg_program *p, const struct jg_unit *u, uint32_t field)
{
    const char *record, *name = NULL;
    const struct jg_field *f = jg_unit_field(u, field);
    if (f)
        return bit_of(jg_unit_str(u, f->name));
    jg_program_field_name(p, field & ~JG_FIELD_OF_PROGRAM, &record, &name);
    return name ? bit_of(name) : UINT64_MAX;
}

// Who has the address of a static may store to it.
static void write_static(struct flow *w, const struct jg_place *p)
{
    if (p->base_kind == JG_BASE_VAR && w->u->vars.data[p->base].kind == JG_VAR_STATIC)
        w->out->statics |= jg_static_bit(w->u, p->base);
}

static uint64_t origin_of_place(const struct flow *w, const struct jg_place *p)
{
    if (p->base_kind == JG_BASE_DEREF)
        return w->temps[p->base];
    return is_own_var(w, p->base) ? w->vars[p->base - w->f->first_var] : 0;
}

static void put(struct flow *w, const struct jg_place *p, uint64_t from, bool pointer)
{
    if (p->base_kind == JG_BASE_VAR && is_own_var(w, p->base)) {
        uint64_t *var = &w->vars[p->base - w->f->first_var];
        w->changed |= (*var | from) != *var;
        *var |= from;
    } else if (pointer) {
        w->out->kept |= (uint32_t)from;
    }
}

// What is stored to is the last field on the way that is not one of several in a union, or all that
// the pointer leads to.
static void write_field(struct flow *w, const struct jg_place *p)
{
    uint64_t bit = UINT64_MAX;
    for (uint32_t i = 0; i < p->elem_count; i++) {
        const struct jg_elem *e = &w->u->elems.data[p->first_elem + i];
        if (e->kind != JG_ELEM_FIELD)
            continue;
        const char *record = jg_unit_str(w->u, w->u->fields.data[e->value].record);
        if (*record && strncmp(record, "union ", 6) != 0) // one without a name may be a union
            bit = jg_field_bit(w->a->program, w->u, e->value);
    }
    w->out->fields |= bit;
}

static void write_through(struct flow *w, const struct jg_place *p)
{
    uint32_t from = p->base_kind == JG_BASE_DEREF ? (uint32_t)(w->temps[p->base] >> 32) : 0;
    w->out->written |= from; // a number that picks the element is not written to
    if (from)
        write_field(w, p);
    bool plain = p->base_kind == JG_BASE_DEREF;
    for (uint32_t i = 0; i < p->elem_count; i++)
        plain &= w->u->elems.data[p->first_elem + i].kind != JG_ELEM_FIELD;
    if (plain && !from) // the pointer may lead to any variable
        w->out->statics = UINT64_MAX;
}

// A pointer that comes from a parameter is given to somebody who may store anywhere behind it.
static void write_behind(struct flow *w, const struct jg_insn *call, uint32_t arg)
{
    uint32_t from = (uint32_t)(w->temps[w->u->args.data[call->first_arg + arg]] >> 32);
    const struct jg_symbol *s = call->sub == JG_CALLEE_SYMBOL ? &w->u->symbols.data[call->a] : NULL;
    uint32_t type =
        s && arg < s->param_count ? w->u->param_types.data[s->first_param + arg] : JG_NONE;
    if (!from || (type != JG_NONE && w->u->types.data[type].const_pointee))
        return;
    w->out->written |= from;
    w->out->fields = UINT64_MAX;
}

bool jg_takes_function(const struct jg_unit *u, const struct jg_symbol *s)
{
    for (uint32_t i = 0; i < s->param_count; i++) {
        const struct jg_type *t = &u->types.data[u->param_types.data[s->first_param + i]];
        if (t->kind == JG_TYPE_POINTER && t->pointee != JG_NONE &&
            u->types.data[t->pointee].kind == JG_TYPE_FUNCTION)
            return true;
    }
    return false;
}

static bool is_env(const struct jg_unit *u, uint32_t type)
{
    enum jg_type_role role =
        type == JG_NONE ? JG_ROLE_NONE : (enum jg_type_role)u->types.data[type].role;
    return role == JG_ROLE_ENV || role == JG_ROLE_VM;
}

// Or a number that is wide enough for one: a handle.
static bool holds_pointer(const struct flow *w, uint32_t type)
{
    const struct jg_type *t = type == JG_NONE ? NULL : &w->u->types.data[type];
    return t && (t->kind == JG_TYPE_POINTER || t->kind == JG_TYPE_RECORD ||
                 (t->kind == JG_TYPE_INT && t->size >= sizeof(void *)));
}

static bool is_pointer(const struct flow *w, uint32_t type)
{
    return type != JG_NONE && (w->u->types.data[type].kind == JG_TYPE_POINTER ||
                               w->u->types.data[type].kind == JG_TYPE_OTHER || // C++ reference
                               w->u->types.data[type].kind == JG_TYPE_RECORD);
}

// A function without known body that gets env, or a callback, may make JNI calls.
static bool passes_env(const struct jg_unit *u, const struct jg_insn *call)
{
    if (call->sub != JG_CALLEE_SYMBOL)
        return true;
    const struct jg_symbol *s = &u->symbols.data[call->a];
    for (uint32_t i = 0; i < s->param_count; i++) {
        if (is_env(u, u->param_types.data[s->first_param + i]))
            return true;
    }
    return (s->flags & JG_SYM_IMPLICIT) != 0;
}

static void release(struct flow *w, uint64_t from)
{
    w->out->released |= (uint32_t)from;
    if (!from)
        w->out->what |= JG_EFFECT_RELEASES;
}

static void call_jni(struct flow *w, const struct jg_insn *in)
{
    const struct jg_jni_function *fn = jg_jni_function(in->a);
    w->out->what |= JG_EFFECT_JNI | JG_EFFECT_GETS_ENV;
    if (in->a == JG_JNI_EnsureLocalCapacity)
        w->out->what |= JG_EFFECT_RESERVES;
    if (fn->flags & JG_JNI_PUSHES_FRAME)
        w->out->what |= JG_EFFECT_PUSHES;
    if (fn->flags & JG_JNI_POPS_FRAME)
        w->out->what |= JG_EFFECT_POPS;
    for (uint32_t p = 1; p < in->arg_count; p++)
        if (p < fn->param_count &&
            (fn->params[p].role == JG_PARAM_REGION_OUT || fn->params[p].role == JG_PARAM_OUT ||
             fn->params[p].role == JG_PARAM_ISCOPY))
            write_behind(w, in, p);
    for (uint32_t p = 1; p < in->arg_count; p++) // a number that Java may give back
        if (p >= fn->param_count || fn->params[p].role == JG_PARAM_VALUE)
            w->out->kept |= (uint32_t)w->temps[w->u->args.data[in->first_arg + p]];
    for (unsigned p = 1; p < fn->param_count && p < in->arg_count; p++)
        if (fn->params[p].role == JG_PARAM_RELEASE || fn->params[p].role == JG_PARAM_MONITOR_EXIT ||
            (fn->params[p].role >= JG_PARAM_DELETE_LOCAL &&
             fn->params[p].role <= JG_PARAM_DELETE_WEAK))
            release(w, w->temps[w->u->args.data[in->first_arg + p]]);
}

static void call_known(struct flow *w, const struct jg_insn *in, const struct jg_effects *callee)
{
    w->out->what |= callee->what;
    w->out->statics |= callee->statics;
    w->out->fields |= callee->fields;
    for (uint32_t i = 0; i < in->arg_count; i++) {
        uint64_t from = w->temps[w->u->args.data[in->first_arg + i]];
        bool known = i < JG_MAX_EFFECT_PARAMS;
        if (!known || callee->released >> i & 1)
            release(w, from);
        if (!known || callee->kept >> i & 1)
            w->out->kept |= (uint32_t)from;
        if (known && callee->written >> i & 1)
            w->out->written |= (uint32_t)(from >> 32);
    }
}

// A number read from memory that has no room for a pointer: an element, a character.
static bool is_plain_number(const struct flow *w, const struct jg_insn *load)
{
    const struct jg_type *t = load->type == JG_NONE ? NULL : &w->u->types.data[load->type];
    return t && w->u->places.data[load->a].base_kind == JG_BASE_DEREF &&
           (t->kind == JG_TYPE_FLOAT || t->kind == JG_TYPE_BOOL ||
            (t->kind == JG_TYPE_INT && t->size < sizeof(void *)));
}

static bool gets_env(const struct flow *w, const struct jg_insn *call)
{
    for (uint32_t i = 0; i < call->arg_count; i++)
        if (w->envs[w->u->args.data[call->first_arg + i]])
            return true;
    return false;
}

static void call_unknown(struct flow *w, const struct jg_insn *in)
{
    for (uint32_t i = 0; i < in->arg_count; i++)
        write_behind(w, in, i);
    if (in->sub == JG_CALLEE_SYMBOL && jg_takes_function(w->u, &w->u->symbols.data[in->a]))
        w->out->statics = UINT64_MAX;
    bool callback = in->sub != JG_CALLEE_SYMBOL;
    if (in->sub == JG_CALLEE_INVOKE || !passes_env(w->u, in))
        return;
    w->out->what |= JG_EFFECT_UNSEEN;
    w->out->statics = UINT64_MAX;
    w->out->what |= JG_EFFECT_JNI | (!callback || gets_env(w, in) ? JG_EFFECT_GETS_ENV : 0);
    const char *name = callback ? "" : jg_unit_str(w->u, w->u->symbols.data[in->a].name);
    if (callback)
        w->out->what |= JG_EFFECT_RELEASES;
    for (uint32_t i = 0; (callback || jg_name_hints(name, JG_HINT_RELEASE)) && i < in->arg_count;
         i++)
        release(w, w->temps[w->u->args.data[in->first_arg + i]]);
}

// Does the model say that references come out of the parameters?
static bool stores_references(const struct jg_model *m)
{
    for (unsigned i = 0; m && i < JG_MODEL_PARAMS; i++) {
        const struct jg_model_param *p = jg_model_param(m, i);
        if (p->acquires == JG_OBJECT_LOCAL || p->elements == JG_OBJECT_LOCAL ||
            p->fields == JG_OBJECT_LOCAL)
            return true;
    }
    return false;
}

static void call_modelled(struct flow *w, const struct jg_insn *in)
{
    uint32_t insn = jg_insn_index(w->u, in);
    const struct jg_model *m = jg_program_model(w->a->program, w->unit, insn);
    bool copies = m && jg_model_param(m, 0)->uses & JG_USE_OUT; // memcpy: what is copied is kept
    for (uint32_t i = 1; copies && i < in->arg_count; i++)
        if (jg_model_param(m, i)->uses & JG_USE_IN)
            w->out->kept |= (uint32_t)w->temps[w->u->args.data[in->first_arg + i]];
    if (stores_references(jg_program_model(w->a->program, w->unit, insn)))
        w->out->what |= JG_EFFECT_ACQUIRES;
    uint32_t released = jg_analysis_pair(w->a, w->unit, insn, false);
    if (released != JG_NONE) {
        uint32_t param = (uint32_t)jg_models_pair(jg_models_current(), released)->released;
        w->out->what |= JG_EFFECT_ACQUIRES;
        if (param < in->arg_count)
            release(w, w->temps[w->u->args.data[in->first_arg + param]]);
    }
    if (jg_analysis_pair(w->a, w->unit, insn, true) != JG_NONE)
        w->out->what |= JG_EFFECT_ACQUIRES;
}

static void call_thread(struct flow *w, const struct jg_insn *in)
{
    uint32_t insn = jg_insn_index(w->u, in);
    if (jg_call_may_attach(w->a, w->unit, insn))
        w->out->what |= JG_EFFECT_ATTACHES;
    if (jg_call_may_detach(w->a, w->unit, insn))
        w->out->what |= JG_EFFECT_DETACHES;
    if (in->op != JG_OP_CALL || in->sub != JG_CALLEE_INVOKE)
        return;
    w->out->what |= JG_EFFECT_INVOKES;
    int out = jg_jni_param(jg_invoke_function(in->a), JG_PARAM_OUT); // the environment
    if (out >= 0 && (uint32_t)out < in->arg_count)
        w->out->written |=
            (uint32_t)(w->temps[w->u->args.data[in->first_arg + (uint32_t)out]] >> 32);
}

static uint64_t flow_through(struct flow *w, const struct jg_insn *in)
{
    const struct jg_unit *u = w->u;
    struct jg_effects known;
    uint64_t from = 0;
    switch (in->op) {
    case JG_OP_LOAD:
        from = origin_of_place(w, &u->places.data[in->a]);
        return is_pointer(w, in->type) ? from : is_plain_number(w, in) ? 0 : (uint32_t)from;
    case JG_OP_ADDR:
        write_static(w, &u->places.data[in->a]);
        if (u->places.data[in->a].base_kind == JG_BASE_DEREF)
            write_field(w, &u->places.data[in->a]);
        return origin_of_place(w, &u->places.data[in->a]);
    case JG_OP_HAVOC:
        if (in->a != JG_NONE && in->dst == JG_NONE) {
            write_static(w, &u->places.data[in->a]);
            write_through(w, &u->places.data[in->a]);
        }
        return 0;
    case JG_OP_STORE:
        write_static(w, &u->places.data[in->a]);
        write_through(w, &u->places.data[in->a]);
        put(w, &u->places.data[in->a], w->temps[in->b], holds_pointer(w, in->type));
        return 0;
    case JG_OP_COPY:
        write_static(w, &u->places.data[in->a]);
        write_through(w, &u->places.data[in->a]);
        put(w, &u->places.data[in->a], origin_of_place(w, &u->places.data[in->b]), true);
        return 0;
    case JG_OP_BIN:
        return in->sub >= JG_BIN_EQ ? 0 : w->temps[in->a] | w->temps[in->b];
    case JG_OP_CAST:
        return w->temps[in->a];
    case JG_OP_PHI:
        for (uint32_t k = 1; k < in->arg_count; k += 2)
            from |= w->temps[u->args.data[in->first_arg + k]];
        return from;
    case JG_OP_SCOPE_EXIT:
        if (in->b != JG_NONE) { // its cleanup function
            const struct jg_effects *cleanup = jg_analysis_effects(w->a, w->unit, in->b);
            w->out->what |= JG_EFFECT_JNI | JG_EFFECT_GETS_ENV;
            w->out->statics |= cleanup ? cleanup->statics : UINT64_MAX;
            w->out->fields = UINT64_MAX;
            if (cleanup)
                w->out->what |= cleanup->what & (JG_EFFECT_PUSHES | JG_EFFECT_POPS);
            release(w, is_own_var(w, in->a) ? w->vars[in->a - w->f->first_var] : 0);
            call_thread(w, in);
        }
        return 0;
    case JG_OP_CALL:
        if (in->sub == JG_CALLEE_JNI)
            call_jni(w, in);
        else if (jg_analysis_call_effects(w->a, w->unit, jg_insn_index(u, in), &known))
            call_known(w, in, &known);
        else
            call_unknown(w, in);
        call_modelled(w, in);
        call_thread(w, in);
        return 0;
    default:
        return 0;
    }
}

static bool calls_no_return(const struct flow *w, const struct jg_block *block)
{
    for (uint32_t i = 0; i < block->insn_count; i++) {
        const struct jg_insn *in = &w->u->insns.data[block->first_insn + i];
        const struct jg_effects *known = in->op == JG_OP_CALL && in->sub == JG_CALLEE_SYMBOL
                                             ? jg_analysis_effects(w->a, w->unit, in->a)
                                             : NULL;
        if (known && known->what & JG_EFFECT_NEVER_RETURNS)
            return true;
    }
    return false;
}

// Does control come to a return other than through block `avoided`, and through none that calls a
// function of the program that never returns? What C's own attributes say the frontend has cut off.
static bool comes_to_return(const struct flow *w, uint32_t avoided)
{
    bool *seen = jg_calloc(w->f->block_count + 1, sizeof *seen), returns = false;
    const struct jg_block *blocks = &w->u->blocks.data[w->f->first_block];
    seen[0] = w->f->block_count != 0;
    returns = w->f->block_count == 0;
    // Blocks are in reverse post-order: only loops lead back, and their heads have been seen.
    for (uint32_t b = 0; b < w->f->block_count && !returns; b++) {
        if (!seen[b] || b == avoided || calls_no_return(w, &blocks[b]))
            continue;
        returns = blocks[b].term == JG_TERM_RETURN || blocks[b].term == JG_TERM_THROW;
        for (uint32_t i = 0; i < blocks[b].succ_count; i++)
            seen[w->u->succs.data[blocks[b].first_succ + i]] = true;
    }
    free(seen);
    return returns;
}

static bool blocks(const struct flow *w, const struct jg_insn *in)
{
    if (in->op != JG_OP_CALL || in->sub != JG_CALLEE_SYMBOL)
        return false;
    const struct jg_effects *known = jg_analysis_effects(w->a, w->unit, in->a);
    const struct jg_model *model =
        jg_program_model(w->a->program, w->unit, (uint32_t)(in - w->u->insns.data));
    return known ? known->blocks != 0 : model && model->does & JG_DOES_BLOCKS;
}

// The first call that may block and that no way through the function avoids.
static uint32_t find_blocking_call(const struct flow *w)
{
    for (uint32_t b = 0; b < w->f->block_count; b++) {
        const struct jg_block *block = &w->u->blocks.data[w->f->first_block + b];
        for (uint32_t i = 0; i < block->insn_count; i++)
            if (blocks(w, &w->u->insns.data[block->first_insn + i]) && !comes_to_return(w, b))
                return block->first_insn + i + 1;
    }
    return 0;
}

// One pass over a function; true when a variable or a temporary learned something.
static void pass(struct flow *w)
{
    w->changed = false;
    for (uint32_t b = 0; b < w->f->block_count; b++) {
        const struct jg_block *block = &w->u->blocks.data[w->f->first_block + b];
        for (uint32_t i = 0; i < block->insn_count; i++) {
            const struct jg_insn *in = &w->u->insns.data[block->first_insn + i];
            uint64_t from = flow_through(w, in);
            if (in->dst == JG_NONE)
                continue;
            w->envs[in->dst] = is_env(w->u, in->type);
            w->changed |= (w->temps[in->dst] | from) != w->temps[in->dst];
            w->temps[in->dst] |= from;
        }
        if (block->term == JG_TERM_RETURN && block->cond != JG_NONE)
            w->out->kept |= (uint32_t)w->temps[block->cond];
    }
}

// True when they have changed.
static bool effects_of(struct jg_analysis *a, uint32_t id)
{
    struct jg_function_ref ref = jg_program_function(a->program, id);
    const struct jg_function *f = &ref.unit->functions.data[ref.index];
    struct jg_effects *effects = &a->effects[id];
    struct jg_effects found = *effects, before = found;
    struct flow w = {.a = a,
                     .unit = ref.unit_index,
                     .u = ref.unit,
                     .f = f,
                     .temps = jg_calloc((size_t)f->temp_count + 1, sizeof *w.temps),
                     .vars = jg_calloc((size_t)f->var_count + 1, sizeof *w.vars),
                     .envs = jg_calloc((size_t)f->temp_count + 1, sizeof *w.envs),
                     .out = &found};
    for (uint32_t p = 0; p < f->param_count && p < JG_MAX_EFFECT_PARAMS; p++)
        w.vars[p] = is_pointer(&w, w.u->vars.data[f->first_var + p].type)
                        ? UINT64_C(0x100000001) << p
                        : UINT64_C(1) << p;
    do
        pass(&w);
    while (w.changed);
    found.blocks = found.blocks ? found.blocks : find_blocking_call(&w);
    if (!comes_to_return(&w, JG_NONE))
        found.what |= JG_EFFECT_NEVER_RETURNS;
    free(w.temps);
    free(w.vars);
    free(w.envs);
    *effects = found;
    return found.what != before.what || found.released != before.released ||
           found.kept != before.kept || found.written != before.written ||
           found.statics != before.statics || found.fields != before.fields ||
           found.blocks != before.blocks;
}

// The functions of a component until they agree.
void jg_find_effects(struct jg_analysis *a, uint32_t component)
{
    uint32_t count;
    const uint32_t *ids = jg_program_component(a->program, component, &count);
    bool changed = true, again = jg_program_is_recursive(a->program, component);
    for (int round = 0; round < MAX_ROUNDS && changed; round++) {
        changed = false;
        for (uint32_t i = 0; i < count; i++)
            changed |= effects_of(a, ids[i]) && again;
    }
    for (uint32_t i = 0; i < count && changed; i++) // did not settle: anything
        a->effects[ids[i]] = (struct jg_effects){.what = JG_EFFECT_ANY | JG_EFFECT_UNSEEN,
                                                 .released = UINT32_MAX,
                                                 .written = UINT32_MAX,
                                                 .kept = UINT32_MAX,
                                                 .statics = UINT64_MAX,
                                                 .fields = UINT64_MAX};
}

void jg_find_all_effects(struct jg_analysis *a)
{
    for (uint32_t c = 0; c < jg_program_component_count(a->program); c++)
        jg_find_effects(a, c);
}
