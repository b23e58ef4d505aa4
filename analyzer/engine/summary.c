// SPDX-License-Identifier: Apache-2.0
//
// Makes the summary of the function under exploration: a case for every path that returns, equal
// ones united. See summary.h; apply.c uses them.
//
// Only what the caller can name is said: parameters, and memory that they lead to by at most
// JG_MAX_ACCESS steps, as it was when the function began. What else happens to something that comes
// from a parameter is *lost*: there the caller believes no more than the effects.

#include "analyzer/engine/internal.h"
#include "analyzer/engine/lifetime.h"
#include "rules/jni.h"

#include <stdlib.h>
#include <string.h>

// ---- what caller and callee both know -----------------------------------------------------------

static bool step(struct jg_access *at, uint32_t what)
{
    if (at->count == JG_MAX_ACCESS)
        return false;
    at->steps[at->count++] = what;
    return true;
}

bool jg_access_of_region(const struct jg_engine *e, jg_region region, struct jg_access *out)
{
    const struct jg_domain *d = &e->domain;
    const struct jg_region_info *r = jg_region_info(d, region);
    const struct jg_value_info *pointer;
    switch (r->kind) {
    case JG_R_VAR:
        if (r->a < e->fn->first_var || r->a - e->fn->first_var >= e->fn->param_count)
            return false;
        *out = (struct jg_access){.param = r->a - e->fn->first_var};
        return true;
    case JG_R_DEREF:
        if (e->returned != JG_VALUE_UNKNOWN && r->a == e->returned) {
            *out = (struct jg_access){.param = JG_PARAM_RESULT};
            return step(out, JG_NONE);
        }
        pointer = jg_value_info(d, r->a);
        return pointer->kind == JG_V_INIT && pointer->b == 0 &&
               jg_access_of_region(e, pointer->a, out) && step(out, JG_NONE);
    case JG_R_FIELD:
        return jg_access_of_region(e, r->parent, out) && step(out, jg_field_id(e, r->a));
    default:
        return false;
    }
}

bool jg_access_of_value(const struct jg_engine *e, jg_value value, struct jg_access *out)
{
    const struct jg_value_info *v = jg_value_info(&e->domain, value);
    return v->kind == JG_V_INIT && v->b == 0 && jg_access_of_region(e, v->a, out);
}

bool jg_is_own(const struct jg_engine *e, jg_value root)
{
    const struct jg_value_info *v = jg_value_info(&e->domain, root);
    return v->kind == JG_V_MADE && e->unit->insns.data[v->a].op == JG_OP_CALL;
}

static uint32_t released_parameters(const struct jg_engine *e)
{
    uint32_t id = jg_program_id(e->analysis->program, e->unit_index, e->function);
    return e->analysis->effects[id].released;
}

bool jg_is_same_access(const struct jg_access *a, const struct jg_access *b)
{
    return a->param == b->param && a->count == b->count &&
           memcmp(a->steps, b->steps, a->count * sizeof *a->steps) == 0;
}

void jg_note_lost(struct jg_engine *e, struct jg_path *s, jg_value value)
{
    struct jg_access at;
    jg_value root = jg_value_root(&e->domain, value);
    if (!e->helper)
        return;
    if (jg_access_of_value(e, root, &at)) {
        s->lost |= at.param < JG_MAX_EFFECT_PARAMS ? 1u << at.param : 0;
        return;
    }
    // A reference that has no row yet: somebody else may delete it.
    const struct jg_jni_function *fn = jg_maker(e, jg_value_info(&e->domain, root));
    if (!fn || fn->result != JG_RESULT_LOCAL || jg_path_object(s, root) ||
        jg_value_info(&e->domain, root)->older || e->focus.kind != JG_FOCUS_ALL)
        return;
    struct jg_object *o = jg_path_add_object(&e->paths, s, root);
    o->kind = JG_KIND_LOCAL;
    o->states = JG_STATE_LIVE;
    o->flags = JG_OBJ_ESCAPED;
    o->level = s->frame_count;
    o->origin = jg_value_info(&e->domain, root)->a;
    o->since = s->trace;
}

static bool is_release(enum jg_event event)
{
    return event == JG_EVENT_RELEASE || event == JG_EVENT_RELEASE_MOVED ||
           event == JG_EVENT_RELEASE_STRAY || event == JG_EVENT_COMMIT;
}

static bool is_deed(enum jg_event event)
{
    return (event >= JG_EVENT_DELETE_LOCAL && event <= JG_EVENT_DELETE_WEAK) || is_release(event) ||
           event == JG_EVENT_FREE;
}

