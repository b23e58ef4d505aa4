// SPDX-License-Identifier: Apache-2.0
//
// One unit from its compile command to its findings. Runs in a worker process.

#include "analyzer/cli/unit_run.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ERRORS 8 // kept for a unit; the others are counted

void jg_unit_result_init(struct jg_unit_result *r)
{
    memset(r, 0, sizeof *r);
    jg_findings_init(&r->findings);
}

void jg_unit_result_fini(struct jg_unit_result *r)
{
    JG_VEC_FREE(&r->report.errors);
    JG_VEC_FREE(&r->report.files);
    JG_VEC_FREE(&r->unmodelled);
    jg_findings_fini(&r->findings);
}

static void add_errors(const struct jg_unit *unit, struct jg_unit_result *out)
{
    struct jg_bump *a = &out->findings.arena;
    out->report.error_count = unit->diagnostics.count;
    for (unsigned pass = 0; pass < 2; pass++) { // fatal ones first: they explain the others
        for (uint32_t i = 0; i < unit->diagnostics.count; i++) {
            const struct jg_diagnostic *d = &unit->diagnostics.data[i];
            if (d->fatal != (pass == 0) || out->report.errors.count == MAX_ERRORS)
                continue;
            struct jg_unit_error *e = JG_VEC_PUSH(&out->report.errors);
            e->text = jg_bump_strdup(a, jg_unit_str(unit, d->text));
            if (d->loc != JG_NONE) {
                const struct jg_loc *loc = &unit->locs.data[d->loc];
                e->path = jg_bump_strdup(a, jg_unit_str(unit, unit->files.data[loc->file].path));
                e->line = loc->line;
                e->column = loc->column;
            }
        }
    }
}

static void add_unit(const struct jg_unit *unit, struct jg_unit_result *out)
{
    static const enum jg_unit_outcome outcomes[] = {
        [JG_UNIT_OK] = JG_OUTCOME_OK,
        [JG_UNIT_DEGRADED] = JG_OUTCOME_DEGRADED,
        [JG_UNIT_FAILED] = JG_OUTCOME_FAILED,
    };
    struct jg_bump *a = &out->findings.arena;
    out->report.outcome = outcomes[unit->status];
    out->report.functions = unit->functions.count;
    for (uint32_t i = 0; i < unit->functions.count; i++)
        out->report.degraded_functions += (unit->functions.data[i].flags & JG_FN_DEGRADED) != 0;
    for (uint32_t i = 0; i < unit->files.count; i++)
        if (!unit->files.data[i].system)
            *JG_VEC_PUSH(&out->report.files) =
                jg_bump_strdup(a, jg_unit_str(unit, unit->files.data[i].path));
    for (uint32_t i = 0; i < unit->unmodelled.count; i++) {
        struct jg_unmodelled_count *u = JG_VEC_PUSH(&out->unmodelled);
        u->construct = jg_bump_strdup(a, jg_unit_str(unit, unit->unmodelled.data[i].construct));
        u->count = unit->unmodelled.data[i].count;
    }
}

void jg_unit_run(struct jg_frontend *frontend, const struct jg_compile_command *command, bool timed,
                 struct jg_unit_result *out)
{
    out->stats.timed = timed;
    out->report.path = jg_bump_strdup(&out->findings.arena, command->file);
    struct jg_unit unit;
    jg_frontend_parse(frontend, command, &unit);
    add_errors(&unit, out);
    if (unit.status == JG_UNIT_FAILED) {
        out->report.outcome = JG_OUTCOME_FAILED;
    } else {
        add_unit(&unit, out);
        jg_check_unit(&unit, &out->findings, &out->stats);
    }
    jg_unit_fini(&unit);
}
