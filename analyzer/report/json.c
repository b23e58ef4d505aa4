// SPDX-License-Identifier: Apache-2.0
//
// Findings for programs: JSON Lines, one object a line, in the form of
// rules/schema/findings.schema.json. Units follow the findings, the summary comes last.

#include "analyzer/report/report.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *must(json_t *value)
{
    if (!value)
        jg_out_of_memory();
    return value;
}

// A string; bytes that are no UTF-8 become U+FFFD, since JSON has no place for them.
static json_t *text(const char *s)
{
    json_t *value = json_string(s);
    if (value)
        return value;
    size_t length = strlen(s), n = 0;
    char *clean = jg_malloc(3 * length + 1);
    for (size_t i = 0; i < length;) {
        // jansson tells what is valid: the longest valid character of 1 to 4 bytes.
        json_t *one = NULL;
        size_t take = 0;
        for (size_t k = 1; !one && k <= 4 && i + k <= length; k++) {
            one = json_stringn(s + i, k);
            take = k;
        }
        if (one) {
            memcpy(clean + n, s + i, take);
            n += take;
            i += take;
            json_decref(one);
        } else {
            memcpy(clean + n, "\xef\xbf\xbd", 3);
            n += 3;
            i++;
        }
    }
    value = must(json_stringn(clean, n));
    free(clean);
    return value;
}

static void set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, must(value)) != 0)
        jg_out_of_memory();
}

static void write_line(const struct jg_output *out, json_t *object)
{
    if (json_dumpf(object, out->file, JSON_COMPACT) == 0)
        fputc('\n', out->file);
    json_decref(object);
}

static json_t *steps(struct jg_report *r, const struct jg_step *list, unsigned count)
{
    json_t *array = must(json_array());
    for (unsigned i = 0; i < count; i++) {
        json_t *step = must(json_object());
        set(step, "path", text(jg_report_path(r, list[i].at.path)));
        set(step, "line", json_integer(list[i].at.line));
        set(step, "column", json_integer(list[i].at.column));
        set(step, "message", text(list[i].message));
        json_array_append_new(array, step);
    }
    return array;
}

static void write_finding(struct jg_report *r, const struct jg_output *out,
                          const struct jg_finding *f)
{
    bool ends = f->at.end_line != 0;
    json_t *object = must(json_object());
    set(object, "type", json_string("finding"));
    set(object, "rule", json_string(jg_rule_info(f->rule)->id));
    set(object, "severity", json_string(jg_severity_name(f->severity)));
    set(object, "confidence", json_string(jg_confidence_name(f->confidence)));
    set(object, "path", text(jg_report_path(r, f->at.path)));
    set(object, "line", json_integer(f->at.line));
    set(object, "column", json_integer(f->at.column));
    set(object, "endLine", json_integer(ends ? f->at.end_line : f->at.line));
    set(object, "endColumn", json_integer(ends ? f->at.end_column : f->at.column + 1));
    set(object, "function", text(f->function));
    set(object, "message", text(f->message));
    set(object, "fingerprint", text(f->fingerprint));
    set(object, "steps", steps(r, f->steps, f->step_count));
    set(object, "notes", steps(r, f->notes, f->note_count));
    set(object, "fix", json_array());
    set(object, "suppressed", json_boolean(f->suppressed));
    write_line(out, object);
}

static json_t *lost_functions(struct jg_report *r, const struct jg_unit_report *u)
{
    json_t *array = must(json_array());
    for (uint32_t i = 0; i < u->lost.count; i++) {
        const struct jg_lost_function *f = &r->lost.data[u->lost.data[i]];
        json_t *object = must(json_object());
        set(object, "function", text(f->name));
        set(object, "path", text(jg_report_path(r, f->path)));
        set(object, "line", json_integer(f->line));
        set(object, "column", json_integer(f->column));
        set(object, "reason", text(f->why));
        json_array_append_new(array, object);
    }
    return array;
}

static void write_unit(struct jg_report *r, const struct jg_output *out,
                       const struct jg_unit_report *u)
{
    // For programs a unit that was not reached is one that failed.
    static const char *const outcomes[] = {[JG_OUTCOME_OK] = "ok",
                                           [JG_OUTCOME_DEGRADED] = "degraded",
                                           [JG_OUTCOME_FAILED] = "failed",
                                           [JG_OUTCOME_TIMEOUT] = "timeout",
                                           [JG_OUTCOME_CANCELLED] = "failed"};
    json_t *object = must(json_object());
    set(object, "type", json_string("unit"));
    set(object, "path", text(jg_report_path(r, u->path)));
    set(object, "status", json_string(outcomes[u->outcome]));
    set(object, "errors", json_integer(u->error_count));
    if (u->guessed)
        set(object, "guessed", json_true());
    if (u->unchecked)
        set(object, "notChecked", json_integer(u->unchecked));
    if (u->lost.count)
        set(object, "lost", lost_functions(r, u));
    write_line(out, object);
}

void jg_write_json(struct jg_report *r, const struct jg_output *out)
{
    for (uint32_t i = 0; i < r->findings->list.count; i++)
        write_finding(r, out, &r->findings->list.data[i]);
    for (uint32_t i = 0; i < r->units.count; i++)
        write_unit(r, out, &r->units.data[i]);
    json_t *object = must(json_object());
    set(object, "type", json_string("summary"));
    set(object, "units", json_integer(r->units.count));
    set(object, "ok", json_integer(r->outcomes[JG_OUTCOME_OK]));
    set(object, "degraded", json_integer(r->outcomes[JG_OUTCOME_DEGRADED]));
    set(object, "failed", json_integer(jg_report_lost(r) - r->outcomes[JG_OUTCOME_TIMEOUT]));
    set(object, "timeout", json_integer(r->outcomes[JG_OUTCOME_TIMEOUT]));
    set(object, "functions", json_integer((json_int_t)r->stats.functions));
    set(object, "findings", json_integer(r->shown));
    set(object, "suppressed", json_integer(r->suppressed));
    set(object, "exitCode", json_integer(jg_report_exit_code(r)));
    write_line(out, object);
}
