// SPDX-License-Identifier: Apache-2.0
//
// Calls to functions that are not JNI. Where the callee has an exact summary, apply.c does the
// rest; else nothing is known but its effects (when its body is), its model, its name and its
// prototype.
//
// Lending: an object passed on stays tracked, unless the callee may give it back. What a callee can
// reach and change is forgotten: places whose address it gets, statics, memory behind pointers.

#include "analyzer/engine/internal.h"
#include "rules/jni.h"

#include <string.h>

static bool is_env_type(const struct jg_unit *u, uint32_t type)
{
    if (type == JG_NONE)
        return false;
    enum jg_type_role role = u->types.data[type].role;
    return role == JG_ROLE_ENV || role == JG_ROLE_VM;
}

static bool is_env(const struct jg_engine *e, uint32_t temp)
{
    return temp != JG_NONE && e->temp_def[temp] != JG_NONE &&
           is_env_type(e->unit, e->unit->insns.data[e->temp_def[temp]].type);
}

// Does memory behind the argument hold a JNIEnv: a struct that this function filled, or one from
// which it reads its own?
static bool holds_env(struct jg_engine *e, const struct jg_path *s, jg_value argument)
{
    struct jg_domain *d = &e->domain;
    jg_value root = jg_value_root(d, argument);
    if (jg_value_info(d, root)->kind != JG_V_ADDR && !jg_value_is_symbol(d, root))
        return false;
    jg_region at = jg_region_deref(d, root);
    if (!at)
        return false;
    for (uint32_t i = 0; i < s->entry_count; i++) {
        const struct jg_region_info *r = jg_region_info(d, s->entries[i].region);
        if (r->kind == JG_R_FIELD && is_env_type(e->unit, jg_unit_field_type(e->unit, r->a)) &&
            jg_region_is_below(d, s->entries[i].region, at))
            return true;
    }
    for (uint32_t i = 0; i < d->regions.count; i++) { // `env = ctx->env` somewhere in this function
        const struct jg_region_info *r = jg_region_info(d, i);
        if (r->kind == JG_R_FIELD && r->parent == at &&
            is_env_type(e->unit, jg_unit_field_type(e->unit, r->a)))
            return true;
    }
    return false;
}

const struct jg_model *jg_engine_model(const struct jg_engine *e, uint32_t insn)
{
    return jg_program_model(e->analysis->program, e->unit_index, insn);
}

struct callee {
    const char *name; // "" for callbacks
    bool known;       // its body is
    bool gets_env;
    bool gets_function; // that it, or somebody later, calls
    struct jg_effects effects;
    const struct jg_summary *summary; // exact; NULL
    uint32_t lost;                    // bit i: the summary does not say all about parameter i
    const struct jg_symbol *symbol;
    const struct jg_model *model; // what is said of it, unless its body is known; NULL
};

static void summarize(struct callee *c, const struct jg_summary *summary)
{
    if (!summary || !summary->exact)
        return;
    c->summary = summary;
    c->lost = 0;
    for (uint32_t i = 0; i < summary->case_count; i++)
        c->lost |= summary->cases[i].lost;
}

static struct callee callee_of(struct jg_engine *e, const struct jg_path *s,
                               const struct jg_insn *in, const jg_value *args)
{
    const struct jg_unit *u = e->unit;
    struct callee c = {.name = "", .lost = UINT32_MAX};
    c.model = jg_engine_model(e, jg_insn_index(u, in));
    for (uint32_t i = 0; i < in->arg_count && !c.gets_env; i++)
        c.gets_env = is_env(e, u->args.data[in->first_arg + i]) || holds_env(e, s, args[i]);
    uint32_t insn = jg_insn_index(u, in);
    c.known = jg_analysis_call_effects(e->analysis, e->unit_index, insn, &c.effects);
    summarize(&c, jg_callee_summary(e, insn));
    if (in->sub == JG_CALLEE_SYMBOL) {
        c.symbol = &u->symbols.data[in->a];
        c.gets_function = jg_takes_function(u, c.symbol);
        c.name = jg_unit_str(u, c.symbol->name);
    } else if (in->sub == JG_CALLEE_FIELD) {
        c.name = jg_unit_str(u, u->fields.data[in->a].name);
    }
    if (!c.known && c.gets_env)
        c.effects.what = JG_EFFECT_JNI | JG_EFFECT_RELEASES;
    bool nameless = !*c.name; // called through a variable or a table
    if (!c.known && c.gets_env && (nameless || jg_name_hints(c.name, JG_HINT_RELEASE)))
        c.effects.released = UINT32_MAX;
    return c;
}

