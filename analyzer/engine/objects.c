// SPDX-License-Identifier: Apache-2.0
//
// Objects and the events that befall them: what kind of reference or buffer a value is, and the
// steps of its protocol. A reference that is live and not made in a loop has no row in the state;
// its kind follows from its symbol.

#include "analyzer/engine/internal.h"
#include "rules/jni.h"

bool jg_is_owed(const struct jg_engine *e, uint32_t insn)
{
    const struct jg_insn *in = &e->unit->insns.data[insn];
    if (in->op != JG_OP_CALL || in->sub != JG_CALLEE_JNI)
        return jg_makes_owed(e, insn);
    enum jg_result r = jg_jni_function(in->a)->result;
    return jg_result_is_buffer(r) || r == JG_RESULT_GLOBAL || r == JG_RESULT_WEAK ||
           in->a == JG_JNI_MonitorEnter;
}

bool jg_tracks_symbol(const struct jg_engine *e, jg_value symbol)
{
    const struct jg_value_info *v = jg_value_info(&e->domain, symbol);
    if (v->kind == JG_V_MADE && e->focus.kind == JG_FOCUS_OTHERS) {
        return !jg_is_owed(e, v->a) && !e->in_loop[jg_engine_block_of(e, v->a)];
    }
    if (v->kind == JG_V_MADE)
        return jg_tracks_site(e, v->a);
    return e->focus.kind == JG_FOCUS_ALL || e->focus.kind == JG_FOCUS_OTHERS;
}

// ---- objects ------------------------------------------------------------------------------------

bool jg_kind_of_result(enum jg_result result, enum jg_kind *kind)
{
    switch (result) {
    case JG_RESULT_LOCAL:
        *kind = JG_KIND_LOCAL;
        return true;
    case JG_RESULT_GLOBAL:
        *kind = JG_KIND_GLOBAL;
        return true;
    case JG_RESULT_WEAK:
        *kind = JG_KIND_WEAK;
        return true;
    case JG_RESULT_ELEMENTS:
        *kind = JG_KIND_ELEMENTS;
        return true;
    case JG_RESULT_CHARS:
        *kind = JG_KIND_CHARS;
        return true;
    case JG_RESULT_UTF_CHARS:
        *kind = JG_KIND_UTF_CHARS;
        return true;
    case JG_RESULT_CRITICAL:
        *kind = JG_KIND_CRITICAL;
        return true;
    case JG_RESULT_STRING_CRITICAL:
        *kind = JG_KIND_STRING_CRITICAL;
        return true;
    default:
        return false;
    }
}

const struct jg_jni_function *jg_maker(const struct jg_engine *e, const struct jg_value_info *v)
{
    if (v->kind != JG_V_MADE || v->b)
        return NULL;
    const struct jg_insn *in = &e->unit->insns.data[v->a];
    return in->op == JG_OP_CALL && in->sub == JG_CALLEE_JNI ? jg_jni_function(in->a) : NULL;
}

bool jg_is_allocated(const struct jg_engine *e, jg_value pointer)
{
    const struct jg_value_info *v = jg_value_info(&e->domain, jg_value_root(&e->domain, pointer));
    if (v->kind != JG_V_MADE || v->b)
        return false;
    const struct jg_insn *in = &e->unit->insns.data[v->a];
    if (in->op != JG_OP_CALL || in->sub != JG_CALLEE_SYMBOL)
        return false;
    const struct jg_model *model = jg_engine_model(e, v->a);
    if (model && model->fresh == JG_OBJECT_MEMORY)
        return true;
    const struct jg_summary *callee = jg_callee_summary(e, v->a);
    bool found = false;
    for (uint32_t i = 0; callee && i < callee->case_count; i++) {
        const struct jg_summary_case *c = &callee->cases[i];
        bool fresh = false;
        for (uint32_t k = 0; k < c->made_count; k++)
            fresh |= c->made[k].stored && c->made[k].at.param == JG_PARAM_RESULT;
        if (!fresh && !(c->low == 0 && c->high == 0))
            return false; // it also returns what exists already
        found |= fresh;
    }
    return found;
}

// The call that has allocated the memory that the pointer, or the address of a field, leads to.
static uint32_t allocation_of(const struct jg_engine *e, jg_value pointer)
{
    const struct jg_domain *d = &e->domain;
    const struct jg_value_info *v = jg_value_info(d, jg_value_root(d, pointer));
    const struct jg_region_info *root =
        v->kind == JG_V_ADDR ? jg_region_info(d, jg_region_info(d, v->a)->root) : NULL;
    jg_value base = root && root->kind == JG_R_DEREF ? root->a : pointer;
    return jg_is_allocated(e, base) ? jg_value_info(d, jg_value_root(d, base))->a : JG_NONE;
}

