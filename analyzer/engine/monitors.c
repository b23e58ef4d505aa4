// SPDX-License-Identifier: Apache-2.0
//
// Monitors: entered and exited by JNI functions, or by callees for this function; what of that a
// helper leaves to its callers; and who else may exit them.
//
// A lock is named by the status of its MonitorEnter, which is 0 when it was taken, or by the call
// of the helper; its owner is the object. Where the object of a helper is not known, any exit of an
// unknown one may be its own.

#include "analyzer/engine/internal.h"
#include "rules/jni.h"

#include <stdlib.h>
#include <string.h>

// ---- where --------------------------------------------------------------------------------------

static bool call_has(const struct jg_engine *e, uint32_t insn, bool exits)
{
    const struct jg_summary *s = jg_callee_summary(e, insn);
    for (uint32_t i = 0; s && i < s->case_count; i++)
        for (uint32_t k = 0; k < s->cases[i].monitor_count; k++)
            if (s->cases[i].monitors[k].exits == exits)
                return true;
    return false;
}

bool jg_call_exits(const struct jg_engine *e, uint32_t insn)
{
    return jg_insn_calls(&e->unit->insns.data[insn], JG_JNI_MonitorExit) || call_has(e, insn, true);
}

bool jg_call_enters(const struct jg_engine *e, uint32_t insn)
{
    return jg_insn_calls(&e->unit->insns.data[insn], JG_JNI_MonitorEnter) ||
           call_has(e, insn, false);
}

static bool exits_monitor(const struct jg_engine *e, const struct jg_block *b, uint32_t from)
{
    for (uint32_t i = from; i < b->first_insn + b->insn_count; i++)
        if (jg_call_exits(e, i))
            return true;
    return false;
}

// Entered in one loop and exited in another: how often is not counted. An exit that can be reached
// without passing the head of a loop belongs to the same turn.
static bool exits_in_another_loop(const struct jg_engine *e, uint32_t block, uint32_t insn)
{
    const struct jg_block *blocks = &e->unit->blocks.data[e->fn->first_block];
    if (!e->in_loop[block] || !e->has_exit || exits_monitor(e, &blocks[block], insn))
        return false;
    bool *seen = jg_calloc(e->fn->block_count, sizeof *seen);
    uint32_t *stack = jg_calloc(e->fn->block_count, sizeof *stack), depth = 0;
    bool found = false;
    stack[depth++] = block;
    while (depth && !found) {
        const struct jg_block *b = &blocks[stack[--depth]];
        for (uint32_t i = 0; i < b->succ_count && !found; i++) {
            uint32_t to = e->unit->succs.data[b->first_succ + i];
            if (seen[to] || blocks[to].loop_header)
                continue;
            seen[to] = true;
            stack[depth++] = to;
            found = exits_monitor(e, &blocks[to], blocks[to].first_insn);
        }
    }
    free(seen);
    free(stack);
    return !found;
}

bool jg_leaves_monitors(const struct jg_engine *e)
{
    return e->helper && !e->has_exit;
}

uint32_t jg_other_monitor(const struct jg_path *s, const struct jg_object *o)
{
    for (uint32_t i = 0; i < s->object_count; i++) {
        const struct jg_object *other = &s->objects[i];
        if (other->kind == JG_KIND_MONITOR && other->states == JG_STATE_HELD &&
            other->origin != o->origin)
            return other->origin;
    }
    return JG_NONE;
}

// ---- entering -----------------------------------------------------------------------------------

static void hold(struct jg_engine *e, struct jg_path *s, jg_value symbol, jg_value object,
                 bool doubtful, uint32_t block, uint32_t insn)
{
    if (!jg_tracks_site(e, insn))
        return;
    struct jg_object *o = jg_path_add_object(&e->paths, s, symbol);
    o->kind = JG_KIND_MONITOR;
    o->states = JG_STATE_HELD;
    o->origin = insn;
    o->since = s->trace;
    o->owner = object;
    if (doubtful || exits_in_another_loop(e, block, insn))
        o->flags |= JG_OBJ_ESCAPED;
}

jg_value jg_enter_monitor(struct jg_engine *e, struct jg_path *s, jg_value object, bool pending,
                          uint32_t block, uint32_t insn)
{
    jg_value symbol = jg_value_make(&e->domain, JG_V_MADE, insn, 0);
    jg_begin_object(e, s, symbol, pending, block, insn);
    hold(e, s, symbol, object, false, block, insn);
    return symbol;
}

