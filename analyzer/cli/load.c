// SPDX-License-Identifier: Apache-2.0
//
// From a command line to the units that it asks for. See load.h.

#include "analyzer/cli/load.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_regular(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

// ---- without a database -------------------------------------------------------------------------

// FILE... -- COMPILE ARGS
static void add_files(struct jg_project *p, const struct jg_options *o, bool *some_missing)
{
    for (uint32_t i = 0; i < o->arguments.count; i++) {
        const char *argument = o->arguments.data[i];
        glob_t g = {0};
        if (exists(argument) && !is_folder(argument)) {
            jg_project_add(p, argument, o->rest, o->rest_count);
        } else if (is_folder(argument)) {
            jg_error("%s: a folder; name its files", argument);
            *some_missing = true;
        } else if (jg_is_glob(argument) && glob(argument, 0, NULL, &g) == 0) {
            for (size_t k = 0; k < g.gl_pathc; k++)
                jg_project_add(p, g.gl_pathv[k], o->rest, o->rest_count);
        } else {
            jg_error("%s: %s", argument,
                     jg_is_glob(argument) ? "matches no file" : strerror(ENOENT));
            *some_missing = true;
        }
        globfree(&g);
    }
    jg_project_select_all(p);
}

// ---- with a database ----------------------------------------------------------------------------

// Has a folder that was named as what to check a database of its own? That is a newcomer's way to
// say -p.
static bool is_project(const char *argument)
{
    char *path = NULL, *note = NULL;
    if (!is_folder(argument))
        return false;
    char *error = jg_project_discover(argument, &path, &note);
    bool found = !error;
    free(error);
    free(path);
    free(note);
    return found;
}

// What the database has no entry for: a header waits for a unit that includes it, a source gets the
// arguments of its neighbour. False: neither can be.
static bool select_stranger(struct jg_project *p, const char *argument)
{
    char *real = is_regular(argument) ? realpath(argument, NULL) : NULL;
    bool known = real && !jg_other_language(real, NULL, 0);
    if (known && jg_is_header(real))
        jg_project_select_header(p, real);
    else if (known)
        known = jg_project_guess(p, real);
    free(real);
    return known;
}

static void explain_missing(const struct jg_project *p, const char *argument)
{
    if (!exists(argument) && !jg_is_glob(argument))
        jg_error("%s: %s", argument, strerror(errno));
    else if (is_project(argument))
        jg_error("%s: names nothing in %s; did you mean -p %s?", argument, p->database, argument);
    else if (is_regular(argument) && jg_other_language(argument, NULL, 0))
        jg_error("%s: not C or C++ (%s)", argument, jg_other_language(argument, NULL, 0));
    else if (is_regular(argument))
        jg_error("%s: not in %s, which compiles nothing like it; give its arguments: "
                 "jniguard check FILE -- -Iinclude",
                 argument, p->database);
    else
        jg_error("%s: names nothing in %s", argument, p->database);
}

static void tell_left_out(const struct jg_project *p)
{
    if (p->skipped.count)
        fprintf(stderr, "jniguard: %u %s not C or C++ and skipped (%s)\n", p->skipped.count,
                p->skipped.count == 1 ? "entry is" : "entries are", p->skipped.data[0].language);
    if (!p->duplicates.count)
        return;
    const char *file = p->duplicates.data[0].file, *slash = strrchr(file, '/');
    file = slash ? slash + 1 : file;
    if (p->duplicates.count == 1)
        fprintf(stderr, "jniguard: %s has more than one command", file);
    else
        fprintf(stderr, "jniguard: %u files have more than one command, %s for one",
                p->duplicates.count, file);
    fputs("; the one counts whose folder and arguments come first in the alphabet: to choose "
          "another, "
          "name with -p a database that has only that\n",
          stderr);
}

static char *read_maps(struct jg_project *p, const struct jg_options *o)
{
    char *error = NULL;
    for (uint32_t i = 0; i < o->given.count && !error; i++)
        if (o->given.data[i].option == JG_OPT_PATH_MAP)
            error = jg_project_map(p, o->given.data[i].value);
    return error;
}

static void tell_unused_maps(const struct jg_project *p)
{
    for (uint32_t i = 0; i < p->path_maps.count; i++) {
        const struct jg_path_map *m = &p->path_maps.data[i];
        if (!m->used)
            jg_error("--path-map %s=%s: no path of %s lies there", m->from, m->to, p->database);
    }
}

static char *read_database(struct jg_project *p, const struct jg_options *o)
{
    char *path, *note;
    const char *where = jg_options_last(o, JG_OPT_DATABASE);
    char *error = jg_project_discover(where, &path, &note);
    if (note)
        jg_error("%s", note);
    if (!error)
        error = jg_project_read(p, path);
    else if (!where)
        for (uint32_t i = 0; i < o->arguments.count; i++)
            if (is_project(o->arguments.data[i])) {
                free(error);
                error = jg_format("no compile_commands.json for the current folder; did you mean "
                                  "-p %s?",
                                  o->arguments.data[i]);
                break;
            }
    free(path);
    free(note);
    return error;
}

char *jg_load_project(struct jg_project *p, const struct jg_options *o, bool *some_missing)
{
    *some_missing = false;
    if (o->has_rest) {
        if (jg_options_has(o, JG_OPT_DATABASE))
            return jg_format("-p and '-- COMPILE ARGS' exclude each other");
        if (jg_options_has(o, JG_OPT_PATH_MAP))
            return jg_format("--path-map is for a database, of which '-- COMPILE ARGS' needs none");
        if (o->arguments.count == 0)
            return jg_format("'-- COMPILE ARGS' needs a file before it");
        add_files(p, o, some_missing);
        return p->entries.count ? NULL : jg_strdup("");
    }
    char *error = read_maps(p, o);
    if (!error)
        error = read_database(p, o);
    if (error)
        return error;
    tell_unused_maps(p);
    bool any = false;
    for (uint32_t i = 0; i < o->arguments.count; i++) {
        const char *argument = o->arguments.data[i];
        if (jg_project_select(p, argument) || select_stranger(p, argument)) {
            any = true;
        } else {
            explain_missing(p, argument);
            *some_missing = true;
        }
    }
    if (o->arguments.count == 0) {
        jg_project_select_all(p);
        tell_left_out(p);
    } else if (!any) {
        return jg_strdup("");
    }
    return NULL;
}
