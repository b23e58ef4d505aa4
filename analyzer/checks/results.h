// SPDX-License-Identifier: Apache-2.0
//
// Results of an earlier run: what exploring the functions of a component has given, kept under the
// hash of all that it read (engine/reads.h).

#ifndef JG_CHECKS_RESULTS_H
#define JG_CHECKS_RESULTS_H

#include "analyzer/checks/finding.h"
#include "analyzer/engine/analysis.h"
#include "analyzer/engine/engine.h"
#include "analyzer/ir/hash.h"
#include "analyzer/ir/record.h"

// Where they are kept, bound to this very program. Called by one thread at a time.
struct jg_result_store {
    void *context;
    // `unit`: index in the program. What is found lives as long as the store.
    bool (*find)(void *context, uint32_t unit, const struct jg_hash *key, const void **data,
                 size_t *size);
    void (*put)(void *context, uint32_t unit, const struct jg_hash *key, const void *data,
                size_t size);
};

// Where the findings of a function lie: in the list of a thread.
struct jg_found_at {
    uint32_t worker, first, count;
};

// The record of a component that has been explored; finish it with jg_record_fini. `outcomes` by
// function; `stats`: what it cost.
struct jg_record jg_result_write(const struct jg_analysis *a, uint32_t component,
                                 const struct jg_findings *found,
                                 const struct jg_found_at *outcomes,
                                 const struct jg_engine_stats *stats);

// Adds what the record tells: summaries to the analysis, findings to `found` of the thread
// `worker`, the cost to `stats`. False when anything is wrong with it; then nothing was added.
bool jg_result_read(const void *data, size_t size, struct jg_analysis *a, uint32_t component,
                    uint32_t worker, struct jg_findings *found, struct jg_found_at *outcomes,
                    struct jg_engine_stats *stats);

#endif
