// SPDX-License-Identifier: Apache-2.0
//
// Which functions of a program are explored under supervision, and what the report says of those
// that were not: those that the analyzer crashed on, and those it did not come to.

#ifndef JG_CLI_EXPLORED_H
#define JG_CLI_EXPLORED_H

#include "analyzer/checks/check.h"
#include "analyzer/cli/link.h"

struct jg_explored {
    struct jg_check_watch watch;
    struct jg_supervised *supervised;
    const struct jg_run *run;
    const struct jg_program *program;
    const struct jg_filter *filter; // what counts as found
    bool *done;                     // by component
};

// All must outlive `x`, which must not move while it watches.
void jg_explored_init(struct jg_explored *x, const struct jg_run *run,
                      const struct jg_program *program, const struct jg_link_options *options);
void jg_explored_fini(struct jg_explored *x);

// Adds to the report of the run what was lost, and counts for each of its units what was not
// checked.
void jg_explored_report(const struct jg_explored *x, struct jg_run *run);

#endif
