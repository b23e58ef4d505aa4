// SPDX-License-Identifier: Apache-2.0
//
// From a command line to the units that it asks for.

#ifndef JG_CLI_LOAD_H
#define JG_CLI_LOAD_H

#include "analyzer/cli/cli.h"
#include "analyzer/project/project.h"

// Finds and reads the database, or takes the compile arguments behind `--`; selects the units that
// the arguments name; guesses at files that the database does not know. NULL, "" when all was said
// on stderr, or a heap string: what is wrong. *some_missing: an argument names nothing.
char *jg_load_project(struct jg_project *p, const struct jg_options *o, bool *some_missing);

#endif
