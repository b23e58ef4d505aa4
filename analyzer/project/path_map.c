// SPDX-License-Identifier: Apache-2.0
//
// --path-map FROM=TO: a database that was made in a container, or in another checkout, is read as
// if it had been made here; and units are made here as if the sources lay elsewhere.

#include "analyzer/project/project.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *without_slash(struct jg_bump *a, const char *text, size_t length)
{
    while (length > 1 && text[length - 1] == '/')
        length--;
    return jg_bump_format(a, "%.*s", (int)length, text);
}

char *jg_project_map(struct jg_project *p, const char *text)
{
    const char *equals = strchr(text, '=');
    if (text[0] != '/' || !equals || !equals[1])
        return jg_format("--path-map takes FROM=TO, FROM an absolute path, not '%s'", text);
    char *cwd = getcwd(NULL, 0);
    struct jg_path_map *m = JG_VEC_PUSH(&p->path_maps);
    m->from = without_slash(&p->arena, text, (size_t)(equals - text));
    m->to = jg_path_absolute(&p->arena, cwd ? cwd : "/", equals + 1);
    free(cwd);
    return NULL;
}

char *jg_project_map_recorded(struct jg_project *p, const char *text)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return jg_format("--path-map takes FROM=TO, not '%s'", text);
    char *cwd = getcwd(NULL, 0);
    const char *from = jg_bump_format(&p->arena, "%.*s", (int)(equals - text), text);
    struct jg_path_map *m = JG_VEC_PUSH(&p->path_maps);
    m->from = jg_path_absolute(&p->arena, cwd ? cwd : "/", from);
    m->to = without_slash(&p->arena, equals + 1, strlen(equals + 1));
    free(cwd);
    return NULL;
}

// What follows `folder` in a path at or below it: "" or "/..."; else NULL. In a text any of `ends`
// may follow the folder, too.
static const char *rest_below(const char *folder, const char *path, const char *ends)
{
    size_t n = strlen(folder);
    if (strcmp(folder, "/") == 0)
        return path[0] == '/' ? path : NULL;
    bool below = strncmp(folder, path, n) == 0 && (path[n] == '/' || strchr(ends, path[n]));
    return below ? path + n : NULL;
}

// The map that counts for a path, or NULL.
static struct jg_path_map *map_of(struct jg_project *p, const char *path, const char *ends)
{
    struct jg_path_map *best = NULL;
    for (uint32_t i = 0; i < p->path_maps.count; i++) {
        struct jg_path_map *m = &p->path_maps.data[i];
        if (rest_below(m->from, path, ends) && (!best || strlen(m->from) > strlen(best->from)))
            best = m;
    }
    return best;
}

const char *jg_path_mapped(struct jg_project *p, const char *path)
{
    struct jg_path_map *best = map_of(p, path, "");
    if (!best)
        return path;
    best->used++;
    const char *rest = rest_below(best->from, path, "");
    return jg_bump_format(&p->arena, "%s%s", strcmp(best->to, "/") == 0 && *rest ? "" : best->to,
                          rest);
}

// Does a path begin behind the first `length` characters of the word?
static bool path_follows(const char *word, size_t length)
{
    static const char *const options[] = {
        "",          "@",          "-I",           "-F",
        "-L",        "-B",         "-o",           "-isystem",
        "-iquote",   "-idirafter", "-include",     "-imacros",
        "-isysroot", "-iprefix",   "-iwithprefix", "-iwithprefixbefore"};
    if (length && word[0] == '-' && word[length - 1] == '=')
        return true;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strlen(options[i]) == length && strncmp(options[i], word, length) == 0)
            return true;
    return false;
}

const char *jg_word_mapped(struct jg_project *p, const char *word)
{
    const char *slash = strchr(word, '/');
    if (!p->path_maps.count || !slash || !path_follows(word, (size_t)(slash - word)))
        return word;
    const char *mapped = jg_path_mapped(p, slash);
    return mapped == slash ? word
                           : jg_bump_format(&p->arena, "%.*s%s", (int)(slash - word), word, mapped);
}

#define BREAKS " \t\"'`(){}[]<>,;:=" // around a path in a text

// Does a path begin at `at` in the text?
static bool path_begins(const char *text, const char *at)
{
    const char *word = at;
    while (word > text && !strchr(BREAKS, word[-1]))
        word--;
    return path_follows(word, (size_t)(at - word));
}

char *jg_text_mapped(struct jg_project *p, const char *text)
{
    char *out = NULL;
    size_t size = 0;
    bool any = false;
    FILE *file = open_memstream(&out, &size);
    if (!file)
        jg_out_of_memory();
    for (const char *at = text; *at;) {
        struct jg_path_map *m = *at == '/' && path_begins(text, at) ? map_of(p, at, BREAKS) : NULL;
        if (!m) {
            fputc(*at++, file);
            continue;
        }
        const char *rest = rest_below(m->from, at, BREAKS);
        bool here = strcmp(m->to, ".") == 0, root = strcmp(m->to, "/") == 0;
        if (*rest != '/' || !(here || root))
            fputs(m->to, file);
        at = *rest == '/' && here ? rest + 1 : rest;
        m->used++;
        any = true;
    }
    if (fclose(file) != 0)
        jg_out_of_memory();
    if (!any) {
        free(out);
        out = NULL;
    }
    return out;
}
