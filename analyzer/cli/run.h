// SPDX-License-Identifier: Apache-2.0
//
// Makes the selected entries of a project into units.

#ifndef JG_CLI_RUN_H
#define JG_CLI_RUN_H

#include "analyzer/cli/link.h"
#include "analyzer/cli/progress.h"
#include "analyzer/project/project.h"

// Parses in a worker process and adds the units to the run. NULL, or a heap string: why nothing
// could be run at all. A unit that crashes the worker is reported as failed; the others are still
// made.
char *jg_run_units(struct jg_run *r, const struct jg_project *project,
                   struct jg_progress *progress);

// --dump-cfg, --debug-object: in this process, printed to stdout. Return how many were found;
// *error as above.
unsigned jg_inspect_cfg(const struct jg_project *project, const char *function, char **error);
unsigned jg_inspect_object(const struct jg_project *project, const char *path, uint32_t line,
                           char **error);

#endif
