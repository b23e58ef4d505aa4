// SPDX-License-Identifier: Apache-2.0
//
// Suppressions in comments:
//   `jniguard-ignore: rule-id[, rule-id] -- reason`        this line, or the next one with code
//   `jniguard-ignore-begin: ids` / `jniguard-ignore-end`   the lines between
//   `jniguard-ignore-file: ids`                            the whole file
//
// A comment behind code holds for that code's line. One that stands alone holds for the next line
// of code; comments may stand between. An -end may repeat the ids; without any it ends all.
//
// A directive begins its comment, or follows another one on the next line of a block comment.
// Anything else is prose, which may mention directives as it likes.

#include "analyzer/report/report.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX JG_DIRECTIVE_PREFIX
#define MARKER PREFIX "ignore"
#define TYPOS 2 // edits from a directive that are taken for a slip

void jg_suppressions_fini(struct jg_suppressions *s)
{
    JG_VEC_FREE(&s->list);
    JG_VEC_FREE(&s->errors);
    jg_bump_fini(&s->arena);
}

// Where the reader is: one line of one comment.
struct place {
    struct jg_suppressions *out;
    const struct jg_source *src;
    uint32_t token;         // index of the comment
    const char *text, *end; // what is left of the line
    uint32_t first, last;   // lines a plain suppression here holds for
};

static uint32_t column_of(const struct place *p, const char *at)
{
    uint32_t offset = (uint32_t)(at - p->src->data);
    return offset - p->src->lines.data[jg_source_line_of(p->src, offset) - 1] + 1;
}

__attribute__((format(printf, 3, 4))) static void error_at(struct place *p, const char *at,
                                                           const char *fmt, ...)
{
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    struct jg_config_error *e = JG_VEC_PUSH(&p->out->errors);
    e->path = jg_bump_strdup(&p->out->arena, p->src->path);
    e->line = jg_source_line_of(p->src, (uint32_t)(at - p->src->data));
    e->column = column_of(p, at);
    e->text = jg_bump_strdup(&p->out->arena, text);
}

static void skip_space(struct place *p)
{
    while (p->text < p->end && isspace((unsigned char)*p->text))
        p->text++;
}

static bool is_id_char(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '*';
}

// The `--` before the reason; also right behind an id.
static bool at_reason(const struct place *p)
{
    return p->end - p->text >= 2 && p->text[0] == '-' && p->text[1] == '-';
}

// ---- scopes -------------------------------------------------------------------------------------

// Ends the open -begin of `rule` (JG_RULE_NONE: of all rules) at this line; false when none is
// open.
static bool close_begin(struct place *p, enum jg_rule rule, uint32_t line)
{
    bool found = false;
    for (uint32_t i = 0; i < p->out->list.count; i++) {
        struct jg_suppression *s = &p->out->list.data[i];
        if (s->scope == JG_SCOPE_BEGIN && s->last == UINT32_MAX &&
            (rule == JG_RULE_NONE || s->rule == rule)) {
            s->last = line;
            found = true;
        }
    }
    return found;
}

static void add(struct place *p, enum jg_scope scope, enum jg_rule rule, const char *id,
                const char *id_end)
{
    uint32_t line = jg_source_line_of(p->src, (uint32_t)(id - p->src->data));
    if (scope == JG_SCOPE_END) {
        if (!close_begin(p, rule, line))
            error_at(p, id, "%s-end without a %s-begin of '%s'", MARKER, MARKER,
                     jg_rule_info(rule)->id);
        return;
    }
    struct jg_suppression *s = JG_VEC_PUSH(&p->out->list);
    s->rule = rule;
    s->scope = scope;
    s->line = line;
    s->column = column_of(p, id);
    s->end_column = s->column + (uint32_t)(id_end - id);
    s->first = scope == JG_SCOPE_LINE ? p->first : scope == JG_SCOPE_BEGIN ? line : 1;
    s->last = scope == JG_SCOPE_LINE ? p->last : UINT32_MAX;
}

// ---- one comment --------------------------------------------------------------------------------

// "rule-id, rule-id -- reason"
static void read_ids(struct place *p, enum jg_scope scope, const char *marker)
{
    unsigned count = 0;
    for (;;) {
        skip_space(p);
        const char *id = p->text;
        while (p->text < p->end && is_id_char(*p->text) && !at_reason(p))
            p->text++;
        if (p->text == id)
            break;
        count++;
        char *name = jg_format("%.*s", (int)(p->text - id), id);
        enum jg_rule rule = jg_rule_find(name);
        const char *near = rule == JG_RULE_NONE ? jg_rule_nearest(name) : NULL;
        if (rule != JG_RULE_NONE)
            add(p, scope, rule, id, p->text);
        else if (near)
            error_at(p, id, "no rule is called '%s'; did you mean '%s'?", name, near);
        else
            error_at(p, id, "no rule is called '%s'; 'jniguard rules' lists them", name);
        free(name);
        skip_space(p);
        if (p->text == p->end || *p->text != ',')
            break;
        p->text++;
    }
    skip_space(p);
    if (count == 0)
        error_at(p, marker, "%s names no rule: %s: RULE -- why", MARKER, MARKER);
    else if (p->text < p->end && !at_reason(p) && strncmp(p->text, "*/", 2) != 0)
        error_at(p, p->text, "a comma, or ' -- ' and the reason, belongs here");
}

