// SPDX-License-Identifier: Apache-2.0
//
// The end of a path: what is still held, framed or kept when the function returns.

#include "analyzer/engine/internal.h"
#include "rules/jni.h"

// Memory that lives on when the native method is left: statics, and structs reached through a value
// that came from one, from Java as a long, or from a place like that.
bool jg_outlives_call(struct jg_engine *e, jg_region region)
{
    const struct jg_domain *d = &e->domain;
    const struct jg_region_info *root = jg_region_info(d, jg_region_info(d, region)->root);
    if (root->kind == JG_R_VAR)
        return root->outlives && !e->unit->vars.data[root->a].thread_local_storage;
    if (root->kind != JG_R_DEREF)
        return false;
    const struct jg_value_info *p = jg_value_info(d, jg_value_root(d, root->a));
    if (p->kind == JG_V_INIT) {
        uint32_t param = jg_parameter_of(e, p);
        if (param != JG_NONE)
            return e->native &&
                   e->unit->types.data[e->unit->vars.data[param].type].kind == JG_TYPE_INT;
        return jg_outlives_call(e, p->a);
    }
    const struct jg_jni_function *fn = jg_maker(e, p);
    return fn && fn->result == JG_RESULT_VALUE && !(fn->flags & JG_JNI_CALLS_JAVA);
}

static bool is_returned(struct jg_engine *e, jg_region region, jg_value result)
{
    const struct jg_domain *d = &e->domain;
    result = jg_value_root(d, result);
    const struct jg_region_info *root = jg_region_info(d, jg_region_info(d, region)->root);
    return e->native && root->kind == JG_R_DEREF && jg_value_is_symbol(d, result) &&
           jg_value_root(d, root->a) == result;
}

bool jg_lives_on(struct jg_engine *e, const struct jg_path *s, jg_region region, jg_value result)
{
    const struct jg_domain *d = &e->domain;
    if (jg_outlives_call(e, region) || is_returned(e, region, result))
        return true;
    const struct jg_region_info *root = jg_region_info(d, jg_region_info(d, region)->root);
    if (root->kind != JG_R_DEREF)
        return false;
    jg_value pointer = jg_value_root(d, root->a);
    for (uint32_t i = 0; i < s->entry_count; i++)
        if (jg_value_root(d, s->entries[i].value) == pointer && s->entries[i].insn != JG_NONE &&
            jg_outlives_call(e, s->entries[i].region))
            return true;
    return false;
}

// Was it stored as a number or a `void *`? Then the type is the first thing wrong with it.
static bool is_kept_as_pointer(const struct jg_engine *e, uint32_t insn)
{
    const struct jg_insn *in = &e->unit->insns.data[insn];
    if (in->op != JG_OP_STORE || e->unit->places.data[in->a].type == JG_NONE)
        return false;
    const struct jg_type *t = &e->unit->types.data[e->unit->places.data[in->a].type];
    return !jg_role_is_ref(t->role) && (t->kind == JG_TYPE_INT || t->kind == JG_TYPE_POINTER);
}

static void report_escape(struct jg_engine *e, struct jg_path *s, jg_value symbol, jg_region place,
                          uint32_t insn, uint32_t block)
{
    struct jg_object o;
    bool inferred;
    if (!jg_tracks_symbol(e, symbol) || jg_is_null(e, s, symbol) ||
        !jg_find_object(e, s, symbol, &o, &inferred))
        return;
    struct jg_outcome step = jg_protocol_apply(o.kind, o.states, JG_EVENT_OUTLIVE);
    if (step.rule == JG_RULE_NONE)
        return;
    bool pointer = is_kept_as_pointer(e, insn);
    struct jg_violation v = {.rule = pointer ? JG_RULE_REF_AS_POINTER : step.rule,
                             .kind = o.kind,
                             .event = JG_EVENT_OUTLIVE,
                             .from = step.from,
                             .all = step.all,
                             .block = block,
                             .insn = insn,
                             .origin = o.origin,
                             .cause = JG_NONE,
                             .inferred = inferred,
                             .unknown_callee = s->unknown_callee,
                             .since = o.since};
    const struct jg_value_info *info = jg_value_info(&e->domain, o.symbol);
    v.name = info->kind == JG_V_INIT ? jg_region_name(e, info->a) : jg_object_name(e, o.origin);
    v.parameter = jg_parameter_of(e, info) != JG_NONE;
    v.place = jg_region_name(e, place);
    jg_report(e, s, v, insn);
}

