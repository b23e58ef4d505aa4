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

#include <stdio.h>
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

// ---- exceptions ---------------------------------------------------------------------------------

// The same helper called ten times without a check is one defect.
static uint32_t cause_of(const struct jg_engine *e, uint32_t origin)
{
    const struct jg_insn *in = &e->unit->insns.data[origin];
    bool named = in->op == JG_OP_CALL && in->sub == JG_CALLEE_SYMBOL;
    bool field = in->op == JG_OP_CALL && in->sub == JG_CALLEE_FIELD;
    return named ? in->a | 0x40000000u : field ? in->a | 0x60000000u : origin;
}

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
                                 .since = s->exception_since,
                                 .assumed =
                                     e->helper && s->entry == JG_ENTRY_PENDING && !s->entry_kept,
                                 .unknown_callee = s->exception_lent};
        v.name = jg_object_name(e, s->exception_origin);
        if (!by_origin || s->exception_origin != JG_NONE)
            jg_report(e, s, v,
                      s->exception_origin != JG_NONE ? cause_of(e, s->exception_origin) : insn);
        if (was == JG_STATE_NULL_UNTESTED) { // what follows is about the case that it did not throw
            jg_value result = jg_value_make(&e->domain, JG_V_MADE, s->exception_origin, 0);
            jg_path_assume(&e->domain, &e->paths, s, result, true);
            s->exception = s->exception_before;
            if (event == JG_EVENT_JNI_CALL)
                return;
        }
    }
    if (event == JG_EVENT_RAISE || event == JG_EVENT_CLEAR || event == JG_EVENT_JAVA_CALL ||
        event == JG_EVENT_ACCESS || event == JG_EVENT_TEST || step.rule != JG_RULE_NONE)
        s->entry_kept = false;
    if (event == JG_EVENT_FOUND && was != JG_STATE_UNKNOWN)
        s->entry_kept = false;
    if (event == JG_EVENT_NULL_RESULT)
        s->exception_before = (uint16_t)(was == JG_STATE_NULL_UNTESTED ? s->exception_before : was);
    s->exception = step.next;
    if (event == JG_EVENT_FOUND_NONE && was == JG_STATE_NULL_UNTESTED)
        s->exception = JG_STATE_CLEAN;
    bool keeps_origin = event == JG_EVENT_FOUND || event == JG_EVENT_TEST;
    if (!keeps_origin || was == JG_STATE_UNKNOWN) {
        s->exception_origin = insn;
        s->exception_since = s->trace;
        s->exception_lent = false;
    }
    if (s->exception == JG_STATE_CLEAN || s->exception == JG_STATE_UNKNOWN)
        s->exception_origin = JG_NONE;
}

// ---- critical regions and frames ----------------------------------------------------------------

void jg_call_in_critical(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn)
{
    if (e->helper && !s->leaves_critical) {
        s->calls_jni = s->calls_first = true;
        e->critical_insn = insn < e->critical_insn ? insn : e->critical_insn;
    }
    for (uint32_t i = 0; i < s->object_count; i++) {
        struct jg_object *o = &s->objects[i];
        if (jg_kind_is_critical(o->kind))
            jg_object_event(e, s, o->symbol, JG_EVENT_JNI_CALL, block, insn);
    }
}

// A region given to the release function for another kind: that is the defect, not the call.
static bool releases_critical(const struct jg_engine *e, const struct jg_path *s,
                              const struct jg_jni_function *fn, const jg_value *args)
{
    int pointer = jg_jni_param(fn, JG_PARAM_RELEASE);
    const struct jg_object *o =
        pointer < 0 ? NULL : jg_path_object(s, jg_value_root(&e->domain, args[pointer]));
    return o && jg_kind_is_critical(o->kind);
}

void jg_push_frame(struct jg_engine *e, struct jg_path *s, uint32_t insn)
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

