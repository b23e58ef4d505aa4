// SPDX-License-Identifier: Apache-2.0
//
// What a summary does to the state of a caller. The caller's state is split into those cases that
// are possible in it; see summary.h.

#include "analyzer/engine/apply.h"
#include "rules/jni.h"

// ---- effects ------------------------------------------------------------------------------------

// A deletion of what the callee finds in a field that holds another kind is reported there: here it
// counts as the right one.
static enum jg_event told_deletion(const struct application *a, const struct jg_path *s,
                                   const struct jg_deed *deed, jg_value v)
{
    static const enum jg_event right[] = {
        [JG_KIND_GLOBAL] = JG_EVENT_DELETE_GLOBAL, [JG_KIND_WEAK] = JG_EVENT_DELETE_WEAK};
    struct jg_engine *e = a->e;
    enum jg_kind kind;
    uint32_t last = deed->at.count ? deed->at.steps[deed->at.count - 1] : JG_NONE;
    const struct jg_object *o = jg_path_object(s, jg_value_root(&e->domain, v));
    bool deletes = deed->event >= JG_EVENT_DELETE_LOCAL && deed->event <= JG_EVENT_DELETE_WEAK;
    if (!deletes || last == JG_NONE || !o || !jg_unit_field(e->unit, jg_field_of(e, last)) ||
        !jg_engine_field_kind(e, jg_field_of(e, last), &kind) || o->kind != kind)
        return (enum jg_event)deed->event;
    return right[kind];
}

// Where what has been given back lay, something else may lie now: the callee stores there, in a way
// that the case does not tell.
static void forget_place(const struct application *a, struct jg_path *s, const struct jg_access *at,
                         jg_value given_back)
{
    struct jg_engine *e = a->e;
    struct jg_effects effects;
    jg_region place = at->count ? jg_case_region(a, s, at) : 0;
    struct jg_entry *entry = place ? jg_path_entry(s, place) : NULL;
    if (!entry ||
        jg_value_root(&e->domain, entry->value) != jg_value_root(&e->domain, given_back) ||
        !jg_analysis_call_effects(e->analysis, e->unit_index, a->insn, &effects) ||
        at->param >= JG_MAX_EFFECT_PARAMS || !(effects.written >> at->param & 1))
        return;
    uint32_t last = at->steps[at->count - 1];
    uint64_t bit = last == JG_NONE
                       ? UINT64_MAX
                       : jg_field_bit(e->analysis->program, e->unit, jg_field_of(e, last));
    if (effects.fields & bit)
        entry->value = JG_VALUE_UNKNOWN;
}

static bool is_hidden_choice(const struct application *a, const struct jg_summary_case *c,
                             uint32_t index);

static void do_deed(const struct application *a, struct jg_path *s, const struct jg_summary_case *c,
                    uint32_t index)
{
    struct jg_engine *e = a->e;
    const struct jg_deed *deed = &c->deeds[index];
    jg_value v = jg_case_target(a, c, index);
    enum jg_event event = told_deletion(a, s, deed, v);
    if (jg_is_said_by_pair(e, s, a->insn, &deed->at, v))
        return;
    if (is_hidden_choice(a, c, index)) { // a reference count, say
        jg_escape(e, s, v);
        return;
    }
    bool passed = deed->owner < a->in->arg_count;
    e->deed_slot = deed->slot;
    e->deed_owner = passed ? jg_value_root(&e->domain, a->args[deed->owner]) : JG_VALUE_UNKNOWN;
    e->deed_mode = jg_mode_of_deed(e, a->in, a->args, deed);
    e->owner_arg = deed->owner;
    if (event == JG_EVENT_RELEASE && deed->mode == JG_MODE_PARAM && e->deed_mode == JG_VALUE_ONE)
        event = JG_EVENT_COMMIT; // as the caller says
    if (deed->slot != JG_ANY_SLOT && (event == JG_EVENT_RELEASE || event == JG_EVENT_COMMIT))
        event = jg_release_event(e, s, jg_jni_function(deed->slot), v, event);
    jg_event_on_value(e, s, v, event, a->block, a->insn);
    forget_place(a, s, &deed->at, v);
}

