// SPDX-License-Identifier: Apache-2.0
//
// Units -> report -> exit code. See conclude.h.

#include "analyzer/cli/conclude.h"

#include "analyzer/cli/cli.h"
#include "analyzer/cli/explain_finding.h"
#include "analyzer/engine/explain.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ERRORS_SHOWN 3 // of one unit
#define CANCELLED_SHOWN 3

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void put_place(const struct jg_report *r, const char *path, uint32_t line, uint32_t column)
{
    const char *shown = jg_report_path(r, path);
    jg_put_escaped(stderr, shown, strlen(shown));
    fprintf(stderr, ":%u:%u: error: ", line, column);
}

// The first few errors of a unit; among them those about its command, which has no position, first.
static void tell_errors(const struct jg_report *r, const struct jg_unit_report *u, bool placed)
{
    for (uint32_t i = 0; i < u->errors.count && i < ERRORS_SHOWN; i++) {
        const struct jg_unit_error *e = &u->errors.data[i];
        if ((e->path != NULL) != placed)
            continue;
        if (e->path) {
            put_place(r, e->path, e->line, e->column);
        } else {
            const char *unit = jg_report_path(r, u->path);
            jg_put_escaped(stderr, unit, strlen(unit));
            fputs(": error: ", stderr);
        }
        jg_put_escaped(stderr, e->text, strlen(e->text));
        fputc('\n', stderr);
    }
}

static void tell_unit(const struct jg_report *r, const struct jg_unit_report *u)
{
    if (u->outcome == JG_OUTCOME_OK || u->outcome == JG_OUTCOME_CANCELLED)
        return;
    if (u->outcome == JG_OUTCOME_TIMEOUT) {
        jg_error("%s: %s, given up (--timeout)", jg_report_path(r, u->path),
                 u->errors.data[0].text);
        return;
    }
    tell_errors(r, u, false);
    tell_errors(r, u, true);
    const char *path = jg_report_path(r, u->path);
    const char *errors = u->error_count == 1 ? "error" : "errors";
    if (u->outcome == JG_OUTCOME_FAILED)
        jg_error("%s: failed, not checked (%u %s)", path, u->error_count, errors);
    else if (u->degraded_functions == 0)
        jg_error("%s: degraded, %u %s outside of functions", path, u->error_count, errors);
    else
        jg_error("%s: degraded, %u of %u function%s with a compile error", path,
                 u->degraded_functions, u->functions, plural(u->functions));
}

// An interrupt may hit hundreds of units.
static void tell_cancelled(const struct jg_report *r)
{
    uint32_t told = 0, all = r->outcomes[JG_OUTCOME_CANCELLED];
    for (uint32_t i = 0; i < r->units.count && told < CANCELLED_SHOWN; i++)
        if (r->units.data[i].outcome == JG_OUTCOME_CANCELLED) {
            jg_error("%s: interrupted, not checked", jg_report_path(r, r->units.data[i].path));
            told++;
        }
    if (all > told)
        jg_error("and %u more not checked", all - told);
}

// Nearly everybody's first error, and that of those who build in containers.
static void tell_hint(const struct jg_report *r, bool database)
{
    for (uint32_t i = 0; i < r->units.count; i++) {
        const struct jg_unit_report *u = &r->units.data[i];
        for (uint32_t k = 0; k < u->errors.count; k++) {
            const char *text = u->errors.data[k].text;
            const char *hint = NULL;
            if (strcmp(text, "'jni.h' file not found") == 0 ||
                strcmp(text, "'jni_md.h' file not found") == 0)
                hint = "add -I$JAVA_HOME/include -I$JAVA_HOME/include/linux "
                       "(with a database: --extra-arg=-I...)";
            else if (database && jg_report_lost(r) == r->units.count &&
                     strncmp(text, "cannot read /", 13) == 0 && access(u->path, F_OK) != 0)
                hint = "was the database made in a container or another checkout? "
                       "--path-map FROM=TO says where its paths lie here";
            if (hint) {
                fprintf(stderr, "jniguard: hint: %s\n", hint);
                return;
            }
        }
    }
}

static void tell_config_errors(const struct jg_report *r)
{
    for (uint32_t i = 0; i < r->config_errors.count; i++) {
        const struct jg_config_error *e = &r->config_errors.data[i];
        put_place(r, e->path, e->line, e->column);
        jg_put_escaped(stderr, e->text, strlen(e->text));
        fputc('\n', stderr);
    }
}

