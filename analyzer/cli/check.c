// SPDX-License-Identifier: Apache-2.0
//
// `jniguard check`: options -> project -> units -> report -> exit code.

#include "analyzer/cli/cli.h"
#include "analyzer/cli/conclude.h"
#include "analyzer/cli/load.h"
#include "analyzer/cli/run.h"
#include "analyzer/cli/settings.h"
#include "analyzer/cli/unit_cache.h"
#include "analyzer/project/interrupt.h"
#include "analyzer/project/project.h"

#include <stdlib.h>
#include <string.h>

// How files are checked that the database does not know.
static void tell_guesses(const struct jg_report *r, const struct jg_project *p)
{
    for (uint32_t i = 0; i < p->headers.count; i++) {
        const struct jg_header *h = &p->headers.data[i];
        char *path = jg_strdup(jg_report_path(r, h->path));
        if (!h->through && r->interrupted)
            jg_error("%s: interrupted, not checked", path);
        else if (!h->through)
            jg_error("%s: no unit of %s includes it, nor is one like it", path, p->database);
        else if (strcmp(h->through, h->path) != 0)
            jg_error("%s: checked through %s", path, jg_report_path(r, h->through));
        free(path);
    }
    for (uint32_t i = 0; i < p->entries.count; i++) {
        const struct jg_entry *e = &p->entries.data[i];
        if (!e->selected || !e->guessed_from)
            continue;
        char *path = jg_strdup(jg_report_path(r, e->command.file));
        jg_error("%s: %s %s; its arguments are guessed, those of %s", path,
                 jg_is_header(path) ? "included by no unit of" : "not in", p->database,
                 jg_report_path(r, e->guessed_from));
        free(path);
    }
}

// ---- the command --------------------------------------------------------------------------------

static int inspect(const struct jg_project *p, const char *function, const char *object)
{
    char *error = NULL;
    unsigned found = 0;
    if (function) {
        found = jg_inspect_cfg(p, function, &error);
        if (!error && !found)
            error = jg_format("no function '%s' in the units asked for", function);
    } else {
        const char *colon = strrchr(object, ':');
        char *end;
        unsigned long line = colon ? strtoul(colon + 1, &end, 10) : 0;
        if (!line || line > UINT32_MAX || *end)
            return jg_error("--debug-object wants FILE:LINE, not '%s'", object);
        char *name = jg_format("%.*s", (int)(colon - object), object);
        char *path = realpath(name, NULL);
        found = jg_inspect_object(p, path ? path : name, (uint32_t)line, &error);
        if (!error && !found)
            error = jg_format("no object is made at %s in the units asked for", object);
        free(path);
        free(name);
    }
    int code = error ? jg_error("%s", error) : JG_EXIT_OK;
    free(error);
    return jg_finish_stdout(code);
}

static int check(struct jg_project *p, const struct jg_settings *s)
{
    struct jg_run run;
    struct jg_progress progress;
    int code;
    jg_run_init(&run);
    run.report.stats.timed = s->stats;
    run.cache = s->cached ? jg_unit_cache_open() : NULL;
    jg_interrupt_watch();
    char *error = jg_run_units(&run, p, &s->run, &progress);
    if (error) {
        code = jg_error("%s", error);
    } else {
        tell_guesses(&run.report, p);
        code = jg_conclude(&run, s, &progress, p->database != NULL);
    }
    free(error);
    jg_run_fini(&run);
    return code;
}

int jg_cmd_check(const struct jg_options *o)
{
    struct jg_settings s;
    struct jg_project project;
    jg_project_init(&project);
    char *error = jg_settings_read(&s, o);
    if (!error)
        error = jg_load_project(&project, o, &s.some_missing);
    if (!error)
        error = jg_load_models(o);
    int code = JG_EXIT_ERROR;
    if (error) {
        if (*error)
            jg_error("%s", error);
        free(error);
    } else {
        jg_project_edit(&project, s.added.data, s.added.count, s.removed.data, s.removed.count);
        const char *function = jg_options_last(o, JG_OPT_DUMP_CFG);
        const char *object = jg_options_last(o, JG_OPT_DEBUG_OBJECT);
        if (function || object)
            code = inspect(&project, function, object);
        else
            code = check(&project, &s);
    }
    jg_settings_fini(&s);
    jg_project_fini(&project);
    return code;
}