static void make(const struct application *a, struct jg_path *s, const struct jg_made *made,
                 jg_value result)
{
    struct jg_engine *e = a->e;
    jg_region at = made->stored ? jg_case_region(a, s, &made->at) : 0;
    if (!made->result && !at)
        return;
    jg_value symbol = result;
    if (!made->result) {
        bool element =
            jg_region_info(&e->domain, at)->element; // of which the next turn makes another
        symbol = jg_value_make(&e->domain, JG_V_MADE, a->insn,
                               element ? jg_region_summary(&e->domain, at) : at);
        jg_begin_object(e, s, symbol, false, a->block, a->insn);
    }
    bool loops = e->in_loop[a->block];
    bool tracked = jg_tracks_site(e, a->insn);
    if (!tracked || (made->kind == JG_KIND_LOCAL && !loops && !s->frame_count)) {
        if (at)
            jg_store(e, s, at, symbol, a->insn);
        return;
    }
    if (made->kind != JG_KIND_LOCAL)
        s->acquired = symbol;
    struct jg_object *o = jg_path_add_object(&e->paths, s, symbol);
    o->kind = made->kind;
    bool held = made->kind == JG_KIND_PAIR || jg_kind_is_buffer(made->kind);
    o->states = held ? JG_STATE_HELD : JG_STATE_LIVE;
    o->pair = made->pair;
    o->flags = (loops ? JG_OBJ_IN_LOOP : 0) | (made->shared ? JG_OBJ_ESCAPED : 0);
    o->level = s->frame_count;
    o->origin = a->insn;
    o->since = s->trace;
    if (made->owner < a->in->arg_count)
        o->owner = jg_value_root(&e->domain, a->args[made->owner]);
    if (at)
        jg_store(e, s, at, symbol, a->insn);
}

// A field of which nothing is known here but what callees make of it: numbers in it decide nothing,
// and would only tell states apart.
static bool is_of_no_use(const struct application *a, const struct jg_path *s, jg_region at)
{
    const struct jg_region_info *r = jg_region_info(&a->e->domain, at);
    return r->kind == JG_R_FIELD && !jg_unit_field(a->e->unit, r->a) && !jg_path_entry(s, at);
}

static void leave_out(const struct application *a, struct jg_path *s, const struct jg_out *out)
{
    struct jg_engine *e = a->e;
    jg_region at = jg_case_region(a, s, &out->at);
    if (!at || is_of_no_use(a, s, at))
        return;
    bool element = jg_region_info(&e->domain, at)->element;
    jg_value v = jg_value_make(&e->domain, JG_V_MADE, a->insn, at);
    if (out->low == out->high && !jg_region_is_env(e, at)) // NULL, but it tells who left it so
        v = jg_value_const(&e->domain, out->low);
    else
        jg_begin_object(e, s, v, false, a->block, a->insn);
    if (element)
        jg_store(e, s, at, v, a->insn);
    else
        jg_path_set(&e->paths, s, at, v, a->insn);
    jg_case_narrow(e, s, v, out->nonzero, out->low, out->high);
}

// What this case has found in memory and has left there; others may have changed it.
static void leave_as_found(const struct application *a, struct jg_path *s,
                           const struct jg_summary_case *c)
{
    for (uint32_t i = 0; i < c->condition_count; i++) {
        const struct jg_condition *k = &c->conditions[i];
        jg_region at = k->kept ? jg_case_region(a, s, &k->at) : 0;
        const struct jg_entry *entry = at ? jg_path_entry(s, at) : NULL;
        jg_value found = jg_case_target(a, c, JG_MAX_DEEDS + JG_MAX_MONITORS + i);
        if (!entry || entry->value != JG_VALUE_UNKNOWN)
            continue;
        if (found != JG_VALUE_UNKNOWN) {
            jg_path_set(&a->e->paths, s, at, found, entry->insn);
            continue;
        }
        const struct jg_out out = {
            .at = k->at, .nonzero = k->nonzero, .low = k->low, .high = k->high};
        leave_out(a, s, &out);
    }
}