void jg_note_shared(struct jg_engine *e, struct jg_path *s, jg_value pointer)
{
    const struct jg_domain *d = &e->domain;
    uint32_t call = allocation_of(e, pointer);
    bool any = jg_value_info(d, jg_value_root(d, pointer))->kind == JG_V_PHI; // one of several
    if (call == JG_NONE && !any)
        return;
    if (call != JG_NONE)
        jg_engine_mark(e, call, JG_MARK_SHARED);
    for (uint32_t i = 0; i < s->entry_count; i++) {
        const struct jg_region_info *root =
            jg_region_info(d, jg_region_info(d, s->entries[i].region)->root);
        uint32_t of = root->kind == JG_R_DEREF ? allocation_of(e, root->a) : JG_NONE;
        if (of == JG_NONE || (of != call && !any))
            continue;
        jg_engine_mark(e, of, JG_MARK_SHARED);
        struct jg_object *o = jg_path_object(s, jg_value_root(d, s->entries[i].value));
        if (o && o->kind != JG_KIND_LOCAL) // that ends with the native frame, whoever knows it
            o->flags |= JG_OBJ_ESCAPED;
    }
}

void jg_share_below(struct jg_engine *e, struct jg_path *s, jg_value pointer)
{
    const struct jg_value_info *v = jg_value_info(&e->domain, jg_value_root(&e->domain, pointer));
    if (v->kind != JG_V_ADDR)
        return;
    jg_region at = v->a;
    const struct jg_region_info *r = jg_region_info(&e->domain, at);
    if (r->element && r->parent)
        at = r->parent; // the others lie beside it
    for (uint32_t i = 0; i < s->entry_count; i++)
        if (jg_region_is_below(&e->domain, s->entries[i].region, at))
            jg_note_shared(e, s, s->entries[i].value);
}

bool jg_is_shared(const struct jg_engine *e, jg_value pointer)
{
    uint32_t call = allocation_of(e, pointer);
    return call == JG_NONE || jg_engine_marks(e, call) & JG_MARK_SHARED;
}

// The parameter whose initial value the symbol is; JG_NONE.
uint32_t jg_parameter_of(const struct jg_engine *e, const struct jg_value_info *v)
{
    if (v->kind != JG_V_INIT)
        return JG_NONE;
    const struct jg_region_info *r = jg_region_info(&e->domain, v->a);
    return r->kind == JG_R_VAR && e->unit->vars.data[r->a].kind == JG_VAR_PARAM ? r->a : JG_NONE;
}

bool jg_place_kind(const struct jg_engine *e, jg_region region, enum jg_kind *kind)
{
    const struct jg_domain *d = &e->domain;
    const struct jg_program *p = e->analysis->program;
    uint8_t kinds = 0;
    for (jg_region r = region; r; r = jg_region_info(d, r)->parent) {
        const struct jg_region_info *i = jg_region_info(d, r);
        if (i->kind == JG_R_FIELD) {
            if (!jg_unit_field(e->unit, i->a)) // what is stored there is not among what is read
                return false;
            kinds = jg_program_field_kinds(p, e->unit_index, i->a);
            break;
        }
        if (i->kind == JG_R_VAR) {
            if (e->unit->vars.data[i->a].kind != JG_VAR_STATIC)
                return false;
            kinds = jg_program_variable_kinds(p, e->unit_index, i->a);
            break;
        }
    }
    switch (jg_sole_kind(kinds)) {
    case JG_STORED_GLOBAL:
        *kind = JG_KIND_GLOBAL;
        return true;
    case JG_STORED_WEAK:
        *kind = JG_KIND_WEAK;
        return true;
    default:
        return false;
    }
}

static bool kind_borrowed(const struct jg_engine *e, uint32_t insn, enum jg_kind *kind)
{
    if (e->unit->insns.data[insn].op != JG_OP_CALL)
        return false;
    enum jg_borrowed borrowed = jg_engine_borrows(e, insn);
    *kind = borrowed == JG_BORROWED_WEAK ? JG_KIND_WEAK : JG_KIND_GLOBAL;
    return borrowed > JG_BORROWED_SOME;
}

