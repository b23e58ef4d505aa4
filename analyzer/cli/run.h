// SPDX-License-Identifier: Apache-2.0
//
// Runs all selected units of a project and gathers what they say.

#ifndef JG_CLI_RUN_H
#define JG_CLI_RUN_H

#include "analyzer/cli/progress.h"
#include "analyzer/cli/unit_run.h"
#include "analyzer/project/project.h"
#include "analyzer/report/report.h"

struct jg_run {
    struct jg_findings findings;
    struct jg_report report;
    struct JG_VEC(struct jg_unmodelled_count) unmodelled; // most frequent first
    struct jg_progress progress;
};

void jg_run_init(struct jg_run *r);
void jg_run_fini(struct jg_run *r);

// NULL, or a heap string: why nothing could be run at all. A unit that crashes the worker is
// reported as failed; the others are still run. Progress counts the findings that the filter shows.
char *jg_run_units(struct jg_run *r, const struct jg_project *project,
                   const struct jg_filter *filter, enum jg_progress_mode mode);

// --dump-cfg, --debug-object: in this process, printed to stdout. Return how many were found;
// *error as above.
unsigned jg_inspect_cfg(const struct jg_project *project, const char *function, char **error);
unsigned jg_inspect_object(const struct jg_project *project, const char *path, uint32_t line,
                           char **error);

#endif