// Given straight through: what is fetched on the way the caller does not know.
static uint32_t owner_of_deed(const struct jg_engine *e, uint32_t slot)
{
    struct jg_access at;
    bool parameter = slot != JG_ANY_SLOT && jg_access_of_value(e, e->deed_owner, &at) && !at.count;
    return parameter ? at.param : JG_NONE;
}

static void set_mode(const struct jg_engine *e, struct jg_path_deed *deed)
{
    const struct jg_value_info *mode = jg_value_info(&e->domain, e->deed_mode);
    struct jg_access at;
    bool constant = mode->kind == JG_V_CONST && mode->c >= 0 && mode->c <= JG_MODE_ABORT;
    bool param = jg_access_of_value(e, e->deed_mode, &at) && at.count == 0;
    deed->mode = constant ? (uint8_t)mode->c : param ? JG_MODE_PARAM : JG_MODE_UNKNOWN;
    deed->mode_param = param ? at.param : JG_NONE;
}

void jg_note_deed(struct jg_engine *e, struct jg_path *s, jg_value value, enum jg_event event)
{
    struct jg_access at;
    jg_value root = jg_value_root(&e->domain, value);
    if (!e->helper)
        return;
    bool known = jg_access_of_value(e, root, &at);
    if (event == JG_EVENT_USE && known && at.count == 0 && at.param < JG_MAX_EFFECT_PARAMS)
        e->used |= 1u << at.param, s->used |= 1u << at.param;
    if (event == JG_EVENT_DELETE_LOCAL && jg_value_info(&e->domain, root)->kind == JG_V_PHI) {
        s->gone = UINT64_MAX; // one of several
        s->deletes = true;
    }
    if (!is_deed(event) || jg_is_null(e, s, root) || jg_is_own(e, root))
        return;
    uint32_t slot = is_release(event) ? e->deed_slot : JG_ANY_SLOT;
    if (event != JG_EVENT_RELEASE && event != JG_EVENT_COMMIT && event >= JG_EVENT_RELEASE)
        event = JG_EVENT_RELEASE; // the defect is reported here
    if (event == JG_EVENT_RELEASE && slot != JG_ANY_SLOT &&
        jg_jni_function(slot)->flags & JG_JNI_CRITICAL_OK)
        s->leaves_critical = e->leaves_critical = true;
    if (!known || s->deed_count == JG_MAX_DEEDS) {
        s->lost |= released_parameters(e);
        return;
    }
    struct jg_path_deed *deed = &s->deeds[s->deed_count++];
    *deed = (struct jg_path_deed){.value = root,
                                  .slot = (uint16_t)slot,
                                  .event = (uint8_t)event,
                                  .owner = owner_of_deed(e, slot),
                                  .mode = JG_MODE_UNKNOWN,
                                  .mode_param = JG_NONE};
    if (slot != JG_ANY_SLOT)
        set_mode(e, deed);
}

// ---- cases --------------------------------------------------------------------------------------

// A place that the caller finds by the parameter itself. Of memory farther away it may know other
// names, by which it gives back what is kept there.
static bool is_near(const struct jg_access *at)
{
    uint32_t pointers = 0;
    for (uint32_t i = 0; i < at->count; i++)
        pointers += at->steps[i] == JG_NONE;
    return pointers == 1;
}

static bool is_held_for_caller(struct jg_engine *e, const struct jg_path *s, jg_value symbol,
                               struct jg_access *out)
{
    for (uint32_t i = 0; i < s->entry_count; i++)
        if (jg_value_root(&e->domain, s->entries[i].value) == symbol &&
            jg_access_of_region(e, s->entries[i].region, out) && is_near(out))
            return true;
    return false;
}

bool jg_is_held_outside(struct jg_engine *e, const struct jg_path *s, jg_value symbol,
                        const struct jg_access *except)
{
    struct jg_access at;
    for (uint32_t i = 0; i < s->entry_count; i++)
        if (jg_region_info(&e->domain, s->entries[i].region)->outlives &&
            jg_value_root(&e->domain, s->entries[i].value) == symbol &&
            !(except && jg_access_of_region(e, s->entries[i].region, &at) &&
              jg_is_same_access(&at, except)))
            return true;
    return false;
}

