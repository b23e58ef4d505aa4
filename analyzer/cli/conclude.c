// SPDX-License-Identifier: Apache-2.0
//
// Units -> report -> exit code. See conclude.h.
//
// All of it happens in a child process, so that a crash costs a function only (supervise.h); this
// one shows the progress.

#include "analyzer/cli/conclude.h"

#include "analyzer/cli/cli.h"
#include "analyzer/cli/explain_finding.h"
#include "analyzer/cli/model_names.h"
#include "analyzer/cli/unexplained.h"
#include "analyzer/engine/explain.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ERRORS_SHOWN 3 // of one unit
#define CANCELLED_SHOWN 3

// What exploring may take beyond what is there: as much as the parser of a unit, and for each
// thread what the states of a function may (engine/internal.h), with room to spare.
#define MEMORY (UINT64_C(4) << 30)
#define MEMORY_OF_THREAD (UINT64_C(512) << 20)

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
    bool whole = u->outcome == JG_OUTCOME_OK ||
                 (u->outcome == JG_OUTCOME_DEGRADED && !u->degraded_functions && !u->error_count);
    if (whole || u->outcome == JG_OUTCOME_CANCELLED) // tell_lost, tell_cancelled
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

// Functions that call each other in a circle are lost together: the first is told. Returns how many
// there are.
static uint32_t circle_of(const struct jg_report *r, uint32_t index)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->lost.count; i++)
        if (r->lost.data[i].component == r->lost.data[index].component) {
            if (i < index)
                return 0;
            count++;
        }
    return count;
}

static void tell_lost_function(const struct jg_report *r, const struct jg_lost_function *f,
                               uint32_t circle)
{
    static const char *const how[][2] = {
        [JG_LOST_TO_CRASH] = {"the analyzer crashed on", ""},
        [JG_LOST_TO_TIME] = {"the analyzer gave up", " (--timeout)"},
        [JG_LOST_TO_HUNGER] = {"the analyzer gave up", ""}};
    put_place(r, f->path, f->line, f->column);
    fprintf(stderr, "%s the function '", how[f->how][0]);
    jg_put_escaped(stderr, f->name, strlen(f->name));
    fputc('\'', stderr);
    if (circle > 1)
        fprintf(stderr, " and %u that call it and each other", circle - 1);
    fprintf(stderr, ", not checked: %s%s\n", f->why, how[f->how][1]);
}

static void tell_lost(const struct jg_run *run)
{
    const struct jg_report *r = &run->report;
    bool crashed = false;
    for (uint32_t i = 0; i < r->lost.count; i++) {
        uint32_t circle = circle_of(r, i);
        if (circle)
            tell_lost_function(r, &r->lost.data[i], circle);
        crashed = crashed || r->lost.data[i].how == JG_LOST_TO_CRASH;
    }
    if (run->others_unchecked)
        jg_error("%u function%s elsewhere could not be analysed; what %s is not known",
                 run->others_unchecked, plural(run->others_unchecked),
                 run->others_unchecked == 1 ? "it does" : "they do");
    if (crashed)
        fputs("jniguard: hint: please report the crash, with the function, or with the file that "
              "'jniguard unit' makes of its source\n",
              stderr);
}

static bool is_cut_short(const struct jg_report *r, const struct jg_unit_report *u)
{
    return u->outcome == JG_OUTCOME_CANCELLED ||
           (r->interrupted && u->unchecked > u->lost.count && u->outcome < JG_OUTCOME_FAILED);
}

// An interrupt may hit hundreds of units.
static void tell_cancelled(const struct jg_report *r)
{
    uint32_t told = 0, all = 0;
    for (uint32_t i = 0; i < r->units.count; i++) {
        const struct jg_unit_report *u = &r->units.data[i];
        if (!is_cut_short(r, u))
            continue;
        all++;
        if (told == CANCELLED_SHOWN)
            continue;
        told++;
        if (u->outcome == JG_OUTCOME_CANCELLED)
            jg_error("%s: interrupted, not checked", jg_report_path(r, u->path));
        else
            jg_error("%s: interrupted, %u of %u function%s not checked", jg_report_path(r, u->path),
                     u->unchecked, u->functions, plural(u->functions));
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
            if (strcmp(text, "'jniguard/annotations.h' file not found") == 0)
                hint = "add -I with the folder it lies in: include beside the bin of an installed "
                       "jniguard, runtime-checks/include in its source";
            else if (strcmp(text, "'jni.h' file not found") == 0 ||
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

static void tell_closing(const struct jg_run *run, double seconds, bool stats)
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
                     {r->partial, "checked in part"},
                     {r->incomplete - lost - r->partial, "with too many compile errors"}};
        const char *separator = "";
        fputs("; incomplete:", stderr);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            if (!parts[i].units)
                continue;
            fprintf(stderr, "%s %u unit%s %s", separator, parts[i].units, plural(parts[i].units),
                    parts[i].what);
            separator = ",";
        }
        if (r->interrupted && !r->outcomes[JG_OUTCOME_CANCELLED] && !r->partial) {
            fprintf(stderr, "%s interrupted", separator);
            separator = ",";
        }
        if (r->some_missing)
            fprintf(stderr, "%s some arguments name nothing", separator);
    } else if (r->stats.jni_calls == 0 && r->shown == 0) {
        fputs("; no JNI call found", stderr);
    }
    uint64_t in_part = r->stats.exhausted + r->stats.functions_unmodelled;
    if (in_part)
        fprintf(stderr, "; %llu function%s seen only in part%s", (unsigned long long)in_part,
                plural(in_part), stats ? "" : " (--stats)");
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
                {"  too large to be followed whole", s->exhausted},
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
    tell_lost(run);
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

