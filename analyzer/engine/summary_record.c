// SPDX-License-Identifier: Apache-2.0
//
// Summaries as bytes and back; see ir/record.h. A field is one line here. Fields of records go by
// their names: their numbers are those of one program.

#include "analyzer/engine/summary_record.h"

#include "analyzer/engine/program_internal.h"
#include "rules/jni.h"

#include <stdlib.h>

struct coder {
    struct jg_record *r;
    const struct jg_program *p;
    uint32_t params; // of the function
};

static void field(struct coder *c, uint32_t *id)
{
    const char *record = "", *name = NULL; // what the pointer before points to has no name
    if (c->r->writing && *id != JG_NONE)
        jg_program_field_name(c->p, *id, &record, &name);
    jg_record_str(c->r, &record);
    jg_record_str(c->r, &name);
    if (c->r->writing)
        return;
    *id = name && record ? jg_program_find_field(c->p, record, name) : JG_NONE;
    c->r->bad = c->r->bad || !record || (name && *id == JG_NONE);
}

static void access_to(struct coder *c, struct jg_access *a)
{
    jg_record_u32(c->r, &a->param, c->params, true); // JG_PARAM_RESULT
    JG_RECORD_NUMBER(c->r, a->count, JG_MAX_ACCESS + 1);
    for (uint32_t i = 0; i < a->count; i++)
        field(c, &a->steps[i]);
}

static void condition(struct coder *c, struct jg_condition *k)
{
    access_to(c, &k->at);
    jg_record_bool(c->r, &k->kept);
    jg_record_bool(c->r, &k->nonzero);
    jg_record_i64(c->r, &k->low);
    jg_record_i64(c->r, &k->high);
}

static void deed(struct coder *c, struct jg_deed *d)
{
    access_to(c, &d->at);
    jg_record_u8(c->r, &d->event, JG_EVENT_COUNT);
    jg_record_u16(c->r, &d->slot);
    jg_record_u32(c->r, &d->owner, c->params, true);
    jg_record_u8(c->r, &d->mode, JG_MODE_UNKNOWN + 1);
    jg_record_u32(c->r, &d->mode_param, c->params, true);
    c->r->bad = c->r->bad || (d->slot >= JG_JNI_COUNT && d->slot != JG_ANY_SLOT);
}

static void made(struct coder *c, struct jg_made *m)
{
    jg_record_u8(c->r, &m->kind, JG_KIND_COUNT);
    jg_record_u16(c->r, &m->slot);
    c->r->bad = c->r->bad || (m->slot >= JG_JNI_COUNT && m->slot != JG_ANY_SLOT);
    jg_record_bool(c->r, &m->result);
    jg_record_bool(c->r, &m->stored);
    jg_record_bool(c->r, &m->shared);
    if (m->stored)
        access_to(c, &m->at);
    jg_record_u32(c->r, &m->owner, c->params, true);
    jg_record_bits(c->r, &m->pair);
    if (m->kind == JG_KIND_PAIR && !jg_models_pair(jg_models_current(), m->pair))
        c->r->bad = true;
}

static void monitor(struct coder *c, struct jg_monitor *m)
{
    jg_record_bool(c->r, &m->exits);
    jg_record_bool(c->r, &m->at_known);
    if (m->at_known)
        access_to(c, &m->at);
    jg_record_str(c->r, &m->variable);
    jg_record_str(c->r, &m->file);
}

static void out(struct coder *c, struct jg_out *o)
{
    access_to(c, &o->at);
    jg_record_bool(c->r, &o->nonzero);
    jg_record_i64(c->r, &o->low);
    jg_record_i64(c->r, &o->high);
}

