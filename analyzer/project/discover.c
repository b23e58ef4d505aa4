// SPDX-License-Identifier: Apache-2.0
//
// Finds compile_commands.json: at the place the user named, or in the current folder, its parents,
// and the build folders of each.
//
// The presets of CMake build one level deeper, in build/NAME: a database there counts when it is
// the only one; which of several is meant nobody but the user can say.
//
// A build folder of a parent may belong to somebody else (in /tmp it usually does). Its database
// counts only when it compiles something below the current folder, and the search ends at the top
// of a repository. What a search took and is not obvious is told.

#include "analyzer/project/project.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DATABASE "compile_commands.json"
#define NAMED 2 // candidates that a message names; the others are counted

struct paths {
    struct JG_VEC(char *) list; // heap strings
};

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static const char *separator(const char *folder)
{
    size_t n = strlen(folder);
    return n && folder[n - 1] == '/' ? "" : "/";
}

static void paths_fini(struct paths *p)
{
    for (uint32_t i = 0; i < p->list.count; i++)
        free(p->list.data[i]);
    JG_VEC_FREE(&p->list);
}

// "a, b and 2 more"
static char *join(const struct paths *p, uint32_t from)
{
    char *text = jg_strdup("");
    for (uint32_t i = from; i < p->list.count; i++) {
        bool rest = i - from == NAMED;
        char *longer = rest ? jg_format("%s and %u more", text, p->list.count - i)
                            : jg_format("%s%s%s", text, i > from ? ", " : "", p->list.data[i]);
        free(text);
        text = longer;
        if (rest)
            break;
    }
    return text;
}

// ---- one folder ---------------------------------------------------------------------------------

// A link from the source folder into the build folder is one database, not two.
static void add_database(struct paths *p, const char *path)
{
    struct stat one, other;
    if (stat(path, &one) != 0 || S_ISDIR(one.st_mode))
        return;
    for (uint32_t i = 0; i < p->list.count; i++)
        if (stat(p->list.data[i], &other) == 0 && one.st_dev == other.st_dev &&
            one.st_ino == other.st_ino)
            return;
    *JG_VEC_PUSH(&p->list) = jg_strdup(path);
}

static void add_own(struct paths *p, const char *folder)
{
    char *path = jg_format("%s%s%s", folder, separator(folder), DATABASE);
    add_database(p, path);
    free(path);
}

static const char *const build_folders[] = {"build*", "out*", NULL};
static const char *const presets[] = {"build*/*", "out*/*", NULL};
static const char *const sub_folders[] = {"*", NULL};

// Those of the sub-folders that match the patterns, in alphabetical order.
static void add_built(struct paths *p, const char *folder, const char *const *patterns)
{
    for (size_t i = 0; patterns[i]; i++) {
        // chdir-free: the folder's own name may hold characters that glob() would take for a
        // pattern.
        glob_t g = {0};
        char *escaped = jg_malloc(2 * strlen(folder) + 1), *end = escaped;
        for (const char *s = folder; *s; s++) {
            if (strchr("*?[\\", *s))
                *end++ = '\\';
            *end++ = *s;
        }
        *end = '\0';
        char *pattern = jg_format("%s%s%s/%s", escaped, separator(folder), patterns[i], DATABASE);
        if (glob(pattern, 0, NULL, &g) == 0)
            for (size_t k = 0; k < g.gl_pathc; k++)
                add_database(p, g.gl_pathv[k]);
        globfree(&g);
        free(pattern);
        free(escaped);
    }
}

// Does it compile something below the folder? One that cannot be read does not.
static bool concerns(const char *database, const char *folder)
{
    struct jg_project p;
    jg_project_init(&p);
    char *error = jg_project_read(&p, database);
    bool found = false;
    for (uint32_t i = 0; i < p.entries.count && !error && !found; i++)
        found = jg_path_below(folder, p.entries.data[i].command.file);
    free(error);
    jg_project_fini(&p);
    return found;
}

// ---- where the user said ------------------------------------------------------------------------

