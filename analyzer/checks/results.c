// SPDX-License-Identifier: Apache-2.0
//
// Results of components as bytes and back; see results.h.

#include "analyzer/checks/results.h"

#include "analyzer/engine/summary_record.h"

#include <stdlib.h>

#define MAX_FINDINGS 100000u // of one function

static void position(struct jg_record *r, struct jg_position *p)
{
    jg_record_str(r, &p->path);
    jg_record_bits(r, &p->line);
    jg_record_bits(r, &p->column);
    jg_record_bits(r, &p->end_line);
    jg_record_bits(r, &p->end_column);
    r->bad = r->bad || !p->path;
}

static void steps(struct jg_record *r, struct jg_step *list, unsigned *count, uint32_t most)
{
    JG_RECORD_NUMBER(r, *count, most + 1);
    for (unsigned i = 0; i < *count; i++) {
        position(r, &list[i].at);
        jg_record_str(r, &list[i].message);
        r->bad = r->bad || !list[i].message;
    }
}

// As checks make them: the fingerprint and what suppresses it are report's.
static void finding(struct jg_record *r, struct jg_finding *f)
{
    JG_RECORD_NUMBER(r, f->rule, JG_RULE_COUNT);
    JG_RECORD_NUMBER(r, f->severity, JG_ERROR + 1u);
    JG_RECORD_NUMBER(r, f->confidence, JG_HIGH + 1u);
    position(r, &f->at);
    jg_record_str(r, &f->function);
    jg_record_str(r, &f->message);
    steps(r, f->steps, &f->step_count, JG_MAX_STEPS);
    steps(r, f->notes, &f->note_count, JG_MAX_NOTES);
    r->bad = r->bad || !f->function || !f->message;
    JG_RECORD_NUMBER(r, f->doubt_count, JG_MAX_DOUBTS + 1);
    for (unsigned i = 0; i < f->doubt_count; i++) {
        jg_record_str(r, &f->doubts[i]);
        r->bad = r->bad || !f->doubts[i];
    }
}

static void cost(struct jg_record *r, struct jg_engine_stats *s)
{
    jg_record_u64(r, &s->block_visits);
    jg_record_u64(r, &s->states);
    jg_record_u64(r, &s->capped);
    jg_record_u64(r, &s->exhausted);
    jg_record_u64(r, &s->explored);
    jg_record_u64(r, &s->jni_calls);
}

struct jg_record jg_result_write(const struct jg_analysis *a, uint32_t component,
                                 const struct jg_findings *found,
                                 const struct jg_found_at *outcomes,
                                 const struct jg_engine_stats *stats)
{
    struct jg_record r = {.writing = true};
    struct jg_engine_stats s = *stats;
    uint32_t count;
    const uint32_t *ids = jg_program_component(a->program, component, &count);
    cost(&r, &s);
    for (uint32_t i = 0; i < count; i++) {
        struct jg_summary *summary = a->summaries[ids[i]];
        bool known = summary != NULL;
        uint32_t findings = outcomes[ids[i]].count;
        jg_record_bool(&r, &known);
        if (known)
            jg_summary_record(&r, a->program, ids[i], &summary);
        JG_RECORD_NUMBER(&r, findings, MAX_FINDINGS);
        for (uint32_t k = 0; k < findings; k++) {
            struct jg_finding f = found->list.data[outcomes[ids[i]].first + k];
            finding(&r, &f);
        }
    }
    return r;
}

static void read_function(struct jg_record *r, struct jg_analysis *a, uint32_t id, uint32_t worker,
                          struct jg_findings *found, struct jg_found_at *outcome)
{
    bool known = false;
    uint32_t findings = 0;
    jg_record_bool(r, &known);
    if (known)
        jg_summary_record(r, a->program, id, &a->summaries[id]);
    JG_RECORD_NUMBER(r, findings, MAX_FINDINGS);
    *outcome = (struct jg_found_at){worker, found->list.count, findings};
    for (uint32_t k = 0; k < findings && !r->bad; k++)
        finding(r, JG_VEC_PUSH(&found->list));
}

bool jg_result_read(const void *data, size_t size, struct jg_analysis *a, uint32_t component,
                    uint32_t worker, struct jg_findings *found, struct jg_found_at *outcomes,
                    struct jg_engine_stats *stats)
{
    struct jg_record r = {.data = data, .size = size, .arena = &found->arena};
    struct jg_engine_stats s;
    uint32_t count, before = found->list.count;
    const uint32_t *ids = jg_program_component(a->program, component, &count);
    cost(&r, &s);
    for (uint32_t i = 0; i < count; i++)
        read_function(&r, a, ids[i], worker, found, &outcomes[ids[i]]);
    if (!jg_record_is_whole(&r)) {
        found->list.count = before;
        for (uint32_t i = 0; i < count; i++) {
            jg_summary_free(a->summaries[ids[i]]);
            a->summaries[ids[i]] = NULL;
            outcomes[ids[i]] = (struct jg_found_at){0};
        }
        return false;
    }
    stats->block_visits += s.block_visits;
    stats->states += s.states;
    stats->capped += s.capped;
    stats->exhausted += s.exhausted;
    stats->explored += s.explored;
    stats->jni_calls += s.jni_calls;
    return true;
}