// A local reference that the callee leaves behind: nobody here holds it.
static void leak(const struct application *a, struct jg_path *s)
{
    struct jg_engine *e = a->e;
    if (!e->in_loop[a->block]) {
        if (e->helper && (!s->left_behind || a->insn < s->left_behind))
            s->left_behind = a->insn + 1;
        return;
    }
    if (!jg_tracks_site(e, a->insn))
        return;
    jg_value symbol = jg_value_make(&e->domain, JG_V_MADE, a->insn, jg_region_left_behind(e));
    jg_begin_object(e, s, symbol, false, a->block, a->insn);
    struct jg_object *o = jg_path_add_object(&e->paths, s, symbol);
    o->kind = JG_KIND_LOCAL;
    o->states = JG_STATE_LIVE;
    o->flags = JG_OBJ_IN_LOOP;
    o->level = s->frame_count;
    o->origin = a->insn;
    o->since = s->trace;
}

jg_region jg_region_left_behind(struct jg_engine *e)
{
    return jg_region_temp(&e->domain, JG_NONE - 1); // no temporary has that number
}

static bool depends_on_others(const struct jg_summary_case *c, uint32_t param)
{
    for (uint32_t i = 0; i < c->condition_count; i++)
        if (c->conditions[i].at.param != param || c->conditions[i].at.count)
            return true;
    return false;
}

// Can a case have been chosen by what the caller has passed beside `param`: by a number, say, that
// tells the type of an array, or by what is in a struct?
static bool may_be_chosen(const struct application *a, const struct jg_summary_case *c,
                          const struct jg_summary_case *other, uint32_t param)
{
    const struct jg_unit *u = a->e->unit;
    if (depends_on_others(c, param) || depends_on_others(other, param))
        return true;
    for (uint32_t i = 0; i < a->in->arg_count; i++) {
        uint32_t def = a->e->temp_def[u->args.data[a->in->first_arg + i]];
        uint32_t type = def == JG_NONE ? JG_NONE : u->insns.data[def].type;
        const struct jg_type *t = type == JG_NONE ? NULL : &u->types.data[type];
        if (i != param && (!t || (t->kind == JG_TYPE_POINTER && t->role == JG_ROLE_NONE)))
            return true;
    }
    return false;
}

static bool is_null_in(const struct jg_summary_case *c, uint32_t param)
{
    for (uint32_t i = 0; i < c->condition_count; i++)
        if (c->conditions[i].at.param == param && !c->conditions[i].at.count &&
            c->conditions[i].low == 0 && c->conditions[i].high == 0)
            return true;
    return false;
}

// Does the case do nothing to what is there?
static bool lacks(const struct jg_summary_case *other, const struct jg_access *at)
{
    for (uint32_t n = 0; n < other->deed_count; n++)
        if (jg_is_same_access(&other->deeds[n].at, at))
            return false;
    return true;
}

// What other cases give back and this one does not, for reasons that are not seen here. Whether it
// is still owed is not known.
static void doubt(const struct application *a, struct jg_path *s, const struct jg_summary_case *c)
{
    for (uint32_t i = 0; i < a->possible_count; i++) {
        const struct jg_summary_case *other = a->possible[i];
        for (uint32_t k = 0; k < other->deed_count; k++) {
            const struct jg_access *at = &other->deeds[k].at;
            if (lacks(c, at) && (at->count || c->by != other->by || is_null_in(c, at->param) ||
                                 may_be_chosen(a, c, other, at->param)))
                jg_escape(a->e, s, jg_case_target(a, other, k));
        }
    }
    for (uint32_t i = 0; c->leaves_critical && c->lost && i < s->object_count; i++)
        if (jg_kind_is_critical(s->objects[i].kind)) // reached by another way
            s->objects[i].flags |= JG_OBJ_ESCAPED;
    s->leaves_critical |= a->e->helper && c->leaves_critical;
    a->e->leaves_critical |= a->e->helper && c->leaves_critical;
}

