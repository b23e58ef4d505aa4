// SPDX-License-Identifier: Apache-2.0
//
// Runs the checks of whole programs, and what they share; see program_checks.h.

#include "analyzer/checks/program_checks.h"

#include <stdarg.h>
#include <stdlib.h>

void jg_program_checks_run(const struct jg_program *program, struct jg_findings *out)
{
    static jg_program_check_fn *const checks[] = {
#define JG_PROGRAM_CHECK(rule, function) function,
#include "analyzer/checks/checks.def"
    };
    struct jg_program_check c = {program, out};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        checks[i](&c);
}

// ---- findings -----------------------------------------------------------------------------------

void jg_program_finding_begin(const struct jg_program_check *c, struct jg_program_finding *f,
                              enum jg_rule rule, uint32_t id)
{
    const struct jg_rule_info *info = jg_rule_info(rule);
    struct jg_function_ref ref = jg_program_function(c->program, id);
    *f = (struct jg_program_finding){
        .finding = {.rule = rule, .severity = info->severity, .confidence = info->confidence},
        .d = {.unit = ref.unit, .arena = &c->out->arena}};
    f->d.finding = &f->finding;
    f->d.function = f->finding.function =
        jg_bump_strdup(&c->out->arena, jg_program_function_name(c->program, id));
    if (ref.unit->functions.data[ref.index].flags & JG_FN_DEGRADED)
        jg_lower_confidence(&f->d, JG_LOW, JG_DOUBT_ERRORS);
}

void jg_program_step(const struct jg_program_check *c, struct jg_program_finding *f, uint32_t unit,
                     uint32_t loc, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, fmt, args);
    char *text = jg_bump_alloc(&c->out->arena, (size_t)(length < 0 ? 0 : length) + 1);
    vsnprintf(text, (size_t)(length < 0 ? 0 : length) + 1, fmt, again);
    va_end(again);
    va_end(args);
    const struct jg_unit *own = f->d.unit;
    f->d.unit = jg_program_unit(c->program, unit);
    jg_describe_step_loc(&f->d, loc, "%s", text);
    f->d.unit = own;
}

void jg_program_finding_end(const struct jg_program_check *c, struct jg_program_finding *f)
{
    *JG_VEC_PUSH(&c->out->list) = f->finding;
}

// ---- ways ---------------------------------------------------------------------------------------

bool jg_is_jni_call(const struct jg_program *p, uint32_t unit, uint32_t insn)
{
    const struct jg_insn *in = &jg_program_unit(p, unit)->insns.data[insn];
    return in->op == JG_OP_CALL && (in->sub == JG_CALLEE_JNI || in->sub == JG_CALLEE_INVOKE);
}

struct ways {
    struct jg_reach *r;
    const struct jg_program *p;
    const struct jg_reach_query *q;
    struct JG_VEC(uint32_t) queue;
};

static void begin_at_targets(struct ways *w, uint32_t functions)
{
    for (uint32_t id = 0; id < functions; id++) {
        struct jg_function_ref f = jg_program_function(w->p, id);
        uint32_t first, end;
        w->r->length[id] = w->r->next[id] = w->r->insn[id] = JG_NONE;
        jg_function_insns(f.unit, &f.unit->functions.data[f.index], &first, &end);
        for (uint32_t i = first; i < end && w->r->length[id] == JG_NONE; i++) {
            if (!w->q->is_target(w->p, f.unit_index, i))
                continue;
            if (w->q->blocked && w->q->blocked[id])
                break;
            w->r->length[id] = 0;
            w->r->insn[id] = i;
            w->r->sure[id] = true;
            *JG_VEC_PUSH(&w->queue) = id;
        }
    }
}

static void look_back(struct ways *w, uint32_t id)
{
    uint32_t count;
    const uint32_t *callers = jg_program_callers(w->p, id, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t caller = callers[i];
        if (w->r->length[caller] != JG_NONE || (w->q->blocked && w->q->blocked[caller]))
            continue;
        bool direct;
        uint32_t site = jg_program_call_site(w->p, caller, id, &direct);
        if (site == JG_NONE || (w->q->direct && !direct))
            continue;
        w->r->length[caller] = w->r->length[id] + 1;
        w->r->next[caller] = id;
        w->r->insn[caller] = site;
        w->r->sure[caller] = w->r->sure[id] && direct;
        *JG_VEC_PUSH(&w->queue) = caller;
    }
}

void jg_reach_init(struct jg_reach *r, const struct jg_program *p, const struct jg_reach_query *q)
{
    uint32_t functions = jg_program_function_count(p);
    struct ways w = {.r = r, .p = p, .q = q};
    r->length = jg_calloc((size_t)functions + 1, sizeof *r->length);
    r->next = jg_calloc((size_t)functions + 1, sizeof *r->next);
    r->insn = jg_calloc((size_t)functions + 1, sizeof *r->insn);
    r->sure = jg_calloc((size_t)functions + 1, sizeof *r->sure);
    begin_at_targets(&w, functions);
    for (uint32_t i = 0; i < w.queue.count; i++)
        look_back(&w, w.queue.data[i]);
    JG_VEC_FREE(&w.queue);
}

void jg_reach_fini(struct jg_reach *r)
{
    free(r->length);
    free(r->next);
    free(r->insn);
    free(r->sure);
    *r = (struct jg_reach){0};
}

const char *jg_reach_text(const struct jg_program_check *c, uint32_t unit, uint32_t insn,
                          uint32_t id)
{
    const struct jg_unit *u = jg_program_unit(c->program, unit);
    const struct jg_insn *in = &u->insns.data[insn];
    if (id == JG_NONE && in->op == JG_OP_CALL && in->sub == JG_CALLEE_JNI)
        return jg_jni_function(in->a)->name;
    if (id == JG_NONE && in->op == JG_OP_CALL && in->sub == JG_CALLEE_INVOKE)
        return jg_invoke_function(in->a)->name;
    const char *name =
        id != JG_NONE ? jg_program_function_name(c->program, id) : jg_insn_callee(u, in);
    return jg_bump_format(&c->out->arena, "'%s'", name ? name : "?");
}

const char *jg_reach_end(const struct jg_program_check *c, const struct jg_reach *r,
                         uint32_t callee)
{
    while (r->next[callee] != JG_NONE)
        callee = r->next[callee];
    return jg_reach_text(c, jg_program_function(c->program, callee).unit_index, r->insn[callee],
                         JG_NONE);
}

void jg_reach_steps(const struct jg_program_check *c, struct jg_program_finding *f,
                    const struct jg_reach *r, uint32_t id, uint32_t insn, uint32_t callee)
{
    const struct jg_program *p = c->program;
    uint32_t left = callee == JG_NONE ? 1 : r->length[callee] + 2, skipped = 0;
    while (left) {
        uint32_t unit = jg_program_function(p, id).unit_index;
        uint32_t loc = jg_program_unit(p, unit)->insns.data[insn].loc;
        bool last = left == 1;
        if (last && skipped)
            jg_program_step(c, f, unit, loc, "after %u more calls, '%s' calls %s", skipped,
                            jg_program_function_name(p, id), jg_reach_text(c, unit, insn, callee));
        else if (last || f->finding.step_count + 1 < JG_MAX_STEPS)
            jg_program_step(c, f, unit, loc, "'%s' calls %s", jg_program_function_name(p, id),
                            jg_reach_text(c, unit, insn, callee));
        else
            skipped++;
        left--;
        if (callee == JG_NONE)
            break;
        id = callee;
        insn = r->insn[id];
        callee = r->next[id];
    }
}