// What the model says of a parameter; zeroes where it says nothing.
static struct jg_model_param said_of(const struct callee *c, uint32_t i)
{
    return c->model ? *jg_model_param(c->model, i) : (struct jg_model_param){0};
}

static bool is_said(struct jg_model_param p)
{
    return p.uses || p.releases || p.acquires || p.elements || p.fields;
}

static const struct jg_type *parameter_type(const struct jg_unit *u, const struct callee *c,
                                            uint32_t i)
{
    if (!c->symbol || i >= c->symbol->param_count)
        return NULL;
    return &u->types.data[u->param_types.data[c->symbol->first_param + i]];
}

static bool is_const_pointer(const struct jg_unit *u, const struct callee *c, uint32_t i)
{
    const struct jg_type *t = parameter_type(u, c, i);
    return t && t->kind == JG_TYPE_POINTER && t->const_pointee;
}

// Does the callee get at more memory than the argument itself: a struct, or pointers?
static bool reaches_memory(const struct jg_unit *u, const struct callee *c, uint32_t i)
{
    const struct jg_type *t = parameter_type(u, c, i);
    if (!t || t->kind != JG_TYPE_POINTER || t->const_pointee || t->pointee == JG_NONE ||
        t->role != JG_ROLE_NONE)
        return false;
    uint8_t kind = u->types.data[t->pointee].kind;
    return kind == JG_TYPE_RECORD || kind == JG_TYPE_POINTER;
}

// A struct given as `void *`: one whose fields this function uses.
static bool reaches_hidden_struct(const struct jg_engine *e, const struct callee *c, uint32_t i,
                                  jg_region at)
{
    const struct jg_type *t = parameter_type(e->unit, c, i);
    struct jg_model_param said = said_of(c, i);
    if (!at || (is_said(said) && !(said.uses & JG_USE_OUT)) || !t || t->kind != JG_TYPE_POINTER ||
        (t->pointee != JG_NONE && e->unit->types.data[t->pointee].kind != JG_TYPE_VOID))
        return false;
    for (uint32_t k = 0; k < e->domain.regions.count; k++) {
        const struct jg_region_info *r = jg_region_info(&e->domain, k);
        if (r->kind == JG_R_FIELD && r->parent == at)
            return true;
    }
    return false;
}

// The memory an argument points to, arrays whole; 0 when it points to none that is known.
static jg_region pointee(struct jg_engine *e, jg_value argument)
{
    struct jg_domain *d = &e->domain;
    jg_value root = jg_value_root(d, argument);
    if (jg_value_info(d, root)->kind != JG_V_ADDR && !jg_value_is_symbol(d, root))
        return 0;
    jg_region at = jg_region_deref(d, root);
    const struct jg_region_info *i = jg_region_info(d, at);
    bool element = i->kind == JG_R_INDEX || i->kind == JG_R_AT || i->kind == JG_R_ANY;
    return element ? i->parent : at;
}

// What the callee may do to memory its argument points to: JG_OBJ_WRITTEN, JG_OBJ_MAY_BE_WRITTEN or
// 0.
static uint8_t writes(const struct jg_unit *u, const struct callee *c, uint32_t i)
{
    struct jg_model_param said = said_of(c, i);
    if (said.uses & JG_USE_OUT)
        return JG_OBJ_WRITTEN;
    if (is_said(said) || is_const_pointer(u, c, i))
        return 0;
    return JG_OBJ_MAY_BE_WRITTEN;
}

static bool concerns(uint32_t params, uint32_t i)
{
    return i < JG_MAX_EFFECT_PARAMS ? params >> i & 1 : true;
}

// May the function, whose body is not known, give back what a pair has acquired, or keep it?
static bool may_end(const struct callee *c, uint32_t i)
{
    return !*c->name || said_of(c, i).uses & JG_USE_KEEPS ||
           (!c->model && jg_name_hints(c->name, JG_HINT_RELEASE));
}

// Does the callee keep nothing that is reached through the argument, and is what it gives back
// known?
static bool tells_all(const struct callee *c, uint32_t i)
{
    return c->known && !concerns(c->effects.kept | (c->effects.released & c->lost), i);
}

