// SPDX-License-Identifier: Apache-2.0
//
// The link step. See link.h.

#include "analyzer/cli/link.h"

#include "analyzer/checks/check.h"
#include "analyzer/cli/cli.h"
#include "analyzer/cli/explored.h"
#include "analyzer/cli/result_cache.h"
#include "analyzer/models/models.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ERRORS 8 // kept for a unit; the others are counted

void jg_run_init(struct jg_run *r)
{
    memset(r, 0, sizeof *r);
    jg_findings_init(&r->findings);
    jg_report_init(&r->report, &r->findings);
}

void jg_run_fini(struct jg_run *r)
{
    jg_report_fini(&r->report);
    jg_findings_fini(&r->findings);
    JG_VEC_FREE(&r->unmodelled);
    JG_VEC_FREE(&r->guessed);
    jg_focus_fini(&r->focus);
    for (uint32_t i = 0; i < r->units.count; i++)
        jg_unit_fini(&r->units.data[i]);
    JG_VEC_FREE(&r->units);
    jg_cache_close(r->cache);
}

// ---- what a unit says of itself -----------------------------------------------------------------

static void add_errors(const struct jg_unit *unit, struct jg_unit_report *out)
{
    out->error_count = unit->diagnostics.count;
    for (unsigned pass = 0; pass < 2; pass++) { // fatal ones first: they explain the others
        for (uint32_t i = 0; i < unit->diagnostics.count; i++) {
            const struct jg_diagnostic *d = &unit->diagnostics.data[i];
            if (d->fatal != (pass == 0) || out->errors.count == MAX_ERRORS)
                continue;
            struct jg_unit_error *e = JG_VEC_PUSH(&out->errors);
            e->text = jg_unit_str(unit, d->text);
            if (d->loc != JG_NONE) {
                const struct jg_loc *loc = &unit->locs.data[d->loc];
                e->path = jg_unit_str(unit, unit->files.data[loc->file].path);
                e->line = loc->line;
                e->column = loc->column;
            }
        }
    }
}

// `out` NULL: the unit is not reported on, but a path may lead through it.
static void add_sources(struct jg_run *r, const struct jg_unit *unit, struct jg_unit_report *out)
{
    for (uint32_t i = 0; i < unit->sources.count; i++) {
        const struct jg_source_text *s = &unit->sources.data[i];
        const char *path = jg_unit_str(unit, unit->files.data[s->file].path);
        jg_sources_put(&r->report.sources, path, unit->texts.data + s->offset, s->size);
        if (out && jg_focus_has_file(&r->focus, path))
            *JG_VEC_PUSH(&out->files) = path;
    }
}

static void add_unmodelled(struct jg_run *r, const char *construct, uint64_t count)
{
    for (uint32_t i = 0; i < r->unmodelled.count; i++) {
        if (strcmp(r->unmodelled.data[i].construct, construct) == 0) {
            r->unmodelled.data[i].count += count;
            return;
        }
    }
    *JG_VEC_PUSH(&r->unmodelled) = (struct jg_unmodelled_count){construct, count};
}

// A failed unit contributes nothing but its errors.
static void add_unit(struct jg_run *r, const struct jg_unit *unit)
{
    static const enum jg_unit_outcome outcomes[] = {
        [JG_UNIT_OK] = JG_OUTCOME_OK,
        [JG_UNIT_DEGRADED] = JG_OUTCOME_DEGRADED,
        [JG_UNIT_FAILED] = JG_OUTCOME_FAILED,
    };
    if (!jg_focus_has_unit(&r->focus, jg_unit_str(unit, unit->path))) {
        r->others_lost += unit->status == JG_UNIT_FAILED;
        if (unit->status != JG_UNIT_FAILED)
            add_sources(r, unit, NULL);
        return;
    }
    struct jg_unit_report *out = JG_VEC_PUSH(&r->report.units);
    out->unit = unit;
    out->path = jg_unit_str(unit, unit->path);
    out->outcome = outcomes[unit->status];
    for (uint32_t i = 0; i < r->guessed.count; i++)
        out->guessed = out->guessed || strcmp(r->guessed.data[i], out->path) == 0;
    add_errors(unit, out);
    if (unit->status == JG_UNIT_FAILED)
        return;
    out->functions = unit->functions.count;
    for (uint32_t i = 0; i < unit->functions.count; i++)
        out->degraded_functions += (unit->functions.data[i].flags & JG_FN_DEGRADED) != 0;
    add_sources(r, unit, out);
    for (uint32_t i = 0; i < unit->unmodelled.count; i++)
        add_unmodelled(r, jg_unit_str(unit, unit->unmodelled.data[i].construct),
                       unit->unmodelled.data[i].count);
}

