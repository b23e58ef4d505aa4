// SPDX-License-Identifier: Apache-2.0
//
// A finding in full: its text with all steps, why it is as sure as it is, what suppresses it, and
// what is believed of the functions that its lines call. See explain_finding.h.

#include "analyzer/cli/explain_finding.h"

#include "analyzer/cli/cli.h"
#include "analyzer/engine/explain.h"

#include <string.h>

#define DIGITS 32 // of a whole fingerprint

char *jg_fingerprint_check(const char *text)
{
    size_t n = strlen(text);
    if (n >= JG_MIN_FINGERPRINT && n <= DIGITS && strspn(text, "0123456789abcdef") == n)
        return NULL;
    return jg_format("--explain-finding takes a fingerprint, or at least its first %d digits (0-9, "
                     "a-f), not '%s'",
                     JG_MIN_FINGERPRINT, text);
}

void jg_put_path(const void *context, const char *path, FILE *out)
{
    const char *shown = jg_report_path(context, path);
    jg_put_escaped(out, shown, strlen(shown));
}

static void put_confidence(const struct jg_finding *f)
{
    enum jg_confidence own = jg_rule_info(f->rule)->confidence;
    printf("severity: %s\nconfidence: %s", jg_severity_name(f->severity),
           jg_confidence_name(f->confidence));
    if (f->doubt_count)
        printf("; %s for the rule, lowered because:", jg_confidence_name(own));
    putchar('\n');
    for (unsigned i = 0; i < f->doubt_count; i++)
        printf("  %s\n", f->doubts[i]);
}

static void put_suppression(const struct jg_report *r, const struct jg_finding *f)
{
    fputs("suppressed: ", stdout);
    if (!f->suppressed) {
        puts("no");
        return;
    }
    fputs("by the directive at ", stdout);
    jg_put_path(r, f->directive.path, stdout);
    printf(":%u:%u\n", f->directive.line, f->directive.column);
}

static void put_summaries(const struct jg_report *r, const struct jg_program *program,
                          const struct jg_finding *f)
{
    struct jg_code_line lines[1 + JG_MAX_STEPS] = {{f->at.path, f->at.line}};
    for (unsigned i = 0; i < f->step_count; i++)
        lines[1 + i] = (struct jg_code_line){f->steps[i].at.path, f->steps[i].at.line};
    jg_explain_calls(program, lines, 1 + f->step_count, jg_put_path, r, stdout);
}

static void put_finding(struct jg_report *r, const struct jg_program *program,
                        const struct jg_finding *f)
{
    jg_write_finding(r, &(struct jg_output){stdout, jg_wants_colour(stdout)}, f);
    printf("fingerprint: %s\n", f->fingerprint);
    put_confidence(f);
    put_suppression(r, f);
    printf("rule: jniguard explain %s\n", jg_rule_info(f->rule)->id);
    put_summaries(r, program, f);
}

// Do all findings that fit have the same fingerprint? Tells what is wrong otherwise.
static bool is_one(const struct jg_findings *all, const char *prefix)
{
    const char *first = NULL, *other = NULL;
    for (uint32_t i = 0; i < all->list.count; i++) {
        const char *fingerprint = all->list.data[i].fingerprint;
        if (strncmp(fingerprint, prefix, strlen(prefix)) != 0)
            continue;
        if (!first)
            first = fingerprint;
        else if (strcmp(first, fingerprint) != 0)
            other = fingerprint;
    }
    if (!first)
        jg_error("no finding has the fingerprint '%s'; those of all findings are in --format json "
                 "--min-severity note --min-confidence low",
                 prefix);
    else if (other)
        jg_error("several fingerprints begin with '%s', such as %s and %s: give more digits",
                 prefix, first, other);
    return first && !other;
}

unsigned jg_explain_finding(struct jg_run *run, const struct jg_program *program,
                            const struct jg_link_options *options, const char *prefix)
{
    struct jg_report *r = &run->report;
    struct jg_filter everything;
    jg_filter_init(&everything);
    everything.min_severity = JG_NOTE;
    everything.min_confidence = JG_LOW;
    jg_link_checked(run, program, options);
    jg_report_prepare(r, &everything, JG_FAIL_NEVER);
    jg_supervised_write(options->supervised);
    unsigned found = 0;
    if (!is_one(r->findings, prefix))
        return 0;
    for (uint32_t i = 0; i < r->findings->list.count; i++) {
        const struct jg_finding *f = &r->findings->list.data[i];
        if (strncmp(f->fingerprint, prefix, strlen(prefix)) != 0)
            continue;
        if (found++)
            putchar('\n');
        put_finding(r, program, f);
    }
    return found;
}
