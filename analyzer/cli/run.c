// SPDX-License-Identifier: Apache-2.0
//
// Runs the selected units, each in the worker process, and unites their results.
//
// One worker serves all units one after the other: a process a unit would load libclang's tables
// anew each time. Several workers would each take the next unit from the same list; the report is
// sorted at the end, so that their order does not show.

#include "analyzer/cli/run.h"

#include <stdlib.h>
#include <string.h>

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
}

// ---- in the worker ------------------------------------------------------------------------------

struct job_context {
    const struct jg_project *project;
    struct jg_frontend *frontend; // made by the worker's first job
    bool timed;
};

static void run_job(void *context, uint32_t job, struct jg_bytes *reply)
{
    struct job_context *c = context;
    struct jg_unit_result result;
    jg_unit_result_init(&result);
    char *error = NULL;
    if (!c->frontend)
        c->frontend = jg_frontend_new(&error);
    if (c->frontend)
        jg_unit_run(c->frontend, &c->project->entries.data[job].command, c->timed, &result);
    else
        result.fatal = error ? error : "libclang could not be started";
    jg_wire_write(reply, &result);
    jg_unit_result_fini(&result);
    free(error);
}

// ---- in the main process ------------------------------------------------------------------------

static void add_stats(struct jg_check_stats *to, const struct jg_check_stats *from)
{
    to->functions += from->functions;
    to->functions_explored += from->functions_explored;
    to->functions_degraded += from->functions_degraded;
    to->functions_unmodelled += from->functions_unmodelled;
    to->jni_calls += from->jni_calls;
    to->block_visits += from->block_visits;
    to->states += from->states;
    to->capped += from->capped;
    to->exhausted += from->exhausted;
    to->nanoseconds += from->nanoseconds;
    for (unsigned f = 0; f < JG_FAMILY_COUNT; f++)
        to->family_nanoseconds[f] += from->family_nanoseconds[f];
}

static void add_unmodelled(struct jg_run *r, const char *construct, uint64_t count)
{
    for (uint32_t i = 0; i < r->unmodelled.count; i++) {
        if (strcmp(r->unmodelled.data[i].construct, construct) == 0) {
            r->unmodelled.data[i].count += count;
            return;
        }
    }
    struct jg_unmodelled_count *u = JG_VEC_PUSH(&r->unmodelled);
    u->construct = jg_bump_strdup(&r->findings.arena, construct);
    u->count = count;
}

static struct jg_step copy_step(struct jg_bump *a, const struct jg_step *s)
{
    struct jg_step copy = *s;
    copy.at.path = jg_bump_strdup(a, s->at.path);
    copy.message = jg_bump_strdup(a, s->message);
    return copy;
}

static void add_finding(struct jg_run *r, const struct jg_finding *from)
{
    struct jg_bump *a = &r->findings.arena;
    struct jg_finding *f = JG_VEC_PUSH(&r->findings.list);
    *f = *from;
    f->at.path = jg_bump_strdup(a, from->at.path);
    f->function = jg_bump_strdup(a, from->function);
    f->message = jg_bump_strdup(a, from->message);
    for (unsigned i = 0; i < f->step_count; i++)
        f->steps[i] = copy_step(a, &from->steps[i]);
    for (unsigned i = 0; i < f->note_count; i++)
        f->notes[i] = copy_step(a, &from->notes[i]);
}

static void add_unit(struct jg_run *r, const struct jg_unit_report *from)
{
    struct jg_bump *a = &r->findings.arena;
    struct jg_unit_report *u = JG_VEC_PUSH(&r->report.units);
    *u = *from;
    u->path = jg_bump_strdup(a, from->path);
    memset(&u->errors, 0, sizeof u->errors);
    memset(&u->files, 0, sizeof u->files);
    for (uint32_t i = 0; i < from->errors.count; i++) {
        struct jg_unit_error *e = JG_VEC_PUSH(&u->errors);
        *e = from->errors.data[i];
        e->path = e->path ? jg_bump_strdup(a, e->path) : NULL;
        e->text = jg_bump_strdup(a, e->text);
    }
    for (uint32_t i = 0; i < from->files.count; i++)
        *JG_VEC_PUSH(&u->files) = jg_bump_strdup(a, from->files.data[i]);
}

static void add_crash(struct jg_run *r, const char *path, const char *why)
{
    struct jg_unit_report *u = JG_VEC_PUSH(&r->report.units);
    u->path = jg_bump_strdup(&r->findings.arena, path);
    u->outcome = JG_OUTCOME_FAILED;
    u->error_count = 1;
    JG_VEC_PUSH(&u->errors)->text =
        jg_bump_format(&r->findings.arena, "the analyzer crashed on this file: %s", why);
}

// Takes what the worker sent about one unit. NULL, or why the whole run is impossible.
static char *take_result(struct jg_run *r, const char *path, const struct jg_bytes *reply)
{
    char *fatal = NULL;
    struct jg_unit_result result;
    jg_unit_result_init(&result);
    if (!jg_wire_read(reply, &result) || (!result.fatal && !result.report.path)) {
        add_crash(r, path, "its worker sent a broken result");
    } else if (result.fatal) {
        fatal = jg_strdup(result.fatal);
    } else {
        add_unit(r, &result.report);
        add_stats(&r->report.stats, &result.stats);
        for (uint32_t i = 0; i < result.unmodelled.count; i++)
            add_unmodelled(r, result.unmodelled.data[i].construct, result.unmodelled.data[i].count);
        for (uint32_t i = 0; i < result.findings.list.count; i++)
            add_finding(r, &result.findings.list.data[i]);
    }
    jg_unit_result_fini(&result);
    return fatal;
}

static int compare_unmodelled(const void *a, const void *b)
{
    const struct jg_unmodelled_count *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(x->construct, y->construct);
}

char *jg_run_units(struct jg_run *r, const struct jg_project *project,
                   const struct jg_filter *filter, enum jg_progress_mode mode)
{
    uint32_t total = 0, counted = 0;
    uint64_t shown = 0;
    for (uint32_t i = 0; i < project->entries.count; i++)
        total += project->entries.data[i].selected;
    jg_progress_begin(&r->progress, mode, total);

    struct job_context context = {.project = project, .timed = r->report.stats.timed};
    struct jg_worker *worker = jg_worker_new(run_job, &context);
    struct jg_bytes reply = {0};
    char *fatal = NULL;
    for (uint32_t i = 0; i < project->entries.count && !fatal; i++) {
        if (!project->entries.data[i].selected)
            continue;
        const char *path = project->entries.data[i].command.file;
        for (; counted < r->findings.list.count; counted++)
            shown += jg_filter_shows(filter, &r->findings.list.data[counted]);
        jg_progress_unit(&r->progress, jg_report_path(&r->report, path), shown);
        char *why = NULL;
        if (jg_worker_run(worker, i, &reply, &why))
            fatal = take_result(r, path, &reply);
        else
            add_crash(r, path, why);
        free(why);
    }
    JG_VEC_FREE(&reply);
    jg_worker_free(worker);
    jg_progress_end(&r->progress);
    if (r->unmodelled.count)
        qsort(r->unmodelled.data, r->unmodelled.count, sizeof *r->unmodelled.data,
              compare_unmodelled);
    return fatal;
}