// Does the callee release what it is given as parameter `i`, as its summary says? Then that is what
// befalls it; what it is read for before is no use of its own.
static bool is_released(const struct callee *c, uint32_t i)
{
    for (uint32_t k = 0; c->summary && k < c->summary->case_count; k++) {
        const struct jg_summary_case *one = &c->summary->cases[k];
        for (uint32_t n = 0; n < one->deed_count; n++)
            if (one->deeds[n].at.param == i && one->deeds[n].at.count == 0)
                return true;
    }
    return false;
}

// Is the argument a reference that the callee uses as one, in a case that is possible here?
static bool is_used(struct jg_engine *e, const struct jg_path *s, const struct callee *c,
                    uint32_t i, uint32_t insn, const jg_value *args)
{
    if (!c->summary || i >= JG_MAX_EFFECT_PARAMS || !(c->summary->used >> i & 1) ||
        is_released(c, i))
        return false;
    struct jg_path *here = jg_path_clone(&e->paths, s);
    const jg_value *targets = jg_find_targets(e, here, insn, args, c->summary);
    for (uint32_t k = 0; k < c->summary->case_count; k++)
        if (c->summary->cases[k].used >> i & 1 &&
            jg_case_is_possible(e, s, insn, args, targets, c->summary, k))
            return true;
    return false;
}

// Memory whose address lies in what the argument points to, a variable or a struct: the callee may
// take it from there, read-only as that may be.
static void share_below(struct jg_engine *e, struct jg_path *s, jg_region at,
                        const struct callee *c, uint32_t i)
{
    if (!at || tells_all(c, i))
        return;
    for (uint32_t k = 0; k < s->entry_count; k++)
        if (jg_region_is_below(&e->domain, s->entries[k].region, at))
            jg_note_shared(e, s, s->entries[k].value);
}

static void lend(struct jg_engine *e, struct jg_path *s, const jg_value *args,
                 const struct callee *c, uint32_t i, uint32_t block, uint32_t insn)
{
    jg_value value = args[i];
    jg_value root = jg_value_root(&e->domain, value);
    if ((c->known || c->gets_env) && concerns(c->effects.released & c->lost, i)) {
        jg_escape(e, s, root);
        jg_escape_below(e, s, pointee(e, value)); // a holder given as pointer to const, too
    }
    jg_buffer_used(e, s, root, writes(e->unit, c, i), block, is_released(c, i) ? JG_NONE : insn);
    struct jg_model_param said = said_of(c, i);
    if (c->known ? concerns(c->effects.kept, i)
                 : !is_said(said) || said.uses & (JG_USE_KEEPS | JG_USE_CROSSES))
        jg_note_shared(e, s, root);
    share_below(e, s, pointee(e, value), c, i);
    struct jg_object *o = jg_path_object(s, root);
    bool reference = !o || !jg_kind_is_buffer(o->kind);
    if (reference && is_used(e, s, c, i, insn, args))
        jg_event_on_value(e, s, root, JG_EVENT_USE, block, insn);
    if (!o)
        return;
    if (o->kind == JG_KIND_PAIR && !c->known && may_end(c, i))
        o->flags |= JG_OBJ_ESCAPED;
    // A global reference given away is one that somebody else may keep: that is what it is for.
    bool global = o->kind == JG_KIND_GLOBAL || o->kind == JG_KIND_WEAK;
    bool kept = c->known        ? concerns(c->effects.kept, i)
                : is_said(said) ? (said.uses & (JG_USE_KEEPS | JG_USE_CROSSES)) != 0
                                : global;
    o->flags |= JG_OBJ_LENT | (!kept ? 0 : global ? JG_OBJ_ESCAPED : JG_OBJ_KEPT);
}

// Whoever gets env may find and release what another function has kept.
static void find_kept(struct jg_path *s, const struct callee *c)
{
    if ((c->symbol || c->known) && !(c->effects.what & JG_EFFECT_RELEASES))
        return;
    for (uint32_t i = 0; i < s->object_count; i++)
        if (s->objects[i].flags & JG_OBJ_KEPT)
            s->objects[i].flags |= JG_OBJ_ESCAPED;
}

static bool is_of_epoch(const struct jg_domain *d, jg_value v, uint32_t epoch)
{
    const struct jg_value_info *i = jg_value_info(d, v);
    if (i->kind == JG_V_EXPR)
        return is_of_epoch(d, i->a, epoch) || is_of_epoch(d, i->b, epoch);
    return i->kind == JG_V_INIT && i->b == epoch;
}