void jg_enter_for_caller(struct jg_engine *e, struct jg_path *s, jg_value object, bool doubtful,
                         uint32_t index, uint32_t block, uint32_t insn)
{
    jg_region number = jg_region_temp(&e->domain, JG_NONE - 2 - index); // no temporary has that one
    jg_value symbol = jg_value_make(&e->domain, JG_V_MADE, insn, number);
    jg_begin_object(e, s, symbol, false, block, insn);
    hold(e, s, symbol, object, doubtful, block, insn);
}

// ---- exiting ------------------------------------------------------------------------------------

// What a place held at different times: the object of a lock is not replaced while it is locked.
static bool is_same_object(const struct jg_engine *e, jg_value a, jg_value b)
{
    const struct jg_value_info *x = jg_value_info(&e->domain, a), *y = jg_value_info(&e->domain, b);
    return a != JG_VALUE_UNKNOWN &&
           (a == b || (x->kind == JG_V_INIT && y->kind == JG_V_INIT && x->a == y->a));
}

void jg_doubt_monitor(struct jg_engine *e, struct jg_path *s, jg_value object)
{
    for (uint32_t i = 0; i < s->object_count; i++)
        if (s->objects[i].kind == JG_KIND_MONITOR &&
            !jg_provably_different(e, s->objects[i].owner, object))
            s->objects[i].flags |= JG_OBJ_ESCAPED;
}

// An exit of what the caller of this helper has entered, as far as it can be seen here.
static void note_exit(struct jg_engine *e, struct jg_path *s, jg_value object)
{
    if (!e->helper)
        return;
    if (s->exit_count == JG_MAX_MONITORS)
        s->exits[JG_MAX_MONITORS - 1] = JG_VALUE_UNKNOWN;
    else
        s->exits[s->exit_count++] = object;
}

static void report_exit(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn)
{
    struct jg_transition step =
        jg_protocol_step(JG_KIND_MONITOR, JG_STATE_CLOSED, JG_EVENT_RELEASE);
    struct jg_violation v = jg_violation_of(step.rule);
    for (uint32_t i = 0; i < s->object_count; i++) { // the one that was meant: not reported again
        struct jg_object *o = &s->objects[i];
        if (o->kind != JG_KIND_MONITOR || o->states != JG_STATE_HELD)
            continue;
        v.other = jg_value_name(e, o->owner);
        v.origin = o->origin;
        o->flags |= JG_OBJ_ESCAPED;
    }
    v.name = jg_engine_expression(e, e->unit->args.data[e->unit->insns.data[insn].first_arg + 1]);
    v.kind = JG_KIND_MONITOR;
    v.event = JG_EVENT_RELEASE;
    v.from = JG_STATE_CLOSED;
    v.block = block;
    v.insn = insn;
    jg_report(e, s, v, insn);
}

// A monitor is named by its object. Where the objects are not known to be one or two, the exit may
// be that of any monitor that is held.
void jg_exit_monitor(struct jg_engine *e, struct jg_path *s, jg_value object, uint32_t block,
                     uint32_t insn)
{
    struct jg_object *match = NULL, *ended = NULL;
    bool other = false;
    for (uint32_t i = 0; i < s->object_count; i++) {
        struct jg_object *o = &s->objects[i];
        if (o->kind != JG_KIND_MONITOR)
            continue;
        if (is_same_object(e, o->owner, object) && o->states == JG_STATE_HELD)
            match = o; // the innermost: rows are sorted by the place of the call
        else if (o->owner == object && object != JG_VALUE_UNKNOWN)
            ended = o;
        else if (!jg_provably_different(e, o->owner, object))
            other = true, o->flags |= match ? 0 : JG_OBJ_ESCAPED;
        if (o->origin != JG_NONE && (o == match || other))
            *JG_VEC_PUSH(&e->ended) = o->origin;
    }
    if (match || (ended && !other)) {
        jg_object_event(e, s, (match ? match : ended)->symbol, JG_EVENT_RELEASE, block, insn);
        return;
    }
    note_exit(e, s, other ? JG_VALUE_UNKNOWN : object);
    bool direct = jg_insn_calls(&e->unit->insns.data[insn], JG_JNI_MonitorExit);
    if (!other && direct && e->native && !s->unknown_callee && e->focus.kind == JG_FOCUS_ALL)
        report_exit(e, s, block, insn); // else a caller or a helper may have taken it
}

// ---- functions that may do either ---------------------------------------------------------------