// Adds what the caller gets: as the result, at a place that it can name, or both.
static void add_made(struct jg_engine *e, struct jg_path *s, struct jg_summary_case *c,
                     const struct jg_object *o, jg_value symbol, bool result)
{
    struct jg_access parameter;
    struct jg_made m = {.kind = o->kind, .pair = o->pair, .result = result, .owner = JG_NONE};
    m.slot = jg_kind_is_buffer(o->kind) && o->origin != JG_NONE ? jg_engine_acquirer(e, o->origin)
                                                                : JG_ANY_SLOT;
    m.stored = is_held_for_caller(e, s, symbol, &m.at);
    m.shared = result && jg_is_held_outside(e, s, symbol, m.stored ? &m.at : NULL);
    if (!m.result && !m.stored)
        return;
    if (c->made_count == JG_MAX_DEEDS) {
        c->lost = true;
        return;
    }
    if (o->owner && jg_access_of_value(e, o->owner, &parameter) && parameter.count == 0)
        m.owner = parameter.param;
    c->made[c->made_count++] = m;
}

// ExceptionOccurred mostly serves as a test.
static bool asks_for_exception(const struct jg_engine *e, jg_value symbol)
{
    const struct jg_jni_function *fn = jg_maker(e, jg_value_info(&e->domain, symbol));
    return fn && fn->flags & JG_JNI_TESTS;
}

// Buffers, global references, and local ones with a row of their own, that the caller gets.
static void collect_made(struct jg_engine *e, struct jg_path *s, jg_value returned,
                         struct jg_summary_case *c)
{
    for (uint32_t i = 0; i < s->object_count; i++) {
        const struct jg_object *o = &s->objects[i];
        bool whole = o->states == JG_STATE_LIVE || o->states == JG_STATE_HELD;
        if (whole && o->kind != JG_KIND_MONITOR && !(o->flags & (JG_OBJ_ESCAPED | JG_OBJ_KEPT)) &&
            jg_is_own(e, o->symbol) && !jg_value_info(&e->domain, o->symbol)->older &&
            !jg_is_null(e, s, o->symbol))
            add_made(e, s, c, o, o->symbol, o->symbol == returned);
    }
    // References that need no row.
    struct jg_object o;
    bool inferred;
    if (jg_is_own(e, returned) && !jg_path_object(s, returned) && !jg_is_null(e, s, returned) &&
        jg_find_object(e, s, returned, &o, &inferred) && o.kind == JG_KIND_LOCAL &&
        !asks_for_exception(e, returned)) {
        o = (struct jg_object){.kind = JG_KIND_LOCAL};
        add_made(e, s, c, &o, returned, true);
    }
    for (uint32_t i = 0; i < s->entry_count; i++) {
        jg_value root = jg_value_root(&e->domain, s->entries[i].value);
        struct jg_access at;
        const struct jg_jni_function *fn = jg_maker(e, jg_value_info(&e->domain, root));
        if (jg_path_object(s, root) || jg_is_null(e, s, root))
            continue;
        bool plain = jg_is_own(e, root) && jg_find_object(e, s, root, &o, &inferred) &&
                     (fn || o.kind == JG_KIND_LOCAL); // else it stays another function's
        bool global = fn && fn->result == JG_RESULT_GLOBAL;
        if ((!plain && !global) || root == returned ||
            !jg_access_of_region(e, s->entries[i].region, &at) || !is_near(&at))
            continue;
        o = (struct jg_object){.kind = global ? JG_KIND_GLOBAL : o.kind};
        add_made(e, s, c, &o, root, false);
    }
}

static enum jg_exit_state exit_state(const struct jg_path *s)
{
    switch (s->exception) {
    case JG_STATE_CLEAN:
        return s->entry_kept || s->entry == JG_ENTRY_CLEAN ? JG_EXIT_SAME : JG_EXIT_CLEAN;
    case JG_STATE_PENDING:
        return s->entry_kept ? JG_EXIT_SAME : JG_EXIT_PENDING;
    case JG_STATE_AFTER_CALL:
        return JG_EXIT_AFTER_CALL;
    default:
        return s->entry_kept ? JG_EXIT_SAME : JG_EXIT_UNKNOWN;
    }
}

// The environment that a call has failed to store counts as NULL, unless the path may have ended
// before; then `env`, which may be NULL outright, is not known.
static struct jg_fact fact_of(struct jg_engine *e, const struct jg_path *s, jg_value value,
                              bool env)
{
    struct jg_fact f = jg_path_fact(&e->domain, s, value);
    int truth = env ? jg_env_truth(e, s, value) : -1;
    f.nonzero |= truth == 1;
    if (truth == 0 && !s->may_end)
        f.low = f.high = 0;
    else if (truth == 0)
        f = (struct jg_fact){.value = value, .low = INT64_MIN, .high = INT64_MAX};
    return f;
}