void jg_pop_frame(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn)
{
    if (s->frame_count == 0) {
        if (s->popped < JG_MAX_POPPED)
            s->popped += e->helper;
        else
            s->frames_uncounted = true;
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

bool jg_is_pushed_by_helper(const struct jg_engine *e, const struct jg_path *s)
{
    return s->frame_count && !jg_insn_jni(&e->unit->insns.data[s->frames[s->frame_count - 1]]);
}

bool jg_pops_for_caller(uint16_t effects)
{
    return effects & JG_EFFECT_POPS && !(effects & JG_EFFECT_PUSHES);
}

void jg_lend_frames(struct jg_engine *e, struct jg_path *s, uint16_t effects, uint32_t block,
                    uint32_t insn)
{
    if (!(effects & (JG_EFFECT_PUSHES | JG_EFFECT_POPS)))
        return;
    s->reserved = UINT16_MAX; // it may have pushed a frame, or popped one
    if (jg_pops_for_caller(effects) && s->frame_count)
        jg_pop_frame(e, s, block, insn);
    bool balanced = effects & JG_EFFECT_PUSHES && effects & JG_EFFECT_POPS;
    if (!balanced || effects & JG_EFFECT_FRAMES_UNKNOWN)
        s->frames_uncounted = true;
}

// ---- the call -----------------------------------------------------------------------------------

bool jg_provably_different(struct jg_engine *e, jg_value a, jg_value b)
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

// Is `release` the function that gives back what the JNI function `acquire` hands out?
static bool is_pair(const struct jg_jni_function *acquire, const struct jg_jni_function *release)
{
    return strcmp(acquire->name + strlen("Get"), release->name + strlen("Release")) == 0;
}

// Is the pointer another than the one handed out? RELEASE_MOVED: on every path that this state
// stands for; RELEASE_STRAY: where it was moved by a quantity that is not known, or in a loop, in
// one direction; JG_EVENT_RELEASE: not, or it may have been moved back.
static enum jg_event movement(struct jg_engine *e, const struct jg_path *s, jg_value symbol,
                              jg_value pointer)
{
    jg_value base, offset;
    if (pointer == symbol || !jg_value_split(&e->domain, pointer, &base, &offset) || base != symbol)
        return JG_EVENT_RELEASE;
    int moved = jg_path_truth(&e->domain, s, offset);
    if (moved >= 0)
        return moved ? JG_EVENT_RELEASE_MOVED : JG_EVENT_RELEASE;
    const struct jg_value_info *v = jg_value_info(&e->domain, offset);
    struct jg_fact f = jg_path_fact(&e->domain, s, offset);
    bool one_way = f.low >= 0 || f.high <= 0;
    return v->kind == JG_V_INIT || v->kind == JG_V_MADE || (v->kind == JG_V_PHI && one_way)
               ? JG_EVENT_RELEASE_STRAY
               : JG_EVENT_RELEASE;
}

static enum jg_event kind_of_release(struct jg_engine *e, const struct jg_path *s,
                                     const struct jg_object *o, const struct jg_jni_function *fn,
                                     jg_value pointer, jg_value owner, jg_value mode)
{
    uint16_t slot = o->origin == JG_NONE ? JG_ANY_SLOT : jg_engine_acquirer(e, o->origin);
    const struct jg_jni_function *maker = slot == JG_ANY_SLOT ? NULL : jg_jni_function(slot);
    if (maker && !is_pair(maker, fn))
        return JG_EVENT_RELEASE_WRONG;
    enum jg_event moved = movement(e, s, o->symbol, pointer);
    if (moved != JG_EVENT_RELEASE)
        return moved;
    if (jg_provably_different(e, o->owner, owner))
        return JG_EVENT_RELEASE_OTHER;
    return mode == JG_VALUE_ONE ? JG_EVENT_COMMIT : JG_EVENT_RELEASE;
}

// A buffer of unknown origin, loaded or given by the caller: its release says what it was.
static void hold_foreign(struct jg_engine *e, struct jg_path *s, const struct jg_jni_function *fn,
                         jg_value symbol)
{
    char acquire[64];
    snprintf(acquire, sizeof acquire, "Get%s", fn->name + strlen("Release"));
    int slot = jg_jni_find(acquire);
    enum jg_kind kind;
    if (slot < 0 || !jg_kind_of_result(jg_jni_function((unsigned)slot)->result, &kind) ||
        jg_value_info(&e->domain, symbol)->kind != JG_V_INIT || !jg_tracks_symbol(e, symbol) ||
        jg_region_info(&e->domain, jg_value_info(&e->domain, symbol)->a)->element)
        return; // of elements, one name stands for several
    struct jg_object *o = jg_path_add_object(&e->paths, s, symbol);
    o->kind = (uint8_t)kind;
    o->states = JG_STATE_HELD;
    o->origin = JG_NONE;
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
    e->deed_slot = e->unit->insns.data[insn].a;
    e->deed_owner = jg_value_root(&e->domain, args[owner]);
    e->deed_mode = mode >= 0 ? args[mode] : JG_VALUE_UNKNOWN;
    e->owner_arg = (uint32_t)owner;
    jg_check_untested(e, s, root, block, insn);
    if (o && jg_kind_is_buffer(o->kind))
        event = kind_of_release(e, s, o, fn, args[pointer], e->deed_owner,
                                mode >= 0 ? args[mode] : JG_VALUE_ZERO);
    bool commits = mode >= 0 && args[mode] == JG_VALUE_ONE;
    if (!o && commits)
        event = JG_EVENT_COMMIT;
    else if (!o && !jg_is_null(e, s, root))
        hold_foreign(e, s, fn, root);
    if (event == JG_EVENT_COMMIT && o) // what was written has arrived
        o->flags &= (uint8_t) ~(JG_OBJ_WRITTEN | JG_OBJ_MAY_BE_WRITTEN);
    jg_event_on_value(e, s, args[pointer], event, block, insn);
}

enum jg_event jg_release_event(struct jg_engine *e, struct jg_path *s,
                               const struct jg_jni_function *fn, jg_value pointer,
                               enum jg_event event)
{
    jg_value root = jg_value_root(&e->domain, pointer);
    struct jg_object *o = jg_path_object(s, root);
    if (o && jg_kind_is_buffer(o->kind))
        event = kind_of_release(e, s, o, fn, pointer, e->deed_owner,
                                event == JG_EVENT_COMMIT ? JG_VALUE_ONE : JG_VALUE_ZERO);
    else if (!o && event == JG_EVENT_RELEASE && !jg_is_null(e, s, root))
        hold_foreign(e, s, fn, root);
    if (event == JG_EVENT_COMMIT && o)
        o->flags &= (uint8_t) ~(JG_OBJ_WRITTEN | JG_OBJ_MAY_BE_WRITTEN);
    return event;
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

// A handle or an address passed as a number, mostly as a jlong: Java code gives it back later.
static void give_to_java(struct jg_engine *e, struct jg_path *s, uint32_t temp, jg_value value)
{
    uint32_t def = temp == JG_NONE ? JG_NONE : e->temp_def[temp];
    uint32_t type = def == JG_NONE ? JG_NONE : e->unit->insns.data[def].type;
    if (type == JG_NONE || !jg_role_is_ref(e->unit->types.data[type].role))
        jg_escape(e, s, value);
}

static void arguments(struct jg_engine *e, struct jg_path *s, const struct jg_insn *in,
                      const struct jg_jni_function *fn, const jg_value *args, uint32_t block,
                      uint32_t insn)
{
    for (uint32_t i = 1; i < in->arg_count; i++) {
        bool variadic = i + 1 >= fn->param_count && fn->flags & JG_JNI_VARARGS;
        unsigned role = i < fn->param_count ? fn->params[i].role : JG_PARAM_VARARGS;
        if (role != JG_PARAM_RELEASE)
            jg_buffer_used(e, s, args[i], role == JG_PARAM_REGION_OUT ? JG_OBJ_WRITTEN : 0, block,
                           insn);
        if (variadic || role == JG_PARAM_VALUE) {
            give_to_java(e, s, e->unit->args.data[in->first_arg + i], args[i]);
            if (variadic)
                jg_event_on_value(e, s, args[i], JG_EVENT_USE, block, insn);
            continue;
        }
        enum jg_event event = event_of_role(role);
        if (event != JG_EVENT_COUNT) {
            jg_event_on_value(e, s, args[i], event, block, insn);
            continue;
        }
        jg_value root = jg_value_root(&e->domain, args[i]);
        const struct jg_value_info *v = jg_value_info(&e->domain, root);
        if (role == JG_PARAM_REGION_IN || role == JG_PARAM_JVALUES)
            jg_share_below(e, s, args[i]);
        if (role == JG_PARAM_REGION_OUT || role == JG_PARAM_REGION_IN)
            jg_buffer_used(e, s, root, role == JG_PARAM_REGION_OUT ? JG_OBJ_WRITTEN : 0, block,
                           insn);
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
                    jg_event_on_value(e, s, s->entries[k].value, JG_EVENT_USE, block, insn);
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
        if (o && !pending && !framed && !(o->flags & (JG_OBJ_ESCAPED | JG_OBJ_KEPT)) &&
            !few_turns(e, s, o->origin) && !jg_path_holds(&e->domain, s, both[i]))
            jg_object_event(e, s, both[i], JG_EVENT_NEXT_TURN, block, insn);
    }
    struct jg_object *kept = jg_path_object(s, symbol);
    if (kept && kept->origin != JG_NONE && jg_path_holds(&e->domain, s, symbol))
        *JG_VEC_PUSH(&e->ended) = kept->origin; // this path keeps it for later
    struct jg_object *older = jg_path_object(s, both[1]);
    if (older && !(older->states & JG_STATES_OWED) && !jg_path_holds(&e->domain, s, both[1]))
        jg_path_remove_object(s, both[1]);
    struct jg_object *newest = jg_path_object(s, symbol);
    if (newest && (!(newest->states & JG_STATES_OWED) || newest->flags & JG_OBJ_REPORTED) &&
        !jg_path_holds(&e->domain, s, symbol))
        jg_path_remove_object(s,
                              symbol); // ended, or reported: not worth remembering as an older one
}

void jg_begin_object(struct jg_engine *e, struct jg_path *s, jg_value symbol, bool pending,
                     uint32_t block, uint32_t insn)
{
    if (!e->in_loop[block])
        return;
    next_turn(e, s, symbol, pending, block, insn);
    jg_path_age(&e->domain, &e->paths, s, symbol);
}

static jg_value result_of(struct jg_engine *e, struct jg_path *s, const struct jg_jni_function *fn,
                          const jg_value *args, bool pending, uint32_t block, uint32_t insn)
{
    jg_value symbol = jg_value_make(&e->domain, JG_V_MADE, insn, 0);
    int carried = jg_jni_param(fn, JG_PARAM_FRAME_RESULT);
    if (carried >= 0 && jg_is_null(e, s, args[carried]))
        return JG_VALUE_ZERO; // PopLocalFrame(env, NULL)
    bool loops = e->in_loop[block];
    jg_begin_object(e, s, symbol, pending, block, insn);
    enum jg_kind kind;
    if (!jg_kind_of_result(fn->result, &kind) || !jg_tracks_site(e, insn))
        return symbol;
    bool buffer = jg_result_is_buffer(fn->result);
    // A local reference is implicit but in loops and frames; a global one is owed until it is kept.
    if (kind == JG_KIND_LOCAL && !loops && !s->frame_count)
        return symbol;
    struct jg_object *o = jg_path_add_object(&e->paths, s, symbol);
    o->kind = (uint8_t)kind;
    o->states = buffer ? JG_STATE_HELD : JG_STATE_LIVE;
    if (kind != JG_KIND_LOCAL)
        s->acquired = symbol;
    o->flags = loops ? JG_OBJ_IN_LOOP : 0;
    o->level = s->frame_count;
    o->origin = insn;
    o->since = s->trace;
    int owner = jg_jni_param(fn, JG_PARAM_ACQUIRE);
    if (kind == JG_KIND_WEAK)
        owner = jg_jni_param(fn, JG_PARAM_PROMOTE);
    if ((buffer || kind == JG_KIND_WEAK) && owner >= 0)
        o->owner = jg_value_root(&e->domain, args[owner]);
    return symbol;
}

static void one(struct jg_outcomes *out, struct jg_path *s, jg_value result)
{
    out->state[out->count] = s;
    out->result[out->count++] = result;
}

// Whatever else is known of exceptions: found after an acquisition, it is that one's failure.
static void split_acquisition(struct jg_engine *e, struct jg_path *s, struct jg_path **found,
                              struct jg_path **none)
{
    *found = jg_path_clone(&e->paths, s);
    *none = s;
    if (s->acquired == JG_VALUE_UNKNOWN)
        return;
    if (!jg_path_assume(&e->domain, &e->paths, *found, s->acquired, false))
        *found = NULL;
    if (!jg_path_assume(&e->domain, &e->paths, *none, s->acquired, true))
        *none = NULL;
}

// What is found is the failure of the last call that could fail: its result is nothing.
static void assume_failure(struct jg_engine *e, struct jg_path *s, enum jg_state was, bool failing,
                           uint32_t origin)
{
    jg_value result = s->acquired;
    if (was == JG_STATE_AFTER_CALL) {
        const struct jg_insn *in = &e->unit->insns.data[origin];
        if (in->sub != JG_CALLEE_JNI || !jg_result_is_nullable(jg_jni_function(in->a)->result))
            return;
        result = jg_value_make(&e->domain, JG_V_MADE, origin, 0);
    } else if (was != JG_STATE_UNKNOWN && was != JG_STATE_AFTER_ACCESS && !failing) {
        return;
    }
    if (result == JG_VALUE_UNKNOWN)
        return;
    if (!jg_path_assume(&e->domain, &e->paths, s, result, false) && was == JG_STATE_UNKNOWN)
        s->acquired = JG_VALUE_UNKNOWN; // it was tested: the exception is older
    else
        jg_note_gone(e, s, jg_value_info(&e->domain, result)->a);
}

static void found_none(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn)
{
    if (s->exception == JG_STATE_NULL_UNTESTED) {
        jg_value result = jg_value_make(&e->domain, JG_V_MADE, s->exception_origin, 0);
        jg_path_assume(&e->domain, &e->paths, s, result, true);
    }
    for (uint32_t i = 0; i < s->object_count; i++) // a failed acquisition would have thrown
        if (jg_kind_is_buffer(s->objects[i].kind) && s->objects[i].states == JG_STATE_HELD) {
            struct jg_fact f = jg_path_fact(&e->domain, s, s->objects[i].symbol);
            f.nonzero = true;
            jg_path_set_fact(&e->paths, s, f);
        }
    jg_exception_event(e, s, JG_EVENT_FOUND_NONE, block, insn);
}

void jg_split_exception(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn,
                        struct jg_path **found, struct jg_path **none)
{
    if (!jg_tracks_exception(e)) {
        split_acquisition(e, s, found, none);
        return;
    }
    // An acquisition that nobody has looked at may be what threw.
    bool failing = s->exception == JG_STATE_CLEAN && s->acquired != JG_VALUE_UNKNOWN &&
                   jg_path_truth(&e->domain, s, s->acquired) < 0;
    bool may = s->exception != JG_STATE_CLEAN || failing, must = s->exception == JG_STATE_PENDING;
    *found = may ? must ? s : jg_path_clone(&e->paths, s) : NULL;
    *none = must ? NULL : s;
    enum jg_state was = s->exception;
    if (may && was == JG_STATE_NULL_UNTESTED &&
        !jg_path_assume(&e->domain, &e->paths, *found,
                        jg_value_make(&e->domain, JG_V_MADE, s->exception_origin, 0), false))
        *found = NULL;
    if (*found) {
        uint32_t origin = s->exception_origin;
        if (e->helper && was == JG_STATE_UNKNOWN && s->entry_kept) {
            (*found)->entry_kept = s->entry == JG_ENTRY_ANY; // else it was thrown here
            (*found)->entry = s->entry == JG_ENTRY_ANY ? JG_ENTRY_PENDING : JG_ENTRY_CLEAN;
        }
        jg_exception_event(e, *found, JG_EVENT_FOUND, block, insn);
        assume_failure(e, *found, was, failing, origin == JG_NONE ? insn : origin);
        if (!must)
            (*found)->trace = jg_trace_add(e, (*found)->trace, JG_TRACE_FOUND, insn, 0);
    }
    if (!*none)
        return;
    if (e->helper && was == JG_STATE_UNKNOWN && s->entry_kept && s->entry == JG_ENTRY_ANY)
        (*none)->entry = JG_ENTRY_CLEAN;
    if (may)
        (*none)->trace = jg_trace_add(e, (*none)->trace, JG_TRACE_FOUND_NONE, insn, 0);
    found_none(e, *none, block, insn);
}

// A check: found and not found, as far as the state allows both.
static void check_exception(struct jg_engine *e, struct jg_path *s,
                            const struct jg_jni_function *fn, uint32_t block, uint32_t insn,
                            jg_value symbol, struct jg_outcomes *out)
{
    bool boolean = fn->result == JG_RESULT_BOOLEAN;
    bool unused = (e->unit->insns.data[insn].flags & JG_INSN_UNUSED) != 0;
    if (unused || (!jg_tracks_exception(e) && s->acquired == JG_VALUE_UNKNOWN)) {
        one(out, s, symbol);
        return;
    }
    struct jg_path *found, *none;
    jg_split_exception(e, s, block, insn, &found, &none);
    if (found && !boolean && jg_tracks_exception(e))
        jg_path_assume(&e->domain, &e->paths, found, symbol, true);
    if (found)
        one(out, found, boolean ? JG_VALUE_ONE : symbol);
    if (none && !boolean && jg_tracks_exception(e))
        jg_path_assume(&e->domain, &e->paths, none, symbol, false);
    if (none)
        one(out, none, boolean ? JG_VALUE_ZERO : symbol);
}

// A call that is wrong if the caller of this helper has an exception pending. From then on the
// contract says that it has none. JG_NONE: a throw, which is wrong as a throw over another one.
void jg_note_pending_call(struct jg_engine *e, struct jg_path *s, uint32_t insn)
{
    if (!e->helper || !jg_tracks_exception(e) || s->exception != JG_STATE_UNKNOWN ||
        !s->entry_kept || s->entry != JG_ENTRY_ANY)
        return;
    s->entry = JG_ENTRY_CLEAN;
    s->needs_clean |= insn != JG_NONE;
    if (insn < e->pending_insn)
        e->pending_insn = insn;
}

// PopLocalFrame in a helper, with a reference of the caller's: NULL for NULL, and only for that.
static bool pop_for_caller(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn,
                           const jg_value *args, struct jg_outcomes *out)
{
    int carried = jg_jni_param(jg_jni_function(e->unit->insns.data[insn].a), JG_PARAM_FRAME_RESULT);
    if (!e->helper || carried < 0 || jg_path_truth(&e->domain, s, args[carried]) >= 0 ||
        jg_parameter_of(e, jg_value_info(&e->domain, args[carried])) == JG_NONE)
        return false;
    for (int truth = 0; truth < 2; truth++) {
        struct jg_path *either = jg_path_clone(&e->paths, s);
        struct jg_outcomes half = {.count = 0};
        jg_path_assume(&e->domain, &e->paths, either, args[carried], truth);
        jg_call_jni(e, either, block, insn, args, &half);
        for (unsigned i = 0; i < half.count; i++) {
            if (truth)
                jg_path_assume(&e->domain, &e->paths, half.state[i], half.result[i], true);
            out->state[out->count] = half.state[i];
            out->result[out->count++] = half.result[i];
        }
    }
    return true;
}

void jg_call_jni(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn,
                 const jg_value *args, struct jg_outcomes *out)
{
    const struct jg_insn *in = &e->unit->insns.data[insn];
    const struct jg_jni_function *fn = jg_jni_function(in->a);
    if (pop_for_caller(e, s, block, insn, args, out))
        return;
    bool pending = s->exception == JG_STATE_PENDING; // then the call itself is the defect
    if (!(fn->flags & (JG_JNI_PENDING_OK | JG_JNI_RAISES))) {
        jg_note_pending_call(e, s, insn);
        jg_exception_event(e, s, JG_EVENT_JNI_CALL, block, insn);
    }
    if (fn->flags & JG_JNI_RAISES)
        jg_note_pending_call(e, s, JG_NONE);
    if (pending && s->exception == JG_STATE_UNKNOWN)
        return; // reported; what follows on this path follows from it
    if (!(fn->flags & JG_JNI_CRITICAL_OK) && !releases_critical(e, s, fn, args))
        jg_call_in_critical(e, s, block, insn);
    if (fn->flags & JG_JNI_NORETURN)
        return;
    arguments(e, s, in, fn, args, block, insn);
    release_buffer(e, s, fn, args, block, insn);
    if (fn->flags & JG_JNI_POPS_FRAME)
        jg_pop_frame(e, s, block, insn);
    jg_value result =
        in->a == JG_JNI_MonitorEnter
            ? jg_enter_monitor(e, s, jg_value_root(&e->domain, args[1]), pending, block, insn)
            : result_of(e, s, fn, args, pending, block, insn);
    if (in->a == JG_JNI_MonitorExit)
        jg_exit_monitor(e, s, jg_value_root(&e->domain, args[1]), block, insn);
    reserve(s, fn, args, e);
    jg_note_length(e, in, args, result);

    if (fn->flags & JG_JNI_TESTS) {
        check_exception(e, s, fn, block, insn, result, out);
        return;
    }
    if (fn->flags & JG_JNI_CLEARS)
        jg_exception_event(e, s, JG_EVENT_CLEAR, block, insn);
    else if (fn->flags & JG_JNI_RAISES)
        jg_exception_event(e, s, JG_EVENT_RAISE, block, insn);
    else if (fn->flags & JG_JNI_CALLS_JAVA)
        jg_exception_event(e, s, JG_EVENT_JAVA_CALL, block, insn), s->acquired = JG_VALUE_UNKNOWN;
    else if (fn->null_class == JG_NULL_THROWS)
        jg_exception_event(e, s, JG_EVENT_NULL_RESULT, block, insn);
    else if (fn->flags & JG_JNI_ACCESS && !jg_in_bounds(e, s, in, args))
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
        jg_push_frame(e, s, insn);
        out->state[0] = s;
        out->result[0] = JG_VALUE_ZERO;
        out->count++;
        return;
    }
    one(out, s, result);
}
