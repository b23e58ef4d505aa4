// SPDX-License-Identifier: Apache-2.0
//
// Which units the user asked for, by file, folder or glob; edits of their commands; and paths.

#include "analyzer/project/project.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- paths --------------------------------------------------------------------------------------

bool jg_path_below(const char *folder, const char *path)
{
    size_t n = strlen(folder);
    return strncmp(folder, path, n) == 0 && (path[n] == '/' || (n == 1 && folder[0] == '/'));
}

// ---- globs --------------------------------------------------------------------------------------

bool jg_is_glob(const char *text)
{
    return strpbrk(text, "*?[") != NULL;
}

// fnmatch(3) with `**`, which stands for any number of folders. Exponential in the number of `**`
// only, which is bounded here.
static bool match_segments(const char *pattern, const char *path, unsigned depth)
{
    const char *stars = strstr(pattern, "**/");
    if (!stars || (stars != pattern && stars[-1] != '/') || depth == 8)
        return fnmatch(pattern, path, FNM_PATHNAME) == 0;

    // The part before `**/` matches whole folders.
    size_t head = (size_t)(stars - pattern);
    const char *rest = path;
    if (head) {
        char *before = jg_format("%.*s", (int)(head - 1), pattern);
        size_t slashes = 0, n = 0;
        for (const char *s = before; *s; s++)
            slashes += *s == '/';
        for (; path[n] && (path[n] != '/' || slashes); n++)
            slashes -= path[n] == '/';
        char *folder = jg_format("%.*s", (int)n, path);
        bool ok = path[n] == '/' && fnmatch(before, folder, FNM_PATHNAME) == 0;
        free(folder);
        free(before);
        if (!ok)
            return false;
        rest = path + n + 1;
    }
    for (;;) {
        if (match_segments(stars + 3, rest, depth + 1))
            return true;
        rest = strchr(rest, '/');
        if (!rest)
            return false;
        rest++;
    }
}

bool jg_glob_match(const char *pattern, const char *path)
{
    return match_segments(pattern, path, 0);
}

// ---- selection ----------------------------------------------------------------------------------

unsigned jg_project_select(struct jg_project *p, const char *argument)
{
    char *cwd = getcwd(NULL, 0);
    char *real = realpath(argument, NULL);
    const char *absolute = jg_path_absolute(&p->arena, cwd ? cwd : "/", argument);
    free(cwd);
    struct stat st;
    bool folder = real && stat(real, &st) == 0 && S_ISDIR(st.st_mode);
    unsigned found = 0;
    for (uint32_t i = 0; i < p->entries.count; i++) {
        struct jg_entry *e = &p->entries.data[i];
        const char *file = e->command.file;
        bool match = strcmp(file, absolute) == 0 || (real && strcmp(file, real) == 0) ||
                     (folder && jg_path_below(real, file)) ||
                     (!real && jg_is_glob(argument) && jg_glob_match(absolute, file));
        if (match) {
            e->selected = true;
            found++;
        }
    }
    free(real);
    return found;
}

void jg_project_select_all(struct jg_project *p)
{
    for (uint32_t i = 0; i < p->entries.count; i++)
        p->entries.data[i].selected = true;
}

void jg_project_select_header(struct jg_project *p, const char *path)
{
    for (uint32_t i = 0; i < p->headers.count; i++)
        if (strcmp(p->headers.data[i].path, path) == 0)
            return; // named twice
    *JG_VEC_PUSH(&p->headers) = (struct jg_header){jg_bump_strdup(&p->arena, path), NULL};
}

// ---- edits --------------------------------------------------------------------------------------

static bool matches_any(const char *word, const char *const *patterns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, patterns[i]) == 0 || fnmatch(patterns[i], word, 0) == 0)
            return true;
    return false;
}

void jg_project_edit(struct jg_project *p, const char *const *added, size_t added_count,
                     const char *const *removed, size_t removed_count)
{
    if (added_count == 0 && removed_count == 0)
        return;
    for (uint32_t i = 0; i < p->entries.count; i++) {
        struct jg_compile_command *c = &p->entries.data[i].command;
        const char **argv = jg_bump_alloc(&p->arena, (c->argc + added_count + 1) * sizeof *argv);
        size_t n = 0;
        bool inserted = false;
        for (size_t k = 0; k < c->argc; k++) {
            if (!inserted && strcmp(c->argv[k], "--") == 0) {
                for (size_t m = 0; m < added_count; m++)
                    argv[n++] = added[m];
                inserted = true;
            }
            if (k == 0 || !matches_any(c->argv[k], removed, removed_count))
                argv[n++] = c->argv[k];
        }
        for (size_t m = 0; !inserted && m < added_count; m++)
            argv[n++] = added[m];
        c->argv = argv;
        c->argc = n;
    }
}