static void leave(const struct application *a, struct jg_path *s, const struct jg_summary_case *c,
                  enum jg_exit_state exit)
{
    static const enum jg_event events[] = {
        [JG_EXIT_CLEAN] = JG_EVENT_CLEAR,
        [JG_EXIT_PENDING] = JG_EVENT_RAISE,
        [JG_EXIT_AFTER_CALL] = JG_EVENT_JAVA_CALL,
    };
    if (exit == JG_EXIT_SAME)
        return;
    s->acquired = JG_VALUE_UNKNOWN;
    if (exit == JG_EXIT_PENDING && c->entry == JG_ENTRY_CLEAN)
        jg_note_pending_call(a->e, s, JG_NONE);
    else if (exit == JG_EXIT_PENDING) // what was pending has been cleared before
        jg_exception_event(a->e, s, JG_EVENT_CLEAR, a->block, a->insn);
    if (exit != JG_EXIT_UNKNOWN) {
        jg_exception_event(a->e, s, events[exit], a->block, a->insn);
    } else if (jg_tracks_exception(a->e)) {
        s->exception = JG_STATE_UNKNOWN;
        s->exception_origin = JG_NONE;
        s->entry_kept = false;
    }
}

// ---- the call -----------------------------------------------------------------------------------

// What the caller cannot tell apart from here on goes on as one.
static bool joins(struct jg_engine *e, struct jg_outcomes *out, struct jg_path *s, jg_value result,
                  uint32_t block)
{
    struct jg_fact f = jg_path_fact(&e->domain, s, result);
    for (unsigned i = 0; i < out->count; i++) {
        struct jg_fact g = jg_path_fact(&e->domain, out->state[i], result);
        if (out->result[i] != result || f.low != g.low || f.high != g.high ||
            f.nonzero != g.nonzero || !jg_path_mergeable(&e->domain, out->state[i], s))
            continue;
        jg_path_merge(&e->domain, &e->paths, out->state[i], s, block, false);
        return true;
    }
    return false;
}

static void add(struct jg_outcomes *out, struct jg_path *s, jg_value result)
{
    out->state[out->count] = s;
    out->result[out->count++] = result;
}

static bool ranges_overlap(int64_t low, int64_t high, bool nonzero, int64_t other_low,
                           int64_t other_high, bool other_nonzero)
{
    bool zero = low == 0 && high == 0, other_zero = other_low == 0 && other_high == 0;
    return low <= other_high && other_low <= high && !(zero && other_nonzero) &&
           !(other_zero && nonzero);
}

static bool overlap(const struct jg_summary_case *a, const struct jg_summary_case *b)
{
    if (a->alias != JG_NONE || b->alias != JG_NONE) // the caller knows what it has passed
        return false;
    return ranges_overlap(a->low, a->high, a->nonzero, b->low, b->high, b->nonzero);
}

// Does the caller look at what is left there? Fields it may leave to other functions.
static bool is_read(const struct application *a, const struct jg_access *at)
{
    const struct jg_engine *e = a->e;
    uint32_t id = at->steps[at->count - 1], first, end;
    if (id == JG_NONE)
        return true;
    jg_engine_insns(e, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &e->unit->insns.data[i];
        const struct jg_place *p = in->op == JG_OP_LOAD ? &e->unit->places.data[in->a] : NULL;
        for (uint32_t k = 0; p && k < p->elem_count; k++) {
            const struct jg_elem *elem = &e->unit->elems.data[p->first_elem + k];
            if (elem->kind == JG_ELEM_FIELD && jg_field_id(e, elem->value) == id)
                return true;
        }
    }
    return false;
}