// ---- all units ----------------------------------------------------------------------------------

static int compare_units(const void *a, const void *b)
{
    const struct jg_unit *x = a, *y = b;
    return strcmp(jg_unit_str(x, x->path), jg_unit_str(y, y->path));
}

static int compare_unmodelled(const void *a, const void *b)
{
    const struct jg_unmodelled_count *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(x->construct, y->construct);
}

// What patterns of models gave up on: each is told once.
static void tell_limits(void)
{
    for (char *text; (text = jg_models_take_limit(jg_models_current())); free(text))
        jg_error("%s", text);
}

// Drops what lies out of focus.
static void limit(struct jg_run *r)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->findings.list.count; i++)
        if (jg_focus_has_file(&r->focus, r->findings.list.data[i].at.path))
            r->findings.list.data[kept++] = r->findings.list.data[i];
    r->findings.list.count = kept;
    r->report.stats.functions = 0;
    for (uint32_t i = 0; i < r->report.units.count; i++)
        r->report.stats.functions += r->report.units.data[i].functions;
}

void jg_run_sort(struct jg_run *r)
{
    if (r->units.count)
        qsort(r->units.data, r->units.count, sizeof *r->units.data, compare_units);
}

struct jg_program *jg_link_program(struct jg_run *r)
{
    jg_run_sort(r);
    const struct jg_unit **linked = jg_malloc((r->units.count + 1) * sizeof *linked);
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->units.count; i++) {
        const struct jg_unit *unit = &r->units.data[i];
        add_unit(r, unit);
        if (unit->status != JG_UNIT_FAILED)
            linked[count++] = unit;
    }
    struct jg_program *program = jg_program_new(linked, count);
    free(linked);
    return program;
}

static void explore(struct jg_run *r, const struct jg_program *program,
                    const struct jg_link_options *options)
{
    struct jg_result_cache results;
    struct jg_explored explored;
    const struct jg_result_store *store = jg_result_cache_init(&results, r->cache, program);
    jg_explored_init(&explored, r, program, options);
    jg_supervised_stage(options->supervised, "exploring");
    jg_check_program(program,
                     &(struct jg_check_options){
                         .threads = options->threads, .store = store, .watch = &explored.watch},
                     &r->findings, &r->report.stats);
    jg_supervised_stage(options->supervised, "putting the findings together");
    jg_result_cache_fini(&results);
    jg_explored_report(&explored, r);
    jg_explored_fini(&explored);
}

void jg_link_checked(struct jg_run *r, const struct jg_program *program,
                     const struct jg_link_options *options)
{
    explore(r, program, options);
    tell_limits();
    if (r->focus.limited)
        limit(r);
    if (r->unmodelled.count)
        qsort(r->unmodelled.data, r->unmodelled.count, sizeof *r->unmodelled.data,
              compare_unmodelled);
}

void jg_link(struct jg_run *r, const struct jg_link_options *options)
{
    struct jg_program *program = jg_link_program(r);
    jg_link_checked(r, program, options);
    jg_program_free(program);
}

void jg_link_nothing(struct jg_run *r)
{
    jg_run_sort(r);
    for (uint32_t i = 0; i < r->units.count; i++)
        add_unit(r, &r->units.data[i]);
    for (uint32_t i = 0; i < r->report.units.count; i++)
        if (r->report.units.data[i].outcome < JG_OUTCOME_FAILED)
            r->report.units.data[i].outcome = JG_OUTCOME_CANCELLED;
    r->report.interrupted = true;
}