// Numbers and pointers that are left in memory of the caller: an error code, say.
static void collect_outs(struct jg_engine *e, const struct jg_path *s, struct jg_summary_case *c)
{
    for (uint32_t i = 0; i < s->entry_count && c->out_count < JG_MAX_OUTS; i++) {
        const struct jg_entry *entry = &s->entries[i];
        struct jg_out out = {0};
        if (entry->insn == JG_NONE || entry->value == JG_VALUE_UNKNOWN ||
            !jg_access_of_region(e, entry->region, &out.at) || !is_near(&out.at))
            continue;
        struct jg_fact f = fact_of(e, s, entry->value, jg_value_is_env(e, entry->value));
        if (!f.nonzero && f.low == INT64_MIN && f.high == INT64_MAX)
            continue;
        out.nonzero = f.nonzero;
        out.low = f.low;
        out.high = f.high;
        c->outs[c->out_count++] = out;
    }
}

static bool is_still_there(struct jg_engine *e, const struct jg_path *s, jg_value initial)
{
    jg_region at = jg_value_info(&e->domain, initial)->a;
    const struct jg_entry *entry = jg_path_entry(s, at);
    return entry ? entry->value == initial
                 : !jg_is_changed_around(e, s, at) && jg_path_initial(&e->domain, s, at) == initial;
}

// `memory`: of what parameters lead to, else of themselves.
static void collect_conditions(struct jg_engine *e, const struct jg_path *s,
                               struct jg_summary_case *c, bool memory)
{
    for (uint32_t i = 0; i < s->fact_count && c->condition_count < JG_MAX_CONDITIONS; i++) {
        const struct jg_fact *f = &s->facts[i];
        struct jg_access at;
        if (!jg_access_of_value(e, f->value, &at) || (at.count != 0) != memory ||
            (memory && !is_near(&at)))
            continue;
        c->conditions[c->condition_count++] =
            (struct jg_condition){.at = at,
                                  .kept = memory && is_still_there(e, s, f->value),
                                  .nonzero = f->nonzero,
                                  .low = f->low,
                                  .high = f->high};
    }
}

bool jg_is_same_made(const struct jg_made *a, const struct jg_made *b)
{
    return a->kind == b->kind && a->pair == b->pair && a->result == b->result &&
           a->stored == b->stored && a->shared == b->shared && a->slot == b->slot &&
           a->owner == b->owner && jg_is_same_access(&a->at, &b->at);
}

static bool same_out(const struct jg_out *a, const struct jg_out *b)
{
    return a->nonzero == b->nonzero && a->low == b->low && a->high == b->high &&
           jg_is_same_access(&a->at, &b->at);
}

// Can the caller not tell the two apart but by the result and the conditions?
static bool same_effect(const struct jg_summary_case *a, const struct jg_summary_case *b)
{
    if (a->entry != b->entry || a->exit != b->exit || a->leaks != b->leaks ||
        a->frames_unknown != b->frames_unknown || a->pops != b->pops || a->pushes != b->pushes ||
        a->leaves_critical != b->leaves_critical || a->needs_clean != b->needs_clean ||
        a->calls_jni != b->calls_jni || a->thread != b->thread || a->env != b->env ||
        a->borrowed != b->borrowed || a->alias != b->alias || a->deed_count != b->deed_count ||
        a->made_count != b->made_count || a->out_count != b->out_count ||
        !jg_is_same_monitors(a, b))
        return false;
    for (uint32_t i = 0; i < a->deed_count; i++)
        if (a->deeds[i].event != b->deeds[i].event || a->deeds[i].owner != b->deeds[i].owner ||
            a->deeds[i].slot != b->deeds[i].slot ||
            !jg_is_same_access(&a->deeds[i].at, &b->deeds[i].at))
            return false;
    for (uint32_t i = 0; i < a->made_count; i++)
        if (!jg_is_same_made(&a->made[i], &b->made[i]))
            return false;
    for (uint32_t i = 0; i < a->out_count; i++)
        if (!same_out(&a->outs[i], &b->outs[i]))
            return false;
    return true;
}

