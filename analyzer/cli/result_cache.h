// SPDX-License-Identifier: Apache-2.0
//
// Results of functions in the cache, as the store that checks/results.h asks for.

#ifndef JG_CLI_RESULT_CACHE_H
#define JG_CLI_RESULT_CACHE_H

#include "analyzer/checks/results.h"
#include "analyzer/engine/program.h"
#include "analyzer/project/cache.h"

struct jg_result_cache {
    struct jg_result_store store;
    struct jg_cache *cache;
    const struct jg_program *program;
    struct jg_cache_results **units; // by unit of the program; NULL: not asked for yet
};

// NULL when there is no cache to keep anything in; else &r->store. Finish `r` in any case, before
// the program and the cache.
const struct jg_result_store *jg_result_cache_init(struct jg_result_cache *r,
                                                   struct jg_cache *cache,
                                                   const struct jg_program *program);
void jg_result_cache_fini(struct jg_result_cache *r);

#endif
