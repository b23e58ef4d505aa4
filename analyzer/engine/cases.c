// SPDX-License-Identifier: Apache-2.0
//
// The cases of a summary at a call: what the callee's names mean there, and which cases are
// possible. See apply.h; apply.c applies them.

#include "analyzer/engine/apply.h"
#include "rules/jni.h"

// ---- conditions ---------------------------------------------------------------------------------

bool jg_case_narrow(struct jg_engine *e, struct jg_path *s, jg_value v, bool nonzero, int64_t low,
                    int64_t high)
{
    struct jg_domain *d = &e->domain;
    if (v == JG_VALUE_UNKNOWN)
        return true;
    if (nonzero && !jg_path_assume(d, &e->paths, s, v, true))
        return false;
    if (low == high)
        return jg_path_assume(d, &e->paths, s,
                              jg_value_expr(d, JG_BIN_EQ, v, jg_value_const(d, low)), true);
    struct jg_fact f = jg_path_fact(d, s, v);
    if (f.high < low || f.low > high)
        return false;
    bool constant = jg_value_info(d, v)->kind == JG_V_CONST;
    if (constant || (low <= f.low && high >= f.high))
        return true;
    f.low = low > f.low ? low : f.low;
    f.high = high < f.high ? high : f.high;
    jg_path_set_fact(&e->paths, s, f);
    return true;
}

static bool is_reference(const struct application *a, uint32_t param)
{
    const struct jg_engine *e = a->e;
    uint32_t temp =
        param < a->in->arg_count ? e->unit->args.data[a->in->first_arg + param] : JG_NONE;
    uint32_t def = temp == JG_NONE ? JG_NONE : e->temp_def[temp];
    uint32_t type = def == JG_NONE ? JG_NONE : e->unit->insns.data[def].type;
    return type != JG_NONE && jg_role_is_ref((enum jg_type_role)e->unit->types.data[type].role);
}

// ---- what the callee's names mean here ----------------------------------------------------------

// The region that an access names here; 0 when this function does not know it.
jg_region jg_case_region(const struct application *a, const struct jg_path *s,
                         const struct jg_access *at)
{
    struct jg_domain *d = &a->e->domain;
    jg_value v = at->param == JG_PARAM_RESULT   ? a->result
                 : at->param < a->in->arg_count ? a->args[at->param]
                                                : JG_VALUE_UNKNOWN;
    jg_region r = 0;
    for (uint32_t i = 0; i < at->count; i++) {
        if (at->steps[i] != JG_NONE) {
            uint32_t field = jg_field_of(a->e, at->steps[i]);
            if (!r)
                return 0;
            r = jg_region_field(d, r, field);
            continue;
        }
        if (r) {
            const struct jg_entry *entry = jg_path_entry(s, r);
            v = entry ? entry->value : jg_path_initial(d, s, r);
        }
        if (v == JG_VALUE_UNKNOWN || v == JG_VALUE_UNSET)
            return 0;
        r = jg_value_info(d, v)->kind == JG_V_ADDR ? jg_value_info(d, v)->a : jg_region_deref(d, v);
    }
    return r;
}

static jg_value value_at(const struct application *a, const struct jg_path *s,
                         const struct jg_access *at)
{
    if (at->count == 0)
        return at->param < a->in->arg_count ? a->args[at->param] : JG_VALUE_UNKNOWN;
    jg_region r = jg_case_region(a, s, at);
    const struct jg_entry *entry = r ? jg_path_entry(s, r) : NULL;
    if (!entry && r && jg_region_info(&a->e->domain, r)->element) {
        jg_region summary = jg_region_summary(&a->e->domain, r);
        if (jg_elements_hold_objects(a->e, s, summary, true)) // one of them
            return jg_value_make(&a->e->domain, JG_V_ELEM, summary, 0);
    }
    return entry ? entry->value : r ? jg_path_initial(&a->e->domain, s, r) : JG_VALUE_UNKNOWN;
}

