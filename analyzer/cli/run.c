// SPDX-License-Identifier: Apache-2.0
//
// Entries of a project -> units: from the cache, or parsed in the pool of workers.
//
// A worker serves one unit after the other: a process a unit would load libclang's tables anew each
// time. The largest files go first, so that none of them is the last one running alone. Units come
// in any order; the link step sorts them.

#include "analyzer/cli/run.h"

#include "analyzer/cli/unit_cache.h"
#include "analyzer/frontend/frontend.h"
#include "analyzer/ir/unit_file.h"
#include "analyzer/project/interrupt.h"
#include "analyzer/project/worker.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WORKER_MEMORY (UINT64_C(4) << 30) // of one; far more than units of C take

struct context {
    const struct jg_project *project;
    struct jg_frontend *frontend; // in a worker, made by its first job
    // In the main process:
    struct jg_run *run;
    struct jg_progress *progress;
    char *fatal; // why the whole run is impossible
};

// ---- in the worker ------------------------------------------------------------------------------

// A reply is a unit file; or, behind this mark, which begins none, why the whole run is impossible.
#define FATAL '!'

static void run_job(void *context, uint32_t job, struct jg_bytes *reply)
{
    struct context *c = context;
    char *error = NULL;
    if (!c->frontend) {
        // A crash ends this process; what libclang's own recovery leaves behind is in no state to
        // parse the next unit.
        setenv("LIBCLANG_DISABLE_CRASH_RECOVERY", "1", 1);
        c->frontend = jg_frontend_new(&error);
    }
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

// What is known about a unit whose worker sent nothing.
static void add_lost(struct jg_run *r, const struct jg_entry *entry, enum jg_job_end end,
                     const char *why)
{
    static const enum jg_unit_outcome outcomes[] = {
        [JG_JOB_DONE] = JG_OUTCOME_FAILED, // a broken result
        [JG_JOB_CRASHED] = JG_OUTCOME_FAILED,       [JG_JOB_TIMEOUT] = JG_OUTCOME_TIMEOUT,
        [JG_JOB_OUT_OF_MEMORY] = JG_OUTCOME_FAILED, [JG_JOB_CANCELLED] = JG_OUTCOME_CANCELLED,
    };
    bool crash = end == JG_JOB_CRASHED || end == JG_JOB_DONE;
    r->report.interrupted = r->report.interrupted || end == JG_JOB_CANCELLED;
    if (!entry->selected) {
        r->others_lost++;
        return;
    }
    struct jg_bump *a = &r->findings.arena;
    struct jg_unit_report *u = JG_VEC_PUSH(&r->report.units);
    u->path = jg_bump_strdup(a, entry->command.file);
    u->outcome = outcomes[end];
    u->error_count = 1;
    JG_VEC_PUSH(&u->errors)->text =
        jg_bump_format(a, "%s%s", crash ? "the analyzer crashed on this file: " : "", why);
}

static void job_begun(void *context, uint32_t job)
{
    struct context *c = context;
    const char *path = c->project->entries.data[job].command.file;
    jg_progress_unit(c->progress, jg_report_path(&c->run->report, path));
}

// Moves the bytes of the reply out, into a unit; keeps them in the cache.
static void take_unit(struct context *c, const struct jg_entry *entry, struct jg_bytes *reply)
{
    struct jg_unit unit;
    char *error = jg_unit_adopt(&unit, reply->data, reply->count);
    *reply = (struct jg_bytes){0};
    if (error) {
        add_lost(c->run, entry, JG_JOB_DONE, "its worker sent a broken result");
    } else {
        jg_unit_cache_keep(c->run->cache, &entry->command, &unit);
        *JG_VEC_PUSH(&c->run->units) = unit;
    }
    free(error);
}

static bool job_ended(void *context, uint32_t job, const struct jg_job_result *from)
{
    struct context *c = context;
    const struct jg_entry *entry = &c->project->entries.data[job];
    struct jg_bytes *reply = from->reply;
    if (from->end != JG_JOB_DONE)
        add_lost(c->run, entry, from->end, from->why);
    else if (reply->count && reply->data[0] == FATAL)
        c->fatal = jg_format("%.*s", (int)reply->count - 1, reply->data + 1);
    else
        take_unit(c, entry, reply);
    jg_progress_done(c->progress);
    return !c->fatal;
}

// ---- order --------------------------------------------------------------------------------------

struct job {
    const char *path;
    off_t size;
    uint32_t entry;
};

static int compare_jobs(const void *a, const void *b)
{
    const struct job *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? 1 : -1;
    return strcmp(x->path, y->path);
}

// The entries from number `first` on, selected or all, the largest first. The caller frees them.
static uint32_t *list_jobs(const struct jg_project *project, uint32_t first, bool all,
                           uint32_t *count)
{
    struct job *jobs = jg_calloc(project->entries.count, sizeof *jobs);
    uint32_t *entries = jg_calloc(project->entries.count, sizeof *entries);
    *count = 0;
    for (uint32_t i = first; i < project->entries.count; i++) {
        const struct jg_entry *e = &project->entries.data[i];
        struct stat st;
        if (e->selected || all)
            jobs[(*count)++] =
                (struct job){e->command.file, stat(e->command.file, &st) == 0 ? st.st_size : 0, i};
    }
    qsort(jobs, *count, sizeof *jobs, compare_jobs);
    for (uint32_t i = 0; i < *count; i++)
        entries[i] = jobs[i].entry;
    free(jobs);
    return entries;
}

// Adds the units that the cache has and takes them off the list; returns what is left of it. All
// are looked for before anything is parsed: what the cache knows of files is then older than what
// the parsers read.
static uint32_t take_cached(struct context *c, uint32_t *jobs, uint32_t count)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct jg_entry *e = &c->project->entries.data[jobs[i]];
        struct jg_unit unit;
        if (jg_interrupted() || !jg_unit_cache_find(c->run->cache, &e->command, &unit)) {
            jobs[left++] = jobs[i];
            continue;
        }
        job_begun(c, jobs[i]);
        *JG_VEC_PUSH(&c->run->units) = unit;
        jg_progress_done(c->progress);
    }
    return left;
}

