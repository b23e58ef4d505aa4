// SPDX-License-Identifier: Apache-2.0
//
// Makes the selected entries of a project into units.

#ifndef JG_CLI_RUN_H
#define JG_CLI_RUN_H

#include "analyzer/cli/cli.h"
#include "analyzer/cli/link.h"
#include "analyzer/cli/progress.h"
#include "analyzer/project/project.h"

// Loads the files of --models over the shipped models. NULL, or what is wrong (heap).
char *jg_load_models(const struct jg_options *o);

// `jniguard models --suggest`: prints YAML; `cached`: units come from the cache. Returns the exit
// code; *error: why nothing could be run.
int jg_suggest_models(struct jg_project *project, bool cached, char **error);

#define JG_DEFAULT_TIMEOUT 120 // seconds

struct jg_run_options {
    enum jg_progress_mode progress;
    unsigned jobs;    // processes that parse, then threads that explore; at least 1
    unsigned timeout; // seconds a unit; 0: none
    bool isolated;    // without the units that were not asked for
};

// Makes the units of a project and decides on the focus: when files were named, all other units of
// the database are made, too, unless isolated. A header that was named is checked through the first
// unit that calls something in it, or else includes it; for one that none includes a unit is added
// to the project. Takes units from the run's cache, parses the others in worker processes, keeps
// them, and adds all to the run. NULL, or a heap string: why nothing could be run at all. A unit
// that crashes its worker, takes too long or too much memory is reported as such; the others are
// still made. `progress` is begun and ended here.
char *jg_run_units(struct jg_run *r, struct jg_project *project, const struct jg_run_options *o,
                   struct jg_progress *progress);

// --dump-cfg, --debug-object: in this process, printed to stdout. Return how many were found;
// *error as above.
unsigned jg_inspect_cfg(const struct jg_project *project, const char *function, char **error);
unsigned jg_inspect_object(const struct jg_project *project, const char *path, uint32_t line,
                           char **error);

#endif