static void tell_closing(const struct jg_run *run, double seconds)
{
    const struct jg_report *r = &run->report;
    fprintf(stderr, "jniguard: %u unit%s, %llu function%s, %u finding%s, %u suppressed, in %.2f s",
            r->units.count, plural(r->units.count), (unsigned long long)r->stats.functions,
            plural(r->stats.functions), r->shown, plural(r->shown), r->suppressed, seconds);
    uint32_t lost = jg_report_lost(r);
    if (r->units.count == lost) {
        fputs("; nothing was analysed", stderr);
    } else if (r->incomplete || r->some_missing || r->interrupted) {
        const struct {
            uint32_t units;
            const char *what;
        } parts[] = {{r->outcomes[JG_OUTCOME_FAILED], "failed"},
                     {r->outcomes[JG_OUTCOME_TIMEOUT], "timed out"},
                     {r->outcomes[JG_OUTCOME_CANCELLED], "not reached"},
                     {r->incomplete - lost, "with too many compile errors"}};
        const char *separator = "";
        fputs("; incomplete:", stderr);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            if (!parts[i].units)
                continue;
            fprintf(stderr, "%s %u unit%s %s", separator, parts[i].units, plural(parts[i].units),
                    parts[i].what);
            separator = ",";
        }
        if (r->interrupted && !r->outcomes[JG_OUTCOME_CANCELLED]) {
            fprintf(stderr, "%s interrupted", separator);
            separator = ",";
        }
        if (r->some_missing)
            fprintf(stderr, "%s some arguments name nothing", separator);
    } else if (r->stats.jni_calls == 0 && r->shown == 0) {
        fputs("; no JNI call found", stderr);
    }
    fputc('\n', stderr);
}

static void tell_stats(const struct jg_run *run)
{
    const struct jg_check_stats *s = &run->report.stats;
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {{"functions", s->functions},
                {"  with JNI in them, explored", s->functions_explored},
                {"  found in the cache, with JNI", s->functions_found},
                {"  degraded by a compile error", s->functions_degraded},
                {"  with a construct not modelled", s->functions_unmodelled},
                {"  explored again object by object", s->capped},
                {"  given up at the limit of visits", s->exhausted},
                {"JNI calls", s->jni_calls},
                {"block visits", s->block_visits},
                {"states made", s->states}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        fprintf(stderr, "%-36s %12llu\n", rows[i].name, (unsigned long long)rows[i].value);
    fprintf(stderr, "%-36s %9.1f ms\n", "time of exploring and checking",
            (double)s->nanoseconds / 1e6);
    for (unsigned f = 0; f < JG_FAMILY_COUNT; f++)
        if (s->family_nanoseconds[f])
            fprintf(stderr, "  watching for %-21s %9.1f ms\n", jg_family_name((enum jg_family)f),
                    (double)s->family_nanoseconds[f] / 1e6);
    for (uint32_t i = 0; i < run->unmodelled.count; i++)
        fprintf(stderr, "not modelled: %-22s %12llu\n", run->unmodelled.data[i].construct,
                (unsigned long long)run->unmodelled.data[i].count);
}

static void tell_cache(const struct jg_run *run, bool stats)
{
    struct jg_cache_stats s = jg_cache_stats(run->cache);
    const char *off = jg_cache_why_off(run->cache), *trouble = jg_cache_trouble(run->cache);
    if (stats && off)
        fprintf(stderr, "no cache: %s\n", off);
    else if (stats)
        fprintf(stderr, "%-36s %12llu\n%-36s %12llu\n", "units found in the cache",
                (unsigned long long)s.found, "units kept there", (unsigned long long)s.kept);
    if (trouble)
        jg_error("%s", trouble);
}

// ---- the end ------------------------------------------------------------------------------------

void jg_tell_units(const struct jg_run *run, bool database)
{
    const struct jg_report *r = &run->report;
    for (uint32_t i = 0; i < r->units.count; i++)
        tell_unit(r, &r->units.data[i]);
    tell_cancelled(r);
    if (run->others_lost)
        jg_error("%u other unit%s could not be analysed; what %s is not known", run->others_lost,
                 plural(run->others_lost), run->others_lost == 1 ? "it does" : "they do");
    tell_hint(r, database);
}

static int write_outputs(struct jg_run *run, const struct jg_settings *s, int code)
{
    for (unsigned i = 0; i < s->output_count; i++) {
        char *error = jg_report_write(&run->report, s->outputs[i].format, s->outputs[i].path);
        if (error) {
            if (*error)
                jg_error("%s", error);
            code = JG_EXIT_ERROR;
        }
        free(error);
    }
    return code;
}

// --explain-function, --explain-finding: instead of the report.
static int explain(struct jg_run *run, const struct jg_settings *s, bool database)
{
    struct jg_program *program = jg_link_program(run);
    const char *name = s->explain_function;
    unsigned found = name ? jg_explain_function(program, name, jg_put_path, &run->report, stdout)
                          : jg_explain_finding(run, program, s->run.jobs, s->explain_finding);
    jg_program_free(program);
    jg_tell_units(run, database);
    if (!found && name)
        jg_error("no function '%s' is defined in the units asked for, nor called and known by a "
                 "model",
                 name);
    return jg_finish_stdout(found ? JG_EXIT_OK : JG_EXIT_ERROR);
}

int jg_conclude(struct jg_run *run, const struct jg_settings *s, const struct jg_progress *begin,
                bool database)
{
    if (s->explain_function || s->explain_finding)
        return explain(run, s, database);
    jg_link(run, s->run.jobs);
    jg_report_prepare(&run->report, &s->filter, s->fail_on);
    run->report.some_missing = run->report.some_missing || s->some_missing;
    int code = jg_report_exit_code(&run->report);
    jg_tell_units(run, database);
    tell_config_errors(&run->report);
    code = write_outputs(run, s, code);
    if (s->stats)
        tell_stats(run);
    if (run->cache)
        tell_cache(run, s->stats);
    tell_closing(run, jg_progress_seconds(begin));
    return code;
}
