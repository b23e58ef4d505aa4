// SPDX-License-Identifier: Apache-2.0
//
// --explain-function with a name that has no summary.

#ifndef JG_CLI_UNEXPLAINED_H
#define JG_CLI_UNEXPLAINED_H

#include "analyzer/cli/run.h"
#include "analyzer/engine/program.h"

// Says why nothing is known of `name`: a function of JNI, one without body and model, none at all.
// A function of a pair is known: that is printed to stdout. Returns the exit code.
int jg_tell_unexplained(const struct jg_run *run, const struct jg_program *program,
                        const char *name);

#endif
