// SPDX-License-Identifier: Apache-2.0
//
// The end of a run: links the units, writes the report, says on stderr what a reader of the report
// must know.

#ifndef JG_CLI_CONCLUDE_H
#define JG_CLI_CONCLUDE_H

#include "analyzer/cli/link.h"
#include "analyzer/cli/progress.h"
#include "analyzer/cli/settings.h"

// Returns the exit code. `begin` tells when the run began; `database`: the commands come from one.
int jg_conclude(struct jg_run *run, const struct jg_settings *s, const struct jg_progress *begin,
                bool database);

// On stderr: the first errors of each unit that was not analysed whole, and what may help.
void jg_tell_units(const struct jg_run *run, bool database);

#endif