// ... nor by what is left in its memory, or by what it has passed?
static bool rest_overlaps(const struct application *call, const struct jg_summary_case *a,
                          const struct jg_summary_case *b, bool memory)
{
    for (uint32_t i = 0; i < a->condition_count; i++)
        for (uint32_t k = 0; k < b->condition_count; k++) {
            const struct jg_condition *x = &a->conditions[i], *y = &b->conditions[k];
            if (!x->at.count && jg_is_same_access(&x->at, &y->at) &&
                !ranges_overlap(x->low, x->high, x->nonzero, y->low, y->high, y->nonzero))
                return false;
        }
    for (uint32_t i = 0; i < a->out_count; i++)
        for (uint32_t k = 0; k < b->out_count; k++) {
            const struct jg_out *x = &a->outs[i], *y = &b->outs[k];
            if (jg_is_same_access(&x->at, &y->at) &&
                !ranges_overlap(x->low, x->high, x->nonzero, y->low, y->high, y->nonzero) &&
                (memory || is_read(call, &x->at)))
                return false;
        }
    return true;
}

// Can the caller not tell by the result, or by what is left in its memory, which of the two it is?
// `memory`: it knows what is left there, even where it does not look.
static bool is_same_to_caller(const struct application *a, const struct jg_summary_case *c,
                              const struct jg_summary_case *other, bool memory)
{
    const struct jg_insn *call = a->in;
    bool quiet = call->dst == JG_NONE || call->flags & (JG_INSN_UNUSED | JG_INSN_VOID_CAST);
    return (quiet || overlap(c, other)) && rest_overlaps(a, c, other, memory);
}

// Does another case, which the caller takes for this one, leave the object alone, for reasons that
// are not seen here? Then whether it is gone is not known.
static bool is_hidden_choice(const struct application *a, const struct jg_summary_case *c,
                             uint32_t index)
{
    const struct jg_access *at = &c->deeds[index].at;
    for (uint32_t i = 0; i < a->possible_count; i++) {
        const struct jg_summary_case *other = a->possible[i];
        if (other != c && lacks(other, at) && other->exit != JG_EXIT_PENDING &&
            is_same_to_caller(a, c, other, false) && at->count && !is_null_in(other, at->param))
            return true;
    }
    return false;
}

// Can the caller not tell by the result whether this case, in which something is thrown, has come?
static bool is_untold(const struct application *a, const struct jg_summary_case *c)
{
    for (uint32_t k = 0; k < a->summary->case_count; k++) {
        const struct jg_summary_case *other = &a->summary->cases[k];
        if (other->exit != JG_EXIT_PENDING && is_same_to_caller(a, c, other, true))
            return true;
    }
    return false;
}

// The frames that the callee pops and pushes. Where another case does something else with them, and
// the caller cannot tell, they are not counted from here on.
static void apply_frames(const struct application *a, struct jg_path *s,
                         const struct jg_summary_case *c)
{
    struct jg_engine *e = a->e;
    bool unknown = c->frames_unknown;
    for (uint32_t i = 0; i < a->possible_count && !unknown; i++) {
        const struct jg_summary_case *other = a->possible[i];
        bool differs =
            other->frames_unknown || other->pops != c->pops || other->pushes != c->pushes;
        unknown = differs && is_same_to_caller(a, c, other, false);
    }
    if (unknown) {
        s->frames_uncounted = true;
        s->reserved = UINT16_MAX;
    }
    for (uint8_t i = 0; i < c->pops; i++)
        jg_pop_frame(e, s, a->block, a->insn);
    for (uint8_t i = 0; i < c->pushes; i++) {
        jg_push_frame(e, s, a->insn);
        s->reserved |= (uint16_t)(1u << s->frame_count); // for as many as it was asked for
    }
}

static bool has_monitor(const struct jg_summary_case *c, const struct jg_monitor *m)
{
    for (uint32_t i = 0; i < c->monitor_count; i++)
        if (jg_is_same_monitor(&c->monitors[i], m))
            return true;
    return false;
}