bool jg_find_object(struct jg_engine *e, const struct jg_path *s, jg_value symbol,
                    struct jg_object *out, bool *inferred)
{
    *inferred = false;
    struct jg_object *row = jg_path_object(s, symbol);
    const struct jg_value_info v = *jg_value_info(&e->domain, symbol);
    if (v.kind == JG_V_INIT && jg_parameter_of(e, &v) == JG_NONE)
        *inferred = true;
    if (row) {
        *out = *row;
        return true;
    }
    enum jg_kind kind;
    uint32_t origin = JG_NONE;
    const struct jg_jni_function *fn = jg_maker(e, &v);
    if (fn) {
        if (!jg_result_is_ref(fn->result) || !jg_kind_of_result(fn->result, &kind))
            return false;
        origin = v.a;
    } else if (v.kind == JG_V_MADE && v.b == 0 && jg_kind_made_by(e, v.a, &kind)) {
        if (kind != JG_KIND_LOCAL)
            return false;
        origin = v.a;
    } else if (v.kind == JG_V_MADE && v.b == 0 && kind_borrowed(e, v.a, &kind)) {
        origin = v.a;
    } else if (v.kind == JG_V_INIT) {
        uint32_t param = jg_parameter_of(e, &v);
        if (param != JG_NONE) {
            enum jg_type_role role = e->unit->types.data[e->unit->vars.data[param].type].role;
            if (!e->native || !jg_role_is_ref(role))
                return false;
            kind = JG_KIND_LOCAL;
        } else if (!jg_place_kind(e, v.a, &kind)) {
            return false;
        }
    } else {
        return false;
    }
    *out = (struct jg_object){.symbol = symbol,
                              .states = JG_STATE_LIVE,
                              .kind = (uint8_t)kind,
                              .origin = origin,
                              .cause = JG_NONE,
                              .kept = JG_NONE,
                              .turn_block = JG_NONE};
    return true;
}

static bool is_static(const struct jg_engine *e, jg_region region)
{
    const struct jg_region_info *r =
        jg_region_info(&e->domain, jg_region_info(&e->domain, region)->root);
    return r->kind == JG_R_VAR && e->unit->vars.data[r->a].kind == JG_VAR_STATIC;
}

enum jg_borrowed jg_borrowed_result(struct jg_engine *e, const struct jg_path *s, jg_value returned)
{
    struct jg_object o;
    bool inferred;
    const struct jg_value_info *v = jg_value_info(&e->domain, returned);
    if (v->kind == JG_V_MADE && !v->b && e->unit->insns.data[v->a].op == JG_OP_CALL &&
        jg_engine_borrows(e, v->a))
        return jg_path_truth(&e->domain, s, returned) == 0 || jg_path_object(s, returned)
                   ? JG_BORROWED_NOT
                   : jg_engine_borrows(e, v->a);
    bool cached = v->kind == JG_V_INIT && is_static(e, v->a);
    for (uint32_t i = 0; i < s->entry_count && !cached; i++)
        cached = is_static(e, s->entries[i].region) && s->entries[i].value == returned;
    if (!cached || jg_is_null(e, s, returned) || !jg_find_object(e, s, returned, &o, &inferred))
        return JG_BORROWED_NOT;
    return o.states != JG_STATE_LIVE  ? JG_BORROWED_NOT
           : o.kind == JG_KIND_GLOBAL ? JG_BORROWED_GLOBAL
           : o.kind == JG_KIND_WEAK   ? JG_BORROWED_WEAK
                                      : JG_BORROWED_NOT;
}

bool jg_is_null(const struct jg_engine *e, const struct jg_path *s, jg_value v)
{
    return jg_path_truth(&e->domain, s, v) == 0;
}

const char *jg_value_name(struct jg_engine *e, jg_value v)
{
    const struct jg_value_info *i = jg_value_info(&e->domain, v);
    return i->kind == JG_V_INIT   ? jg_region_name(e, i->a)
           : i->kind == JG_V_MADE ? jg_object_name(e, i->a)
                                  : NULL;
}