static void check_escapes(struct jg_engine *e, struct jg_path *s, uint32_t block, jg_value result)
{
    struct jg_domain *d = &e->domain;
    for (uint32_t i = 0; i < s->object_count; i++) {
        struct jg_object o = s->objects[i];
        for (int k = 0; k < 2; k++)
            if (o.holder[k] && o.kept != JG_NONE && o.kind == JG_KIND_LOCAL &&
                jg_outlives_call(e, o.holder[k]))
                report_escape(e, s, o.symbol, o.holder[k], o.kept, block);
    }
    for (uint32_t i = 0; i < s->entry_count; i++) {
        struct jg_entry entry = s->entries[i];
        if (entry.insn == JG_NONE || !jg_value_is_symbol(d, entry.value) ||
            !jg_lives_on(e, s, entry.region, result))
            continue;
        report_escape(e, s, entry.value, entry.region, entry.insn, block);
    }
}

// A critical region must end before a native method returns to Java, wherever its pointer is kept.
static bool may_be_held_by_caller(const struct jg_engine *e, const struct jg_object *o)
{
    return o->kind != JG_KIND_LOCAL && !(jg_kind_is_critical(o->kind) && e->native);
}

// Is it in memory that this function has allocated and that nobody knows now?
static bool is_lost(const struct jg_engine *e, jg_region region, jg_value result)
{
    const struct jg_domain *d = &e->domain;
    const struct jg_region_info *root = jg_region_info(d, jg_region_info(d, region)->root);
    if (root->kind != JG_R_DEREF || !jg_is_allocated(e, root->a))
        return false;
    jg_value pointer = jg_value_root(d, root->a);
    bool one_of_several = jg_value_info(d, jg_value_root(d, result))->kind == JG_V_PHI;
    return !one_of_several && !jg_value_contains(d, result, pointer) && !jg_is_shared(e, pointer);
}

void jg_at_return(struct jg_engine *e, struct jg_path *s, uint32_t block, jg_value result)
{
    struct jg_domain *d = &e->domain;
    jg_watch(e, JG_MOMENT_RETURN,
             (struct jg_moment){.path = s, .block = block, .insn = JG_NONE, .value = result});
    jg_note_return(e, s, block, result);
    jg_value returned = jg_value_root(d, result);
    if (jg_path_object(s, returned) && !jg_value_info(d, returned)->older)
        jg_object_event(e, s, returned, JG_EVENT_RETURN, block, JG_NONE);
    jg_escape_result(e, s, result);
    if (s->object_count || e->native)
        for (uint32_t i = 0; i < s->entry_count; i++) // held in a place the caller can see
            if (jg_region_info(d, s->entries[i].region)->outlives &&
                !is_lost(e, s->entries[i].region, result)) {
                struct jg_object *o = jg_path_object(s, jg_value_root(d, s->entries[i].value));
                if (o && may_be_held_by_caller(e, o))
                    o->flags |= JG_OBJ_ESCAPED;
            }
    for (uint32_t i = 0; i < s->object_count; i++)
        if (s->objects[i].flags & JG_OBJ_KEPT && may_be_held_by_caller(e, &s->objects[i]))
            s->objects[i].flags |= JG_OBJ_ESCAPED;
    for (uint32_t i = 0; i < s->object_count; i++)
        for (int k = 0; k < 2; k++)
            if (s->objects[i].holder[k] && jg_region_info(d, s->objects[i].holder[k])->outlives)
                s->objects[i].flags |= JG_OBJ_ESCAPED;
    for (uint32_t i = 0; i < s->object_count; i++)
        jg_object_event(e, s, s->objects[i].symbol, JG_EVENT_LOSE, block, JG_NONE);
    bool balanced = s->frames_uncounted && (e->has_pop || jg_is_pushed_by_helper(e, s));
    if (s->frame_count && (e->native || e->has_pop) && !balanced)
        jg_report_frame(e, s, JG_STATE_OPEN, JG_EVENT_LOSE, block, JG_NONE,
                        s->frames[s->frame_count - 1]);
    check_escapes(e, s, block, jg_value_root(d, result));
}
