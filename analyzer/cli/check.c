// SPDX-License-Identifier: Apache-2.0
//
// `jniguard check`: options -> project -> units -> report -> exit code.

#include "analyzer/cli/cli.h"
#include "analyzer/cli/load.h"
#include "analyzer/cli/run.h"
#include "analyzer/project/cores.h"
#include "analyzer/project/interrupt.h"
#include "analyzer/project/project.h"
#include "analyzer/report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_OUTPUTS 16
#define ERRORS_SHOWN 3 // of one unit
#define CANCELLED_SHOWN 3
#define DEFAULT_TIMEOUT 120
#define MAX_WORKERS 1024
#define MAX_TIMEOUT 1000000 // seconds: 11 days

struct output {
    const struct jg_report_format *format;
    const char *path; // NULL: standard output
};

struct settings {
    struct jg_filter filter;
    enum jg_fail_on fail_on;
    struct jg_run_options run;
    struct output outputs[MAX_OUTPUTS];
    unsigned output_count;
    struct JG_VEC(const char *) added, removed; // compiler arguments
    bool some_missing;                          // an argument names nothing
};

// ---- settings -----------------------------------------------------------------------------------

static char *read_format(struct settings *s, const char *value)
{
    const char *equals = strchr(value, '=');
    char *name = equals ? jg_format("%.*s", (int)(equals - value), value) : jg_strdup(value);
    const struct jg_report_format *format = jg_format_find(name);
    char *error = NULL;
    if (!format)
        error = jg_format("no format is called '%s'; there are %s", name, jg_format_names());
    else if (equals && !equals[1])
        error = jg_format("--format %s= names no file", name);
    else if (s->output_count == MAX_OUTPUTS)
        error = jg_format("more than %d outputs", MAX_OUTPUTS);
    else
        s->outputs[s->output_count++] = (struct output){format, equals ? equals + 1 : NULL};
    free(name);
    return error;
}

// The rules that --rule, --no-rule or --family name. With `built` one of them must exist: asking
// for nothing but plans would look like a clean result.
static char *read_names(const char *option, const char *value, bool built, bool set[JG_RULE_COUNT])
{
    bool named[JG_RULE_COUNT] = {false}, any = false, any_built = false;
    bool family = strcmp(option, "--family") == 0;
    char *error = family ? jg_families_parse(value, named) : jg_rules_parse(value, named);
    for (unsigned i = 0; i < JG_RULE_COUNT; i++) {
        any = any || named[i];
        any_built = any_built || (named[i] && jg_rule_info((enum jg_rule)i)->analyzer);
        set[i] = set[i] || named[i];
    }
    if (!error && !any)
        error = jg_format("%s=%s names no %s", option, value, family ? "family" : "rule");
    else if (!error && built && !any_built)
        error =
            jg_format("%s %s: not built yet; 'jniguard rules' lists those that are", option, value);
    return error;
}

static char *read_level(enum jg_option option, const char *value, struct settings *s)
{
    if (option == JG_OPT_MIN_CONFIDENCE) {
        if (!jg_confidence_parse(value, &s->filter.min_confidence))
            return jg_format("--min-confidence is high, medium or low, not '%s'", value);
    } else if (option == JG_OPT_MIN_SEVERITY) {
        if (!jg_severity_parse(value, &s->filter.min_severity))
            return jg_format("--min-severity is error, warning or note, not '%s'", value);
    } else if (strcmp(value, "never") == 0) {
        s->fail_on = JG_FAIL_NEVER;
    } else {
        enum jg_severity severity;
        if (!jg_severity_parse(value, &severity))
            return jg_format("--fail-on is note, warning, error or never, not '%s'", value);
        s->fail_on = (enum jg_fail_on)severity; // the same order
    }
    return NULL;
}

static char *read_progress(struct settings *s, const char *value)
{
    if (strcmp(value, "plain") == 0)
        s->run.progress = JG_PROGRESS_PLAIN;
    else if (strcmp(value, "none") == 0)
        s->run.progress = JG_PROGRESS_NONE;
    else
        return jg_format("--progress is plain or none, not '%s'", value);
    return NULL;
}

