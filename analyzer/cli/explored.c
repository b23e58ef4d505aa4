// SPDX-License-Identifier: Apache-2.0
//
// Exploring under supervision. See explored.h.

#include "analyzer/cli/explored.h"

#include <stdlib.h>

// ---- while it goes on ---------------------------------------------------------------------------

static bool begin(void *context, unsigned worker, uint32_t component)
{
    struct jg_explored *x = context;
    uint32_t count;
    const uint32_t *ids = jg_program_component(x->program, component, &count);
    const struct jg_unit *unit = jg_program_function(x->program, ids[0]).unit;
    return jg_supervised_begin(x->supervised, worker, component,
                               (uint32_t)(unit - x->run->units.data));
}

static void end(void *context, unsigned worker, uint32_t component, const struct jg_findings *found,
                uint32_t first)
{
    struct jg_explored *x = context;
    uint32_t members, shown = 0;
    jg_program_component(x->program, component, &members);
    for (uint32_t i = first; i < found->list.count; i++)
        shown += jg_filter_shows(x->filter, &found->list.data[i]);
    x->done[component] = true;
    jg_supervised_end(x->supervised, worker, members, shown);
}

void jg_explored_init(struct jg_explored *x, const struct jg_run *run,
                      const struct jg_program *program, const struct jg_link_options *options)
{
    *x = (struct jg_explored){
        .watch = {x, begin, end, jg_supervised_stop(options->supervised)},
        .supervised = options->supervised,
        .run = run,
        .program = program,
        .filter = options->filter,
        .done = jg_calloc((size_t)jg_program_component_count(program) + 1, sizeof *x->done)};
    jg_supervised_total(x->supervised, jg_program_function_count(program));
}

void jg_explored_fini(struct jg_explored *x)
{
    free(x->done);
    x->done = NULL;
}

// ---- what the report says -----------------------------------------------------------------------

static void add_lost(struct jg_run *run, const struct jg_program *p, uint32_t id,
                     const struct jg_lost_item *lost)
{
    struct jg_function_ref ref = jg_program_function(p, id);
    const struct jg_function *f = &ref.unit->functions.data[ref.index];
    const struct jg_loc *loc = f->loc == JG_NONE ? NULL : &ref.unit->locs.data[f->loc];
    const char *path =
        jg_unit_str(ref.unit, loc ? ref.unit->files.data[loc->file].path : ref.unit->path);
    if (!jg_focus_has_file(&run->focus, path)) {
        run->others_unchecked++;
        return;
    }
    *JG_VEC_PUSH(&run->report.lost) =
        (struct jg_lost_function){.path = path,
                                  .line = loc ? loc->line : 1,
                                  .column = loc ? loc->column : 1,
                                  .name = jg_program_function_name(p, id),
                                  .why = jg_bump_strdup(&run->findings.arena, lost->why),
                                  .how = lost->end == JG_JOB_TIMEOUT         ? JG_LOST_TO_TIME
                                         : lost->end == JG_JOB_OUT_OF_MEMORY ? JG_LOST_TO_HUNGER
                                                                             : JG_LOST_TO_CRASH,
                                  .id = id,
                                  .component = lost->item};
}

// Equal functions of other units are not told of: one stands for all.
static void add_component(struct jg_run *run, const struct jg_program *p,
                          const struct jg_lost_item *lost)
{
    uint32_t count;
    const uint32_t *ids = jg_program_component(p, lost->item, &count);
    for (uint32_t i = 0; i < count; i++)
        if (jg_program_representative(p, ids[i]) == ids[i])
            add_lost(run, p, ids[i], lost);
}

static int by_place(const void *a, const void *b)
{
    const struct jg_lost_function *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

// Functions of a unit that were not explored, nor what stands for them.
static void count_unchecked(const struct jg_explored *x, uint32_t unit, struct jg_unit_report *out)
{
    const struct jg_program *p = x->program;
    for (uint32_t i = 0; i < jg_program_unit(p, unit)->functions.count; i++) {
        uint32_t id = jg_program_representative(p, jg_program_id(p, unit, i));
        if (x->done[jg_program_component_of(p, id)])
            continue;
        out->unchecked++;
        for (uint32_t k = 0; k < x->run->report.lost.count; k++)
            if (x->run->report.lost.data[k].id == id)
                *JG_VEC_PUSH(&out->lost) = k;
    }
}

static void judge(struct jg_unit_report *u, bool interrupted)
{
    if (u->unchecked && u->unchecked == u->functions && interrupted)
        u->outcome = JG_OUTCOME_CANCELLED;
    else if (u->unchecked)
        u->outcome = JG_OUTCOME_DEGRADED;
}

void jg_explored_report(const struct jg_explored *x, struct jg_run *run)
{
    uint32_t count, unit = 0;
    const struct jg_lost_item *lost = jg_supervised_lost(x->supervised, &count);
    bool interrupted = atomic_load(jg_supervised_stop(x->supervised));
    for (uint32_t i = 0; i < count; i++)
        add_component(run, x->program, &lost[i]);
    if (run->report.lost.count)
        qsort(run->report.lost.data, run->report.lost.count, sizeof *run->report.lost.data,
              by_place);
    for (uint32_t i = 0; i < run->report.units.count; i++) {
        struct jg_unit_report *u = &run->report.units.data[i];
        if (!u->unit || u->outcome >= JG_OUTCOME_FAILED)
            continue;
        while (jg_program_unit(x->program, unit) != u->unit) // both are in the order of the run
            unit++;
        count_unchecked(x, unit, u);
        judge(u, interrupted);
    }
    run->report.interrupted = run->report.interrupted || interrupted;
}
