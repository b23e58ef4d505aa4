// SPDX-License-Identifier: Apache-2.0
//
// Reporting: findings in; fingerprints, suppressions, filters; text, JSON out.
//
//   findings of all units -> fingerprint -> sort -> suppress -> filter -> one writer for each
//   output
//
// A format is one row of the table in report.c. One thread. Strings of a report live in its
// findings' arena, or belong to the caller, who keeps them as long as the report.

#ifndef JG_REPORT_REPORT_H
#define JG_REPORT_REPORT_H

#include "analyzer/checks/check.h"
#include "analyzer/checks/finding.h"
#include "analyzer/report/source.h"
#include "rules/common/nearest.h"
#include "rules/rule.h"

#include <stdbool.h>
#include <stdio.h>

// ---- units --------------------------------------------------------------------------------------

// From JG_OUTCOME_FAILED on the unit was not analysed.
enum jg_unit_outcome {
    JG_OUTCOME_OK,
    JG_OUTCOME_DEGRADED,
    JG_OUTCOME_FAILED,
    JG_OUTCOME_TIMEOUT,
    JG_OUTCOME_CANCELLED, // the user interrupted the run
};
#define JG_OUTCOME_COUNT 5

struct jg_unit_error {
    const char *path; // absolute; NULL: about the command line
    uint32_t line, column;
    const char *text;
};

// What a run knows about one unit besides its findings.
struct jg_unit_report {
    const char *path; // absolute
    bool guessed;     // its arguments are those of another file
    enum jg_unit_outcome outcome;
    uint32_t error_count; // in all; `errors` holds the first few
    struct JG_VEC(struct jg_unit_error) errors;
    uint32_t functions, degraded_functions;
    uint32_t unchecked;                // functions that were lost, or not reached
    struct JG_VEC(uint32_t) lost;      // of these the former; indices into jg_report.lost
    struct JG_VEC(const char *) files; // whose texts came with it, absolute
    const struct jg_unit *unit;        // NULL: it never became one
};

// A function that the analyzer was lost with.
enum jg_lost_how { JG_LOST_TO_CRASH, JG_LOST_TO_TIME, JG_LOST_TO_HUNGER };

struct jg_lost_function {
    const char *path; // absolute
    uint32_t line, column;
    const char *name;
    enum jg_lost_how how;
    const char *why;        // "signal 11 (Segmentation fault)", "not done after 120 s"
    uint32_t id, component; // in the program
};

// Degraded so much that the run is incomplete: more than one function in ten with a compile error,
// or one that was not checked.
bool jg_unit_incomplete(const struct jg_unit_report *u);

// ---- filter -------------------------------------------------------------------------------------

enum jg_fail_on { JG_FAIL_NOTE, JG_FAIL_WARNING, JG_FAIL_ERROR, JG_FAIL_NEVER };

struct jg_filter {
    bool rule[JG_RULE_COUNT];
    enum jg_severity min_severity;
    enum jg_confidence min_confidence;
};

// All rules, warnings and errors, medium and high confidence.
// "no rule is called 'x'; ...", with what may have been meant. Heap; the caller frees it.
char *jg_rule_unknown(const char *name);
void jg_filter_init(struct jg_filter *f);
bool jg_filter_shows(const struct jg_filter *f, const struct jg_finding *finding);

// Adds rule ids or families, separated by commas, to a set; an empty list adds nothing. NULL, or a
// heap string that says what is wrong.
char *jg_rules_parse(const char *list, bool set[JG_RULE_COUNT]);
char *jg_families_parse(const char *list, bool set[JG_RULE_COUNT]);

// ---- suppressions -------------------------------------------------------------------------------

enum jg_scope { JG_SCOPE_LINE, JG_SCOPE_BEGIN, JG_SCOPE_END, JG_SCOPE_FILE };

struct jg_suppression {
    enum jg_rule rule;
    enum jg_scope scope;
    uint32_t first, last;              // lines it holds for
    uint32_t line, column, end_column; // of the rule's id
    bool used;
};

struct jg_config_error {
    const char *path;
    uint32_t line, column;
    const char *text;
};

struct jg_suppressions {
    struct jg_bump arena;
    struct JG_VEC(struct jg_suppression) list;
    struct JG_VEC(struct jg_config_error) errors;
};

void jg_suppressions_fini(struct jg_suppressions *s);

// Adds the suppressions of one file.
void jg_suppressions_read(struct jg_suppressions *s, struct jg_source *src);

// ---- the report ---------------------------------------------------------------------------------

struct jg_report {
    struct jg_findings *findings;
    struct JG_VEC(struct jg_unit_report) units;  // sorted by path
    struct JG_VEC(struct jg_lost_function) lost; // in the order of the program
    struct JG_VEC(struct jg_config_error) config_errors;
    struct jg_check_stats stats;
    struct jg_sources sources;
    char *cwd;         // paths below it are shown relative
    bool some_missing; // something that was asked for does not exist: incomplete
    bool interrupted;  // by the user: incomplete

    // filled by jg_report_prepare
    uint32_t outcomes[JG_OUTCOME_COUNT];
    uint32_t incomplete; // units not analysed or too degraded
    uint32_t partial;    // of these such with functions that were not checked
    uint32_t shown, suppressed;
    bool failing; // a finding at or above --fail-on
};

void jg_report_init(struct jg_report *r, struct jg_findings *findings);
void jg_report_fini(struct jg_report *r);

// Fingerprints, sorts, suppresses, adds suppression-unused, drops what the filter does not show.
void jg_report_prepare(struct jg_report *r, const struct jg_filter *filter,
                       enum jg_fail_on fail_on);

// Units that were not analysed, for whatever reason.
uint32_t jg_report_lost(const struct jg_report *r);

// Exit code by what the report holds: 0, 1, 2 (a suppression names no rule) or 3.
int jg_report_exit_code(const struct jg_report *r);

// Relative to the current folder where it lies below it.
const char *jg_report_path(const struct jg_report *r, const char *path);

// Fills finding->fingerprint: XXH3, 128 bits, of rule, function and the tokens of the statement.
void jg_report_fingerprint(struct jg_sources *sources, struct jg_finding *finding);

// ---- writers ------------------------------------------------------------------------------------

struct jg_output {
    FILE *file;
    bool colour;
};

struct jg_report_format {
    const char *name;
    void (*write)(struct jg_report *r, const struct jg_output *out);
};

// One finding as text, with all its steps and notes.
void jg_write_finding(struct jg_report *r, const struct jg_output *out, const struct jg_finding *f);
void jg_write_text(struct jg_report *r, const struct jg_output *out);
void jg_write_json(struct jg_report *r, const struct jg_output *out);

const struct jg_report_format *jg_format_find(const char *name); // NULL: no such format
const char *jg_format_names(void);                               // "text, json"

// True when `file` is a terminal that wants colour (NO_COLOR, TERM).
bool jg_wants_colour(FILE *file);

// Writes one report. `path` NULL or "-": standard output; else the file is replaced at the end or
// not at all. Returns NULL, or a heap string that says what went wrong; a closed pipe is "" (say
// nothing).
char *jg_report_write(struct jg_report *r, const struct jg_report_format *format, const char *path);

// Prints text from outside so that no control character reaches the terminal: those, invalid UTF-8
// and characters that reorder text become \x1b, \u202e.
void jg_put_escaped(FILE *out, const char *text, size_t length);

#endif