static char *read_number(const char *option, const char *value, unsigned least, unsigned most,
                         unsigned *number)
{
    char *end;
    errno = 0;
    unsigned long n = strtoul(value, &end, 10);
    if (errno || *end || value[0] < '0' || value[0] > '9' || n < least || n > most)
        return jg_format("%s takes a number from %u to %u, not '%s'", option, least, most, value);
    *number = (unsigned)n;
    return NULL;
}

static char *read_settings(struct settings *s, const struct jg_options *o)
{
    bool only[JG_RULE_COUNT] = {false}, without[JG_RULE_COUNT] = {false}, any_only = false;
    char *error = NULL;
    memset(s, 0, sizeof *s);
    jg_filter_init(&s->filter);
    s->fail_on = JG_FAIL_WARNING;
    s->run.timeout = DEFAULT_TIMEOUT;
    s->run.isolated = jg_options_has(o, JG_OPT_ISOLATED);
    for (uint32_t i = 0; i < o->given.count && !error; i++) {
        const char *value = o->given.data[i].value;
        enum jg_option option = o->given.data[i].option;
        switch (option) {
        case JG_OPT_FORMAT:
            error = read_format(s, value);
            break;
        case JG_OPT_RULE:
            error = read_names("--rule", value, true, only);
            any_only = true;
            break;
        case JG_OPT_FAMILY:
            error = read_names("--family", value, true, only);
            any_only = true;
            break;
        case JG_OPT_NO_RULE:
            error = read_names("--no-rule", value, false, without);
            break;
        case JG_OPT_MIN_CONFIDENCE:
        case JG_OPT_MIN_SEVERITY:
        case JG_OPT_FAIL_ON:
            error = read_level(option, value, s);
            break;
        case JG_OPT_PROGRESS:
            error = read_progress(s, value);
            break;
        case JG_OPT_JOBS:
            error = read_number("-j", value, 1, MAX_WORKERS, &s->run.workers);
            break;
        case JG_OPT_TIMEOUT:
            error = read_number("--timeout", value, 0, MAX_TIMEOUT, &s->run.timeout);
            break;
        case JG_OPT_EXTRA_ARG:
            *JG_VEC_PUSH(&s->added) = value;
            break;
        case JG_OPT_REMOVE_ARG:
            *JG_VEC_PUSH(&s->removed) = value;
            break;
        default:
            break;
        }
    }
    if (!s->run.workers)
        s->run.workers = jg_cores_usable();
    for (unsigned i = 0; i < JG_RULE_COUNT; i++)
        s->filter.rule[i] = (!any_only || only[i]) && !without[i];
    // Only what is shown can fail: asking for the code asks for the findings.
    if (!jg_options_has(o, JG_OPT_MIN_SEVERITY) &&
        (unsigned)s->fail_on < (unsigned)s->filter.min_severity)
        s->filter.min_severity = (enum jg_severity)s->fail_on;
    unsigned to_stdout = 0;
    for (unsigned i = 0; i < s->output_count; i++)
        to_stdout += !s->outputs[i].path || strcmp(s->outputs[i].path, "-") == 0;
    if (!error && to_stdout > 1)
        error =
            jg_format("only one format can go to standard output; give the others --format F=PATH");
    if (s->output_count == 0)
        s->outputs[s->output_count++] = (struct output){jg_format_find("text"), NULL};
    return error;
}