struct conclusion {
    struct jg_run *run;
    const struct jg_settings *settings;
    const struct jg_progress *begin;
    bool database;
    struct jg_progress progress; // of the parent
};

static struct jg_link_options link_options(const struct conclusion *c, struct jg_supervised *v)
{
    return (struct jg_link_options){
        .threads = c->settings->run.jobs, .supervised = v, .filter = &c->settings->filter};
}

// --explain-function, --explain-finding: instead of the report.
static int explain(const struct conclusion *c, struct jg_supervised *v)
{
    struct jg_run *run = c->run;
    struct jg_program *program = jg_link_program(run);
    struct jg_link_options options = link_options(c, v);
    const char *name = c->settings->explain_function;
    unsigned found;
    if (name) {
        jg_supervised_write(v);
        found = jg_explain_function(program, name, jg_put_path, &run->report, stdout);
    } else {
        found = jg_explain_finding(run, program, &options, c->settings->explain_finding);
    }
    jg_tell_units(run, c->database);
    int code = found ? JG_EXIT_OK : name ? jg_tell_unexplained(run, program, name) : JG_EXIT_ERROR;
    jg_program_free(program);
    return jg_finish_stdout(code);
}

static int report(const struct conclusion *c, struct jg_supervised *v)
{
    struct jg_run *run = c->run;
    const struct jg_settings *s = c->settings;
    struct jg_link_options options = link_options(c, v);
    if (jg_supervised_in_haste(v))
        jg_link_nothing(run);
    else
        jg_link(run, &options);
    jg_report_prepare(&run->report, &s->filter, s->fail_on);
    run->report.some_missing = run->report.some_missing || s->some_missing;
    int code = jg_report_exit_code(&run->report);
    jg_supervised_write(v);
    jg_tell_units(run, c->database);
    tell_config_errors(&run->report);
    jg_tell_model_names(run);
    code = write_outputs(run, s, code);
    if (s->stats)
        tell_stats(run);
    if (run->cache)
        tell_cache(run, s->stats);
    tell_closing(run, jg_progress_seconds(c->begin), c->settings->stats);
    return code;
}

static int conclude(void *context, struct jg_supervised *v)
{
    const struct conclusion *c = context;
    bool explains = c->settings->explain_function || c->settings->explain_finding;
    int code = explains ? explain(c, v) : report(c, v);
    jg_cache_settle(c->run->cache);
    return code;
}

// ---- in the parent ------------------------------------------------------------------------------

static void show_progress(void *context, const struct jg_supervised *v)
{
    struct conclusion *c = context;
    struct jg_supervised_progress p = jg_supervised_progress(v);
    const char *path = "";
    if (p.place < c->run->units.count) {
        const struct jg_unit *u = &c->run->units.data[p.place];
        path = jg_report_path(&c->run->report, jg_unit_str(u, u->path));
    }
    jg_progress_functions(&c->progress, p.done, p.total, p.found, path);
}

static void end_progress(void *context)
{
    struct conclusion *c = context;
    jg_progress_end(&c->progress);
}

int jg_conclude(struct jg_run *run, const struct jg_settings *s, const struct jg_progress *begin,
                bool database)
{
    struct conclusion c = {.run = run, .settings = s, .begin = begin, .database = database};
    jg_progress_begin(&c.progress, s->run.progress, 0);
    struct jg_supervision supervision = {.run = conclude,
                                         .progress = show_progress,
                                         .over = end_progress,
                                         .context = &c,
                                         .workers = s->run.jobs,
                                         .timeout = s->run.timeout,
                                         .memory = MEMORY + s->run.jobs * MEMORY_OF_THREAD};
    if (c.progress.mode != JG_PROGRESS_AUTO)
        supervision.progress = NULL;
    jg_run_sort(run);
    jg_cache_settle(run->cache);
    char *error;
    int code = jg_supervise(&supervision, &error);
    if (error)
        code = strncmp(error, "out of memory", 13) == 0
                   ? jg_error("%s; there is no complete report", error)
                   : jg_error("the analyzer crashed: %s; there is no complete report, please tell "
                              "us about the crash",
                              error);
    free(error);
    return code;
}