static bool is_changed(const struct jg_engine *e, jg_region region, uint64_t statics)
{
    const struct jg_region_info *root =
        jg_region_info(&e->domain, jg_region_info(&e->domain, region)->root);
    return root->kind == JG_R_VAR && root->outlives && jg_static_bit(e->unit, root->a) & statics;
}

// What is known of a static that stays as it is gets an entry, before the epoch tells that it may
// have changed.
static void keep_static(struct jg_engine *e, struct jg_path *s, jg_value value, uint64_t statics)
{
    const struct jg_value_info v = *jg_value_info(&e->domain, jg_value_root(&e->domain, value));
    if (v.kind != JG_V_INIT || v.b != s->epoch || jg_path_entry(s, v.a) ||
        is_changed(e, v.a, statics))
        return;
    const struct jg_region_info *root =
        jg_region_info(&e->domain, jg_region_info(&e->domain, v.a)->root);
    if (root->kind == JG_R_VAR && root->outlives)
        jg_path_set(&e->paths, s, v.a, jg_value_root(&e->domain, value), JG_NONE);
}

// Memory that others can write may have changed: regions without entry hold something new. In a
// loop the call names the same epoch again, so what was known of the last one goes. `statics`: by
// jg_static_bit, which variables are concerned.
static void new_epoch(struct jg_engine *e, struct jg_path *s, uint32_t insn, uint64_t statics,
                      bool heap)
{
    struct jg_domain *d = &e->domain;
    uint32_t epoch = insn + 1;
    for (uint32_t i = 0; statics && i < s->fact_count; i++)
        keep_static(e, s, s->facts[i].value, statics);
    for (uint32_t i = 0; statics && i < s->object_count; i++)
        keep_static(e, s, s->objects[i].symbol, statics);
    if (statics)
        s->epoch = epoch;
    if (heap)
        s->heap_epoch = epoch;
    for (uint32_t i = 0; i < s->fact_count;) {
        if (is_of_epoch(d, s->facts[i].value, epoch))
            jg_path_remove_fact(s, i);
        else
            i++;
    }
    for (uint32_t i = 0; i < s->entry_count;) {
        if (is_changed(e, s->entries[i].region, statics)) {
            jg_escape(e, s, s->entries[i].value);
            jg_path_remove_entry(s, i);
            continue;
        }
        if (is_of_epoch(d, s->entries[i].value, epoch))
            s->entries[i].value = JG_VALUE_UNKNOWN;
        i++;
    }
}

// Statics that can change in the call: those that the body, or one below it, stores to; any, where
// an unknown function gets env and may come back here, and where something is given back that may
// be kept there.
static uint64_t changed_statics(const struct callee *c)
{
    if (c->known)
        return c->effects.what & JG_EFFECT_RELEASES ? UINT64_MAX : c->effects.statics;
    return !c->symbol || c->gets_function || (c->gets_env && (!c->model || c->model->is_pattern))
               ? UINT64_MAX
               : 0;
}

static void release_memory(struct jg_engine *e, struct jg_path *s, jg_value pointer)
{
    jg_region at = jg_region_deref(&e->domain, pointer);
    for (uint32_t i = 0; at && i < s->entry_count;) {
        if (jg_region_is_below(&e->domain, s->entries[i].region, at) &&
            jg_region_info(&e->domain, at)->outlives)
            jg_path_remove_entry(s, i);
        else
            i++;
    }
}

// A function that gets nothing but env, after an acquisition whose result nobody has looked at, may
// be the check of that acquisition: "did it throw" then says that nothing was acquired.
static void maybe_a_check(struct jg_engine *e, struct jg_path *s)
{
    for (uint32_t i = 0; i < s->object_count; i++)
        if (s->objects[i].kind != JG_KIND_LOCAL && s->objects[i].kind != JG_KIND_MONITOR &&
            jg_path_truth(&e->domain, s, s->objects[i].symbol) < 0)
            s->objects[i].flags |= JG_OBJ_ESCAPED;
}

static void forget_exception(struct jg_path *s)
{
    s->exception = JG_STATE_UNKNOWN;
    s->exception_origin = JG_NONE;
    s->entry_kept = false;
}

// May the callee look whether parameter `i` is NULL? A body that does has cases in which it is, and
// others.
static bool may_test(const struct callee *c, uint32_t i)
{
    for (uint32_t k = 0; c->summary && k < c->summary->case_count; k++)
        for (uint32_t n = 0; n < c->summary->cases[k].condition_count; n++)
            if (c->summary->cases[k].conditions[n].at.param == i &&
                !c->summary->cases[k].conditions[n].at.count)
                return true;
    return !c->summary || !c->summary->case_count;
}

