// SPDX-License-Identifier: Apache-2.0
//
// Entries of a project -> units, each parsed in the worker process.
//
// One worker serves all units one after the other: a process a unit would load libclang's tables
// anew each time. Several workers would each take the next unit from the same list; the link step
// sorts the units, so that their order does not show.

#include "analyzer/cli/run.h"

#include "analyzer/frontend/frontend.h"
#include "analyzer/ir/unit_file.h"
#include "analyzer/project/worker.h"

#include <stdlib.h>
#include <string.h>

// ---- in the worker ------------------------------------------------------------------------------

// A reply is a unit file; or, behind this mark, which begins none, why the whole run is impossible.
#define FATAL '!'

struct job_context {
    const struct jg_project *project;
    struct jg_frontend *frontend; // made by the worker's first job
};

static void run_job(void *context, uint32_t job, struct jg_bytes *reply)
{
    struct job_context *c = context;
    char *error = NULL;
    if (!c->frontend)
        c->frontend = jg_frontend_new(&error);
    if (!c->frontend) {
        jg_bytes_add(reply, &(char){FATAL}, 1);
        jg_bytes_add(reply, error, strlen(error));
        free(error);
        return;
    }
    struct jg_unit unit;
    size_t size;
    jg_frontend_parse(c->frontend, &c->project->entries.data[job].command, &unit);
    void *data = jg_unit_write(&unit, &size);
    jg_bytes_add(reply, data, size);
    free(data);
    jg_unit_fini(&unit);
}

// ---- in the main process ------------------------------------------------------------------------

static void add_crash(struct jg_run *r, const char *path, const char *why)
{
    struct jg_unit_report *u = JG_VEC_PUSH(&r->report.units);
    u->path = jg_bump_strdup(&r->findings.arena, path);
    u->outcome = JG_OUTCOME_FAILED;
    u->error_count = 1;
    JG_VEC_PUSH(&u->errors)->text =
        jg_bump_format(&r->findings.arena, "the analyzer crashed on this file: %s", why);
}

// Takes over the bytes that the worker sent about one unit. NULL, or why the whole run is
// impossible.
static char *take_reply(struct jg_run *r, const char *path, struct jg_bytes *reply)
{
    if (reply->count && reply->data[0] == FATAL)
        return jg_format("%.*s", (int)reply->count - 1, reply->data + 1);
    struct jg_unit unit;
    char *error = jg_unit_adopt(&unit, reply->data, reply->count);
    *reply = (struct jg_bytes){0};
    if (error)
        add_crash(r, path, "its worker sent a broken result");
    else
        *JG_VEC_PUSH(&r->units) = unit;
    free(error);
    return NULL;
}

char *jg_run_units(struct jg_run *r, const struct jg_project *project, struct jg_progress *progress)
{
    struct job_context context = {.project = project};
    struct jg_worker *worker = jg_worker_new(run_job, &context);
    struct jg_bytes reply = {0};
    char *fatal = NULL;
    for (uint32_t i = 0; i < project->entries.count && !fatal; i++) {
        if (!project->entries.data[i].selected)
            continue;
        const char *path = project->entries.data[i].command.file;
        jg_progress_unit(progress, jg_report_path(&r->report, path));
        char *why = NULL;
        if (jg_worker_run(worker, i, &reply, &why))
            fatal = take_reply(r, path, &reply);
        else
            add_crash(r, path, why);
        free(why);
    }
    JG_VEC_FREE(&reply);
    jg_worker_free(worker);
    return fatal;
}
