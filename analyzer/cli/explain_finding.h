// SPDX-License-Identifier: Apache-2.0
//
// --explain-finding: one finding with everything that is known about it.

#ifndef JG_CLI_EXPLAIN_FINDING_H
#define JG_CLI_EXPLAIN_FINDING_H

#include "analyzer/cli/link.h"

#define JG_MIN_FINGERPRINT 6 // digits that are asked for

// NULL, or a heap string that says why `text` is not a fingerprint or the beginning of one.
char *jg_fingerprint_check(const char *text);

// Checks `program`, links what it finds into the report and prints every finding whose fingerprint
// begins with `prefix`, whatever filters say. Returns how many; 0: an error was told, there is none
// or the prefix fits several fingerprints.
unsigned jg_explain_finding(struct jg_run *run, const struct jg_program *program,
                            const struct jg_link_options *options, const char *prefix);

// A path as the user knows it; `context` is the report.
void jg_put_path(const void *context, const char *path, FILE *out);

#endif
