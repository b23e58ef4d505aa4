// SPDX-License-Identifier: Apache-2.0
//
// What a JNI call does to the state: events of its arguments, then its result and the exception it
// may leave. Everything is read from rules/jni_functions.def; the protocols decide what is legal.
//
// A result that is NULL exactly when the call threw is not split into two states: the exception
// state NULL_UNTESTED stands for both, and the test of the result decides (explore.c). Only checks
// that find or do not find an exception, and PushLocalFrame, split.

#include "rules/jni.h"
#include "analyzer/engine/internal.h"

#include <string.h>

bool jg_tracks_site(const struct jg_engine *e, uint32_t insn)
{
    return e->focus.kind == JG_FOCUS_ALL ||
           (e->focus.kind == JG_FOCUS_SITE && e->focus.site <= insn && insn <= e->focus.last);
}

bool jg_tracks_exception(const struct jg_engine *e)
{
    return e->focus.kind == JG_FOCUS_ALL || e->focus.kind == JG_FOCUS_EXCEPTION;
}

bool jg_tracks_frames(const struct jg_engine *e)
{
    return e->focus.kind == JG_FOCUS_ALL || e->focus.kind == JG_FOCUS_FRAMES;
}

bool jg_tracks_symbol(const struct jg_engine *e, jg_value symbol)
{
    const struct jg_value_info *v = jg_value_info(&e->domain, symbol);
    if (v->kind == JG_V_MADE && e->focus.kind == JG_FOCUS_OTHERS) {
        const struct jg_insn *in = &e->unit->insns.data[v->a];
        return !(in->op == JG_OP_CALL && in->sub == JG_CALLEE_JNI &&
                 jg_result_is_buffer(jg_jni_function(in->a)->result)) &&
               !e->in_loop[jg_block_of(e, v->a)];
    }
    if (v->kind == JG_V_MADE)
        return jg_tracks_site(e, v->a);
    return e->focus.kind == JG_FOCUS_ALL || e->focus.kind == JG_FOCUS_OTHERS;
}

// ---- objects ------------------------------------------------------------------------------------

static bool kind_of_result(enum jg_result result, enum jg_kind *kind)
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

// The parameter whose initial value the symbol is; JG_NONE.
uint32_t jg_parameter_of(const struct jg_engine *e, const struct jg_value_info *v)
{
    if (v->kind != JG_V_INIT)
        return JG_NONE;
    const struct jg_region_info *r = jg_region_info(&e->domain, v->a);
    return r->kind == JG_R_VAR && e->unit->vars.data[r->a].kind == JG_VAR_PARAM ? r->a : JG_NONE;
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
        if (!jg_result_is_ref(fn->result) || !kind_of_result(fn->result, &kind))
            return false;
        origin = v.a;
        if (fn->null_class == JG_NULL_NORMAL && fn->flags & JG_JNI_POPS_FRAME)
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

bool jg_is_null(const struct jg_engine *e, const struct jg_path *s, jg_value v)
{
    return jg_path_truth(&e->domain, s, v) == 0;
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
    v.name = info->kind == JG_V_INIT ? jg_region_name(e, info->a) : jg_object_name(e, o->origin);
    if (insn != JG_NONE && event >= JG_EVENT_DELETE_LOCAL && event <= JG_EVENT_DELETE_WEAK) {
        const struct jg_insn *call = &e->unit->insns.data[insn];
        const char *spelled = jg_engine_expression(e, e->unit->args.data[call->first_arg + 1]);
        v.name = spelled ? spelled : v.name; // as the call writes it
    }
    v.parameter = jg_parameter_of(e, info) != JG_NONE;
    v.framed = o->level > 0;
    const struct jg_value_info *owner = jg_value_info(&e->domain, o->owner);
    if (owner->kind == JG_V_INIT)
        v.other = jg_region_name(e, owner->a);
    else if (owner->kind == JG_V_MADE)
        v.other = jg_object_name(e, owner->a);
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
    if (step.rule != JG_RULE_NONE && !(o.flags & (JG_OBJ_ESCAPED | said))) {
        report_object(e, s, &o, inferred, &step, event, block, insn, absence ? o.origin : insn);
        o.flags |= said;
    }
    if (step.next != o.states) {
        o.states = step.next;
        o.cause = insn;
        o.ended = s->trace;
        if (o.origin != JG_NONE)
            *JG_VEC_PUSH(&e->ended) = o.origin;
    }
    struct jg_object *row = jg_path_object(s, symbol);
    if (!row) {
        if (o.states == JG_STATE_LIVE)
            return; // stays implicit
        row = jg_path_add_object(&e->paths, s, symbol);
    }
    *row = o;
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
            held = jg_region_info(d, s->entries[k].region)->element &&
                   jg_region_summary(d, s->entries[k].region) == summary &&
                   jg_value_root(d, s->entries[k].value) == o->symbol;
        if (!held)
            continue;
        struct jg_outcome step = jg_protocol_apply(o->kind, o->states, event);
        o->states = step.next;
        o->cause = insn;
        o->holder[0] = o->holder[1] = 0;
    }
}