void jg_lend_monitors(struct jg_engine *e, struct jg_path *s, const struct jg_insn *in,
                      const jg_value *args, struct jg_lent_monitors lent)
{
    for (uint32_t i = 0; i < s->object_count; i++) {
        struct jg_object *o = &s->objects[i];
        if (o->kind != JG_KIND_MONITOR)
            continue;
        if (lent.unseen && !jg_insn_jni(&e->unit->insns.data[o->origin]))
            o->flags |= JG_OBJ_ESCAPED;
        for (uint32_t k = 0; k < in->arg_count && lent.gets_env; k++) {
            uint32_t may = o->states == JG_STATE_HELD ? lent.exits : lent.enters;
            if ((k >= JG_MAX_EFFECT_PARAMS || may >> k & 1) &&
                jg_value_root(&e->domain, args[k]) == o->owner)
                o->flags |= JG_OBJ_ESCAPED;
        }
    }
}

// ---- summaries ----------------------------------------------------------------------------------

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool jg_is_same_monitor(const struct jg_monitor *a, const struct jg_monitor *b)
{
    return a->exits == b->exits && a->at_known == b->at_known &&
           is_same_text(a->variable, b->variable) && is_same_text(a->file, b->file) &&
           (!a->at_known || jg_is_same_access(&a->at, &b->at));
}

bool jg_is_same_monitors(const struct jg_summary_case *a, const struct jg_summary_case *b)
{
    if (a->monitor_count != b->monitor_count)
        return false;
    for (uint32_t i = 0; i < a->monitor_count; i++)
        if (!jg_is_same_monitor(&a->monitors[i], &b->monitors[i]))
            return false;
    return true;
}

// Does the place still hold what it held when the monitor was entered?
static bool still_holds(struct jg_engine *e, const struct jg_path *s, jg_region region,
                        jg_value object)
{
    const struct jg_entry *entry = jg_path_entry(s, region);
    return is_same_object(e, entry ? entry->value : jg_path_initial(&e->domain, s, region), object);
}

static struct jg_monitor monitor_of(struct jg_engine *e, const struct jg_path *s, jg_value object,
                                    bool exits)
{
    struct jg_monitor m = {.exits = exits};
    const struct jg_value_info v = *jg_value_info(&e->domain, object);
    if (v.kind != JG_V_INIT || (!exits && !still_holds(e, s, v.a, object)))
        return m;
    const struct jg_region_info *r = jg_region_info(&e->domain, v.a);
    const struct jg_var *var = r->kind == JG_R_VAR ? &e->unit->vars.data[r->a] : NULL;
    if (var && var->kind == JG_VAR_STATIC) {
        m.variable = jg_unit_str(e->unit, var->name);
        m.file = var->external ? NULL : jg_unit_str(e->unit, e->unit->path);
    } else {
        m.at_known = jg_access_of_value(e, object, &m.at);
    }
    return m;
}

void jg_collect_monitors(struct jg_engine *e, const struct jg_path *s, struct jg_summary_case *c)
{
    for (uint32_t i = 0; i < s->exit_count; i++)
        c->monitors[c->monitor_count++] = monitor_of(e, s, s->exits[i], true);
    for (uint32_t i = 0; i < s->object_count; i++) {
        const struct jg_object *o = &s->objects[i];
        if (o->kind != JG_KIND_MONITOR || o->states != JG_STATE_HELD || o->flags & JG_OBJ_ESCAPED ||
            c->monitor_count == JG_MAX_MONITORS)
            continue;
        c->monitors[c->monitor_count] = monitor_of(e, s, o->owner, false);
        c->monitors[c->monitor_count++].origin = o->origin;
    }
}

// What some path exits is this function's to exit, unless something else is left to its callers
// there. It is reported here, once.
void jg_settle_monitors(struct jg_engine *e)
{
    for (uint32_t i = 0; i < e->cases.count; i++) {
        struct jg_summary_case *c = &e->cases.data[i];
        bool left = !e->has_exit;
        for (uint32_t k = 0; k < c->monitor_count; k++)
            left |= !c->monitors[k].exits && !jg_engine_ends_elsewhere(e, c->monitors[k].origin);
        uint32_t kept = 0;
        for (uint32_t k = 0; k < c->monitor_count; k++)
            if (left || c->monitors[k].exits)
                c->monitors[kept++] = c->monitors[k];
        c->monitor_count = kept;
    }
}

jg_region jg_region_of_monitor(struct jg_engine *e, const struct jg_monitor *m)
{
    const struct jg_unit *u = e->unit;
    bool own = !m->file || strcmp(m->file, jg_unit_str(u, u->path)) == 0;
    uint32_t found = JG_NONE;
    for (uint32_t i = 0; own && i < u->vars.count; i++) {
        const struct jg_var *var = &u->vars.data[i];
        if (var->kind != JG_VAR_STATIC || var->external != !m->file ||
            strcmp(jg_unit_str(u, var->name), m->variable) != 0)
            continue;
        if (found != JG_NONE)
            return 0; // of two functions
        found = i;
    }
    return found == JG_NONE ? 0 : jg_region_var(&e->domain, found);
}
