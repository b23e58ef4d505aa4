// SPDX-License-Identifier: Apache-2.0
//
// Results in the cache: a file for each unit and set of models, so that runs with and without
// models do not push each other out. See result_cache.h.

#include "analyzer/cli/result_cache.h"
#include "analyzer/models/models.h"

#include <stdlib.h>
#include <string.h>

static const char *path_of(const struct jg_result_cache *r, uint32_t unit)
{
    const struct jg_unit *u = jg_program_unit(r->program, unit);
    return jg_unit_str(u, u->path);
}

// Units of one file, made with other arguments each, share one; units are sorted by path.
static struct jg_cache_results *results_of(struct jg_result_cache *r, uint32_t unit)
{
    const char *path = path_of(r, unit);
    while (unit && strcmp(path_of(r, unit - 1), path) == 0)
        unit--;
    if (!r->units[unit]) {
        struct jg_hash models = jg_models_hash(jg_models_current()), name;
        struct jg_hasher h;
        jg_hasher_init(&h);
        jg_hasher_add_str(&h, path);
        jg_hasher_add(&h, &models, sizeof models);
        name = jg_hasher_final(&h);
        r->units[unit] = jg_cache_results_open(r->cache, &name);
    }
    return r->units[unit];
}

static bool find(void *context, uint32_t unit, const struct jg_hash *key, const void **data,
                 size_t *size)
{
    return jg_cache_results_find(results_of(context, unit), key, data, size);
}

static void put(void *context, uint32_t unit, const struct jg_hash *key, const void *data,
                size_t size)
{
    jg_cache_results_put(results_of(context, unit), key, data, size);
}

const struct jg_result_store *jg_result_cache_init(struct jg_result_cache *r,
                                                   struct jg_cache *cache,
                                                   const struct jg_program *program)
{
    *r = (struct jg_result_cache){{r, find, put}, cache, program, NULL};
    if (!cache || jg_cache_why_off(cache))
        return NULL;
    r->units = jg_calloc((size_t)jg_program_unit_count(program) + 1, sizeof *r->units);
    return &r->store;
}

void jg_result_cache_fini(struct jg_result_cache *r)
{
    for (uint32_t i = 0; r->units && i < jg_program_unit_count(r->program); i++)
        if (r->units[i])
            jg_cache_results_close(r->units[i]);
    free(r->units);
    r->units = NULL;
}