// Is there another case that the caller takes for this one and that does not do so?
static bool is_doubtful(const struct application *a, const struct jg_summary_case *c,
                        const struct jg_monitor *m)
{
    for (uint32_t i = 0; i < a->possible_count; i++)
        if (!has_monitor(a->possible[i], m) && is_same_to_caller(a, c, a->possible[i], false))
            return true;
    return false;
}

// The object after the call; a place whose contents the call has made unknown gets a name for it.
static jg_value object_after(const struct application *a, struct jg_path *s,
                             const struct jg_monitor *m, jg_value before)
{
    struct jg_engine *e = a->e;
    if (!m->at_known || m->at.count == 0)
        return m->at_known ? before : jg_case_monitor(a, s, m);
    jg_value object = jg_case_monitor(a, s, m);
    jg_region at = jg_case_region(a, s, &m->at);
    if (object != JG_VALUE_UNKNOWN || !at || jg_region_info(&e->domain, at)->element)
        return object;
    object = jg_value_make(&e->domain, JG_V_MADE, a->insn, at);
    jg_begin_object(e, s, object, false, a->block, a->insn);
    jg_path_set(&e->paths, s, at, object, a->insn);
    return object;
}

static void apply_monitors(const struct application *a, struct jg_path *s,
                           const struct jg_summary_case *c)
{
    struct jg_engine *e = a->e;
    for (uint32_t i = 0; i < a->possible_count; i++) { // what may be exited, and is not here
        const struct jg_summary_case *other = a->possible[i];
        for (uint32_t k = 0; k < other->monitor_count; k++)
            if (other->monitors[k].exits && !has_monitor(c, &other->monitors[k]) &&
                is_same_to_caller(a, c, other, false))
                jg_doubt_monitor(e, s, jg_case_target(a, other, JG_MAX_DEEDS + k));
    }
    for (uint32_t k = 0; k < c->monitor_count; k++) {
        const struct jg_monitor *m = &c->monitors[k];
        jg_value object = jg_case_target(a, c, JG_MAX_DEEDS + k);
        bool doubtful = is_doubtful(a, c, m);
        if (!m->exits) {
            object = object_after(a, s, m, object);
            jg_enter_for_caller(e, s, object, doubtful, k, a->block, a->insn);
            continue;
        }
        if (doubtful)
            jg_doubt_monitor(e, s, object);
        jg_exit_monitor(e, s, object, a->block, a->insn);
    }
}

// What is NULL in this case has not to be given back in it.
static void note_nulls(const struct application *a, struct jg_path *s,
                       const struct jg_summary_case *c)
{
    for (uint32_t i = 0; i < a->in->arg_count; i++) {
        const struct jg_value_info *v = jg_value_info(&a->e->domain, a->args[i]);
        if (v->kind == JG_V_MADE && !v->b && is_null_in(c, i))
            jg_note_gone(a->e, s, v->a);
    }
}

// A call is made that is not legal with an exception pending. False: one was, that is reported, and
// what follows on this path follows from it.
static bool call_with_exception(const struct application *a, struct jg_path *s)
{
    bool pending = s->exception == JG_STATE_PENDING;
    if (!jg_engine_always_throws(a->e, a->insn)) {
        jg_note_pending_call(a->e, s, a->insn);
        jg_exception_event(a->e, s, JG_EVENT_JNI_CALL, a->block, a->insn);
    }
    return !pending || s->exception != JG_STATE_UNKNOWN;
}

// The environment that the case gives: the result, or what it leaves in memory.
static jg_value env_of(const struct application *a, const struct jg_path *s,
                       const struct jg_summary_case *c, jg_value result)
{
    if (c->env)
        return result;
    for (uint32_t i = 0; i < c->out_count; i++) {
        jg_region at = jg_case_region(a, s, &c->outs[i].at);
        const struct jg_entry *entry = at ? jg_path_entry(s, at) : NULL;
        if (entry && c->outs[i].nonzero && jg_value_is_env(a->e, entry->value))
            return entry->value;
    }
    return JG_VALUE_UNKNOWN;
}

