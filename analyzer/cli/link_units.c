// SPDX-License-Identifier: Apache-2.0
//
// `jniguard link`: unit files -> report -> exit code.

#include "analyzer/cli/cli.h"
#include "analyzer/cli/conclude.h"
#include "analyzer/cli/run.h"
#include "analyzer/cli/settings.h"
#include "analyzer/ir/unit_file.h"
#include "analyzer/project/interrupt.h"

#include <stdlib.h>
#include <string.h>

// A unit that was read, and the name of its file.
struct named {
    const char *source, *name;
};

static int compare_named(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int c = strcmp(x->source, y->source);
    return c ? c : strcmp(x->name, y->name);
}

// Two units of one file would tell everything twice, and nobody could say which one counts. NULL,
// or the error.
static char *refuse_twice(const struct jg_report *r, struct named *named, uint32_t count)
{
    if (count)
        qsort(named, count, sizeof *named, compare_named);
    for (uint32_t i = 1; i < count; i++) {
        const struct named *a = &named[i - 1], *b = &named[i];
        if (strcmp(a->source, b->source) != 0)
            continue;
        if (strcmp(a->name, b->name) == 0)
            return jg_format("%s is named twice", a->name);
        return jg_format("%s and %s are both units of %s; name one of them", a->name, b->name,
                         jg_report_path(r, a->source));
    }
    return NULL;
}

static void add_unreadable(struct jg_run *run, const char *name, const char *why)
{
    struct jg_unit_report *u = JG_VEC_PUSH(&run->report.units);
    u->path = name;
    u->outcome = JG_OUTCOME_FAILED;
    u->error_count = 1;
    JG_VEC_PUSH(&u->errors)->text = jg_bump_strdup(&run->findings.arena, why);
}

// Maps the units. A file that is none costs itself only. NULL, or why nothing can be done.
static char *read_units(struct jg_run *run, const struct jg_words *names)
{
    struct JG_VEC(struct named) named = {0};
    for (uint32_t i = 0; i < names->list.count; i++) {
        const char *name = names->list.data[i];
        struct jg_unit unit;
        char *error = jg_unit_map(&unit, name);
        if (error) {
            add_unreadable(run, name, error);
        } else {
            *JG_VEC_PUSH(&run->units) = unit;
            *JG_VEC_PUSH(&named) = (struct named){jg_unit_str(&unit, unit.path), name};
        }
        free(error);
    }
    char *error = refuse_twice(&run->report, named.data, named.count);
    JG_VEC_FREE(&named);
    return error;
}

static int link_units(const struct jg_settings *s, const struct jg_words *names)
{
    struct jg_run run;
    struct jg_progress progress;
    jg_run_init(&run);
    jg_interrupt_watch();
    run.report.stats.timed = s->stats;
    jg_progress_begin(&progress, JG_PROGRESS_NONE, names->list.count);
    char *error = names->list.count ? read_units(&run, names)
                                    : jg_strdup("no unit file is named: jniguard link a.jgu b.jgu");
    int code = error ? jg_error("%s", error) : jg_conclude(&run, s, &progress, false);
    free(error);
    jg_run_fini(&run);
    return code;
}

int jg_cmd_link(const struct jg_options *o)
{
    struct jg_settings s;
    struct jg_bump arena = {0};
    struct jg_words names = {0};
    for (uint32_t i = 0; i < o->arguments.count; i++)
        *JG_VEC_PUSH(&names.list) = o->arguments.data[i];
    for (size_t i = 0; i < o->rest_count; i++)
        *JG_VEC_PUSH(&names.list) = o->rest[i];
    jg_expand_response_files(&arena, ".", &names, NULL);
    char *error = jg_settings_read(&s, o);
    if (!error)
        error = jg_load_models(o);
    int code = error ? jg_error("%s", error) : link_units(&s, &names);
    free(error);
    JG_VEC_FREE(&names.list);
    jg_settings_fini(&s);
    jg_bump_fini(&arena);
    return code;
}
