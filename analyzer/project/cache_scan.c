// SPDX-License-Identifier: Apache-2.0
//
// The text of a file -> the names of the files it asks for, in any branch of its conditions:
// #include, #include_next, #import and __has_include. A name too many costs a needless parse one
// day; a name too few could hide a finding. So what is not understood makes the text opaque, and
// its units are not kept:
//   - __has_include of anything but a name as it stands; __has_embed, #embed;
//   - __DATE__, __TIME__, __TIMESTAMP__: they differ each time;
//   - '#' written as a digraph or trigraph, a name continued on the next line, a raw string without
//     end.
// An #include of a macro is `computed`: the unit's inputs then tell which name it was.

#include "analyzer/project/cache_internal.h"

#include <string.h>

struct scanner {
    struct jg_cache_files *files;
    struct jg_cache_scan *out;
    const char *begin, *at, *end;
    bool line_start; // nothing but white space since the last newline
    bool defines;    // the identifier before was one that names a macro without using it
};

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The character `n` further on; NUL at the end.
static char peek(const struct scanner *s, size_t n)
{
    return n < (size_t)(s->end - s->at) ? s->at[n] : '\0';
}

// The length of a backslash and its newline, or 0.
static size_t splice(const struct scanner *s)
{
    if (peek(s, 0) != '\\')
        return 0;
    if (peek(s, 1) == '\n')
        return 2;
    return peek(s, 1) == '\r' && peek(s, 2) == '\n' ? 3 : 0;
}

// ---- what carries no names ----------------------------------------------------------------------

static void skip_line(struct scanner *s)
{
    while (s->at < s->end && *s->at != '\n') {
        size_t n = splice(s);
        s->at += n ? n : 1;
    }
}

static void skip_block_comment(struct scanner *s)
{
    s->at += 2;
    const char *close = memmem(s->at, (size_t)(s->end - s->at), "*/", 2);
    s->at = close ? close + 2 : s->end;
}

// A quoted text ends at its quote or, in code that no compiler sees, with the line.
static void skip_quoted(struct scanner *s, char quote)
{
    s->at++;
    while (s->at < s->end && *s->at != quote && *s->at != '\n') {
        size_t n = splice(s);
        s->at += n ? n : *s->at == '\\' && peek(s, 1) != '\n' && peek(s, 1) ? 2 : 1;
    }
    if (s->at < s->end && *s->at == quote)
        s->at++;
}

// R"delimiter( ... )delimiter". False when it is not written like one.
static bool skip_raw(struct scanner *s)
{
    char close[20] = ")";
    size_t n = 0;
    while (n < 16 && peek(s, n + 1) && !strchr("()\\\" \t\r\n", peek(s, n + 1)))
        n++;
    if (peek(s, n + 1) != '(')
        return false;
    memcpy(close + 1, s->at + 1, n);
    close[n + 1] = '"';
    const char *end = memmem(s->at, (size_t)(s->end - s->at), close, n + 2);
    s->out->opaque |= !end;
    s->at = end ? end + n + 2 : s->end;
    return true;
}

// White space, comments and continued lines, up to the end of the line.
static void skip_space(struct scanner *s)
{
    for (size_t n; s->at < s->end;) {
        if (*s->at == ' ' || *s->at == '\t')
            s->at++;
        else if ((n = splice(s)) != 0)
            s->at += n;
        else if (*s->at == '/' && peek(s, 1) == '*')
            skip_block_comment(s);
        else
            break;
    }
}

// ---- names --------------------------------------------------------------------------------------

// <name> or "name"; false when there is something else, or no end on the line.
static bool take_name(struct scanner *s, bool probe)
{
    char open = peek(s, 0), close = open == '<' ? '>' : '"';
    if (open != '<' && open != '"')
        return false;
    const char *first = s->at + 1, *last = first;
    while (last < s->end && *last != close && *last != '\n')
        last++;
    if (last >= s->end || *last != close || last == first ||
        memchr(first, 0, (size_t)(last - first)))
        return false;
    struct jg_cache_asked *asked = JG_VEC_PUSH(&s->out->asked);
    asked->name = jg_cache_name(s->files, first, (size_t)(last - first));
    asked->quoted = open == '"';
    asked->probe = probe;
    s->at = last + 1;
    return true;
}

