// SPDX-License-Identifier: Apache-2.0
//
// `jniguard models`: lists models, checks files of models, or suggests one. The option --models of
// all commands.

#include "analyzer/models/models.h"
#include "analyzer/cli/cli.h"
#include "analyzer/cli/load.h"
#include "analyzer/cli/run.h"
#include "analyzer/report/report.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

char *jg_load_models(const struct jg_options *o)
{
    struct jg_models *m = jg_models_new();
    char *error = NULL;
    for (uint32_t i = 0; i < o->given.count && !error; i++)
        if (o->given.data[i].option == JG_OPT_MODELS)
            error = jg_models_load(m, o->given.data[i].value);
    if (error)
        jg_models_free(m);
    else
        jg_models_install(m);
    return error;
}

// One line: name or pattern, what is known, where that stands.
static void print_model(const struct jg_model *m)
{
    char *says = jg_model_describe(m);
    char *line =
        jg_format("%s%s%s%s: %s (%s:%u)", m->record ? m->record : "", m->record ? "::" : "",
                  m->name, m->is_pattern ? " (pattern)" : "", says, m->file, m->line);
    jg_put_escaped(stdout, line, strlen(line));
    putchar('\n');
    free(line);
    free(says);
}

static void print_pair(const struct jg_model_pair *p)
{
    char *object = p->object < 0 ? jg_strdup("the result") : jg_format("*parameter %d", p->object);
    char *line = jg_format("%s%s, given back by %s%s: %s, %s (%s:%u)", p->acquire[0],
                           p->acquire_count > 1 ? "..." : "", p->release[0],
                           p->release_count > 1 ? "..." : "", p->what, object, p->file, p->line);
    jg_put_escaped(stdout, line, strlen(line));
    putchar('\n');
    free(line);
    free(object);
}

static int list_models(const struct jg_options *o)
{
    struct jg_models *m = jg_models_new();
    char *error = NULL;
    for (uint32_t i = 0; i < o->arguments.count && !error; i++)
        error = jg_models_load(m, o->arguments.data[i]);
    int code = error ? jg_error("%s", error) : JG_EXIT_OK;
    // Those of the files come before the shipped ones, which are listed when no file is named.
    unsigned models = UINT_MAX, pairs = UINT_MAX;
    if (o->arguments.count)
        jg_models_own(m, &models, &pairs);
    for (unsigned i = 0; !error && i < models && jg_models_at(m, i); i++)
        print_model(jg_models_at(m, i));
    for (unsigned i = 0; !error && i < pairs && jg_models_pair(m, i); i++)
        print_pair(jg_models_pair(m, i));
    free(error);
    jg_models_free(m);
    return jg_finish_stdout(code);
}

static int suggest(const struct jg_options *o)
{
    struct jg_project project;
    struct JG_VEC(const char *) added = {0}, removed = {0};
    bool some_missing = false;
    int code = JG_EXIT_ERROR;
    jg_project_init(&project);
    for (uint32_t i = 0; i < o->given.count; i++)
        if (o->given.data[i].option == JG_OPT_EXTRA_ARG)
            *JG_VEC_PUSH(&added) = o->given.data[i].value;
        else if (o->given.data[i].option == JG_OPT_REMOVE_ARG)
            *JG_VEC_PUSH(&removed) = o->given.data[i].value;
    char *error = jg_load_models(o);
    if (!error)
        error = jg_load_project(&project, o, &some_missing);
    if (!error) {
        jg_project_edit(&project, added.data, added.count, removed.data, removed.count);
        code = jg_suggest_models(&project, !jg_options_has(o, JG_OPT_NO_CACHE), &error);
        if (code == JG_EXIT_OK && some_missing)
            code = JG_EXIT_INCOMPLETE;
    }
    if (error && *error)
        jg_error("%s", error);
    free(error);
    JG_VEC_FREE(&added);
    JG_VEC_FREE(&removed);
    jg_project_fini(&project);
    return jg_finish_stdout(code);
}

int jg_cmd_models(const struct jg_options *o)
{
    if (jg_options_has(o, JG_OPT_SUGGEST))
        return suggest(o);
    if (o->given.count || o->has_rest)
        return jg_error("'jniguard models MODELS...' checks files of models; options and compile "
                        "arguments belong to --suggest");
    return list_models(o);
}