static void report_object(struct jg_engine *e, const struct jg_path *s, const struct jg_object *o,
                          bool inferred, const struct jg_outcome *step, enum jg_event event,
                          uint32_t block, uint32_t insn, uint32_t primary)
{
    struct jg_violation v = {.rule = step->rule,
                             .kind = o->kind,
                             .event = event,
                             .from = step->from,
                             .all = step->all,
                             .block = block,
                             .insn = insn,
                             .origin = o->origin,
                             .cause = o->cause,
                             .pair = o->pair,
                             .inferred = inferred,
                             .unknown_callee = (o->flags & JG_OBJ_LENT) != 0,
                             .since = o->since,
                             .ended = o->ended};
    if (event == JG_EVENT_NEXT_TURN &&
        o->turn_block != JG_NONE) { // the path ends at the head of the loop
        v.block = o->turn_block;
        v.insn = JG_NONE;
    }
    const struct jg_value_info *info = jg_value_info(&e->domain, o->symbol);
    v.left_behind = info->kind == JG_V_MADE && info->b == jg_region_left_behind(e);
    v.name = v.left_behind || o->kind == JG_KIND_MONITOR ? NULL
             : info->kind == JG_V_INIT                   ? jg_region_name(e, info->a)
             : info->b && info->kind == JG_V_MADE        ? jg_region_name(e, info->b)
                                                         : jg_object_name(e, o->origin);
    if (insn != JG_NONE && event >= JG_EVENT_DELETE_LOCAL && event <= JG_EVENT_DELETE_WEAK) {
        const struct jg_insn *call = &e->unit->insns.data[insn];
        const char *spelled = jg_engine_expression(e, e->unit->args.data[call->first_arg + 1]);
        v.name = spelled ? spelled : v.name; // as the call writes it
    }
    v.parameter = jg_parameter_of(e, info) != JG_NONE;
    v.framed = o->level > 0;
    v.other = jg_value_name(e, o->owner);
    if (o->kind == JG_KIND_MONITOR && event == JG_EVENT_LOSE)
        v.cause = jg_other_monitor(s, o);
    if (event == JG_EVENT_RELEASE_OTHER)
        v.number = e->owner_arg;
    if (o->kind == JG_KIND_MONITOR)
        v.name = v.other;
    if (v.event == JG_EVENT_NEXT_TURN && o->turn_block != JG_NONE) {
        struct jg_path at_head = *s;
        at_head.trace = o->turn;
        jg_report(e, &at_head, v, primary);
    } else {
        jg_report(e, s, v, primary);
    }
}

void jg_object_event(struct jg_engine *e, struct jg_path *s, jg_value symbol, enum jg_event event,
                     uint32_t block, uint32_t insn)
{
    struct jg_object o;
    bool inferred;
    if (!jg_tracks_symbol(e, symbol))
        return;
    if (!jg_find_object(e, s, symbol, &o, &inferred)) {
        if (event < JG_EVENT_DELETE_LOCAL || event > JG_EVENT_DELETE_WEAK)
            return;
        // Of unknown origin, but its deletion says what it was.
        o = (struct jg_object){.symbol = symbol,
                               .states = JG_STATE_LIVE,
                               .kind = event == JG_EVENT_DELETE_LOCAL    ? JG_KIND_LOCAL
                                       : event == JG_EVENT_DELETE_GLOBAL ? JG_KIND_GLOBAL
                                                                         : JG_KIND_WEAK,
                               .origin = JG_NONE,
                               .cause = JG_NONE,
                               .kept = JG_NONE,
                               .turn_block = JG_NONE};
    }
    struct jg_outcome step = jg_protocol_apply(o.kind, o.states, event);
    bool absence = event == JG_EVENT_LOSE || event == JG_EVENT_NEXT_TURN;
    // One finding of a kind: an illegal call in a region does not hide that it is never left.
    uint8_t said = event == JG_EVENT_JNI_CALL ? JG_OBJ_CALLED : JG_OBJ_REPORTED;
    // Somebody else may have ended it, or taken the lock again. What this function did with its own
    // copy of the handle holds all the same.
    bool by_others = (o.flags & JG_OBJ_ESCAPED &&
                      (absence || event == JG_EVENT_JNI_CALL || o.kind == JG_KIND_MONITOR)) ||
                     (absence && o.kind == JG_KIND_MONITOR && jg_leaves_monitors(e));
    if (step.rule != JG_RULE_NONE && !by_others && !(o.flags & said)) {
        report_object(e, s, &o, inferred, &step, event, block, insn, absence ? o.origin : insn);
        o.flags |= said;
    }
    if (step.next != o.states) {
        o.states = step.next;
        o.cause = insn;
        o.ended = s->trace;
        if (o.origin != JG_NONE)
            *JG_VEC_PUSH(&e->ended) = o.origin;
        if (o.origin != JG_NONE && o.kind == JG_KIND_LOCAL)
            jg_note_gone(e, s, o.origin), s->deletes = e->helper;
    }
    struct jg_object *row = jg_path_object(s, symbol);
    if (!row) {
        if (o.states == JG_STATE_LIVE)
            return; // stays implicit
        row = jg_path_add_object(&e->paths, s, symbol);
    }
    *row = o;
}