// What passing the result of an earlier call, as argument `i`, says about the exception it may have
// left.
static void pass_result(struct jg_engine *e, struct jg_path *s, const struct callee *c, uint32_t i,
                        jg_value v, uint32_t block, uint32_t insn)
{
    if (s->exception_origin == JG_NONE || !jg_tracks_exception(e))
        return;
    jg_value result = jg_value_make(&e->domain, JG_V_MADE, s->exception_origin, 0);
    if (s->exception == JG_STATE_NULL_UNTESTED && jg_value_root(&e->domain, v) == result &&
        may_test(c, i))
        s->exception = JG_STATE_UNKNOWN, s->entry_kept = false; // somebody else may look at it
    else if (s->exception == JG_STATE_AFTER_CALL && !c->gets_env &&
             jg_value_contains(&e->domain, v, result))
        jg_exception_event(e, s, JG_EVENT_USE, block, insn);
}

// A function that gets env and the object of a monitor may leave it, or enter it again. What its
// summary says it does is applied with that.
static struct jg_lent_monitors lent_monitors(const struct callee *c)
{
    bool whole = c->known && c->summary, named = !c->known && !c->model;
    bool unknown = named && (c->gets_env || !*c->name || jg_name_hints(c->name, JG_HINT_RELEASE));
    bool inexact =
        c->known && !c->summary && (c->effects.released || c->effects.what & JG_EFFECT_RELEASES);
    bool model = c->model && !c->known && c->gets_env && !(c->model->does_not & JG_DOES_JNI);
    return (struct jg_lent_monitors){
        .gets_env = (c->effects.what & JG_EFFECT_JNI) != 0,
        .unseen = unknown || inexact || model || (c->known && c->effects.what & JG_EFFECT_UNSEEN),
        .exits = !c->known ? UINT32_MAX : c->effects.released & c->lost,
        .enters = whole && !(c->effects.what & JG_EFFECT_UNSEEN) ? c->lost : UINT32_MAX,
    };
}

// What GetEnv and AttachCurrentThread store is a symbol of the call: it is good when the status is
// 0.
static void call_invoke(struct jg_engine *e, struct jg_path *s, const struct jg_insn *in,
                        uint32_t block, uint32_t insn, const jg_value *args)
{
    int out = jg_jni_param(jg_invoke_function(in->a), JG_PARAM_OUT);
    jg_value env = JG_VALUE_UNKNOWN;
    for (uint32_t i = 1; i < in->arg_count; i++) {
        jg_region at = jg_value_info(&e->domain, args[i])->kind == JG_V_ADDR
                           ? jg_value_info(&e->domain, args[i])->a
                       : (int)i == out && jg_value_is_symbol(&e->domain, args[i])
                           ? jg_region_deref(&e->domain, args[i]) // `(void **)env` of a parameter
                           : 0;
        if (!at)
            continue;
        jg_havoc_region(e, s, at, insn);
        if ((int)i != out)
            continue;
        env = jg_fresh(e, s, block, insn, at);
        jg_path_set(&e->paths, s, at, env, insn);
    }
    jg_thread_invoked(e, s, insn, env);
}

// A function that returns an object makes one; it is no check of what was called before it.
static bool returns_reference(const struct jg_unit *u, const struct callee *c)
{
    uint32_t type = c->symbol ? c->symbol->return_type : JG_NONE;
    return type != JG_NONE && jg_role_is_ref(u->types.data[type].role);
}