static void unite_conditions(struct jg_summary_case *into, const struct jg_summary_case *from)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < into->condition_count; i++) {
        struct jg_condition c = into->conditions[i];
        for (uint32_t k = 0; k < from->condition_count; k++) {
            const struct jg_condition *o = &from->conditions[k];
            if (!jg_is_same_access(&o->at, &c.at))
                continue;
            c.kept &= o->kept;
            c.nonzero &= o->nonzero;
            c.low = o->low < c.low ? o->low : c.low;
            c.high = o->high > c.high ? o->high : c.high;
            if (c.nonzero || c.low != INT64_MIN || c.high != INT64_MAX)
                into->conditions[kept++] = c;
        }
    }
    into->condition_count = kept;
}

static void unite_modes(struct jg_summary_case *into, const struct jg_summary_case *from)
{
    for (uint32_t i = 0; i < into->deed_count; i++) {
        struct jg_deed *a = &into->deeds[i];
        if (a->mode == from->deeds[i].mode && a->mode_param == from->deeds[i].mode_param)
            continue;
        a->mode = JG_MODE_UNKNOWN;
        a->mode_param = JG_NONE;
    }
}

bool jg_unite_case(struct jg_summary_case *cases, uint32_t count, const struct jg_summary_case *c)
{
    for (uint32_t i = 0; i < count; i++) {
        struct jg_summary_case *k = &cases[i];
        if (!same_effect(k, c))
            continue;
        unite_conditions(k, c);
        unite_modes(k, c);
        k->nonzero &= c->nonzero;
        k->low = c->low < k->low ? c->low : k->low;
        k->high = c->high > k->high ? c->high : k->high;
        k->by |= c->by;
        k->used |= c->used;
        k->lost |= c->lost;
        k->ended |= c->ended;
        k->deletes |= c->deletes;
        k->calls_first &= c->calls_first;
        return true;
    }
    return false;
}

// Too many cases: what is left in memory is told no more.
static void forget_outs(struct jg_engine *e)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < e->cases.count; i++) {
        struct jg_summary_case c = e->cases.data[i];
        c.out_count = 0;
        if (!jg_unite_case(e->cases.data, kept, &c))
            e->cases.data[kept++] = c;
    }
    e->cases.count = kept;
    e->outs_forgotten = true;
}

static void add_case(struct jg_engine *e, struct jg_summary_case *c)
{
    if (e->outs_forgotten)
        c->out_count = 0;
    if (jg_unite_case(e->cases.data, e->cases.count, c))
        return;
    if (e->cases.count == JG_MAX_CASES && !e->outs_forgotten) {
        forget_outs(e);
        c->out_count = 0;
        if (jg_unite_case(e->cases.data, e->cases.count, c))
            return;
    }
    if (e->cases.count == JG_MAX_CASES)
        e->cases_full = true;
    else
        *JG_VEC_PUSH(&e->cases) = *c;
}

// Does the call mean to throw?
static bool is_throw(const struct jg_engine *e, uint32_t insn)
{
    const struct jg_jni_function *fn = jg_insn_jni(&e->unit->insns.data[insn]);
    return fn ? (fn->flags & JG_JNI_RAISES) != 0 : jg_engine_always_throws(e, insn);
}

// The first call that the exception at a return may come from; one that means to throw, if any.
static void note_throw(struct jg_engine *e, const struct jg_path *s)
{
    uint32_t at = s->exception_origin;
    const struct jg_jni_function *fn = at == JG_NONE ? NULL : jg_insn_jni(&e->unit->insns.data[at]);
    if (at == JG_NONE || s->entry_kept || (fn && fn->flags & JG_JNI_TESTS))
        return;
    bool means = is_throw(e, at), meant = e->throw_insn != JG_NONE && is_throw(e, e->throw_insn);
    if (means != meant ? means : at < e->throw_insn)
        e->throw_insn = at;
}

// Frames that this function pops or leaves. Where it has both halves, what does not add up is
// reported here.
static void collect_frames(const struct jg_engine *e, const struct jg_path *s,
                           struct jg_summary_case *c)
{
    bool some = s->popped || s->frame_count;
    c->frames_unknown = s->frames_uncounted || (some && e->has_push && e->has_pop);
    if (c->frames_unknown)
        return;
    c->pops = s->popped;
    c->pushes = s->frame_count;
}

// Is it the environment of the thread, or NULL in its place?
static bool is_env_result(const struct jg_engine *e, jg_value result)
{
    uint32_t type = e->unit->symbols.data[e->fn->symbol].return_type;
    return jg_value_is_env(e, result) || (result == JG_VALUE_ZERO && type != JG_NONE &&
                                          e->unit->types.data[type].role == JG_ROLE_ENV);
}

