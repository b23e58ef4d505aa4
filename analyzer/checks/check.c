// SPDX-License-Identifier: Apache-2.0
//
// Runs the engine over the functions of a program and has each violation put into words; see
// check.h.

#include "analyzer/checks/check.h"

#include "analyzer/checks/describe.h"
#include "analyzer/checks/program_checks.h"
#include "analyzer/checks/threads.h"
#include "analyzer/engine/analysis.h"
#include "analyzer/engine/reads.h"
#include "analyzer/engine/schedule.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct run {
    struct jg_engine *engine;
    const struct jg_unit *unit;
    const struct jg_function *function;
    struct jg_findings *out;
    uint32_t first; // finding of the function
};

static jg_describe_fn *describer(enum jg_rule rule)
{
    switch (rule) {
#define JG_CHECK(name, claim, function)                                                            \
    case JG_RULE_##name:                                                                           \
        return function;
#include "analyzer/checks/checks.def"
    default:
        return NULL;
    }
}

static const struct jg_watcher watchers[] = {
#define JG_WATCH(moment, family, function) {JG_MOMENT_##moment, JG_FAMILY_##family, function},
#include "analyzer/checks/checks.def"
};

#define WATCHERS (sizeof watchers / sizeof *watchers)

// A statement with a compile error vanishes, releases and tests included.
static bool is_absence(enum jg_event event, enum jg_rule rule)
{
    enum { PRESENCE = false, ABSENCE = true };
    static const bool absent[JG_RULE_COUNT] = {
#define JG_CHECK(name, claim, function) [JG_RULE_##name] = claim,
#include "analyzer/checks/checks.def"
    };
    return event == JG_EVENT_LOSE || event == JG_EVENT_NEXT_TURN || absent[rule];
}

// Several references that one function leaves behind are one thing to mend.
static bool is_by_function(enum jg_rule rule)
{
    return rule == JG_RULE_LOCAL_REF_LEAK_IN_HELPER || rule == JG_RULE_LOCAL_REF_LEAK_ON_THREAD ||
           rule == JG_RULE_LOCAL_REF_LEAK_IN_CALLBACK;
}

// A macro that treats five arrays alike has one defect, not five: the first is the finding, the
// others are its notes.
static bool joins_earlier(struct jg_findings *all, uint32_t first, struct jg_describe *d)
{
    for (uint32_t i = first; i < all->list.count; i++) {
        struct jg_finding *f = &all->list.data[i];
        const struct jg_finding *g = d->finding;
        bool same = f->at.line == g->at.line && f->at.column == g->at.column &&
                    strcmp(f->at.path, g->at.path) == 0;
        if (f->rule != g->rule || !(same || is_by_function(f->rule)))
            continue;
        if (f->note_count < JG_MAX_NOTES)
            f->notes[f->note_count++] = (struct jg_step){
                .at = g->at,
                .message = jg_bump_format(d->arena, "the same goes for %s", jg_object_text(d))};
        if (f->confidence < g->confidence) {
            f->confidence = g->confidence;
            memcpy(f->doubts, g->doubts, sizeof f->doubts);
            f->doubt_count = g->doubt_count;
        }
        return true;
    }
    return false;
}

static void on_violation(void *context, const struct jg_violation *v)
{
    struct run *r = context;
    bool degraded = (r->function->flags & JG_FN_DEGRADED) != 0;
    jg_describe_fn *describe = describer(v->rule);
    if (!describe || (degraded && is_absence(v->event, v->rule)))
        return;
    const struct jg_rule_info *rule = jg_rule_info(v->rule);
    struct jg_finding f = {
        .rule = v->rule, .severity = rule->severity, .confidence = rule->confidence};
    f.function = jg_bump_strdup(&r->out->arena, jg_function_name(r->unit, r->function));
    struct jg_describe d = {.engine = r->engine,
                            .unit = r->unit,
                            .arena = &r->out->arena,
                            .violation = v,
                            .finding = &f,
                            .function = f.function};
    if (v->assumed)
        jg_lower_confidence(&d, JG_LOW, "it takes a caller that has an exception pending");
    if (!v->all)
        jg_lower_confidence(&d, JG_MEDIUM,
                            "it holds in some of the states that the path can be in");
    const struct jg_model *model = jg_engine_model(r->engine, v->insn);
    if (model)
        jg_lower_confidence(&d, (enum jg_confidence)model->confidence, "it rests on a model");
    // What the lowering does not model, a destructor for one, may be what gives it back.
    bool unmodelled = (r->function->flags & JG_FN_UNMODELLED) && is_absence(v->event, v->rule);
    if (degraded || unmodelled)
        jg_lower_confidence(&d, JG_LOW,
                            degraded ? JG_DOUBT_ERRORS
                                     : "the function holds a construct that is not modelled");
    if (describe(&d) && !joins_earlier(r->out, r->first, &d))
        *JG_VEC_PUSH(&r->out->list) = f;
}

// ---- the whole program --------------------------------------------------------------------------