static void summary_case(struct coder *c, struct jg_summary_case *k)
{
    jg_record_u8(c->r, &k->entry, JG_ENTRY_CLEAN + 1);
    jg_record_u8(c->r, &k->exit, JG_EXIT_UNKNOWN + 1);
    jg_record_bool(c->r, &k->leaves_critical);
    jg_record_bool(c->r, &k->needs_clean);
    jg_record_bool(c->r, &k->calls_jni);
    jg_record_bool(c->r, &k->calls_first);
    jg_record_bool(c->r, &k->deletes);
    jg_record_bool(c->r, &k->ended);
    jg_record_bool(c->r, &k->leaks);
    jg_record_bool(c->r, &k->frames_unknown);
    jg_record_u8(c->r, &k->pops, JG_MAX_POPPED + 1);
    jg_record_u8(c->r, &k->pushes, JG_MAX_FRAMES + 1);
    jg_record_u8(c->r, &k->thread, JG_THREAD_UNKNOWN + 1);
    jg_record_u8(c->r, &k->borrowed, JG_BORROWED_WEAK + 1);
    jg_record_bool(c->r, &k->env);
    jg_record_bool(c->r, &k->nonzero);
    jg_record_i64(c->r, &k->low);
    jg_record_i64(c->r, &k->high);
    jg_record_u32(c->r, &k->alias, c->params, true);
    jg_record_bits(c->r, &k->used);
    jg_record_bits(c->r, &k->lost);
    JG_RECORD_NUMBER(c->r, k->condition_count, JG_MAX_CONDITIONS + 1);
    JG_RECORD_NUMBER(c->r, k->deed_count, JG_MAX_DEEDS + 1);
    JG_RECORD_NUMBER(c->r, k->made_count, JG_MAX_DEEDS + 1);
    JG_RECORD_NUMBER(c->r, k->out_count, JG_MAX_OUTS + 1);
    JG_RECORD_NUMBER(c->r, k->monitor_count, JG_MAX_MONITORS + 1);
    for (uint32_t i = 0; i < k->condition_count; i++)
        condition(c, &k->conditions[i]);
    for (uint32_t i = 0; i < k->deed_count; i++)
        deed(c, &k->deeds[i]);
    for (uint32_t i = 0; i < k->made_count; i++)
        made(c, &k->made[i]);
    for (uint32_t i = 0; i < k->out_count; i++)
        out(c, &k->outs[i]);
    for (uint32_t i = 0; i < k->monitor_count; i++)
        monitor(c, &k->monitors[i]);
}

void jg_link_record(struct jg_record *r, struct jg_link *l)
{
    const char *callee = l->callee;
    jg_record_str(r, &l->path);
    jg_record_bits(r, &l->line);
    jg_record_bits(r, &l->column);
    jg_record_str(r, &l->function);
    jg_record_str(r, &callee);
    r->bad = r->bad || !l->path || !l->function || !callee;
    if (!r->writing)
        l->callee = jg_strdup(callee ? callee : "");
}

static void chain(struct coder *c, struct jg_chain *k)
{
    JG_RECORD_NUMBER(c->r, k->count, JG_MAX_CHAIN + 1);
    for (uint32_t i = 0; i < k->count; i++)
        jg_link_record(c->r, &k->links[i]);
    JG_RECORD_NUMBER(c->r, k->leak_rule, JG_RULE_COUNT);
}

void jg_summary_record(struct jg_record *r, const struct jg_program *p, uint32_t id,
                       struct jg_summary **summary)
{
    struct jg_function_ref ref = jg_program_function(p, id);
    struct coder c = {r, p, ref.unit->functions.data[ref.index].param_count};
    uint32_t cases = r->writing ? (*summary)->case_count : 0;
    JG_RECORD_NUMBER(r, cases, JG_MAX_CASES + 1);
    if (!r->writing) {
        *summary = jg_calloc(1, sizeof **summary + cases * sizeof *(*summary)->cases);
        (*summary)->case_count = cases;
    }
    struct jg_summary *s = *summary;
    jg_record_bool(r, &s->exact);
    jg_record_bool(r, &s->null_throws);
    jg_record_bits(r, &s->used);
    chain(&c, &s->pending_call);
    chain(&c, &s->critical_call);
    chain(&c, &s->leak);
    chain(&c, &s->throws);
    for (uint32_t i = 0; i < cases; i++)
        summary_case(&c, &s->cases[i]);
}