static void event_on_value(struct jg_engine *e, struct jg_path *s, jg_value value,
                           enum jg_event event, uint32_t block, uint32_t insn)
{
    jg_value root = jg_value_root(&e->domain, value);
    const struct jg_value_info *v = jg_value_info(&e->domain, root);
    if (v->kind == JG_V_ELEM) {
        if (event != JG_EVENT_USE)
            event_on_elements(e, s, v->a, event, insn);
        return;
    }
    if (jg_value_is_symbol(&e->domain, root) && !v->older && !jg_is_null(e, s, root))
        jg_object_event(e, s, root, event, block, insn);
    else if (v->older && event != JG_EVENT_USE && jg_path_object(s, root))
        jg_object_event(e, s, root, event, block, insn);
}

// ---- exceptions ---------------------------------------------------------------------------------

void jg_exception_event(struct jg_engine *e, struct jg_path *s, enum jg_event event, uint32_t block,
                        uint32_t insn)
{
    if (!jg_tracks_exception(e))
        return;
    enum jg_state was = s->exception;
    struct jg_transition step = jg_protocol_step(JG_KIND_EXCEPTION, was, event);
    if (!step.present)
        return;
    if (step.rule != JG_RULE_NONE) {
        bool by_origin = was != JG_STATE_PENDING;
        struct jg_violation v = {.rule = step.rule,
                                 .kind = JG_KIND_EXCEPTION,
                                 .event = event,
                                 .from = was,
                                 .all = true,
                                 .block = block,
                                 .insn = insn,
                                 .origin = s->exception_origin,
                                 .cause = JG_NONE,
                                 .since = s->exception_since};
        v.name = jg_object_name(e, s->exception_origin);
        if (!by_origin || s->exception_origin != JG_NONE)
            jg_report(e, s, v, s->exception_origin != JG_NONE ? s->exception_origin : insn);
        if (was == JG_STATE_NULL_UNTESTED) { // what follows is about the case that it did not throw
            jg_value result = jg_value_make(&e->domain, JG_V_MADE, s->exception_origin, 0);
            jg_path_assume(&e->domain, &e->paths, s, result, true);
            s->exception = s->exception_before;
            if (event == JG_EVENT_JNI_CALL)
                return;
        }
    }
    if (event == JG_EVENT_NULL_RESULT)
        s->exception_before = (uint16_t)(was == JG_STATE_NULL_UNTESTED ? s->exception_before : was);
    s->exception = step.next;
    if (event == JG_EVENT_FOUND_NONE && was == JG_STATE_NULL_UNTESTED)
        s->exception = JG_STATE_CLEAN;
    bool keeps_origin = event == JG_EVENT_FOUND || event == JG_EVENT_TEST;
    if (!keeps_origin || was == JG_STATE_UNKNOWN)
        s->exception_origin = insn, s->exception_since = s->trace;
    if (s->exception == JG_STATE_CLEAN || s->exception == JG_STATE_UNKNOWN)
        s->exception_origin = JG_NONE;
}

// ---- critical regions and frames ----------------------------------------------------------------

static void call_in_critical(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn)
{
    for (uint32_t i = 0; i < s->object_count; i++) {
        struct jg_object *o = &s->objects[i];
        if (o->kind == JG_KIND_CRITICAL || o->kind == JG_KIND_STRING_CRITICAL)
            jg_object_event(e, s, o->symbol, JG_EVENT_JNI_CALL, block, insn);
    }
}

static void push_frame(struct jg_engine *e, struct jg_path *s, uint32_t insn)
{
    if (!jg_tracks_frames(e) && e->focus.kind != JG_FOCUS_SITE)
        return;
    for (uint32_t i = 0; i < s->frame_count; i++)
        if (s->frames[i] == insn) { // in a loop: how often is not counted
            s->frames_uncounted = true;
            return;
        }
    if (s->frame_count < JG_MAX_FRAMES)
        s->frames[s->frame_count++] = insn;
    else
        s->frames_uncounted = true;
}

