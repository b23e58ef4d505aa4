// SPDX-License-Identifier: Apache-2.0
//
// What a run reports on. See focus.h.
//
// Links are followed only where the last part of the name is that of the header looked for.

#include "analyzer/cli/focus.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void jg_focus_fini(struct jg_focus *s)
{
    JG_VEC_FREE(&s->units);
    JG_VEC_FREE(&s->files);
    jg_bump_fini(&s->arena);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_same_file(const char *path, const char *real)
{
    char resolved[PATH_MAX];
    return strcmp(last_part(path), last_part(real)) == 0 && realpath(path, resolved) &&
           strcmp(resolved, real) == 0;
}

static const char *source_path(const struct jg_unit *u, uint32_t source)
{
    return jg_unit_str(u, u->files.data[u->sources.data[source].file].path);
}

enum jg_inclusion jg_unit_includes(const struct jg_unit *unit, const char *header)
{
    for (uint32_t i = 0; i < unit->sources.count; i++)
        if (is_same_file(source_path(unit, i), header))
            return JG_INCLUDED_WITH_CODE;
    for (uint32_t i = 0; i < unit->inputs.count; i++)
        if (is_same_file(jg_unit_str(unit, unit->inputs.data[i].path), header))
            return JG_INCLUDED;
    return JG_NOT_INCLUDED;
}

void jg_focus_add(struct jg_focus *s, const struct jg_unit *unit, const char *header)
{
    s->limited = true;
    *JG_VEC_PUSH(&s->units) = jg_bump_strdup(&s->arena, jg_unit_str(unit, unit->path));
    for (uint32_t i = 0; i < unit->sources.count; i++) {
        const char *path = source_path(unit, i);
        if (!header || is_same_file(path, header))
            *JG_VEC_PUSH(&s->files) = jg_bump_strdup(&s->arena, path);
    }
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void jg_focus_sort(struct jg_focus *s)
{
    if (s->units.count)
        qsort(s->units.data, s->units.count, sizeof *s->units.data, compare);
    if (s->files.count)
        qsort(s->files.data, s->files.count, sizeof *s->files.data, compare);
}

bool jg_focus_has_unit(const struct jg_focus *s, const char *path)
{
    return !s->limited || (s->units.count && bsearch(&path, s->units.data, s->units.count,
                                                     sizeof *s->units.data, compare));
}

bool jg_focus_has_file(const struct jg_focus *s, const char *path)
{
    return !s->limited || (s->files.count && bsearch(&path, s->files.data, s->files.count,
                                                     sizeof *s->files.data, compare));
}
