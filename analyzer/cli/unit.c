// SPDX-License-Identifier: Apache-2.0
//
// `jniguard unit`: the command of a compiler -> one unit file, and a depfile that lists what it was
// made from. A unit that failed makes no file.

#include "analyzer/cli/cli.h"
#include "analyzer/cli/conclude.h"
#include "analyzer/cli/run.h"
#include "analyzer/cli/settings.h"
#include "analyzer/ir/replace.h"
#include "analyzer/ir/rewrite.h"
#include "analyzer/project/interrupt.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---- the depfile --------------------------------------------------------------------------------

// As GCC writes them and Make and Ninja read them: a backslash before a blank, `#` and `:`, with
// the backslashes before it doubled; a dollar sign twice. There is no way to write the end of a
// line.
static void put_make_word(FILE *out, const char *word)
{
    size_t slashes = 0;
    for (; *word; word++) {
        if (strchr(" \t#:", *word)) {
            for (; slashes; slashes--)
                fputc('\\', out);
            fputc('\\', out);
        } else if (*word == '$') {
            fputc('$', out);
        }
        slashes = *word == '\\' ? slashes + 1 : 0;
        fputc(*word, out);
    }
}

struct listing {
    const struct jg_report *report; // how paths are shown: below the current folder relative
    const struct jg_unit *unit;
    struct jg_project *project;
};

// The i-th file that the unit was made from, NULL after the last.
static const char *input_at(const struct listing *l, uint32_t i)
{
    if (i < l->unit->inputs.count)
        return jg_unit_str(l->unit, l->unit->inputs.data[i].path);
    i -= l->unit->inputs.count;
    return i < l->project->response_files.list.count ? l->project->response_files.list.data[i]
                                                     : NULL;
}

static void write_depfile(FILE *out, const struct listing *l, const char *target)
{
    const char *path;
    put_make_word(out, target);
    fputc(':', out);
    for (uint32_t i = 0; (path = input_at(l, i)); i++) {
        fputs(" \\\n  ", out);
        put_make_word(out, jg_report_path(l->report, path));
    }
    fputc('\n', out);
}

