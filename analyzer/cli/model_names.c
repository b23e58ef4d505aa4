// SPDX-License-Identifier: Apache-2.0
//
// See model_names.h.

#include "analyzer/cli/model_names.h"
#include "analyzer/cli/cli.h"
#include "analyzer/models/models.h"
#include "rules/common/nearest.h"

#include <stdlib.h>
#include <string.h>

// A function that some unit names.
struct named {
    const char *name;
    uint32_t params;
    bool any_number; // of parameters
};

struct names {
    struct JG_VEC(struct named) list; // sorted, each name once
    const char **words;               // the same, for jg_nearest
};

static int compare(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static void collect(struct names *n, const struct jg_run *run)
{
    for (uint32_t u = 0; u < run->units.count; u++) {
        const struct jg_unit *unit = &run->units.data[u];
        for (uint32_t i = 0; i < unit->symbols.count; i++) {
            const struct jg_symbol *s = &unit->symbols.data[i];
            *JG_VEC_PUSH(&n->list) =
                (struct named){.name = jg_unit_str(unit, s->name),
                               .params = s->param_count,
                               .any_number = (s->flags & (JG_SYM_VARIADIC | JG_SYM_IMPLICIT)) != 0};
        }
    }
    if (n->list.count)
        qsort(n->list.data, n->list.count, sizeof *n->list.data, compare);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n->list.count; i++) {
        struct named one = n->list.data[i];
        if (kept && strcmp(n->list.data[kept - 1].name, one.name) == 0) {
            n->list.data[kept - 1].any_number |=
                one.any_number || n->list.data[kept - 1].params != one.params;
            continue;
        }
        n->list.data[kept++] = one;
    }
    n->list.count = kept;
    n->words = jg_calloc(kept + 1, sizeof *n->words);
    for (uint32_t i = 0; i < kept; i++)
        n->words[i] = n->list.data[i].name;
}

// The function of that name; NULL, and said if another one is near.
static const struct named *find(const struct names *n, const char *name, const char *file,
                                uint32_t line)
{
    struct named key = {.name = name};
    const struct named *found =
        n->list.count ? bsearch(&key, n->list.data, n->list.count, sizeof key, compare) : NULL;
    const char *near = found ? NULL : jg_nearest_within(name, n->words, n->list.count, 2);
    if (near)
        jg_error("%s:%u: no unit names '%s'; did you mean '%s'?", file, line, name, near);
    return found;
}

static void tell_model(const struct names *n, const struct jg_model *m)
{
    const struct named *f = find(n, m->name, m->file, m->line);
    unsigned last = 0;
    for (unsigned i = 0; i < JG_MODEL_PARAMS; i++)
        last = m->params_said >> i & 1 ? i + 1 : last;
    if (f && !f->any_number && last > f->params)
        jg_error("%s:%u: '%s' has %u parameter%s, counted from 0; the model speaks of number %u",
                 m->file, m->line, m->name, f->params, f->params == 1 ? "" : "s", last - 1);
}

static void tell_half(const struct names *n, const struct jg_model_pair *p,
                      const char *const *functions, uint32_t count, int param)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct named *f = find(n, functions[i], p->file, p->line);
        if (f && !f->any_number && param >= (int)f->params)
            jg_error("%s:%u: '%s' has %u parameter%s, counted from 0; the pair speaks of number %d",
                     p->file, p->line, functions[i], f->params, f->params == 1 ? "" : "s", param);
    }
}

void jg_tell_model_names(const struct jg_run *run)
{
    const struct jg_models *models = jg_models_current();
    unsigned own, pairs;
    jg_models_own(models, &own, &pairs);
    if (!own && !pairs)
        return;
    struct names n = {0};
    collect(&n, run);
    for (unsigned i = 0; i < own; i++)
        if (!jg_models_at(models, i)->is_pattern)
            tell_model(&n, jg_models_at(models, i));
    for (unsigned i = 0; i < pairs; i++) {
        const struct jg_model_pair *p = jg_models_pair(models, i);
        tell_half(&n, p, p->acquire, p->acquire_count, p->object);
        tell_half(&n, p, p->release, p->release_count, p->released);
    }
    free(n.words);
    JG_VEC_FREE(&n.list);
}