static const char *const directives[] = {
    [JG_SCOPE_LINE] = MARKER,
    [JG_SCOPE_BEGIN] = MARKER "-begin",
    [JG_SCOPE_END] = MARKER "-end",
    [JG_SCOPE_FILE] = MARKER "-file",
};
#define DIRECTIVES (sizeof directives / sizeof *directives)

// What follows the word of a directive.
static void read_directive(struct place *p, enum jg_scope scope, const char *marker)
{
    if (p->text < p->end && *p->text == ':') {
        p->text++;
        read_ids(p, scope, marker);
    } else if (scope == JG_SCOPE_END) {
        uint32_t line = jg_source_line_of(p->src, (uint32_t)(marker - p->src->data));
        if (!close_begin(p, JG_RULE_NONE, line))
            error_at(p, marker, "%s-end without a %s-begin", MARKER, MARKER);
    } else {
        error_at(p, marker, "%s names no rule: %s: RULE -- why", MARKER, directives[scope]);
    }
}

static bool begins_with(const struct place *p, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(p->end - p->text) >= n && strncmp(p->text, word, n) == 0;
}

// False when the line does not begin with a directive, nor with one misspelled.
static bool read_line(struct place *p)
{
    if (!begins_with(p, PREFIX))
        return false;
    bool sure = begins_with(p, MARKER);
    const char *marker = p->text;
    while (p->text < p->end && is_id_char(*p->text) && !(p->text > marker && at_reason(p)))
        p->text++;
    char *word = jg_format("%.*s", (int)(p->text - marker), marker);
    const char *near = jg_nearest_within(word, directives, DIRECTIVES, TYPOS);
    size_t scope = 0;
    while (scope < DIRECTIVES && strcmp(word, directives[scope]) != 0)
        scope++;
    if (scope < DIRECTIVES)
        read_directive(p, (enum jg_scope)scope, marker);
    else if (near)
        error_at(p, marker, "no directive is called '%s'; did you mean '%s'?", word, near);
    else if (sure)
        error_at(p, marker, "unknown form of %s; there are -begin, -end and -file", MARKER);
    free(word);
    return sure || near;
}

static uint32_t last_line(const struct jg_source *src, const struct jg_token *t)
{
    return jg_source_line_of(src, t->offset + (t->length ? t->length - 1 : 0));
}

// The lines for which a plain suppression in comment `index` holds.
static void set_lines(struct place *p)
{
    const struct jg_token *tokens = p->src->tokens.data;
    uint32_t count = p->src->tokens.count, i = p->token;
    uint32_t line = tokens[i].line, last = last_line(p->src, &tokens[i]);
    p->first = line;
    p->last = last;
    for (uint32_t k = i; k-- > 0 && last_line(p->src, &tokens[k]) >= line;)
        if (!tokens[k].comment)
            return; // behind code
    for (uint32_t k = i + 1; k < count; k++) {
        bool same_line = tokens[k].line == last;
        if (!same_line && tokens[k].line != last + 1)
            return; // a blank line ends it
        if (!tokens[k].comment) {
            p->last = tokens[k].line;
            return;
        }
        last = last_line(p->src, &tokens[k]);
        p->last = last;
    }
}

// Directives stand before anything else, behind the comment's own decoration, one a line.
static void read_comment(struct jg_suppressions *s, const struct jg_source *src, uint32_t index)
{
    const struct jg_token *t = &src->tokens.data[index];
    const char *at = src->data + t->offset, *end = at + t->length;
    struct place p = {.out = s, .src = src, .token = index};
    bool more = true;
    while (at < end && more) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        p.text = at;
        p.end = stop;
        if (stop == end && t->length >= 4 && src->data[t->offset + 1] == '*' &&
            strncmp(end - 2, "*/", 2) == 0)
            p.end = end - 2;
        while (p.text < p.end && (isspace((unsigned char)*p.text) || strchr("/*!<", *p.text)))
            p.text++;
        if (p.first == 0 && begins_with(&p, PREFIX))
            set_lines(&p);
        if (p.text < p.end) // a line of nothing but decoration is none
            more = read_line(&p);
        at = stop + 1;
    }
}

void jg_suppressions_read(struct jg_suppressions *s, struct jg_source *src)
{
    if (!src->data || !memmem(src->data, src->size, PREFIX, strlen(PREFIX)))
        return;
    jg_source_lex(src);
    uint32_t before = s->list.count;
    for (uint32_t i = 0; i < src->tokens.count; i++)
        if (src->tokens.data[i].comment)
            read_comment(s, src, i);
    for (uint32_t i = before; i < s->list.count; i++) {
        const struct jg_suppression *b = &s->list.data[i];
        if (b->scope == JG_SCOPE_BEGIN && b->last == UINT32_MAX) {
            struct place p = {.out = s, .src = src};
            error_at(&p, src->data + src->lines.data[b->line - 1] + b->column - 1,
                     "%s-begin of '%s' has no %s-end", MARKER, jg_rule_info(b->rule)->id, MARKER);
        }
    }
}
