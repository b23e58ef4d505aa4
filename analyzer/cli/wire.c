// SPDX-License-Identifier: Apache-2.0
//
// A unit's result as bytes. Both ends are the same program, so numbers are in the machine's order;
// the reader trusts nothing else: lengths, counts and enumerators are checked, since the writer may
// have been about to crash.
//
// Writer and reader are one description: every `w_*` below writes or reads, by `w->reading`, so
// that the two cannot drift apart.

#include "analyzer/cli/unit_run.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC 0x4a475231u // "JGR1"

struct wire {
    struct jg_bytes *out;  // writing
    const char *at, *end;  // reading
    struct jg_bump *arena; // reading: where strings go
    const char *last;      // the string read last; paths repeat
    bool reading, bad;
};

static void w_bytes(struct wire *w, void *data, size_t size)
{
    if (!w->reading) {
        jg_bytes_add(w->out, data, size);
    } else if (w->bad || (size_t)(w->end - w->at) < size) {
        w->bad = true;
        memset(data, 0, size);
    } else {
        memcpy(data, w->at, size);
        w->at += size;
    }
}

static void w_u32(struct wire *w, uint32_t *value)
{
    w_bytes(w, value, sizeof *value);
}

// A number below `limit`.
static uint32_t w_enum(struct wire *w, uint32_t value, uint32_t limit)
{
    w_u32(w, &value);
    if (value >= limit) {
        w->bad = true;
        value = 0;
    }
    return value;
}

// A count of things that take at least `size` bytes each.
static uint32_t w_count(struct wire *w, uint32_t count, size_t size)
{
    w_u32(w, &count);
    if (w->reading && count > (size_t)(w->end - w->at) / size) {
        w->bad = true;
        count = 0;
    }
    return count;
}

static void w_string(struct wire *w, const char **string)
{
    uint32_t length = w->reading ? 0 : *string ? (uint32_t)strlen(*string) : UINT32_MAX;
    w_u32(w, &length);
    if (!w->reading) {
        if (*string)
            w_bytes(w, (void *)(uintptr_t)*string, length);
        return;
    }
    *string = NULL;
    if (length == UINT32_MAX)
        return;
    if (w->bad || length > (size_t)(w->end - w->at) || memchr(w->at, '\0', length)) {
        w->bad = true;
        *string = "";
        return;
    }
    if (!w->last || strncmp(w->last, w->at, length) != 0 || w->last[length]) {
        char *copy = jg_bump_alloc(w->arena, length + 1);
        memcpy(copy, w->at, length);
        w->last = copy;
    }
    *string = w->last;
    w->at += length;
}

// A string that must be there.
static void w_text(struct wire *w, const char **string)
{
    w_string(w, string);
    if (!*string) {
        w->bad = true;
        *string = "";
    }
}

// ---- the parts of a result ----------------------------------------------------------------------

static void w_position(struct wire *w, struct jg_position *p)
{
    w_text(w, &p->path);
    w_u32(w, &p->line);
    w_u32(w, &p->column);
    w_u32(w, &p->end_line);
    w_u32(w, &p->end_column);
}

static unsigned w_steps(struct wire *w, struct jg_step *steps, unsigned count, unsigned limit)
{
    count = w_enum(w, count, limit + 1);
    for (unsigned i = 0; i < count; i++) {
        w_position(w, &steps[i].at);
        w_text(w, &steps[i].message);
    }
    return count;
}

static void w_finding(struct wire *w, struct jg_finding *f)
{
    f->rule = (enum jg_rule)w_enum(w, f->rule, JG_RULE_COUNT);
    f->severity = (enum jg_severity)w_enum(w, f->severity, JG_ERROR + 1);
    f->confidence = (enum jg_confidence)w_enum(w, f->confidence, JG_HIGH + 1);
    w_position(w, &f->at);
    w_text(w, &f->function);
    w_text(w, &f->message);
    f->step_count = w_steps(w, f->steps, f->step_count, JG_MAX_STEPS);
    f->note_count = w_steps(w, f->notes, f->note_count, JG_MAX_NOTES);
}

// Grows a vector to `count` when reading; `element` names the i-th.
#define W_VEC(w, v, element, size, body)                                                           \
    do {                                                                                           \
        uint32_t w_n = w_count(w, (v)->count, size);                                               \
        for (uint32_t w_i = 0; w_i < w_n && !(w)->bad; w_i++) {                                    \
            if ((w)->reading)                                                                      \
                (void)JG_VEC_PUSH(v);                                                              \
            element = &(v)->data[w_i];                                                             \
            body;                                                                                  \
        }                                                                                          \
    } while (0)

static void w_error(struct wire *w, struct jg_unit_error *e)
{
    w_string(w, &e->path);
    w_u32(w, &e->line);
    w_u32(w, &e->column);
    w_text(w, &e->text);
}

static void w_unmodelled(struct wire *w, struct jg_unmodelled_count *u)
{
    w_text(w, &u->construct);
    w_bytes(w, &u->count, sizeof u->count);
}

static void w_result(struct wire *w, struct jg_unit_result *r)
{
    struct jg_unit_report *u = &r->report;
    if (w_enum(w, MAGIC, UINT32_MAX) != MAGIC)
        w->bad = true;
    w_string(w, &r->fatal);
    w_string(w, &u->path);
    u->outcome = (enum jg_unit_outcome)w_enum(w, u->outcome, JG_OUTCOME_COUNT);
    w_u32(w, &u->error_count);
    w_u32(w, &u->functions);
    w_u32(w, &u->degraded_functions);
    w_bytes(w, &r->stats, sizeof r->stats);
    struct jg_unit_error *error;
    W_VEC(w, &u->errors, error, 4, w_error(w, error));
    const char **file;
    W_VEC(w, &u->files, file, 4, w_text(w, file));
    struct jg_unmodelled_count *unmodelled;
    W_VEC(w, &r->unmodelled, unmodelled, 4, w_unmodelled(w, unmodelled));
    struct jg_finding *finding;
    W_VEC(w, &r->findings.list, finding, 4, w_finding(w, finding));
    if (w_enum(w, MAGIC, UINT32_MAX) != MAGIC)
        w->bad = true;
}

void jg_wire_write(struct jg_bytes *b, const struct jg_unit_result *r)
{
    struct wire w = {.out = b};
    w_result(&w, (struct jg_unit_result *)(uintptr_t)r); // a writer changes nothing
}

bool jg_wire_read(const struct jg_bytes *b, struct jg_unit_result *out)
{
    struct wire w = {
        .at = b->data, .end = b->data + b->count, .arena = &out->findings.arena, .reading = true};
    if (!b->count)
        return false;
    w_result(&w, out);
    return !w.bad && w.at == w.end;
}
