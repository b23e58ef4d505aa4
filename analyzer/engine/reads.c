// SPDX-License-Identifier: Apache-2.0
//
// What exploring a function reads; see reads.h.

#include "analyzer/engine/reads.h"

#include "analyzer/engine/contexts.h"
#include "analyzer/engine/lifetime.h"
#include "analyzer/engine/summary_record.h"

#include <stdlib.h>

static void number(struct jg_hasher *h, uint64_t n)
{
    jg_hasher_add(h, &n, sizeof n);
}

static void hash(struct jg_hasher *h, const struct jg_hash *other)
{
    jg_hasher_add(h, other, sizeof *other);
}

// ---- units --------------------------------------------------------------------------------------

// Reports quote the texts, and say what was read and what was wrong with it: exploring does not.
static bool is_for_reports(const void *vector, const struct jg_unit *u)
{
    return vector == &u->texts || vector == &u->sources || vector == &u->inputs ||
           vector == &u->diagnostics || vector == &u->unmodelled || vector == &u->arguments ||
           vector == &u->include_folders;
}

static void add_content(struct jg_hasher *h, const struct jg_unit *u)
{
#define JG_VECTOR(name, type)                                                                      \
    if (!is_for_reports(&u->name, u)) {                                                            \
        number(h, u->name.count);                                                                  \
        jg_hasher_add(h, u->name.data, u->name.count * sizeof *u->name.data);                      \
    }
#include "analyzer/ir/unit.def"
    number(h, u->path);
    number(h, u->directory);
}

// What the program as a whole says of the tables of the unit.
static void add_facts(struct jg_hasher *h, const struct jg_program *p, uint32_t unit)
{
    const struct jg_unit *u = jg_program_unit(p, unit);
    for (uint32_t i = 0; i < u->fields.count; i++)
        jg_hasher_add(h, (uint8_t[]){jg_sole_kind(jg_program_field_kinds(p, unit, i))}, 1);
    for (uint32_t i = 0; i < u->vars.count; i++)
        jg_hasher_add(h, (uint8_t[]){jg_sole_kind(jg_program_variable_kinds(p, unit, i))}, 1);
}

static struct jg_hash hash_unit(const struct jg_program *p, uint32_t unit)
{
    struct jg_hasher h;
    jg_hasher_init(&h);
    add_content(&h, jg_program_unit(p, unit));
    add_facts(&h, p, unit);
    return jg_hasher_final(&h);
}

void jg_reads_init(struct jg_reads *r, const struct jg_analysis *analysis,
                   const struct jg_hash *attachment)
{
    const struct jg_program *p = analysis->program;
    struct jg_hash models = jg_models_hash(jg_models_current());
    struct jg_hasher h;
    r->analysis = analysis;
    jg_hasher_init(&h);
    hash(&h, &models);
    r->attachment = *attachment;
    r->base = jg_hasher_final(&h);
    r->units = jg_calloc((size_t)jg_program_unit_count(p) + 1, sizeof *r->units);
    r->found = jg_calloc((size_t)jg_program_function_count(p) + 1, sizeof *r->found);
    for (uint32_t i = 0; i < jg_program_unit_count(p); i++)
        r->units[i] = hash_unit(p, i);
}

void jg_reads_fini(struct jg_reads *r)
{
    free(r->units);
    free(r->found);
    *r = (struct jg_reads){0};
}

// ---- functions ----------------------------------------------------------------------------------

// The functions that an instruction may call; NULL with *calls false when it is no call of those.
static const uint32_t *called_at(const struct jg_program *p, const struct jg_function_ref *f,
                                 uint32_t insn, uint32_t *count, bool *complete, bool *calls)
{
    const struct jg_insn *in = &f->unit->insns.data[insn];
    *complete = true;
    *calls = in->op == JG_OP_SCOPE_EXIT && in->b != JG_NONE;
    if (*calls) {
        *complete = jg_program_is_defined(p, f->unit_index, in->b);
        return jg_program_definitions(p, f->unit_index, in->b, count);
    }
    *calls = in->op == JG_OP_CALL && in->sub != JG_CALLEE_JNI && in->sub != JG_CALLEE_INVOKE;
    return *calls ? jg_program_callees(p, f->unit_index, insn, count, complete) : NULL;
}

static uint32_t position(const struct jg_program *p, uint32_t component, uint32_t id)
{
    uint32_t count, i = 0;
    const uint32_t *ids = jg_program_component(p, component, &count);
    while (ids[i] != id)
        i++;
    return i;
}