void jg_report_frame(struct jg_engine *e, struct jg_path *s, enum jg_state from,
                     enum jg_event event, uint32_t block, uint32_t insn, uint32_t origin)
{
    struct jg_transition step = jg_protocol_step(JG_KIND_FRAME, from, event);
    if (step.rule == JG_RULE_NONE || !jg_tracks_frames(e))
        return;
    jg_report(e, s,
              (struct jg_violation){.rule = step.rule,
                                    .kind = JG_KIND_FRAME,
                                    .event = event,
                                    .from = from,
                                    .all = true,
                                    .block = block,
                                    .insn = insn,
                                    .origin = origin,
                                    .cause = JG_NONE},
              origin != JG_NONE ? origin : insn);
}

static void pop_frame(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn)
{
    if (s->frame_count == 0) {
        if ((e->native || e->has_push) && !s->frames_uncounted)
            jg_report_frame(e, s, JG_STATE_CLOSED, JG_EVENT_POP, block, insn, JG_NONE);
        return;
    }
    s->reserved &= (uint16_t) ~(1u << s->frame_count);
    s->frame_count--;
    for (uint32_t i = 0; i < s->object_count; i++) // the frame takes its local references with it
        if (s->objects[i].kind == JG_KIND_LOCAL && s->objects[i].level > s->frame_count)
            jg_object_event(e, s, s->objects[i].symbol, JG_EVENT_FRAME_POP, block, insn);
}

// ---- the call -----------------------------------------------------------------------------------

// Two arrays or strings that cannot be the same: two parameters, or one that was made here.
static bool provably_different(struct jg_engine *e, jg_value a, jg_value b)
{
    if (a == b)
        return false;
    const struct jg_value_info *v[2] = {jg_value_info(&e->domain, a), jg_value_info(&e->domain, b)};
    for (int i = 0; i < 2; i++) {
        const struct jg_jni_function *fn = jg_maker(e, v[i]);
        bool fresh =
            fn && !v[i]->older && fn->result == JG_RESULT_LOCAL && fn->null_class == JG_NULL_THROWS;
        if (!fresh && jg_parameter_of(e, v[i]) == JG_NONE)
            return false;
    }
    return true;
}

static void release_buffer(struct jg_engine *e, struct jg_path *s, const struct jg_jni_function *fn,
                           const jg_value *args, uint32_t block, uint32_t insn)
{
    int pointer = jg_jni_param(fn, JG_PARAM_RELEASE),
        owner = jg_jni_param(fn, JG_PARAM_RELEASE_OWNER);
    int mode = jg_jni_param(fn, JG_PARAM_MODE);
    if (pointer < 0 || owner < 0)
        return;
    jg_value root = jg_value_root(&e->domain, args[pointer]);
    enum jg_event event = JG_EVENT_RELEASE;
    struct jg_object *o = jg_path_object(s, root);
    if (mode >= 0 && args[mode] == JG_VALUE_ONE && o && o->kind == JG_KIND_ELEMENTS)
        event = JG_EVENT_COMMIT;
    else if (o && provably_different(e, o->owner, jg_value_root(&e->domain, args[owner])))
        event = JG_EVENT_RELEASE_OTHER;
    event_on_value(e, s, args[pointer], event, block, insn);
}

static enum jg_event event_of_role(unsigned role)
{
    switch (role) {
    case JG_PARAM_DELETE_LOCAL:
        return JG_EVENT_DELETE_LOCAL;
    case JG_PARAM_DELETE_GLOBAL:
        return JG_EVENT_DELETE_GLOBAL;
    case JG_PARAM_DELETE_WEAK:
        return JG_EVENT_DELETE_WEAK;
    case JG_PARAM_REF:
    case JG_PARAM_STORED_REF:
    case JG_PARAM_PROMOTE:
    case JG_PARAM_ACQUIRE:
    case JG_PARAM_RELEASE_OWNER:
    case JG_PARAM_FRAME_RESULT:
    case JG_PARAM_MONITOR_ENTER:
    case JG_PARAM_MONITOR_EXIT:
        return JG_EVENT_USE;
    default:
        return JG_EVENT_COUNT;
    }
}

