// SPDX-License-Identifier: Apache-2.0
//
// From all findings of a run to what is shown, and the table of output formats.

#include "analyzer/report/report.h"
#include "analyzer/ir/replace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_END_LINES 20 // lines of one primary range on which a suppression counts

bool jg_unit_incomplete(const struct jg_unit_report *u)
{
    if (u->outcome >= JG_OUTCOME_FAILED || u->unchecked)
        return true;
    // Errors and not one function: nothing in the file could be made out.
    return u->outcome == JG_OUTCOME_DEGRADED &&
           (u->functions == 0 || (uint64_t)u->degraded_functions * 10 > u->functions);
}

void jg_report_init(struct jg_report *r, struct jg_findings *findings)
{
    memset(r, 0, sizeof *r);
    r->findings = findings;
    r->cwd = getcwd(NULL, 0);
}

void jg_report_fini(struct jg_report *r)
{
    for (uint32_t i = 0; i < r->units.count; i++) {
        JG_VEC_FREE(&r->units.data[i].errors);
        JG_VEC_FREE(&r->units.data[i].lost);
        JG_VEC_FREE(&r->units.data[i].files);
    }
    JG_VEC_FREE(&r->units);
    JG_VEC_FREE(&r->lost);
    JG_VEC_FREE(&r->config_errors);
    jg_sources_fini(&r->sources);
    free(r->cwd);
}

const char *jg_report_path(const struct jg_report *r, const char *path)
{
    size_t n = r->cwd ? strlen(r->cwd) : 0;
    if (n == 1 && path[0] == '/' && path[1])
        return path + 1; // the current folder is the root
    if (n > 1 && strncmp(path, r->cwd, n) == 0 && path[n] == '/' && path[n + 1])
        return path + n + 1;
    return path;
}

// ---- suppressions -------------------------------------------------------------------------------

static bool holds(const struct jg_suppression *s, const char *path, const struct jg_position *at)
{
    uint32_t end = at->end_line > at->line ? at->end_line : at->line;
    if (end - at->line > MAX_END_LINES)
        end = at->line + MAX_END_LINES;
    return at->line <= s->last && end >= s->first && strcmp(at->path, path) == 0;
}

// A suppression counts on the line of the finding, of the exit its path ends with, and of its
// notes.
static bool suppresses(const struct jg_suppression *s, const char *path, const struct jg_finding *f)
{
    if (f->rule != s->rule)
        return false;
    if (holds(s, path, &f->at))
        return true;
    if (f->step_count && holds(s, path, &f->steps[f->step_count - 1].at))
        return true;
    for (unsigned i = 0; i < f->note_count; i++)
        if (holds(s, path, &f->notes[i].at))
            return true;
    return false;
}

static void report_unused(struct jg_report *r, const struct jg_suppression *s, const char *path)
{
    const struct jg_rule_info *unused = jg_rule_info(JG_RULE_SUPPRESSION_UNUSED);
    struct jg_bump *a = &r->findings->arena;
    struct jg_finding *f = JG_VEC_PUSH(&r->findings->list);
    f->rule = JG_RULE_SUPPRESSION_UNUSED;
    f->severity = unused->severity;
    f->confidence = unused->confidence;
    f->at =
        (struct jg_position){jg_bump_strdup(a, path), s->line, s->column, s->line, s->end_column};
    f->function = "";
    f->message = jg_bump_format(a, "this suppression of '%s' matches nothing: delete it",
                                jg_rule_info(s->rule)->id);
    jg_report_fingerprint(&r->sources, f);
}

// `judge`: every unit that uses the file was analysed whole, so that a suppression without a
// finding is really unused.
static void suppress_in(struct jg_report *r, const char *path, bool judge)
{
    struct jg_source *src = jg_sources_get(&r->sources, path);
    struct jg_suppressions all = {0};
    jg_suppressions_read(&all, src);
    uint32_t findings = r->findings->list.count;
    for (uint32_t i = 0; i < all.list.count; i++) {
        struct jg_suppression *s = &all.list.data[i];
        for (uint32_t k = 0; k < findings; k++) {
            if (suppresses(s, path, &r->findings->list.data[k])) {
                struct jg_finding *f = &r->findings->list.data[k];
                f->suppressed = true;
                if (!f->directive.path)
                    f->directive = (struct jg_position){jg_bump_strdup(&r->findings->arena, path),
                                                        s->line, s->column, 0, 0};
                s->used = true;
            }
        }
        // What only the agent finds is the agent's to judge.
        if (!s->used && judge && jg_rule_info(s->rule)->analyzer)
            report_unused(r, s, path);
    }
    for (uint32_t i = 0; i < all.errors.count; i++) {
        struct jg_config_error *e = JG_VEC_PUSH(&r->config_errors);
        *e = all.errors.data[i];
        e->path = jg_bump_strdup(&r->findings->arena, e->path);
        e->text = jg_bump_strdup(&r->findings->arena, e->text);
    }
    jg_suppressions_fini(&all);
}

struct file_use {
    const char *path;
    bool judge;
};