// Reads an identifier. Its length is 0 where none stands.
static size_t take_identifier(struct scanner *s, const char **first)
{
    *first = s->at;
    while (s->at < s->end && is_name_char(*s->at))
        s->at++;
    size_t length = (size_t)(s->at - *first), n = splice(s);
    if (length && n && is_name_char(peek(s, n)))
        s->out->opaque = true; // continued on the next line
    return length;
}

static bool is_one_of(const char *text, size_t length, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0)
            return true;
    return false;
}

#define IS_ONE_OF(text, length, ...)                                                               \
    is_one_of(text, length, (const char *const[]){__VA_ARGS__},                                    \
              sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static void directive(struct scanner *s)
{
    const char *word;
    s->at++;
    skip_space(s);
    size_t length = take_identifier(s, &word);
    if (IS_ONE_OF(word, length, "include", "include_next", "import", "__include_macros")) {
        skip_space(s);
        s->out->computed |= !take_name(s, false);
    } else if (IS_ONE_OF(word, length, "embed")) {
        s->out->opaque = true;
    }
    s->defines =
        IS_ONE_OF(word, length, "define", "undef", "ifdef", "ifndef", "elifdef", "elifndef");
}

static void probe(struct scanner *s)
{
    skip_space(s);
    if (peek(s, 0) == '(') {
        s->at++;
        skip_space(s);
        if (take_name(s, true))
            return;
    }
    s->out->opaque = true;
}

static void identifier(struct scanner *s)
{
    const char *word;
    size_t length = take_identifier(s, &word);
    bool defines = s->defines;
    s->defines = IS_ONE_OF(word, length, "defined");
    if (length > 1 && word[0] == '_' && word[1] == '_' && !defines) {
        if (IS_ONE_OF(word, length, "__has_include", "__has_include_next"))
            probe(s);
        else if (IS_ONE_OF(word, length, "__has_embed", "__DATE__", "__TIME__", "__TIMESTAMP__"))
            s->out->opaque = true;
    }
    if (peek(s, 0) == '"' && length && word[length - 1] == 'R' && skip_raw(s))
        return;
}

// ---- the whole text -----------------------------------------------------------------------------

static bool is_alternative_hash(const struct scanner *s)
{
    return (peek(s, 0) == '%' && peek(s, 1) == ':') ||
           (peek(s, 0) == '?' && peek(s, 1) == '?' && peek(s, 2) == '=');
}

// One piece that begins with something else than white space.
static void piece(struct scanner *s)
{
    char c = *s->at;
    if (s->line_start && c == '#') {
        directive(s);
    } else if (is_name_char(c)) {
        identifier(s);
    } else if (c == '"') {
        skip_quoted(s, c);
    } else if (c == '\'' && !(s->at > s->begin && s->at[-1] >= '0' && s->at[-1] <= '9')) {
        skip_quoted(s, c); // not between the digits of a number
    } else {
        s->out->opaque |= s->line_start && is_alternative_hash(s);
        s->defines &= c == '('; // "defined (X"
        s->at++;
    }
    s->line_start = false;
}

void jg_cache_scan(struct jg_cache_files *f, const char *text, size_t size,
                   struct jg_cache_scan *out)
{
    struct scanner s = {f, out, text, text, text + size, true, false};
    for (size_t n; s.at < s.end;) {
        char c = *s.at;
        if (c == '\n') {
            s.line_start = true;
            s.defines = false;
            s.at++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            s.at++;
        } else if ((n = splice(&s)) != 0) {
            s.at += n;
        } else if (c == '/' && peek(&s, 1) == '/') {
            skip_line(&s);
        } else if (c == '/' && peek(&s, 1) == '*') {
            skip_block_comment(&s);
        } else {
            piece(&s);
        }
    }
}