static void arguments(struct jg_engine *e, struct jg_path *s, const struct jg_insn *in,
                      const struct jg_jni_function *fn, const jg_value *args, uint32_t block,
                      uint32_t insn)
{
    for (uint32_t i = 1; i < in->arg_count; i++) {
        bool variadic = i + 1 >= fn->param_count && fn->flags & JG_JNI_VARARGS;
        unsigned role = i < fn->param_count ? fn->params[i].role : JG_PARAM_VARARGS;
        if (variadic) {
            event_on_value(e, s, args[i], JG_EVENT_USE, block, insn);
            continue;
        }
        enum jg_event event = event_of_role(role);
        if (event != JG_EVENT_COUNT) {
            event_on_value(e, s, args[i], event, block, insn);
            continue;
        }
        jg_value root = jg_value_root(&e->domain, args[i]);
        const struct jg_value_info *v = jg_value_info(&e->domain, root);
        if (v->kind != JG_V_ADDR)
            continue;
        jg_region at = v->a;
        if (role == JG_PARAM_ISCOPY || role == JG_PARAM_OUT)
            jg_havoc_region(e, s, at, insn);
        if (role == JG_PARAM_REGION_OUT) {
            const struct jg_region_info *r = jg_region_info(&e->domain, at);
            jg_havoc_region(e, s, r->kind == JG_R_INDEX ? r->parent : at, insn);
        }
        if (role == JG_PARAM_JVALUES) { // uses every reference stored in the array
            const struct jg_region_info *r = jg_region_info(&e->domain, at);
            jg_region whole = r->kind == JG_R_INDEX ? r->parent : at;
            for (uint32_t k = 0; k < s->entry_count; k++)
                if (jg_region_is_below(&e->domain, s->entries[k].region, whole))
                    event_on_value(e, s, s->entries[k].value, JG_EVENT_USE, block, insn);
        }
    }
}

// RULES: at most 16 references fit into any native frame; a loop whose bound is known to be no
// larger does no harm. The bound may be a variable that was clamped.
static bool few_turns(struct jg_engine *e, const struct jg_path *s, uint32_t insn)
{
    uint32_t limit_var, around;
    if (insn == JG_NONE || !jg_loop_bound(e, insn, &limit_var, &around) || around > 16)
        return false;
    jg_region at = jg_region_var(&e->domain, limit_var);
    struct jg_entry *entry = jg_path_entry(s, at);
    jg_value v = entry ? entry->value : jg_path_initial(&e->domain, s, at);
    struct jg_fact f = jg_path_fact(&e->domain, s, v);
    return v != JG_VALUE_UNKNOWN && f.high <= 16 / (int64_t)around;
}

static void reserve(struct jg_path *s, const struct jg_jni_function *fn, const jg_value *args,
                    struct jg_engine *e)
{
    int capacity = jg_jni_param(fn, JG_PARAM_CAPACITY);
    bool ensures = fn == jg_jni_function(JG_JNI_EnsureLocalCapacity);
    if (capacity < 0 || (!ensures && !(fn->flags & JG_JNI_PUSHES_FRAME)))
        return;
    if (jg_value_info(&e->domain, args[capacity])->kind == JG_V_CONST)
        return;
    unsigned level = s->frame_count + (ensures ? 0u : 1u);
    s->reserved |= (uint16_t)(1u << level);
}

// The instruction is about to make its object again: the one of the last turn is lost if nothing
// holds it any more.
static void next_turn(struct jg_engine *e, struct jg_path *s, jg_value symbol, bool pending,
                      uint32_t block, uint32_t insn)
{
    jg_value both[2] = {symbol, jg_value_older(&e->domain, symbol)};
    for (int i = 0; i < 2; i++) {
        struct jg_object *o = jg_path_object(s, both[i]);
        bool framed = o && o->kind == JG_KIND_LOCAL &&
                      (s->reserved & 1u << o->level || (e->has_pop && !e->has_push));
        if (o && !pending && !framed && !(o->flags & JG_OBJ_ESCAPED) &&
            !few_turns(e, s, o->origin) && !jg_path_holds(&e->domain, s, both[i]))
            jg_object_event(e, s, both[i], JG_EVENT_NEXT_TURN, block, insn);
    }
    struct jg_object *kept = jg_path_object(s, symbol);
    if (kept && kept->origin != JG_NONE && jg_path_holds(&e->domain, s, symbol))
        *JG_VEC_PUSH(&e->ended) = kept->origin; // this path keeps it for later
    struct jg_object *older = jg_path_object(s, both[1]);
    if (older && !(older->states & (JG_STATE_LIVE | JG_STATE_HELD)) &&
        !jg_path_holds(&e->domain, s, both[1]))
        jg_path_remove_object(s, both[1]);
    struct jg_object *newest = jg_path_object(s, symbol);
    if (newest &&
        (!(newest->states & (JG_STATE_LIVE | JG_STATE_HELD)) || newest->flags & JG_OBJ_REPORTED) &&
        !jg_path_holds(&e->domain, s, symbol))
        jg_path_remove_object(s,
                              symbol); // ended, or reported: not worth remembering as an older one
}