// What a thread works with.
struct explorer {
    struct jg_engine *engine;
    struct jg_findings found; // of the functions that this thread has explored, one after the other
    struct jg_engine_stats spared; // what the results cost that were found in the store
};

struct exploration {
    const struct jg_program *program;
    struct jg_analysis *analysis;
    struct explorer *explorers;          // by the number of their worker
    struct jg_found_at *outcomes;        // by the number of the function
    const struct jg_result_store *store; // NULL: none
    const struct jg_check_watch *watch;  // NULL: nobody
    pthread_mutex_t lock;                // of the store
    struct jg_reads reads;
};

static void explore(const struct exploration *x, unsigned worker, uint32_t id)
{
    struct jg_function_ref ref = jg_program_function(x->program, id);
    struct explorer *e = &x->explorers[worker];
    if (jg_program_representative(x->program, id) != id)
        return;
    struct run r = {.engine = e->engine,
                    .unit = ref.unit,
                    .function = &ref.unit->functions.data[ref.index],
                    .out = &e->found,
                    .first = e->found.list.count};
    jg_engine_explore(e->engine, ref.unit_index, ref.index, on_violation, &r);
    x->outcomes[id] = (struct jg_found_at){worker, r.first, e->found.list.count - r.first};
}

// A function that calls itself is explored twice: what the first round, which knew nothing of it,
// has found holds for the second.
static void explore_members(const struct exploration *x, unsigned worker, uint32_t component)
{
    uint32_t count, before = x->explorers[worker].found.list.count;
    const uint32_t *ids = jg_program_component(x->program, component, &count);
    for (int round = jg_program_is_recursive(x->program, component) ? 0 : 1; round < 2; round++) {
        x->explorers[worker].found.list.count = before;
        for (uint32_t i = 0; i < count; i++)
            explore(x, worker, ids[i]);
    }
}

static struct jg_engine_stats difference(struct jg_engine_stats after,
                                         struct jg_engine_stats before)
{
    return (struct jg_engine_stats){.block_visits = after.block_visits - before.block_visits,
                                    .states = after.states - before.states,
                                    .capped = after.capped - before.capped,
                                    .exhausted = after.exhausted - before.exhausted,
                                    .explored = after.explored - before.explored,
                                    .jni_calls = after.jni_calls - before.jni_calls};
}

static bool is_stopped(const struct exploration *x)
{
    return x->watch && atomic_load(x->watch->stop);
}

static bool is_explored(const struct exploration *x, const uint32_t *ids, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (jg_program_representative(x->program, ids[i]) == ids[i] &&
            jg_analysis_is_explored(x->analysis, ids[i]))
            return true;
    return false;
}

// Takes the result of the component from the store; or explores it, and puts the result there.
static void explore_or_find(struct exploration *x, unsigned worker, uint32_t component)
{
    struct explorer *e = &x->explorers[worker];
    struct jg_hash key = jg_reads_component(&x->reads, component);
    uint32_t count;
    const uint32_t *ids = jg_program_component(x->program, component, &count);
    uint32_t unit = jg_program_function(x->program, ids[0]).unit_index;
    const void *data;
    size_t size;
    pthread_mutex_lock(&x->lock);
    bool found = x->store->find(x->store->context, unit, &key, &data, &size);
    pthread_mutex_unlock(&x->lock);
    if (found && jg_result_read(data, size, x->analysis, component, worker, &e->found, x->outcomes,
                                &e->spared))
        return;
    struct jg_engine_stats before = *jg_engine_stats(e->engine);
    explore_members(x, worker, component);
    struct jg_engine_stats cost = difference(*jg_engine_stats(e->engine), before);
    if (is_stopped(x)) // given up in the middle: not for the store
        return;
    struct jg_record r = jg_result_write(x->analysis, component, &e->found, x->outcomes, &cost);
    pthread_mutex_lock(&x->lock);
    x->store->put(x->store->context, unit, &key, r.out.data, r.out.count);
    pthread_mutex_unlock(&x->lock);
    jg_record_fini(&r);
}

static void look_at(struct exploration *x, unsigned worker, uint32_t component)
{
    uint32_t count;
    const uint32_t *ids = jg_program_component(x->program, component, &count);
    jg_find_effects(x->analysis, component);
    if (!x->store)
        explore_members(x, worker, component);
    else if (is_explored(x, ids, count))
        explore_or_find(x, worker, component);
}

// As if its functions had no body.
static void leave_out(struct exploration *x, uint32_t component)
{
    uint32_t count;
    const uint32_t *ids = jg_program_component(x->program, component, &count);
    for (uint32_t i = 0; i < count; i++)
        x->outcomes[ids[i]].count = 0;
    jg_analysis_give_up(x->analysis, component);
}

static void explore_component(void *context, unsigned worker, uint32_t component)
{
    struct exploration *x = context;
    const struct jg_check_watch *watch = x->watch;
    struct jg_findings *found = &x->explorers[worker].found;
    uint32_t before = found->list.count;
    bool wanted = !watch || watch->begin(watch->context, worker, component);
    if (wanted)
        look_at(x, worker, component);
    if (!wanted || is_stopped(x))
        leave_out(x, component);
    else if (watch)
        watch->end(watch->context, worker, component, found, before);
    if (x->store)
        jg_reads_explored(&x->reads, component);
}