void jg_buffer_used(struct jg_engine *e, struct jg_path *s, jg_value pointer, uint8_t flag,
                    uint32_t block, uint32_t insn)
{
    jg_value root = jg_value_root(&e->domain, pointer);
    struct jg_object *o = jg_path_object(s, root);
    if (!o || !jg_kind_is_buffer(o->kind))
        return;
    o->flags |= flag;
    if (flag == JG_OBJ_WRITTEN && insn != JG_NONE)
        o->stored = insn;
    if (flag && o->origin != JG_NONE)
        jg_engine_mark(e, o->origin,
                       flag == JG_OBJ_WRITTEN ? JG_MARK_WRITTEN : JG_MARK_MAY_BE_WRITTEN);
    if (insn != JG_NONE)
        jg_object_event(e, s, root, JG_EVENT_USE, block, insn);
}

void jg_check_untested(struct jg_engine *e, struct jg_path *s, jg_value pointer, uint32_t block,
                       uint32_t insn)
{
    if (!jg_tracks_exception(e))
        return;
    jg_value root = jg_value_root(&e->domain, pointer);
    const struct jg_value_info *v = jg_value_info(&e->domain, root);
    if (v->kind != JG_V_MADE || v->older || v->b)
        return;
    const struct jg_insn *made = &e->unit->insns.data[v->a];
    if (made->op != JG_OP_CALL || made->sub != JG_CALLEE_JNI ||
        jg_jni_function(made->a)->null_class != JG_NULL_UNSPECIFIED)
        return;
    struct jg_fact f = jg_path_fact(&e->domain, s, root);
    if (jg_path_truth(&e->domain, s, root) == 1)
        return;
    f.nonzero = true; // once
    jg_path_set_fact(&e->paths, s, f);
    jg_report(e, s,
              (struct jg_violation){.rule = JG_RULE_EXCEPTION_UNCHECKED_NULL,
                                    .kind = JG_KIND_EXCEPTION,
                                    .event = JG_EVENT_USE,
                                    .from = JG_STATE_NULL_UNTESTED,
                                    .all = true,
                                    .block = block,
                                    .insn = insn,
                                    .origin = v->a,
                                    .cause = JG_NONE,
                                    .name = jg_object_name(e, v->a)},
              v->a);
}

// Objects in an array of them: a release of "some element" is taken for the release of all.
static void event_on_elements(struct jg_engine *e, struct jg_path *s, jg_region summary,
                              enum jg_event event, uint32_t insn)
{
    struct jg_domain *d = &e->domain;
    for (uint32_t i = 0; i < s->object_count; i++) {
        struct jg_object *o = &s->objects[i];
        bool held = jg_object_is_held(o, summary);
        for (uint32_t k = 0; k < s->entry_count && !held; k++)
            if (jg_region_is_element_of(d, s->entries[k].region, summary) &&
                jg_value_root(d, s->entries[k].value) == o->symbol) {
                held = true;
                s->entries[k].value = jg_value_make(d, JG_V_ELEM, summary, 0); // perhaps this one
            }
        if (!held)
            continue;
        struct jg_outcome step = jg_protocol_apply(o->kind, o->states, event);
        o->states = step.next;
        o->cause = insn;
        o->holder[0] = o->holder[1] = 0;
    }
}

void jg_event_on_value(struct jg_engine *e, struct jg_path *s, jg_value value, enum jg_event event,
                       uint32_t block, uint32_t insn)
{
    jg_value root = jg_value_root(&e->domain, value);
    const struct jg_value_info *v = jg_value_info(&e->domain, root);
    jg_note_deed(e, s, value, event);
    if (v->kind == JG_V_ELEM) {
        if (event != JG_EVENT_USE)
            event_on_elements(e, s, v->a, event, insn);
        return;
    }
    if (jg_value_is_symbol(&e->domain, root) && !v->older && !jg_is_null(e, s, root))
        jg_object_event(e, s, root, event, block, insn);
    else if (v->older && jg_path_object(s, root)) // one of many, all in these states
        jg_object_event(e, s, root, event, block, insn);
}

bool jg_engine_field_kind(const struct jg_engine *e, uint32_t field, enum jg_kind *kind)
{
    uint8_t kinds = jg_program_field_kinds(e->analysis->program, e->unit_index, field);
    *kind = jg_sole_kind(kinds) == JG_STORED_WEAK ? JG_KIND_WEAK : JG_KIND_GLOBAL;
    return jg_sole_kind(kinds) != 0;
}