static char *make_units(struct jg_run *r, const struct jg_project *project,
                        const struct jg_run_options *o, uint32_t first, bool all,
                        struct jg_progress *progress)
{
    uint32_t count;
    uint32_t *jobs = list_jobs(project, first, all, &count);
    struct context c = {.project = project, .run = r, .progress = progress};
    jg_progress_begin(progress, o->progress, count);
    count = take_cached(&c, jobs, count);
    struct jg_pool pool = {.run = run_job,
                           .begun = job_begun,
                           .ended = job_ended,
                           .context = &c,
                           .workers = o->jobs < count ? o->jobs : count,
                           .timeout = o->timeout,
                           .memory = WORKER_MEMORY};
    jg_pool_run(&pool, jobs, count);
    jg_progress_end(progress);
    free(jobs);
    return c.fatal;
}

// ---- what is reported on ------------------------------------------------------------------------

static bool is_before(const struct jg_unit *a, const struct jg_unit *b)
{
    return strcmp(jg_unit_str(a, a->path), jg_unit_str(b, b->path)) < 0;
}

// The first in the order of paths (units come in any) in which something of the header is called;
// or, where none does, that includes it.
static const struct jg_unit *find_includer(const struct jg_run *r, const char *header)
{
    const struct jg_unit *found = NULL;
    enum jg_inclusion best = JG_INCLUDED;
    for (uint32_t i = 0; i < r->units.count; i++) {
        const struct jg_unit *u = &r->units.data[i];
        enum jg_inclusion how =
            u->status == JG_UNIT_FAILED ? JG_NOT_INCLUDED : jg_unit_includes(u, header);
        if (how > best || (how == best && (!found || is_before(u, found)))) {
            found = u;
            best = how;
        }
    }
    return found;
}

static void place_headers(struct jg_run *r, struct jg_project *p)
{
    for (uint32_t i = 0; i < p->headers.count; i++) {
        struct jg_header *h = &p->headers.data[i];
        const struct jg_unit *u = find_includer(r, h->path);
        if (u)
            h->through = jg_bump_strdup(&p->arena, jg_unit_str(u, u->path));
        else if (jg_project_guess(p, h->path))
            h->through = h->path;
        else
            r->report.some_missing = true;
    }
}

static bool is_selected(const struct jg_project *p, const char *path)
{
    for (uint32_t i = 0; i < p->entries.count; i++)
        if (p->entries.data[i].selected && strcmp(p->entries.data[i].command.file, path) == 0)
            return true;
    return false;
}

static void make_focus(struct jg_run *r, const struct jg_project *p)
{
    r->focus.limited = true;
    for (uint32_t i = 0; i < r->units.count; i++) {
        const struct jg_unit *u = &r->units.data[i];
        const char *path = jg_unit_str(u, u->path);
        if (is_selected(p, path))
            jg_focus_add(&r->focus, u, NULL);
        for (uint32_t k = 0; k < p->headers.count; k++)
            if (p->headers.data[k].through && strcmp(p->headers.data[k].through, path) == 0)
                jg_focus_add(&r->focus, u, p->headers.data[k].path);
    }
    jg_focus_sort(&r->focus);
}

static void drop_others(struct jg_run *r)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->units.count; i++) {
        struct jg_unit *u = &r->units.data[i];
        if (jg_focus_has_unit(&r->focus, jg_unit_str(u, u->path)))
            r->units.data[kept++] = *u;
        else
            jg_unit_fini(u);
    }
    r->units.count = kept;
    r->others_lost = 0;
}

char *jg_run_units(struct jg_run *r, struct jg_project *project, const struct jg_run_options *o,
                   struct jg_progress *progress)
{
    uint32_t known = project->entries.count;
    bool others = project->database && (!o->isolated || project->headers.count);
    char *fatal = make_units(r, project, o, 0, others, progress);
    if (!fatal && !r->report.interrupted)
        place_headers(r, project);
    struct jg_progress again; // the clock of the first goes on
    if (!fatal && project->entries.count > known)
        fatal = make_units(r, project, o, known, true, &again);
    bool all_selected = project->headers.count == 0;
    for (uint32_t i = 0; i < project->entries.count; i++) {
        const struct jg_entry *e = &project->entries.data[i];
        all_selected = all_selected && e->selected;
        if (e->guessed_from)
            *JG_VEC_PUSH(&r->guessed) = e->command.file;
    }
    if (!all_selected)
        make_focus(r, project);
    if (o->isolated && !all_selected)
        drop_others(r);
    return fatal;
}