// NULL, or what stands against writing to `path`: it is one of the inputs.
static char *refuse_input(const struct listing *l, const char *path)
{
    struct stat out, in;
    const char *input;
    if (stat(path, &out) != 0 || !S_ISREG(out.st_mode))
        return NULL;
    for (uint32_t i = 0; (input = input_at(l, i)); i++)
        if (stat(input, &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
            return jg_format("%s is read to make the unit; write to another file", path);
    return NULL;
}

// NULL, or why the depfile cannot be right.
static char *refuse_names(const struct listing *l, const char *target)
{
    const char *path = target;
    for (uint32_t i = 0; path && !strchr(path, '\n'); i++)
        path = input_at(l, i);
    return path ? jg_format("no depfile can hold the name of a file with an end of line: %s", path)
                : NULL;
}

// ---- writing ------------------------------------------------------------------------------------

static char *map_text(void *project, const char *text)
{
    return jg_text_mapped(project, text);
}

static void put_unit(FILE *out, const struct listing *l)
{
    if (!l->project->path_maps.count) {
        fwrite(l->unit->block, 1, l->unit->block_size, out);
        return;
    }
    size_t size;
    void *bytes = jg_unit_rewrite(l->unit, map_text, l->project, &size);
    fwrite(bytes, 1, size, out);
    free(bytes);
}

static void tell_unused_maps(const struct listing *l)
{
    struct jg_project *p = l->project;
    const char *path;
    for (uint32_t i = 0; (path = input_at(l, i)); i++)
        jg_path_mapped(p, path);
    for (uint32_t i = 0; i < p->path_maps.count; i++) {
        const struct jg_path_map *m = &p->path_maps.data[i];
        if (!m->used)
            jg_error("--path-map %s=%s: no file of the unit lies there", m->from, m->to);
    }
}

// The depfile takes its place first: whoever sees the unit finds it.
static char *write_files(const struct listing *l, const char *output, const char *depfile)
{
    struct jg_replacement unit = {0}, dep = {0};
    char *error = refuse_input(l, output);
    if (!error && depfile)
        error = refuse_input(l, depfile);
    if (!error && depfile)
        error = refuse_names(l, output);
    if (!error)
        error = jg_replace_begin(&unit, output);
    if (!error && depfile)
        error = jg_replace_begin(&dep, depfile);
    if (!error) {
        put_unit(unit.file, l);
        if (depfile) {
            write_depfile(dep.file, l, output);
            error = jg_replace_end(&dep);
        }
    }
    if (!error)
        error = jg_replace_end(&unit);
    jg_replace_cancel(&dep);
    jg_replace_cancel(&unit);
    return error;
}

// ---- the command --------------------------------------------------------------------------------

static char *read_command(const struct jg_options *o, struct jg_project *p)
{
    if (!jg_options_has(o, JG_OPT_OUTPUT))
        return jg_format("-o OUT.jgu is missing");
    if (!o->has_rest || o->arguments.count)
        return jg_format("the compiler's command goes behind '--', alone: "
                         "jniguard unit -o a.jgu -- cc -Iinclude -c a.c");
    char *error = jg_project_add_command(p, o->rest, o->rest_count);
    jg_project_select_all(p);
    return error;
}

// What __FILE__ stands for is the compiler's to map: its length is in types, too.
static char *read_maps(const struct jg_options *o, struct jg_project *p)
{
    char *error = NULL;
    for (uint32_t i = 0; i < o->given.count && !error; i++)
        if (o->given.data[i].option == JG_OPT_RECORDED_MAP)
            error = jg_project_map_recorded(p, o->given.data[i].value);
    for (uint32_t i = 0; i < p->path_maps.count; i++) {
        const struct jg_path_map *m = &p->path_maps.data[i];
        const char *argument =
            jg_bump_format(&p->arena, "-fmacro-prefix-map=%s=%s", m->from, m->to);
        jg_project_edit(p, &argument, 1, NULL, 0);
    }
    return error;
}

static int make(const struct jg_options *o, const struct jg_settings *s, struct jg_project *project)
{
    struct jg_run run;
    struct jg_progress progress;
    struct jg_run_options options = s->run;
    int code = JG_EXIT_OK;
    jg_run_init(&run);
    jg_interrupt_watch();
    options.isolated = true;
    options.progress = JG_PROGRESS_NONE; // a build system shows its own
    char *error = jg_run_units(&run, project, &options, &progress);
    if (!error && (run.units.count == 0 || run.units.data[0].status == JG_UNIT_FAILED)) {
        jg_link_nothing(&run);
        jg_tell_units(&run, false);
        code = JG_EXIT_INCOMPLETE;
    } else if (!error) {
        struct listing listing = {&run.report, &run.units.data[0], project};
        tell_unused_maps(&listing);
        error = write_files(&listing, jg_options_last(o, JG_OPT_OUTPUT),
                            jg_options_last(o, JG_OPT_DEPFILE));
    }
    if (error)
        code = *error ? jg_error("%s", error) : JG_EXIT_ERROR;
    free(error);
    jg_run_fini(&run);
    return code;
}

int jg_cmd_unit(const struct jg_options *o)
{
    struct jg_settings s;
    struct jg_project project;
    jg_project_init(&project);
    char *error = jg_settings_read(&s, o);
    if (!error)
        error = read_command(o, &project);
    if (!error)
        error = read_maps(o, &project);
    int code;
    if (error) {
        code = jg_error("%s", error);
    } else {
        jg_project_edit(&project, s.added.data, s.added.count, s.removed.data, s.removed.count);
        code = make(o, &s, &project);
    }
    free(error);
    jg_settings_fini(&s);
    jg_project_fini(&project);
    return code;
}