static char *in_named(const char *where, char **path, char **note)
{
    if (!is_folder(where)) {
        *path = jg_strdup(where); // reading it tells what is wrong with it
        return NULL;
    }
    struct paths found = {0};
    char *error = NULL;
    add_own(&found, where);
    bool own = found.list.count != 0;
    const char *const *const places[] = {build_folders, presets, sub_folders};
    for (size_t i = 0; i < sizeof places / sizeof *places && found.list.count == 0; i++)
        add_built(&found, where, places[i]);
    if (found.list.count == 1) {
        *path = jg_strdup(found.list.data[0]);
        if (!own)
            *note = jg_format("compile commands from %s", *path);
    } else if (found.list.count == 0) {
        error = jg_format("%s: no %s in this folder or its build*/ and out*/", where, DATABASE);
    } else {
        char *all = join(&found, 0);
        error =
            jg_format("%s: no %s in this folder; did you mean one of %s?", where, DATABASE, all);
        free(all);
    }
    paths_fini(&found);
    return error;
}

// ---- the search ---------------------------------------------------------------------------------

// The databases in the build folders of `folder` that concern somebody who works in `cwd`; the
// others go to `ignored`.
static void look_into_built(const char *folder, const char *cwd, const char *const *patterns,
                            struct paths *found, struct paths *ignored)
{
    struct paths built = {0};
    add_built(&built, folder, patterns);
    bool here = strcmp(folder, cwd) == 0;
    for (uint32_t i = 0; i < built.list.count; i++) {
        if (here || concerns(built.list.data[i], cwd))
            add_database(found, built.list.data[i]);
        else
            add_database(ignored, built.list.data[i]);
    }
    paths_fini(&built);
}

static bool is_repository(const char *folder)
{
    char *path = jg_format("%s%s.git", folder, separator(folder));
    struct stat st;
    bool yes = stat(path, &st) == 0; // a file in a work tree of its own
    free(path);
    return yes;
}

static char *nothing_found(const struct paths *ignored)
{
    char *others = join(ignored, 0);
    char *error = jg_format(
        "no %s in this folder, its parents up to the top of the repository, or their build*/ and "
        "out*/ folders; make one (cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, bear -- make), name "
        "one "
        "with -p, or give the compiler's arguments: jniguard check FILE -- -Iinclude%s%s",
        DATABASE, *others ? "; not taken, for want of a file below this folder: " : "", others);
    free(others);
    return error;
}

// Shorter in what the user reads.
static void make_relative(struct paths *p, const char *cwd)
{
    size_t n = strlen(cwd);
    for (uint32_t i = 0; i < p->list.count; i++)
        if (n > 1 && jg_path_below(cwd, p->list.data[i]))
            memmove(p->list.data[i], p->list.data[i] + n + 1, strlen(p->list.data[i] + n));
}

static char *search(const char *cwd, char **path, char **note)
{
    struct paths found = {0}, ignored = {0};
    char *folder = jg_strdup(cwd);
    bool deep = false;
    for (;;) {
        add_own(&found, folder);
        look_into_built(folder, cwd, build_folders, &found, &ignored);
        deep = found.list.count == 0;
        if (deep)
            look_into_built(folder, cwd, presets, &found, &ignored);
        char *slash = strrchr(folder, '/');
        if (found.list.count || is_repository(folder) || !slash || !slash[1])
            break;
        *(slash == folder ? slash + 1 : slash) = '\0';
    }
    char *error = NULL;
    make_relative(&found, cwd);
    if (deep && found.list.count > 1) {
        char *all = join(&found, 0);
        error = jg_format("several build folders have a %s; choose one with -p: %s", DATABASE, all);
        free(all);
    } else if (found.list.count) {
        *path = jg_strdup(found.list.data[0]);
        char *also = join(&found, 1);
        if (*also)
            *note =
                jg_format("compile commands from %s; also found: %s; choose with -p", *path, also);
        else if (strcmp(folder, cwd) != 0)
            *note = jg_format("compile commands from %s", *path);
        free(also);
    } else {
        error = nothing_found(&ignored);
    }
    free(folder);
    paths_fini(&found);
    paths_fini(&ignored);
    return error;
}

char *jg_project_discover(const char *where, char **path, char **note)
{
    *path = *note = NULL;
    if (where)
        return in_named(where, path, note);
    char *cwd = getcwd(NULL, 0);
    if (!cwd)
        return jg_format("the current folder cannot be read");
    char *error = search(cwd, path, note);
    free(cwd);
    return error;
}