static jg_value result_of(struct jg_engine *e, struct jg_path *s, const struct jg_jni_function *fn,
                          const jg_value *args, bool pending, uint32_t block, uint32_t insn)
{
    jg_value symbol = jg_value_make(&e->domain, JG_V_MADE, insn, 0);
    int carried = jg_jni_param(fn, JG_PARAM_FRAME_RESULT);
    if (carried >= 0 && jg_is_null(e, s, args[carried]))
        return JG_VALUE_ZERO; // PopLocalFrame(env, NULL)
    bool loops = e->in_loop[block];
    if (loops) {
        next_turn(e, s, symbol, pending, block, insn);
        jg_path_age(&e->domain, &e->paths, s, symbol);
    }
    enum jg_kind kind;
    if (!kind_of_result(fn->result, &kind) || !jg_tracks_site(e, insn))
        return symbol;
    bool buffer = jg_result_is_buffer(fn->result);
    if (!buffer && !(kind == JG_KIND_LOCAL && loops))
        return symbol; // implicit
    struct jg_object *o = jg_path_add_object(&e->paths, s, symbol);
    o->kind = (uint8_t)kind;
    o->states = buffer ? JG_STATE_HELD : JG_STATE_LIVE;
    if (buffer)
        s->acquired = insn;
    o->flags = loops ? JG_OBJ_IN_LOOP : 0;
    o->level = s->frame_count;
    o->origin = insn;
    o->since = s->trace;
    int owner = jg_jni_param(fn, JG_PARAM_ACQUIRE);
    if (buffer && owner >= 0)
        o->owner = jg_value_root(&e->domain, args[owner]);
    return symbol;
}

static void one(struct jg_outcomes *out, struct jg_path *s, jg_value result)
{
    out->state[out->count] = s;
    out->result[out->count++] = result;
}

// A check: found and not found, as far as the state allows both.
static void check_exception(struct jg_engine *e, struct jg_path *s,
                            const struct jg_jni_function *fn, uint32_t block, uint32_t insn,
                            jg_value symbol, struct jg_outcomes *out)
{
    bool boolean = fn->result == JG_RESULT_BOOLEAN;
    bool unused = (e->unit->insns.data[insn].flags & JG_INSN_UNUSED) != 0;
    if (!jg_tracks_exception(e) && !unused && s->acquired != JG_NONE) {
        // Whatever else is known of exceptions: found after an acquisition, it is that one's
        // failure.
        jg_value acquired = jg_value_make(&e->domain, JG_V_MADE, s->acquired, 0);
        struct jg_path *found = jg_path_clone(&e->paths, s);
        if (jg_path_assume(&e->domain, &e->paths, found, acquired, false))
            one(out, found, boolean ? JG_VALUE_ONE : symbol);
        if (jg_path_assume(&e->domain, &e->paths, s, acquired, true))
            one(out, s, boolean ? JG_VALUE_ZERO : symbol);
        return;
    }
    if (!jg_tracks_exception(e) || unused) {
        one(out, s, symbol);
        return;
    }
    bool may = s->exception != JG_STATE_CLEAN, must = s->exception == JG_STATE_PENDING;
    struct jg_path *none = may && !must ? jg_path_clone(&e->paths, s) : s;
    if (may) {
        if (s->exception == JG_STATE_NULL_UNTESTED) {
            jg_value result = jg_value_make(&e->domain, JG_V_MADE, s->exception_origin, 0);
            if (!jg_path_assume(&e->domain, &e->paths, s, result, false))
                may = false;
        }
        enum jg_state was = s->exception;
        jg_exception_event(e, s, JG_EVENT_FOUND, block, insn);
        // What is found is the failure of the last call that could fail: its result is nothing.
        uint32_t failed = was == JG_STATE_AFTER_CALL ? s->exception_origin
                          : was == JG_STATE_UNKNOWN || was == JG_STATE_AFTER_ACCESS ? s->acquired
                                                                                    : JG_NONE;
        if (failed != JG_NONE &&
            jg_result_is_nullable(jg_jni_function(e->unit->insns.data[failed].a)->result)) {
            jg_value result = jg_value_make(&e->domain, JG_V_MADE, failed, 0);
            if (!jg_path_assume(&e->domain, &e->paths, s, result, false) && was == JG_STATE_UNKNOWN)
                s->acquired = JG_NONE; // it was tested: the exception is older
        }
        if (!must)
            s->trace = jg_trace_add(e, s->trace, JG_TRACE_FOUND, insn, 0);
        if (!boolean)
            jg_path_assume(&e->domain, &e->paths, s, symbol, true);
        if (may)
            one(out, s, boolean ? JG_VALUE_ONE : symbol);
    }
    if (must)
        return;
    if (none->exception == JG_STATE_NULL_UNTESTED) {
        jg_value result = jg_value_make(&e->domain, JG_V_MADE, none->exception_origin, 0);
        jg_path_assume(&e->domain, &e->paths, none, result, true);
    }
    for (uint32_t i = 0; i < none->object_count; i++) // a failed acquisition would have thrown
        if (none->objects[i].states == JG_STATE_HELD) {
            struct jg_fact f = jg_path_fact(&e->domain, none, none->objects[i].symbol);
            f.nonzero = true;
            jg_path_set_fact(&e->paths, none, f);
        }
    if (may)
        none->trace = jg_trace_add(e, none->trace, JG_TRACE_FOUND_NONE, insn, 0);
    jg_exception_event(e, none, JG_EVENT_FOUND_NONE, block, insn);
    if (!boolean)
        jg_path_assume(&e->domain, &e->paths, none, symbol, false);
    one(out, none, boolean ? JG_VALUE_ZERO : symbol);
}

