// SPDX-License-Identifier: Apache-2.0
//
// The link step: units in, findings in the report out. `check` and `link` share it, so that the
// same sources give the same findings whoever parsed them.

#ifndef JG_CLI_LINK_H
#define JG_CLI_LINK_H

#include "analyzer/cli/focus.h"
#include "analyzer/engine/program.h"
#include "analyzer/ir/ir.h"
#include "analyzer/project/cache.h"
#include "analyzer/project/supervise.h"
#include "analyzer/report/report.h"

// A construct that the lowering does not model, over all units.
struct jg_unmodelled_count {
    const char *construct;
    uint64_t count;
};

// What `check` and `link` work on. The report points into the units, which live as long as it.
struct jg_run {
    struct jg_cache *cache;              // of earlier runs; owned; NULL: none
    struct JG_VEC(struct jg_unit) units; // failed ones, too; owned
    struct JG_VEC(const char *) guessed; // paths of units with the arguments of another file
    struct jg_focus focus;
    uint32_t others_lost;      // units out of focus that could not be analysed
    uint32_t others_unchecked; // functions out of focus that the analyzer was lost with
    struct jg_findings findings;
    struct jg_report report;
    struct JG_VEC(struct jg_unmodelled_count) unmodelled; // most frequent first
};

void jg_run_init(struct jg_run *r);
void jg_run_fini(struct jg_run *r);

// The units as one program, and what they say of themselves in the report. Sorts the units by path
// first: nothing depends on the order in which they came. Free with jg_program_free.
struct jg_program *jg_link_program(struct jg_run *r);

struct jg_link_options {
    unsigned threads;                 // that explore; at least 1
    struct jg_supervised *supervised; // watches over them
    const struct jg_filter *filter;   // what the progress counts as found
};

// As jg_link, of the program that jg_link_program has made.
void jg_link_checked(struct jg_run *r, const struct jg_program *program,
                     const struct jg_link_options *options);

// Checks all units together and adds what they say to the report: outcomes, errors, texts,
// findings, statistics; of those in focus; and what could not be checked. Nothing depends on the
// number of threads.
void jg_link(struct jg_run *r, const struct jg_link_options *options);

// Adds what the units say of themselves, and checks nothing: all are interrupted.
void jg_link_nothing(struct jg_run *r);

// Sorts the units by path, as jg_link_program does.
void jg_run_sort(struct jg_run *r);

#endif