static void add_call(const struct jg_reads *r, struct jg_hasher *h, uint32_t component,
                     const struct jg_function_ref *f, uint32_t insn)
{
    const struct jg_program *p = r->analysis->program;
    uint32_t count;
    bool complete, calls;
    const uint32_t *ids = called_at(p, f, insn, &count, &complete, &calls);
    if (!calls)
        return;
    bool modelled = jg_program_model(p, f->unit_index, insn) != NULL;
    number(h, (uint64_t)count << 2 | (uint64_t)complete << 1 | modelled);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = jg_program_representative(p, ids[i]);
        if (jg_program_component_of(p, id) != component)
            hash(h, &r->found[id]);
        else // which of them: their bodies are in the hash of the component
            number(h, position(p, component, id));
    }
}

static void add_function(const struct jg_reads *r, struct jg_hasher *h, uint32_t component,
                         uint32_t id)
{
    const struct jg_program *p = r->analysis->program;
    struct jg_function_ref f = jg_program_function(p, id);
    struct jg_context_reason why;
    uint32_t first, end;
    bool entry = jg_program_context_reason(p, id, JG_CONTEXT_THREAD, &why) && why.root == id;
    hash(h, &r->units[f.unit_index]);
    number(h, f.index);
    number(h, (uint64_t)jg_program_contexts(p, id) << 2 | (uint64_t)entry << 1 |
                  jg_program_is_native(p, id));
    jg_add_lifetime(h, p, id);
    jg_function_insns(f.unit, &f.unit->functions.data[f.index], &first, &end);
    bool invokes = false;
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &f.unit->insns.data[i];
        invokes |= in->op == JG_OP_CALL && in->sub == JG_CALLEE_INVOKE;
        if (in->op == JG_OP_FNADDR) {
            uint32_t bodies;
            jg_program_definitions(p, f.unit_index, in->a, &bodies);
            number(h, bodies);
        }
        add_call(r, h, component, &f, i);
    }
    if (invokes)
        hash(h, &r->attachment);
}

struct jg_hash jg_reads_component(const struct jg_reads *r, uint32_t component)
{
    struct jg_hasher h;
    uint32_t count;
    const uint32_t *ids = jg_program_component(r->analysis->program, component, &count);
    jg_hasher_init(&h);
    hash(&h, &r->base);
    number(&h, count);
    for (uint32_t i = 0; i < count; i++)
        add_function(r, &h, component, ids[i]);
    return jg_hasher_final(&h);
}

// ---- what was found -----------------------------------------------------------------------------

// The effects; the call that blocks by its text, with what the function called there was found to
// do, as chains follow it.
static void add_effects(const struct jg_reads *r, struct jg_hasher *h, struct jg_record *text,
                        uint32_t component, uint32_t id)
{
    const struct jg_program *p = r->analysis->program;
    const struct jg_effects *e = &r->analysis->effects[id];
    _Static_assert(sizeof *e == 10 * sizeof(uint32_t), "a new field belongs into the hash");
    number(h, e->what);
    number(h, e->released);
    number(h, e->kept);
    number(h, e->written);
    number(h, e->statics);
    number(h, e->fields);
    number(h, e->blocks != 0);
    if (!e->blocks)
        return;
    struct jg_function_ref f = jg_program_function(p, id);
    struct jg_link link = jg_link_of(f.unit, &f.unit->functions.data[f.index], e->blocks - 1);
    jg_link_record(text, &link);
    free(link.callee);
    add_call(r, h, component, &f, e->blocks - 1);
}

void jg_reads_explored(struct jg_reads *r, uint32_t component)
{
    const struct jg_program *p = r->analysis->program;
    uint32_t count;
    const uint32_t *ids = jg_program_component(p, component, &count);
    struct jg_hasher h;
    struct jg_record text = {.writing = true};
    jg_hasher_init(&h);
    for (uint32_t i = 0; i < count; i++) {
        struct jg_summary *s = r->analysis->summaries[ids[i]];
        add_effects(r, &h, &text, component, ids[i]);
        number(&h, s != NULL);
        if (s)
            jg_summary_record(&text, p, ids[i], &s);
    }
    jg_hasher_add(&h, text.out.data, text.out.count);
    jg_record_fini(&text);
    struct jg_hash all = jg_hasher_final(&h);
    for (uint32_t i = 0; i < count; i++) { // a member by its number
        jg_hasher_init(&h);
        hash(&h, &all);
        number(&h, i);
        r->found[ids[i]] = count == 1 ? all : jg_hasher_final(&h);
    }
}
