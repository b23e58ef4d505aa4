// SPDX-License-Identifier: Apache-2.0
//
// The sources and their small lexer. The lexer knows comments, strings, character constants, raw
// strings, directives and line continuation; everything else is words and single punctuators. That
// is enough to find comments and to compare statements by their text, in C and in C++, broken or
// not.

#include "analyzer/report/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ---- the files ----------------------------------------------------------------------------------

void jg_sources_fini(struct jg_sources *s)
{
    for (uint32_t i = 0; i < s->list.count; i++) {
        JG_VEC_FREE(&s->list.data[i]->lines);
        JG_VEC_FREE(&s->list.data[i]->tokens);
        free(s->list.data[i]);
    }
    JG_VEC_FREE(&s->list);
}

// Index of the first entry that is not less than `path`.
static uint32_t find(const struct jg_sources *s, const char *path)
{
    uint32_t low = 0, high = s->list.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(s->list.data[middle]->path, path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_at(const struct jg_sources *s, uint32_t index, const char *path)
{
    return index < s->list.count && strcmp(s->list.data[index]->path, path) == 0;
}

struct jg_source *jg_sources_get(struct jg_sources *s, const char *path)
{
    uint32_t at = find(s, path);
    return is_at(s, at, path) ? s->list.data[at] : &s->missing;
}

static struct jg_source *insert(struct jg_sources *s, uint32_t at, const char *path)
{
    (void)JG_VEC_PUSH(&s->list);
    memmove(s->list.data + at + 1, s->list.data + at,
            (s->list.count - 1 - at) * sizeof *s->list.data);
    struct jg_source *src = s->list.data[at] = jg_calloc(1, sizeof *src);
    src->path = path;
    return src;
}

struct jg_source *jg_sources_put(struct jg_sources *s, const char *path, const char *data,
                                 size_t size)
{
    uint32_t at = find(s, path);
    struct jg_source *src = is_at(s, at, path) ? s->list.data[at] : insert(s, at, path);
    if (src->data && src->size == size && memcmp(src->data, data, size) == 0)
        return src;
    src->data = data;
    src->size = (uint32_t)size;
    src->lexed = false;
    src->lines.count = src->tokens.count = 0;
    *JG_VEC_PUSH(&src->lines) = 0;
    for (uint32_t i = 0; i < src->size; i++)
        if (data[i] == '\n' && i + 1 < src->size)
            *JG_VEC_PUSH(&src->lines) = i + 1;
    return src;
}

const char *jg_source_line(const struct jg_source *src, uint32_t line, size_t *length)
{
    if (line == 0 || line > src->lines.count)
        return NULL;
    const char *start = src->data + src->lines.data[line - 1];
    const char *end = memchr(start, '\n', (size_t)(src->data + src->size - start));
    if (!end)
        end = src->data + src->size;
    if (end > start && end[-1] == '\r')
        end--;
    *length = (size_t)(end - start);
    return start;
}

uint32_t jg_source_line_of(const struct jg_source *src, uint32_t offset)
{
    uint32_t low = 0, high = src->lines.count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (src->lines.data[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low + 1;
}

// ---- lexer --------------------------------------------------------------------------------------

struct lexer {
    const char *text;
    uint32_t at, size;
};

static char peek(const struct lexer *l, uint32_t ahead)
{
    return l->at + ahead < l->size ? l->text[l->at + ahead] : '\0';
}

// Length of a line continuation here, else 0.
static uint32_t continuation(const struct lexer *l)
{
    if (peek(l, 0) != '\\')
        return 0;
    if (peek(l, 1) == '\n')
        return 2;
    return peek(l, 1) == '\r' && peek(l, 2) == '\n' ? 3 : 0;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static void skip_line_comment(struct lexer *l)
{
    while (l->at < l->size && peek(l, 0) != '\n') {
        uint32_t n = continuation(l);
        l->at += n ? n : 1;
    }
}

static void skip_block_comment(struct lexer *l)
{
    const char *end = memmem(l->text + l->at + 2, l->size - l->at - 2, "*/", 2);
    l->at = end ? (uint32_t)(end + 2 - l->text) : l->size;
}

// Up to the closing quote, or the end of the line where there is none.
static void skip_quoted(struct lexer *l, char quote)
{
    l->at++;
    while (l->at < l->size && peek(l, 0) != quote && peek(l, 0) != '\n') {
        uint32_t n = continuation(l);
        l->at += n ? n : peek(l, 0) == '\\' && peek(l, 1) ? 2 : 1;
    }
    if (peek(l, 0) == quote)
        l->at++;
    if (l->at > l->size)
        l->at = l->size;
}

// R"delimiter( ... )delimiter": `at` is on the quote. False when it is no raw string.
static bool skip_raw_string(struct lexer *l)
{
    uint32_t n = 1;
    while (n <= 17 && peek(l, n) && !strchr("( )\\\n", peek(l, n)))
        n++;
    if (peek(l, n) != '(')
        return false;
    char close[20] = ")";
    memcpy(close + 1, l->text + l->at + 1, n - 1);
    close[n] = '"';
    const char *end = memmem(l->text + l->at, l->size - l->at, close, n + 1);
    l->at = end ? (uint32_t)(end - l->text) + n + 1 : l->size;
    return true;
}

static void skip_token(struct lexer *l)
{
    char c = peek(l, 0);
    if (c == '"' || c == '\'') {
        skip_quoted(l, c);
        return;
    }
    if (!is_word(c)) {
        l->at++;
        return;
    }
    bool number = isdigit((unsigned char)c);
    uint32_t start = l->at;
    // 1'000'000 of C++14 is one number.
    while (is_word(peek(l, 0)) ||
           (number && peek(l, 0) == '\'' && isalnum((unsigned char)peek(l, 1))))
        l->at++;
    uint32_t n = l->at - start;
    if (peek(l, 0) == '"' && n <= 3 && l->text[l->at - 1] == 'R' && skip_raw_string(l))
        return;
    if ((peek(l, 0) == '"' || peek(l, 0) == '\'') && n <= 2 && strchr("LuU8", l->text[l->at - 1]))
        skip_quoted(l, peek(l, 0)); // a prefix: L"..."
}

void jg_source_lex(struct jg_source *src)
{
    if (src->lexed || !src->data)
        return;
    src->lexed = true;
    struct lexer l = {.text = src->data, .size = src->size};
    uint32_t line = 1, counted = 0;       // `line` is right for offset `counted`
    bool fresh = true, directive = false; // nothing but comments on this line so far
    while (l.at < l.size) {
        uint32_t n = continuation(&l);
        char c = peek(&l, 0);
        if (n || isspace((unsigned char)c)) {
            if (!n && c == '\n') {
                fresh = true;
                directive = false;
            }
            l.at += n ? n : 1;
            continue;
        }
        for (; counted < l.at; counted++)
            line += src->data[counted] == '\n';
        struct jg_token t = {.offset = l.at, .line = line};
        if (c == '/' && peek(&l, 1) == '/') {
            skip_line_comment(&l);
            t.comment = true;
        } else if (c == '/' && peek(&l, 1) == '*') {
            skip_block_comment(&l);
            t.comment = true;
        } else {
            directive = directive || (fresh && c == '#');
            fresh = false;
            skip_token(&l);
        }
        t.directive = directive;
        t.length = l.at - t.offset;
        *JG_VEC_PUSH(&src->tokens) = t;
    }
}