static void count_functions(const struct jg_program *program, struct jg_check_stats *stats)
{
    for (uint32_t id = 0; id < jg_program_function_count(program); id++) {
        struct jg_function_ref ref = jg_program_function(program, id);
        uint32_t flags = ref.unit->functions.data[ref.index].flags;
        stats->functions++;
        stats->functions_degraded += (flags & JG_FN_DEGRADED) != 0;
        stats->functions_unmodelled += (flags & JG_FN_UNMODELLED) != 0;
    }
}

static void add_cost(const struct jg_engine_stats *s, struct jg_check_stats *stats)
{
    stats->functions_explored += s->explored;
    stats->jni_calls += s->jni_calls;
    stats->block_visits += s->block_visits;
    stats->states += s->states;
    stats->capped += s->capped;
    stats->exhausted += s->exhausted;
}

static void add_stats(const struct explorer *e, struct jg_check_stats *stats)
{
    add_cost(jg_engine_stats(e->engine), stats);
    add_cost(&e->spared, stats);
    stats->functions_found += e->spared.explored;
    for (unsigned f = 0; f < JG_FAMILY_COUNT; f++)
        stats->family_nanoseconds[f] += jg_engine_family_cost(e->engine, (enum jg_family)f);
}

// In the order of the functions, whichever thread has explored them.
static void unite(const struct exploration *x, struct jg_findings *out)
{
    for (uint32_t id = 0; id < jg_program_function_count(x->program); id++) {
        const struct jg_found_at *o = &x->outcomes[id];
        for (uint32_t i = 0; i < o->count; i++)
            *JG_VEC_PUSH(&out->list) = x->explorers[o->worker].found.list.data[o->first + i];
    }
}

static void explore_program(const struct jg_program *program, const struct jg_check_options *o,
                            struct jg_findings *out, struct jg_check_stats *stats)
{
    unsigned threads = o->threads;
    const struct jg_result_store *store = o->store;
    uint32_t functions = jg_program_function_count(program);
    struct exploration x = {.program = program,
                            .analysis = jg_analysis_new(program),
                            .store = store,
                            .watch = o->watch};
    struct jg_hash attachment = store ? jg_attachment_facts(program) : (struct jg_hash){{0}};
    if (store)
        jg_reads_init(&x.reads, x.analysis, &attachment);
    pthread_mutex_init(&x.lock, NULL);
    x.explorers = jg_calloc(threads, sizeof *x.explorers);
    x.outcomes = jg_calloc((size_t)functions + 1, sizeof *x.outcomes);
    for (unsigned i = 0; i < threads; i++) {
        x.explorers[i].engine = jg_engine_new(x.analysis);
        jg_engine_watch(x.explorers[i].engine, watchers, WATCHERS, stats->timed);
        if (o->watch)
            jg_engine_stop_when(x.explorers[i].engine, o->watch->stop);
    }
    jg_schedule(program, threads, explore_component, &x);
    unite(&x, out);
    for (unsigned i = 0; i < threads; i++) {
        add_stats(&x.explorers[i], stats);
        jg_engine_free(x.explorers[i].engine);
        jg_bump_join(&out->arena, &x.explorers[i].found.arena);
        jg_findings_fini(&x.explorers[i].found);
    }
    free(x.explorers);
    free(x.outcomes);
    pthread_mutex_destroy(&x.lock);
    jg_reads_fini(&x.reads);
    jg_analysis_free(x.analysis);
}

void jg_check_program(const struct jg_program *program, const struct jg_check_options *options,
                      struct jg_findings *out, struct jg_check_stats *stats)
{
    uint64_t begin = stats->timed ? jg_engine_clock() : 0;
    count_functions(program, stats);
    explore_program(program, options, out, stats);
    if (!options->watch || !atomic_load(options->watch->stop))
        jg_program_checks_run(program, out);
    if (stats->timed)
        stats->nanoseconds += jg_engine_clock() - begin;
}

unsigned jg_check_debug_object(const struct jg_unit *unit, const char *path, uint32_t line,
                               FILE *out)
{
    struct jg_program *program = jg_program_new(&unit, 1);
    struct jg_analysis *analysis = jg_analysis_new(program);
    jg_find_all_effects(analysis);
    struct jg_engine *engine = jg_engine_new(analysis);
    unsigned found = 0;
    for (uint32_t file = 0; file < unit->files.count; file++) {
        if (strcmp(jg_unit_str(unit, unit->files.data[file].path), path) != 0)
            continue;
        for (uint32_t i = 0; i < unit->functions.count; i++)
            found += jg_engine_debug(engine, 0, i, file, line, out);
    }
    jg_engine_free(engine);
    jg_analysis_free(analysis);
    jg_program_free(program);
    return found;
}