static void note_case(struct jg_engine *e, struct jg_path *s, uint32_t block, jg_value result)
{
    jg_value returned = jg_value_root(&e->domain, result);
    bool env = is_env_result(e, result);
    struct jg_fact f = fact_of(e, s, result, env);
    struct jg_access at;
    struct jg_summary_case c = {.entry = s->entry,
                                .exit = (uint8_t)exit_state(s),
                                .nonzero = f.nonzero || f.low > 0 || f.high < 0,
                                .low = f.low,
                                .high = f.high,
                                .alias = JG_NONE,
                                .thread = (uint8_t)jg_thread_at_return(e, s),
                                .borrowed = (uint8_t)jg_borrowed_result(e, s, returned),
                                .env = env && (f.low || f.high),
                                .leaves_critical = s->leaves_critical,
                                .needs_clean = s->needs_clean,
                                .calls_jni = s->calls_jni,
                                .calls_first = s->calls_first,
                                .deletes = s->deletes,
                                .used = s->used,
                                .lost = s->lost};
    if (jg_access_of_value(e, result, &at) && at.count == 0)
        c.alias = at.param;
    collect_frames(e, s, &c);
    jg_collect_monitors(e, s, &c);
    collect_conditions(e, s, &c, false);
    collect_conditions(e, s, &c, true);
    collect_outs(e, s, &c);
    for (unsigned i = 0; i < s->deed_count; i++) {
        struct jg_deed *deed = &c.deeds[c.deed_count++];
        *deed = (struct jg_deed){.event = s->deeds[i].event,
                                 .slot = s->deeds[i].slot,
                                 .owner = s->deeds[i].owner,
                                 .mode = s->deeds[i].mode,
                                 .mode_param = s->deeds[i].mode_param};
        jg_access_of_value(e, s->deeds[i].value, &deed->at);
    }
    bool fresh = returned == result && jg_is_allocated(e, result) && !jg_is_shared(e, result);
    e->returned = fresh ? result : JG_VALUE_UNKNOWN;
    collect_made(e, s, returned, &c);
    e->returned = JG_VALUE_UNKNOWN;
    if (c.exit == JG_EXIT_PENDING || c.exit == JG_EXIT_AFTER_CALL)
        note_throw(e, s);
    uint32_t leak = jg_find_leaks(e, s, returned, block, c.exit == JG_EXIT_PENDING, &c.ended);
    c.leaks = leak != JG_NONE;
    if (leak < e->leak_insn)
        e->leak_insn = leak;
    add_case(e, &c);
}

// A result that is NULL exactly when its call threw: both cases.
static void note_settled(struct jg_engine *e, const struct jg_path *s, uint32_t block,
                         jg_value result)
{
    struct jg_path *one = jg_path_clone(&e->paths, s);
    if (s->exception != JG_STATE_NULL_UNTESTED) {
        note_case(e, one, block, result);
        return;
    }
    jg_value untested = jg_value_make(&e->domain, JG_V_MADE, s->exception_origin, 0);
    struct jg_path *failed = jg_path_clone(&e->paths, s);
    if (jg_path_assume(&e->domain, &e->paths, failed, untested, false)) {
        failed->exception = JG_STATE_PENDING;
        failed->entry_kept = false;
        note_case(e, failed, block, result);
    }
    if (jg_path_assume(&e->domain, &e->paths, one, untested, true)) {
        one->exception = s->exception_before;
        note_case(e, one, block, result);
    }
}

// A comparison, or whether a monitor was entered, whose outcome is not known and that the caller
// gets: the result, or what is stored where it looks. 0: there is none.
static jg_value undecided(struct jg_engine *e, const struct jg_path *s, jg_value result)
{
    struct jg_access at;
    const struct jg_object *o = jg_path_object(s, jg_value_root(&e->domain, result));
    if (o && o->kind == JG_KIND_MONITOR && o->symbol == result &&
        jg_path_truth(&e->domain, s, result) < 0)
        return result; // of MonitorEnter
    if (jg_value_is_boolean(jg_value_info(&e->domain, result)) &&
        jg_path_truth(&e->domain, s, result) < 0)
        return result;
    jg_value status = jg_untested_status(e, s, result);
    if (status != JG_VALUE_UNKNOWN)
        return status;
    for (uint32_t i = 0; i < s->entry_count; i++) {
        jg_value v = s->entries[i].value;
        if (s->entries[i].insn != JG_NONE && jg_value_is_boolean(jg_value_info(&e->domain, v)) &&
            jg_path_truth(&e->domain, s, v) < 0 &&
            jg_access_of_region(e, s->entries[i].region, &at) && is_near(&at))
            return v;
    }
    return JG_VALUE_UNKNOWN;
}

