// SPDX-License-Identifier: Apache-2.0
//
// What the options of `check` and its kin ask for.

#ifndef JG_CLI_SETTINGS_H
#define JG_CLI_SETTINGS_H

#include "analyzer/cli/cli.h"
#include "analyzer/cli/run.h"
#include "analyzer/report/report.h"

#define JG_MAX_OUTPUTS 16

struct jg_settings_output {
    const struct jg_report_format *format;
    const char *path; // NULL: standard output
};

struct jg_settings {
    struct jg_filter filter;
    enum jg_fail_on fail_on;
    struct jg_run_options run;
    struct jg_settings_output outputs[JG_MAX_OUTPUTS];
    unsigned output_count;
    struct JG_VEC(const char *) added, removed; // compiler arguments
    bool some_missing;                          // an argument names nothing
    bool stats, cached;
    const char *explain_function; // to explain instead of checking; NULL
    const char *explain_finding;  // likewise: a fingerprint, or its first digits; NULL
};

// NULL, or a heap string that says what is wrong. Finish it in any case; it points into the
// options.
char *jg_settings_read(struct jg_settings *s, const struct jg_options *o);
void jg_settings_fini(struct jg_settings *s);

#endif