static bool all_detach(const struct application *a)
{
    for (uint32_t i = 0; i < a->possible_count; i++)
        if (a->possible[i]->thread != JG_THREAD_DETACHED)
            return false;
    return true;
}

// Others detach the thread, for reasons that the caller may not see: a flag in a struct, say.
static enum jg_thread thread_after(const struct application *a, const struct jg_summary_case *c)
{
    for (uint32_t i = 0; i < a->possible_count && c->thread <= JG_THREAD_FOUND; i++)
        if (a->possible[i]->thread >= JG_THREAD_DETACHED)
            return JG_THREAD_UNKNOWN;
    return (enum jg_thread)c->thread;
}

static void apply_case(const struct application *a, struct jg_path *s,
                       const struct jg_summary_case *c, jg_value result, struct jg_outcomes *out)
{
    struct jg_engine *e = a->e;
    if (out->count == JG_MAX_OUTCOMES || !jg_case_satisfies(a, s, c) ||
        (a->needs_clean && c->needs_clean && !call_with_exception(a, s)))
        return;
    jg_settle_exception(e, s, a->block); // `check(cls != NULL)`
    note_nulls(a, s, c);
    bool alias = c->alias < a->in->arg_count;
    if (alias)
        result = a->args[c->alias];
    if (!jg_case_narrow(e, s, result, c->nonzero, c->low, c->high))
        return;
    for (uint32_t i = 0; i < c->deed_count; i++)
        do_deed(a, s, c, i);
    doubt(a, s, c);
    apply_frames(a, s, c);
    apply_monitors(a, s, c);
    bool may = c->exit == JG_EXIT_PENDING && is_untold(a, c); // as after a Java method
    leave(a, s, c, may ? JG_EXIT_AFTER_CALL : (enum jg_exit_state)c->exit);
    leave_as_found(a, s, c);
    for (uint32_t i = 0; i < c->out_count; i++)
        leave_out(a, s, &c->outs[i]);
    bool made = false;
    for (uint32_t i = 0; i < c->made_count; i++) {
        make(a, s, &c->made[i], result);
        made |= c->made[i].result;
    }
    if (!made) // what other cases make is not there in this one
        jg_note_gone(e, s, a->insn);
    if (c->leaks)
        leak(a, s);
    s->ended |= e->helper && c->ended;
    if (!jg_thread_applied(e, s, a->insn, thread_after(a, c), env_of(a, s, c, result),
                           all_detach(a)))
        return;
    if (!alias && c->low == c->high && !jg_engine_gives_env(e, a->insn))
        result = jg_value_const(&e->domain, c->low);
    if (!joins(e, out, s, result, a->block))
        add(out, s, result);
}

static bool asks_for_exception(const struct jg_summary *s)
{
    for (uint32_t i = 0; i < s->case_count; i++)
        if (s->cases[i].entry == JG_ENTRY_PENDING)
            return true;
    return false;
}

// Is a call made in the region of the caller, if there is one? Where some way leaves the region,
// all ways must call before they do: else the callee may know that it is left, or that there is
// none.
static bool calls_in_critical(const struct application *a)
{
    bool some = false, all = true;
    bool leaves = false;
    for (uint32_t i = 0; i < a->possible_count; i++) {
        some |= a->possible[i]->calls_jni;
        all &= a->possible[i]->calls_first;
    }
    for (uint32_t i = 0; i < a->summary->case_count; i++)
        leaves |= a->summary->cases[i].leaves_critical;
    return leaves ? some && all : some;
}