static int compare_uses(const void *a, const void *b)
{
    return strcmp(((const struct file_use *)a)->path, ((const struct file_use *)b)->path);
}

// Where a function was not checked, its callers in any unit may lack findings.
static void suppress(struct jg_report *r)
{
    struct JG_VEC(struct file_use) uses = {0};
    bool whole = true;
    for (uint32_t i = 0; i < r->units.count; i++)
        whole = whole && !r->units.data[i].unchecked;
    for (uint32_t i = 0; i < r->units.count; i++) {
        const struct jg_unit_report *u = &r->units.data[i];
        for (uint32_t k = 0; k < u->files.count; k++)
            *JG_VEC_PUSH(&uses) =
                (struct file_use){u->files.data[k], whole && u->outcome == JG_OUTCOME_OK};
    }
    if (uses.count)
        qsort(uses.data, uses.count, sizeof *uses.data, compare_uses);
    for (uint32_t i = 0, next; i < uses.count; i = next) {
        bool judge = true;
        for (next = i; next < uses.count && strcmp(uses.data[next].path, uses.data[i].path) == 0;
             next++)
            judge = judge && uses.data[next].judge;
        suppress_in(r, uses.data[i].path, judge);
    }
    JG_VEC_FREE(&uses);
}

// ---- preparation --------------------------------------------------------------------------------

static int compare_units(const void *a, const void *b)
{
    return strcmp(((const struct jg_unit_report *)a)->path,
                  ((const struct jg_unit_report *)b)->path);
}

static bool fails(const struct jg_finding *f, enum jg_fail_on fail_on)
{
    return fail_on != JG_FAIL_NEVER && !f->suppressed && f->confidence >= JG_MEDIUM &&
           (unsigned)f->severity >= (unsigned)fail_on;
}

void jg_report_prepare(struct jg_report *r, const struct jg_filter *filter, enum jg_fail_on fail_on)
{
    struct jg_findings *all = r->findings;
    for (uint32_t i = 0; i < all->list.count; i++)
        jg_report_fingerprint(&r->sources, &all->list.data[i]);
    suppress(r);
    jg_findings_sort(all);

    uint32_t kept = 0;
    for (uint32_t i = 0; i < all->list.count; i++) {
        const struct jg_finding *f = &all->list.data[i];
        if (!jg_filter_shows(filter, f))
            continue;
        r->failing = r->failing || fails(f, fail_on);
        r->suppressed += f->suppressed;
        r->shown += !f->suppressed;
        all->list.data[kept++] = *f;
    }
    all->list.count = kept;

    if (r->units.count)
        qsort(r->units.data, r->units.count, sizeof *r->units.data, compare_units);
    for (uint32_t i = 0; i < r->units.count; i++) {
        r->outcomes[r->units.data[i].outcome]++;
        r->incomplete += jg_unit_incomplete(&r->units.data[i]);
        r->partial += r->units.data[i].outcome < JG_OUTCOME_FAILED && r->units.data[i].unchecked;
    }
}

uint32_t jg_report_lost(const struct jg_report *r)
{
    uint32_t lost = 0;
    for (unsigned i = JG_OUTCOME_FAILED; i < JG_OUTCOME_COUNT; i++)
        lost += r->outcomes[i];
    return lost;
}

int jg_report_exit_code(const struct jg_report *r)
{
    if (r->config_errors.count)
        return 2;
    if (r->failing)
        return 1;
    bool nothing = jg_report_lost(r) == r->units.count;
    return r->incomplete || r->some_missing || r->interrupted || nothing ? 3 : 0;
}

// ---- formats ------------------------------------------------------------------------------------

static const struct jg_report_format formats[] = {
    {"text", jg_write_text},
    {"json", jg_write_json},
};

const struct jg_report_format *jg_format_find(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(name, formats[i].name) == 0)
            return &formats[i];
    return NULL;
}

const char *jg_format_names(void)
{
    static char names[256];
    if (!names[0])
        for (size_t i = 0, n = 0; i < sizeof formats / sizeof *formats; i++)
            n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", i ? ", " : "",
                                  formats[i].name);
    return names;
}

bool jg_wants_colour(FILE *file)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return !(no && *no) && !(term && strcmp(term, "dumb") == 0) && isatty(fileno(file));
}

static char *write_error(const char *path, int error)
{
    return error == EPIPE ? jg_strdup("") : jg_format("%s: %s", path, strerror(error));
}

static char *write_stdout(struct jg_report *r, const struct jg_report_format *format)
{
    struct jg_output out = {stdout, jg_wants_colour(stdout)};
    errno = 0;
    format->write(r, &out);
    if (fflush(stdout) != 0 || ferror(stdout))
        return write_error("standard output", errno ? errno : EIO);
    return NULL;
}

char *jg_report_write(struct jg_report *r, const struct jg_report_format *format, const char *path)
{
    if (!path || strcmp(path, "-") == 0)
        return write_stdout(r, format);

    struct jg_replacement file;
    char *error = jg_replace_begin(&file, path);
    if (error)
        return error;
    format->write(r, &(struct jg_output){file.file, false});
    return jg_replace_end(&file);
}
