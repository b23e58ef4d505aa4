// SPDX-License-Identifier: Apache-2.0
//
// Finds compile_commands.json: at the place the user named, or in the current folder, its parents,
// and the build folders of each.

#include "analyzer/project/project.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DATABASE "compile_commands.json"

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

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

// The database of one folder: its own, or that of the first build folder in it.
static char *database_in(const char *folder)
{
    char *path = jg_format("%s%s%s", folder, separator(folder), DATABASE);
    if (is_file(path))
        return path;
    free(path);

    static const char *const patterns[] = {"build*", "out*"};
    char *found = NULL;
    for (size_t i = 0; !found && i < sizeof patterns / sizeof *patterns; i++) {
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
            for (size_t k = 0; !found && k < g.gl_pathc; k++)
                if (is_file(g.gl_pathv[k]))
                    found = jg_strdup(g.gl_pathv[k]);
        globfree(&g);
        free(pattern);
        free(escaped);
    }
    return found;
}

char *jg_project_discover(const char *where, char **path)
{
    *path = NULL;
    if (where) {
        if (is_folder(where)) {
            *path = jg_format("%s%s%s", where, separator(where), DATABASE);
            if (is_file(*path))
                return NULL;
            free(*path);
            *path = NULL;
            return jg_format("%s: no %s in this folder", where, DATABASE);
        }
        *path = jg_strdup(where); // reading it tells what is wrong with it
        return NULL;
    }

    char *cwd = getcwd(NULL, 0);
    if (!cwd)
        return jg_format("the current folder cannot be read");
    char *folder = jg_strdup(cwd);
    while (!(*path = database_in(folder))) {
        char *slash = strrchr(folder, '/');
        if (!slash || !slash[1])
            break;
        *(slash == folder ? slash + 1 : slash) = '\0';
    }
    size_t n = strlen(cwd);
    if (*path && n > 1 && strncmp(*path, cwd, n) == 0 && (*path)[n] == '/')
        memmove(*path, *path + n + 1, strlen(*path + n)); // shorter in what the user reads
    free(folder);
    free(cwd);
    if (*path)
        return NULL;
    return jg_format(
        "no %s in this folder, its parents, or their build*/ and out*/ folders; make one "
        "(cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, bear -- make), name one with -p, or "
        "give the compiler's arguments: jniguard check FILE -- -Iinclude",
        DATABASE);
}