// What the callee finds there, as far as it is known for sure.
static jg_value found_at(const struct application *a, struct jg_path *s, const struct jg_access *at)
{
    const struct jg_domain *d = &a->e->domain;
    jg_region r = at->count ? jg_case_region(a, s, at) : 0;
    if (at->count && (!r || jg_region_info(d, r)->element ||
                      (!jg_path_entry(s, r) && jg_is_changed_around(a->e, s, r))))
        return JG_VALUE_UNKNOWN;
    jg_value v = value_at(a, s, at);
    return v == JG_VALUE_UNSET ? JG_VALUE_UNKNOWN : v;
}

#define TARGETS (JG_MAX_DEEDS + JG_MAX_MONITORS + JG_MAX_CONDITIONS) // of one case

// What deed `index` of a case was done to; from JG_MAX_DEEDS on: the objects of its monitors, and
// what its conditions are about.
jg_value jg_case_target(const struct application *a, const struct jg_summary_case *c,
                        uint32_t index)
{
    return jg_target_of(a->targets, (uint32_t)(c - a->summary->cases), index);
}

// The object of a monitor, in the state before or after the call.
jg_value jg_case_monitor(const struct application *a, const struct jg_path *s,
                         const struct jg_monitor *m)
{
    if (m->at_known)
        return jg_value_root(&a->e->domain, value_at(a, s, &m->at));
    jg_region r = m->variable ? jg_region_of_monitor(a->e, m) : 0;
    const struct jg_entry *entry = r ? jg_path_entry(s, r) : NULL;
    return entry ? jg_value_root(&a->e->domain, entry->value)
           : r   ? jg_path_initial(&a->e->domain, s, r)
                 : JG_VALUE_UNKNOWN;
}

jg_value *jg_find_targets(struct jg_engine *e, struct jg_path *s, uint32_t insn,
                          const jg_value *args, const struct jg_summary *summary)
{
    const struct application a = {
        .e = e, .summary = summary, .in = &e->unit->insns.data[insn], .insn = insn, .args = args};
    jg_value *targets =
        jg_bump_alloc(&e->paths, (summary->case_count + 1) * TARGETS * sizeof *targets);
    for (uint32_t i = 0; i < summary->case_count; i++) {
        const struct jg_summary_case *c = &summary->cases[i];
        for (uint32_t k = 0; k < c->deed_count; k++)
            targets[i * TARGETS + k] = value_at(&a, s, &c->deeds[k].at);
        for (uint32_t k = 0; k < c->monitor_count; k++)
            targets[i * TARGETS + JG_MAX_DEEDS + k] = jg_case_monitor(&a, s, &c->monitors[k]);
        for (uint32_t k = 0; k < c->condition_count; k++)
            targets[i * TARGETS + JG_MAX_DEEDS + JG_MAX_MONITORS + k] =
                found_at(&a, s, &c->conditions[k].at);
    }
    return targets;
}

jg_value jg_target_of(const jg_value *targets, uint32_t number, uint32_t deed)
{
    return targets[number * TARGETS + deed];
}

bool jg_case_satisfies(const struct application *a, struct jg_path *s,
                       const struct jg_summary_case *c)
{
    for (uint32_t i = 0; i < c->condition_count; i++) {
        const struct jg_condition *k = &c->conditions[i];
        jg_value v = jg_case_target(a, c, JG_MAX_DEEDS + JG_MAX_MONITORS + i);
        // That the callee is prepared for NULL does not say that it may get it.
        bool guarded = k->low == 0 && k->high == 0 && !k->at.count &&
                       is_reference(a, k->at.param) && !jg_path_object(s, v) &&
                       jg_path_truth(&a->e->domain, s, v) < 0;
        if (!guarded && !jg_case_narrow(a->e, s, v, k->nonzero, k->low, k->high))
            return false;
    }
    return true;
}

bool jg_case_is_possible(struct jg_engine *e, const struct jg_path *s, uint32_t insn,
                         const jg_value *args, const jg_value *targets,
                         const struct jg_summary *summary, uint32_t number)
{
    const struct application a = {.e = e,
                                  .summary = summary,
                                  .in = &e->unit->insns.data[insn],
                                  .insn = insn,
                                  .args = args,
                                  .targets = targets};
    return jg_case_satisfies(&a, jg_path_clone(&e->paths, s), &summary->cases[number]);
}