// Is a critical region of the caller given back by the wrong function? Then that is the finding.
static bool mistakes_region(const struct application *a, const struct jg_path *s)
{
    for (uint32_t i = 0; i < a->possible_count; i++)
        for (uint32_t k = 0; k < a->possible[i]->deed_count; k++) {
            const struct jg_deed *deed = &a->possible[i]->deeds[k];
            jg_value root = jg_value_root(&a->e->domain, jg_case_target(a, a->possible[i], k));
            const struct jg_object *o = jg_path_object(s, root);
            if (o && jg_kind_is_critical(o->kind) && deed->event == JG_EVENT_RELEASE &&
                deed->slot != JG_ANY_SLOT &&
                !(jg_jni_function(deed->slot)->flags & JG_JNI_CRITICAL_OK))
                return true;
        }
    return false;
}

// As FindClass: not split; the test of the result decides.
static void apply_null_throws(const struct application *a, struct jg_path *s, jg_value result,
                              struct jg_outcomes *out)
{
    jg_exception_event(a->e, s, JG_EVENT_NULL_RESULT, a->block, a->insn);
    for (uint32_t i = 0; i < a->summary->case_count; i++) {
        const struct jg_summary_case *c = &a->summary->cases[i];
        for (uint32_t k = 0; k < c->made_count; k++)
            make(a, s, &c->made[k], result);
        if (c->exit == JG_EXIT_SAME && c->leaks)
            leak(a, s);
    }
    add(out, s, result);
}

// Who does something in a case that is possible here.
struct doers {
    bool any;
    uint16_t by;
};

static void note(struct doers *d, const struct jg_summary_case *c, bool does)
{
    d->any |= does;
    d->by |= does ? c->by : 0;
}

static bool all_do(const struct jg_summary *s, struct doers d)
{
    return d.any && d.by == s->by;
}

void jg_apply_summary(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn,
                      const jg_value *args, const jg_value *targets,
                      const struct jg_summary *summary, struct jg_outcomes *out)
{
    const struct jg_insn *in = &e->unit->insns.data[insn];
    struct application a = {.e = e,
                            .summary = summary,
                            .in = in,
                            .block = block,
                            .insn = insn,
                            .args = args,
                            .targets = targets};
    struct doers needs_clean = {0}, calls_jni = {0};
    for (uint32_t i = 0; i < summary->case_count; i++) {
        const struct jg_summary_case *c = &summary->cases[i];
        if (!jg_case_satisfies(&a, jg_path_clone(&e->paths, s), c))
            continue;
        a.possible[a.possible_count++] = c;
        note(&needs_clean, c, c->needs_clean);
        note(&calls_jni, c, c->calls_jni);
    }
    a.needs_clean = summary->pending_call.count && all_do(summary, needs_clean);
    bool pending = s->exception == JG_STATE_PENDING;
    if (summary->critical_call.count && all_do(summary, calls_jni) && calls_in_critical(&a) &&
        !mistakes_region(&a, s))
        jg_call_in_critical(e, s, block, insn);
    jg_value result = jg_value_make(&e->domain, JG_V_MADE, insn, 0);
    a.result = result;
    jg_begin_object(e, s, result, pending, block, insn);
    if (summary->null_throws && !(in->flags & JG_INSN_UNUSED)) {
        if (a.needs_clean && !call_with_exception(&a, s))
            return;
        apply_null_throws(&a, s, result, out);
        return;
    }
    // In cases in which nobody asks for an exception, whether there is one remains as it was.
    struct jg_path *in_state[] = {
        [JG_ENTRY_ANY] = s, [JG_ENTRY_PENDING] = NULL, [JG_ENTRY_CLEAN] = s};
    if (asks_for_exception(summary))
        jg_split_exception(e, jg_path_clone(&e->paths, s), block, insn, &in_state[JG_ENTRY_PENDING],
                           &in_state[JG_ENTRY_CLEAN]);
    for (uint32_t i = 0; i < a.possible_count; i++) {
        const struct jg_summary_case *c = a.possible[i];
        if (in_state[c->entry])
            apply_case(&a, jg_path_clone(&e->paths, in_state[c->entry]), c, result, out);
    }
}
