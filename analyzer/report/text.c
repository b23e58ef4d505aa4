// SPDX-License-Identifier: Apache-2.0
//
// Findings for people and for editors: the classic compiler form, with the line and a caret, then
// the path as notes. Nothing from outside reaches the terminal as a control character.

#include "analyzer/report/report.h"

#include <string.h>

#define WINDOW 160 // columns of a long line that are shown

// ---- characters ---------------------------------------------------------------------------------

// Decodes one character of UTF-8; its length, or 0 when it is invalid. Source: RFC 3629.
static size_t decode(const char *text, size_t length, uint32_t *code)
{
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80) {
        *code = s[0];
        return 1;
    }
    size_t n = s[0] >= 0xf0 && s[0] <= 0xf4  ? 4
               : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
               : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                                             : 0;
    if (n == 0 || n > length)
        return 0;
    uint32_t c = s[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (s[i] & 0x3fu);
    }
    if ((n == 3 && (c < 0x800 || (c >= 0xd800 && c < 0xe000))) ||
        (n == 4 && (c < 0x10000 || c > 0x10ffff)))
        return 0;
    *code = c;
    return n;
}

// Control characters, and those that reorder or hide text.
static bool is_dangerous(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x2069) || c == 0xfeff;
}

// Columns on a terminal: 0 for combining marks, 2 for the wide scripts. Source: UAX #11, in
// outline.
static unsigned width_of(uint32_t c)
{
    static const struct {
        uint32_t first, last;
        unsigned width;
    } ranges[] = {{0x300, 0x36f, 0},   {0x1100, 0x115f, 2},   {0x20d0, 0x20ff, 0},
                  {0x2e80, 0xa4cf, 2}, {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},
                  {0xfe00, 0xfe0f, 0}, {0xfe30, 0xfe6f, 2},   {0xff00, 0xff60, 2},
                  {0xffe0, 0xffe6, 2}, {0x1f300, 0x1faff, 2}, {0x20000, 0x3fffd, 2}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return ranges[i].width;
    return 1;
}

// One character as it is shown. Returns the bytes it takes in the text; text, shown: its columns.
static size_t show(const char *text, size_t length, char shown[16], unsigned *columns)
{
    uint32_t code;
    size_t n = decode(text, length, &code);
    if (n == 0) {
        n = 1;
        *columns = (unsigned)snprintf(shown, 16, "\\x%02x", (unsigned char)text[0]);
    } else if (code < 0x80 && is_dangerous(code)) {
        *columns = (unsigned)snprintf(shown, 16, "\\x%02x", (unsigned)code);
    } else if (is_dangerous(code)) {
        *columns = (unsigned)snprintf(shown, 16, "\\u%04x", (unsigned)code);
    } else {
        memcpy(shown, text, n);
        shown[n] = '\0';
        *columns = width_of(code);
    }
    return n;
}

void jg_put_escaped(FILE *out, const char *text, size_t length)
{
    char shown[16];
    unsigned columns;
    for (size_t i = 0; i < length;) {
        i += show(text + i, length - i, shown, &columns);
        fputs(shown, out);
    }
}

static void put(const struct jg_output *out, const char *text)
{
    jg_put_escaped(out->file, text, strlen(text));
}

static void colour(const struct jg_output *out, const char *code)
{
    if (out->colour)
        fprintf(out->file, "\033[%sm", code);
}

// ---- snippets -----------------------------------------------------------------------------------

static void put_spaces(FILE *out, unsigned n)
{
    fprintf(out, "%*s", (int)n, "");
}

// Bytes [from, to) of the line: its text, or as much blank space (`under`), tabs kept.
static void put_line(FILE *out, const char *line, size_t from, size_t to, bool under)
{
    char shown[16];
    unsigned columns;
    for (size_t i = from; i < to;) {
        if (line[i] == '\t') {
            fputc('\t', out);
            i++;
            continue;
        }
        i += show(line + i, to - i, shown, &columns);
        if (under)
            put_spaces(out, columns);
        else
            fputs(shown, out);
    }
}

static void put_underline(FILE *out, const char *line, size_t from, size_t to)
{
    char shown[16];
    unsigned columns, total = 0;
    for (size_t i = from; i < to; total += columns)
        if (line[i] == '\t')
            columns = 1, i++;
        else
            i += show(line + i, to - i, shown, &columns);
    fputc('^', out);
    for (unsigned i = 1; i < total; i++)
        fputc('~', out);
}

// Moves to the start of a character.
static size_t align(const char *line, size_t at)
{
    while (at > 0 && ((unsigned char)line[at] & 0xc0) == 0x80)
        at--;
    return at;
}

static void write_snippet(struct jg_report *r, const struct jg_output *out,
                          const struct jg_position *at)
{
    size_t length;
    const char *line = jg_source_line(jg_sources_get(&r->sources, at->path), at->line, &length);
    if (!line || at->column == 0 || at->column - 1 > length)
        return;
    size_t caret = align(line, at->column - 1);
    size_t end = at->end_line == at->line && at->end_column > at->column ? at->end_column - 1
                 : at->end_line > at->line                               ? length
                                                                         : caret + 1;
    size_t from = 0, to = length;
    if (length > WINDOW) {
        from = caret > WINDOW / 2 ? align(line, caret - WINDOW / 2) : 0;
        to = from + WINDOW < length ? align(line, from + WINDOW) : length;
    }
    end = end < to ? end : to;

    fprintf(out->file, "%5u | %s", at->line, from ? "..." : "");
    put_line(out->file, line, from, to, false);
    fprintf(out->file, "%s\n      | %s", to < length ? "..." : "", from ? "   " : "");
    put_line(out->file, line, from, caret, true);
    colour(out, "1;32");
    put_underline(out->file, line, caret, end);
    colour(out, "0");
    fputc('\n', out->file);
}

// ---- findings -----------------------------------------------------------------------------------

static void write_head(struct jg_report *r, const struct jg_output *out,
                       const struct jg_position *at, const char *kind, const char *kind_colour)
{
    colour(out, "1");
    put(out, jg_report_path(r, at->path));
    fprintf(out->file, ":%u:%u: ", at->line, at->column);
    colour(out, "0");
    colour(out, kind_colour);
    fprintf(out->file, "%s: ", kind);
    colour(out, "0");
}

static void write_note(struct jg_report *r, const struct jg_output *out, const struct jg_step *step)
{
    write_head(r, out, &step->at, "note", "1;36");
    put(out, step->message);
    fputc('\n', out->file);
}

void jg_write_finding(struct jg_report *r, const struct jg_output *out, const struct jg_finding *f)
{
    static const char *const colours[] = {"1;36", "1;35", "1;31"}; // note, warning, error
    write_head(r, out, &f->at, jg_severity_name(f->severity), colours[f->severity]);
    colour(out, "1");
    put(out, f->message);
    colour(out, "0");
    fprintf(out->file, " [%s]\n", jg_rule_info(f->rule)->id);
    write_snippet(r, out, &f->at);
    for (unsigned i = 0; i < f->step_count; i++)
        write_note(r, out, &f->steps[i]);
    for (unsigned i = 0; i < f->note_count; i++)
        write_note(r, out, &f->notes[i]);
}

void jg_write_text(struct jg_report *r, const struct jg_output *out)
{
    for (uint32_t i = 0; i < r->findings->list.count; i++)
        if (!r->findings->list.data[i].suppressed)
            jg_write_finding(r, out, &r->findings->list.data[i]);
}
