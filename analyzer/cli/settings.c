// SPDX-License-Identifier: Apache-2.0
//
// Options -> settings. See settings.h.

#include "analyzer/cli/settings.h"

#include "analyzer/cli/explain_finding.h"
#include "analyzer/project/cores.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORKERS 1024
#define MAX_TIMEOUT 1000000 // seconds: 11 days

static char *read_format(struct jg_settings *s, const char *value)
{
    const char *equals = strchr(value, '=');
    char *name = equals ? jg_format("%.*s", (int)(equals - value), value) : jg_strdup(value);
    const struct jg_report_format *format = jg_format_find(name);
    char *error = NULL;
    if (!format)
        error = jg_format("no format is called '%s'; there are %s", name, jg_format_names());
    else if (equals && !equals[1])
        error = jg_format("--format %s= names no file", name);
    else if (s->output_count == JG_MAX_OUTPUTS)
        error = jg_format("more than %d outputs", JG_MAX_OUTPUTS);
    else
        s->outputs[s->output_count++] =
            (struct jg_settings_output){format, equals ? equals + 1 : NULL};
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

static char *read_level(enum jg_option option, const char *value, struct jg_settings *s)
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

static char *read_progress(struct jg_settings *s, const char *value)
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

char *jg_settings_read(struct jg_settings *s, const struct jg_options *o)
{
    bool only[JG_RULE_COUNT] = {false}, without[JG_RULE_COUNT] = {false}, any_only = false;
    char *error = NULL;
    memset(s, 0, sizeof *s);
    jg_filter_init(&s->filter);
    s->fail_on = JG_FAIL_WARNING;
    s->stats = jg_options_has(o, JG_OPT_STATS);
    s->explain_function = jg_options_last(o, JG_OPT_EXPLAIN_FUNCTION);
    s->explain_finding = jg_options_last(o, JG_OPT_EXPLAIN_FINDING);
    if (s->explain_function && s->explain_finding)
        error = jg_strdup("--explain-function and --explain-finding are two questions");
    else if (s->explain_finding)
        error = jg_fingerprint_check(s->explain_finding);
    s->cached = !jg_options_has(o, JG_OPT_NO_CACHE);
    s->run.timeout = JG_DEFAULT_TIMEOUT;
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
            error = read_number("-j", value, 1, MAX_WORKERS, &s->run.jobs);
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
    if (!s->run.jobs)
        s->run.jobs = jg_cores_usable();
    for (unsigned i = 0; i < JG_RULE_COUNT; i++)
        s->filter.rule[i] = (!any_only || only[i]) && !without[i];
    // Only what is shown can fail: asking for the code asks for the findings.
    if (!jg_options_has(o, JG_OPT_MIN_SEVERITY) &&
        (unsigned)s->fail_on < (unsigned)s->filter.min_severity)
        s->filter.min_severity = (enum jg_severity)s->fail_on;
    // ... and so does asking for a rule by its name.
    bool by_name = jg_options_has(o, JG_OPT_RULE) && !jg_options_has(o, JG_OPT_FAMILY);
    for (unsigned i = 0; i < JG_RULE_COUNT; i++)
        if (by_name && !jg_options_has(o, JG_OPT_MIN_SEVERITY) && s->filter.rule[i] &&
            jg_rule_info((enum jg_rule)i)->severity < s->filter.min_severity)
            s->filter.min_severity = jg_rule_info((enum jg_rule)i)->severity;
    unsigned to_stdout = 0;
    for (unsigned i = 0; i < s->output_count; i++)
        to_stdout += !s->outputs[i].path || strcmp(s->outputs[i].path, "-") == 0;
    if (!error && to_stdout > 1)
        error =
            jg_format("only one format can go to standard output; give the others --format F=PATH");
    if (s->output_count == 0)
        s->outputs[s->output_count++] = (struct jg_settings_output){jg_format_find("text"), NULL};
    return error;
}

void jg_settings_fini(struct jg_settings *s)
{
    JG_VEC_FREE(&s->added);
    JG_VEC_FREE(&s->removed);
}