#define MAX_UNDECIDED 2 // comparisons told apart

static void note_decided(struct jg_engine *e, const struct jg_path *s, uint32_t block,
                         jg_value result, unsigned depth)
{
    jg_value v = depth < MAX_UNDECIDED ? undecided(e, s, result) : JG_VALUE_UNKNOWN;
    if (v == JG_VALUE_UNKNOWN) {
        bool boolean = jg_value_is_boolean(jg_value_info(&e->domain, result));
        int truth = boolean ? jg_path_truth(&e->domain, s, result) : -1;
        note_settled(e, s, block, truth < 0 ? result : truth == 1 ? JG_VALUE_ONE : JG_VALUE_ZERO);
        return;
    }
    for (int truth = 0; truth < 2; truth++) { // `return *out != NULL`
        struct jg_path *either = jg_path_clone(&e->paths, s);
        if (!jg_path_assume(&e->domain, &e->paths, either, v, truth))
            continue;
        jg_settle_acquisition(e, either, v);
        note_decided(e, either, block, result, depth + 1);
    }
}

void jg_note_return(struct jg_engine *e, const struct jg_path *s, uint32_t block, jg_value result)
{
    if (e->helper && e->focus.kind == JG_FOCUS_ALL)
        note_decided(e, s, block, result, 0);
}

// ---- the summary --------------------------------------------------------------------------------

void jg_summary_begin(struct jg_engine *e)
{
    e->cases.count = e->leaks.count = 0;
    e->cases_full = e->outs_forgotten = e->leaves_critical = false;
    e->used = 0;
    e->pending_insn = e->critical_insn = e->leak_insn = e->throw_insn = JG_NONE;
}

static const struct jg_chain *chain_of(const struct jg_summary *s, enum jg_chain_kind kind)
{
    return kind == JG_CHAIN_PENDING    ? &s->pending_call
           : kind == JG_CHAIN_CRITICAL ? &s->critical_call
           : kind == JG_CHAIN_THROWS   ? &s->throws
                                       : &s->leak;
}

struct jg_link jg_link_of(const struct jg_unit *u, const struct jg_function *f, uint32_t insn)
{
    const struct jg_insn *in = &u->insns.data[insn];
    const char *what = "a function";
    bool jni = in->sub == JG_CALLEE_JNI;
    if (jni)
        what = jg_jni_function(in->a)->name;
    else if (in->sub == JG_CALLEE_SYMBOL)
        what = jg_unit_str(u, u->symbols.data[in->a].name);
    else if (in->sub == JG_CALLEE_FIELD)
        what = jg_unit_str(u, u->fields.data[in->a].name);
    const char *quote = jni || in->sub == JG_CALLEE_TEMP ? "" : "'";
    const struct jg_loc *loc = in->loc == JG_NONE ? NULL : &u->locs.data[in->loc];
    return (struct jg_link){.path = loc ? jg_unit_str(u, u->files.data[loc->file].path) : "",
                            .line = loc ? loc->line : 0,
                            .column = loc ? loc->column : 0,
                            .function = jg_function_name(u, f),
                            .callee = jg_format("%s%s%s", quote, what, quote)};
}

// Effects have no texts: their chain is followed when it is asked for.
static const struct jg_chain *blocking_chain(struct jg_engine *e, uint32_t insn)
{
    const struct jg_program *p = e->analysis->program;
    struct jg_chain *chain = NULL;
    struct jg_function_ref at = {.unit = e->unit, .unit_index = e->unit_index};
    while (!chain || chain->count < JG_MAX_CHAIN) {
        const struct jg_insn *in = &at.unit->insns.data[insn];
        uint32_t id = in->op == JG_OP_CALL && in->sub == JG_CALLEE_SYMBOL
                          ? jg_analysis_resolve(e->analysis, at.unit_index, in->a)
                          : JG_NONE;
        if (id == JG_NONE || !e->analysis->effects[id].blocks)
            break;
        if (!chain)
            chain = jg_bump_alloc(&e->arena, sizeof *chain);
        at = jg_program_function(p, id);
        insn = e->analysis->effects[id].blocks - 1;
        struct jg_link link = jg_link_of(at.unit, &at.unit->functions.data[at.index], insn);
        chain->links[chain->count] = link;
        chain->links[chain->count++].callee = jg_bump_strdup(&e->arena, link.callee);
        free(link.callee);
    }
    return chain;
}