void jg_call_jni(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn,
                 const jg_value *args, struct jg_outcomes *out)
{
    const struct jg_insn *in = &e->unit->insns.data[insn];
    const struct jg_jni_function *fn = jg_jni_function(in->a);
    bool pending = s->exception == JG_STATE_PENDING; // then the call itself is the defect
    if (!(fn->flags & (JG_JNI_PENDING_OK | JG_JNI_RAISES)))
        jg_exception_event(e, s, JG_EVENT_JNI_CALL, block, insn);
    if (pending && s->exception == JG_STATE_UNKNOWN)
        return; // reported; what follows on this path follows from it
    if (!(fn->flags & JG_JNI_CRITICAL_OK))
        call_in_critical(e, s, block, insn);
    if (fn->flags & JG_JNI_NORETURN)
        return;
    arguments(e, s, in, fn, args, block, insn);
    release_buffer(e, s, fn, args, block, insn);
    if (fn->flags & JG_JNI_POPS_FRAME)
        pop_frame(e, s, block, insn);
    jg_value result = result_of(e, s, fn, args, pending, block, insn);
    reserve(s, fn, args, e);

    if (fn->flags & JG_JNI_TESTS) {
        check_exception(e, s, fn, block, insn, result, out);
        return;
    }
    if (fn->flags & JG_JNI_CLEARS)
        jg_exception_event(e, s, JG_EVENT_CLEAR, block, insn);
    else if (fn->flags & JG_JNI_RAISES)
        jg_exception_event(e, s, JG_EVENT_RAISE, block, insn);
    else if (fn->flags & JG_JNI_CALLS_JAVA)
        jg_exception_event(e, s, JG_EVENT_JAVA_CALL, block, insn), s->acquired = JG_NONE;
    else if (fn->null_class == JG_NULL_THROWS)
        jg_exception_event(e, s, JG_EVENT_NULL_RESULT, block, insn);
    else if (fn->flags & JG_JNI_ACCESS)
        jg_exception_event(e, s, JG_EVENT_ACCESS, block, insn);

    if (fn->flags & JG_JNI_PUSHES_FRAME) {
        if (!(in->flags & JG_INSN_UNUSED) && e->focus.kind != JG_FOCUS_OTHERS) {
            struct jg_path *failed = jg_path_clone(&e->paths, s);
            jg_exception_event(e, failed, JG_EVENT_FOUND, block, insn);
            failed->exception_origin = insn;
            failed->trace = jg_trace_add(e, failed->trace, JG_TRACE_NULL, insn, 0);
            struct jg_fact f = {.value = result, .nonzero = true, .low = INT64_MIN, .high = -1};
            jg_path_set_fact(&e->paths, failed, f);
            out->state[1] = failed;
            out->result[1] = result;
            out->count = 1;
        }
        push_frame(e, s, insn);
        out->state[0] = s;
        out->result[0] = JG_VALUE_ZERO;
        out->count++;
        return;
    }
    one(out, s, result);
}