static void call_function(struct jg_engine *e, struct jg_path *s, const struct jg_insn *in,
                          const struct callee *c, uint32_t block, uint32_t insn,
                          const jg_value *args)
{
    const struct jg_unit *u = e->unit;
    s->unknown_callee = true;
    s->may_end |=
        !c->known && (!c->model || c->model->is_pattern) && jg_name_hints(c->name, JG_HINT_EXIT);
    // Memory that is reached through pointers can change only where a pointer into it is given
    // away, or by a callback.
    bool callback = !c->symbol && !c->known;
    bool memory = callback;
    uint64_t statics = changed_statics(c);
    bool moves = c->model && c->model->fresh == JG_OBJECT_MEMORY; // realloc
    bool copies = (said_of(c, 0).uses & JG_USE_OUT) != 0;
    for (uint32_t i = 0; i < in->arg_count; i++) {
        struct jg_model_param said = said_of(c, i);
        bool frees = said.releases == JG_OBJECT_MEMORY && !moves;
        if (frees)
            release_memory(e, s, args[i]);
        pass_result(e, s, c, i, args[i], block, insn);
        if (said.uses & (JG_USE_OUT | JG_USE_IN | JG_USE_STRING))
            jg_check_untested(e, s, args[i], block, insn);
        if (said.releases == JG_OBJECT_MEMORY)
            jg_event_on_value(e, s, args[i], JG_EVENT_FREE, block, insn);
        else
            lend(e, s, args, c, i, block, insn);
        jg_region at = pointee(e, args[i]);
        if (copies && said.uses & JG_USE_IN) // holders of references included
            jg_escape_below(e, s, at);
        if (is_const_pointer(u, c, i) || frees)
            continue;
        if (c->known && !concerns(c->effects.written | c->effects.kept | c->effects.released, i))
            continue;
        memory |= reaches_memory(u, c, i) || reaches_hidden_struct(e, c, i, at);
        if (at && tells_all(c, i))
            jg_change_region(e, s, at, insn, c->effects.fields);
        else if (at)
            jg_havoc_region(e, s, at, insn);
    }
    find_kept(s, c);
    jg_lend_monitors(e, s, in, args, lent_monitors(c));
    if (statics || memory)
        new_epoch(e, s, insn, statics, memory);
    if (!c->summary)
        jg_lend_frames(e, s, c->effects.what, block, insn);
    if (!c->known && !c->summary && (c->gets_env || callback) && jg_is_pushed_by_helper(e, s))
        s->frames_uncounted = true; // it may be the twin of the helper
    if (in->sub == JG_CALLEE_FIELD && !c->known && s->exception == JG_STATE_PENDING)
        s->exception = JG_STATE_UNKNOWN, s->entry_kept = false; // it may leave, clear or report
    if (c->summary)
        return;
    bool tells = s->exception != JG_STATE_UNKNOWN || s->entry_kept;
    if (!c->known && (!c->model || c->model->is_pattern) && tells &&
        jg_name_hints(c->name, JG_HINT_EXIT))
        forget_exception(s); // it may be the end
    if (c->gets_env && in->arg_count == 1)
        maybe_a_check(e, s);
    if (c->effects.what & JG_EFFECT_JNI) {
        s->acquired = JG_VALUE_UNKNOWN;
        if (s->exception == JG_STATE_NULL_UNTESTED && returns_reference(u, c)) {
            s->exception_lent = true;
        } else if (jg_tracks_exception(e)) {
            forget_exception(s);
        }
    }
}

// An assertion that this path does not hold: it would have ended there.
static bool fails_assertion(const struct jg_engine *e, const struct jg_path *s,
                            const struct callee *c, const struct jg_insn *in, const jg_value *args)
{
    return c->symbol && in->arg_count && jg_is_null(e, s, args[0]) &&
           jg_name_hints(c->name, JG_HINT_ASSERT);
}

void jg_call_other(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn,
                   const jg_value *args, struct jg_outcomes *out)
{
    const struct jg_insn *in = &e->unit->insns.data[insn];
    bool gets_env = false;
    if (in->sub == JG_CALLEE_INVOKE) {
        call_invoke(e, s, in, block, insn, args);
    } else {
        struct callee c = callee_of(e, s, in, args);
        if ((c.model && c.model->does & JG_DOES_NORETURN) ||
            c.effects.what & JG_EFFECT_NEVER_RETURNS || fails_assertion(e, s, &c, in, args))
            return;
        gets_env = c.gets_env;
        jg_value *targets = c.summary ? jg_find_targets(e, s, insn, args, c.summary) : NULL;
        jg_release_pair(e, s, block, insn, args);
        jg_begin_pair(e, s, insn, args);
        call_function(e, s, in, &c, block, insn, args);
        if (!c.summary || !jg_tells_of_thread(c.summary))
            jg_thread_lent(e, s, insn);
        if (c.summary) {
            jg_apply_summary(e, s, block, insn, args, targets, c.summary, out);
            jg_acquire_pair(e, block, insn, args, gets_env, out);
            return;
        }
    }
    out->state[0] = s;
    out->result[0] = jg_fresh(e, s, block, insn, 0);
    out->count = 1;
    jg_acquire_pair(e, block, insn, args, gets_env, out);
}