const struct jg_chain *jg_engine_chain(struct jg_engine *e, uint32_t insn, enum jg_chain_kind kind)
{
    if (kind == JG_CHAIN_BLOCKS)
        return blocking_chain(e, insn);
    const struct jg_summary *s = jg_callee_summary(e, insn);
    return s && chain_of(s, kind)->count ? chain_of(s, kind) : NULL;
}

// `insn`: a JNI call, or the call of a function with such a chain.
static void make_chain(struct jg_engine *e, struct jg_chain *out, uint32_t insn,
                       enum jg_chain_kind kind)
{
    if (insn == JG_NONE)
        return;
    out->count = 1;
    out->links[0] = jg_link_of(e->unit, e->fn, insn);
    const struct jg_chain *next = jg_engine_chain(e, insn, kind);
    if (kind == JG_CHAIN_THROWS && is_throw(e, insn))
        next = NULL; // its name says it
    if (next)
        out->leak_rule = next->leak_rule;
    else if (kind == JG_CHAIN_LEAK)
        out->leak_rule = jg_leak_rule(
            e->analysis->program, jg_program_id(e->analysis->program, e->unit_index, e->function));
    for (uint32_t i = 0; next && i < next->count && out->count < JG_MAX_CHAIN; i++) {
        if (out->count == JG_MAX_CHAIN - 1)
            i = next->count - 1; // what it ends in
        out->links[out->count] = next->links[i];
        out->links[out->count++].callee = jg_strdup(next->links[i].callee);
    }
}

// NULL is returned exactly when an exception is pending: as from FindClass.
static bool is_null_throws(const struct jg_engine *e)
{
    bool null = false, something = false;
    uint32_t type = e->unit->symbols.data[e->fn->symbol].return_type;
    if (type == JG_NONE || e->unit->types.data[type].kind != JG_TYPE_POINTER)
        return false;
    for (uint32_t i = 0; i < e->cases.count; i++) {
        const struct jg_summary_case *c = &e->cases.data[i];
        bool fails = c->exit == JG_EXIT_PENDING && c->low == 0 && c->high == 0;
        bool works = c->exit == JG_EXIT_SAME && c->nonzero;
        bool plain = c->deed_count == 0 && c->alias == JG_NONE && c->entry != JG_ENTRY_PENDING &&
                     c->condition_count == 0 && c->out_count == 0 && c->lost == 0 &&
                     !c->frames_unknown && !c->pops && !c->pushes && !c->monitor_count &&
                     c->thread <= JG_THREAD_FOUND;
        for (uint32_t k = 0; k < c->made_count; k++)
            plain &= c->made[k].result && works;
        if (!plain || (!fails && !works) || (works && something))
            return false;
        null |= fails;
        something |= works;
    }
    return null && something;
}

void jg_summary_finish(struct jg_engine *e)
{
    jg_settle_leaks(e);
    jg_settle_monitors(e);
    uint32_t id = jg_program_id(e->analysis->program, e->unit_index, e->function);
    bool exact = e->helper && !e->hit_cap && !e->cases_full &&
                 !(e->fn->flags & (JG_FN_DEGRADED | JG_FN_UNMODELLED));
    uint32_t count = exact ? e->cases.count : 0;
    struct jg_summary *s = jg_calloc(1, sizeof *s + count * sizeof *s->cases);
    s->exact = exact;
    s->used = e->used;
    s->null_throws = exact && is_null_throws(e);
    s->case_count = count;
    if (count)
        memcpy(s->cases, e->cases.data, count * sizeof *s->cases);
    make_chain(e, &s->pending_call, e->pending_insn, JG_CHAIN_PENDING);
    make_chain(e, &s->critical_call, e->critical_insn, JG_CHAIN_CRITICAL);
    make_chain(e, &s->leak, e->leak_insn, JG_CHAIN_LEAK);
    make_chain(e, &s->throws, e->throw_insn, JG_CHAIN_THROWS);
    jg_summary_free(e->analysis->summaries[id]);
    e->analysis->summaries[id] = s;
}

void jg_summary_free(struct jg_summary *s)
{
    struct jg_chain *chains[] = {s ? &s->pending_call : NULL, s ? &s->critical_call : NULL,
                                 s ? &s->leak : NULL, s ? &s->throws : NULL};
    for (size_t k = 0; s && k < sizeof chains / sizeof *chains; k++)
        for (uint32_t i = 0; i < chains[k]->count; i++)
            free(chains[k]->links[i].callee);
    free(s);
}
