// SPDX-License-Identifier: Apache-2.0
//
// One unit from its compile command to its findings: the seam between what runs in a worker process
// and what runs in the main one.

#ifndef JG_CLI_UNIT_RUN_H
#define JG_CLI_UNIT_RUN_H

#include "analyzer/checks/check.h"
#include "analyzer/frontend/frontend.h"
#include "analyzer/project/worker.h"
#include "analyzer/report/report.h"

// A construct that the lowering does not model, over all units.
struct jg_unmodelled_count {
    const char *construct;
    uint64_t count;
};

// All that is known about one unit. Strings and vectors live as long as the result; the strings lie
// in `findings.arena`.
struct jg_unit_result {
    struct jg_unit_report report;
    struct jg_findings findings;
    struct jg_check_stats stats;
    struct JG_VEC(struct jg_unmodelled_count) unmodelled;
    const char *fatal; // not this unit but the whole run is impossible; else NULL
};

void jg_unit_result_init(struct jg_unit_result *r);
void jg_unit_result_fini(struct jg_unit_result *r);

// Parses and checks; `timed`: measures what the checks cost. A failed unit has no findings.
void jg_unit_run(struct jg_frontend *frontend, const struct jg_compile_command *command, bool timed,
                 struct jg_unit_result *out);

// The result as bytes, for a pipe between two processes of the same program on the same machine.
void jg_wire_write(struct jg_bytes *b, const struct jg_unit_result *r);

// False when the bytes are not a whole and sound result; `out` is then partly filled. `out` must
// have been initialised.
bool jg_wire_read(const struct jg_bytes *b, struct jg_unit_result *out);

#endif