// ---- what is said on stderr ---------------------------------------------------------------------

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
static void tell_hint(const struct jg_report *r, const struct jg_project *p)
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
            else if (p->database && jg_report_lost(r) == r->units.count &&
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

// How files are checked that the database does not know.
static void tell_guesses(const struct jg_report *r, const struct jg_project *p)
{
    for (uint32_t i = 0; i < p->headers.count; i++) {
        const struct jg_header *h = &p->headers.data[i];
        char *path = jg_strdup(jg_report_path(r, h->path));
        if (!h->through && r->interrupted)
            jg_error("%s: interrupted, not checked", path);
        else if (!h->through)
            jg_error("%s: no unit of %s includes it, nor is one like it", path, p->database);
        else if (strcmp(h->through, h->path) != 0)
            jg_error("%s: checked through %s", path, jg_report_path(r, h->through));
        free(path);
    }
    for (uint32_t i = 0; i < p->entries.count; i++) {
        const struct jg_entry *e = &p->entries.data[i];
        if (!e->selected || !e->guessed_from)
            continue;
        char *path = jg_strdup(jg_report_path(r, e->command.file));
        jg_error("%s: %s %s; its arguments are guessed, those of %s", path,
                 jg_is_header(path) ? "included by no unit of" : "not in", p->database,
                 jg_report_path(r, e->guessed_from));
        free(path);
    }
}

// ---- the command --------------------------------------------------------------------------------

static int inspect(const struct jg_project *p, const char *function, const char *object)
{
    char *error = NULL;
    unsigned found = 0;
    if (function) {
        found = jg_inspect_cfg(p, function, &error);
        if (!error && !found)
            error = jg_format("no function '%s' in the units asked for", function);
    } else {
        const char *colon = strrchr(object, ':');
        char *end;
        unsigned long line = colon ? strtoul(colon + 1, &end, 10) : 0;
        if (!line || line > UINT32_MAX || *end)
            return jg_error("--debug-object wants FILE:LINE, not '%s'", object);
        char *name = jg_format("%.*s", (int)(colon - object), object);
        char *path = realpath(name, NULL);
        found = jg_inspect_object(p, path ? path : name, (uint32_t)line, &error);
        if (!error && !found)
            error = jg_format("no object is made at %s in the units asked for", object);
        free(path);
        free(name);
    }
    int code = error ? jg_error("%s", error) : JG_EXIT_OK;
    free(error);
    return jg_finish_stdout(code);
}

static int write_outputs(struct jg_run *run, const struct settings *s, int code)
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

static int check(struct jg_project *p, const struct settings *s, bool stats)
{
    struct jg_run run;
    jg_run_init(&run);
    run.report.stats.timed = stats;
    jg_interrupt_watch();
    struct jg_progress progress;
    char *error = jg_run_units(&run, p, &s->run, &progress);
    int code;
    if (error) {
        code = jg_error("%s", error);
        free(error);
    } else {
        tell_guesses(&run.report, p);
        jg_link(&run);
        jg_report_prepare(&run.report, &s->filter, s->fail_on);
        run.report.some_missing = run.report.some_missing || s->some_missing;
        code = jg_report_exit_code(&run.report);
        for (uint32_t i = 0; i < run.report.units.count; i++)
            tell_unit(&run.report, &run.report.units.data[i]);
        tell_cancelled(&run.report);
        if (run.others_lost)
            jg_error("%u other unit%s could not be analysed; what %s is not known", run.others_lost,
                     plural(run.others_lost), run.others_lost == 1 ? "it does" : "they do");
        tell_hint(&run.report, p);
        tell_config_errors(&run.report);
        code = write_outputs(&run, s, code);
        if (stats)
            tell_stats(&run);
        tell_closing(&run, jg_progress_seconds(&progress));
    }
    jg_run_fini(&run);
    return code;
}

int jg_cmd_check(const struct jg_options *o)
{
    struct settings s;
    struct jg_project project;
    jg_project_init(&project);
    char *error = read_settings(&s, o);
    if (!error)
        error = jg_load_project(&project, o, &s.some_missing);
    if (!error)
        error = jg_load_models(o);
    int code = JG_EXIT_ERROR;
    if (error) {
        if (*error)
            jg_error("%s", error);
        free(error);
    } else {
        jg_project_edit(&project, s.added.data, s.added.count, s.removed.data, s.removed.count);
        const char *function = jg_options_last(o, JG_OPT_DUMP_CFG);
        const char *object = jg_options_last(o, JG_OPT_DEBUG_OBJECT);
        if (function || object)
            code = inspect(&project, function, object);
        else
            code = check(&project, &s, jg_options_has(o, JG_OPT_STATS));
    }
    JG_VEC_FREE(&s.added);
    JG_VEC_FREE(&s.removed);
    jg_project_fini(&project);
    return code;
}
