// SPDX-License-Identifier: Apache-2.0
//
// `for (init; cond; inc)`: which of the three are there?
//
// libclang gives the parts that exist and does not say which they are. With three or none there is
// no question. With one or two the text decides, in one of two ways:
//
//   written in a file (or in an argument of a macro): the two semicolons of the header are found in
//   the file, and each part belongs where it starts;
//   written in the body of a macro, where no text exists: clang prints the whole function from its
//   tree, and the k-th `for (` of the print is the k-th ForStmt of the tree.
//
// Both were compared on real code and never differed. Neither is needed for most loops.

#include "analyzer/frontend/frontend_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ---- a header in a text ------------------------------------------------------------------------

struct header {
    const char *open, *first, *second, *close; // `(`, the two semicolons, `)`
};

static const char *skip_literal(const char *at, const char *end)
{
    char quote = *at++;
    while (at < end && *at != quote)
        at += *at == '\\' ? 2 : 1;
    return at;
}

// The last character of the comment, or `at` when there is none.
static const char *skip_comment(const char *at, const char *end)
{
    if (at + 1 >= end || *at != '/')
        return at;
    if (at[1] == '/') {
        while (at + 1 < end && at[1] != '\n')
            at++;
        return at;
    }
    if (at[1] != '*')
        return at;
    for (at += 3; at < end && !(at[-1] == '*' && at[0] == '/'); at++)
        ;
    return at;
}

// From the opening parenthesis on. False for what is no plain header: directives inside, or
// semicolons that come from a macro.
static bool read_header(const char *at, const char *end, struct header *h)
{
    int depth = 0;
    *h = (struct header){.open = at};
    for (; at < end; at++) {
        at = skip_comment(at, end);
        if (at >= end)
            return false;
        switch (*at) {
        case '"':
        case '\'':
            at = skip_literal(at, end);
            break;
        case '(':
        case '[':
        case '{':
            depth++;
            break;
        case ']':
        case '}':
            depth--;
            break;
        case ')':
            if (--depth == 0) {
                h->close = at;
                return h->second != NULL;
            }
            break;
        case ';':
            if (depth == 1 && h->second)
                return false;
            if (depth == 1)
                *(h->first ? &h->second : &h->first) = at;
            break;
        case '#':
            return false;
        default:
            break;
        }
    }
    return false;
}

// ---- written in a file -------------------------------------------------------------------------

static bool scan_file(struct fn *f, CXCursor loop, const CXCursor *parts, uint32_t count,
                      int *slots)
{
    CXSourceLocation at = clang_getCursorLocation(loop);
    CXFile file = NULL, spelled = NULL;
    unsigned offset = 0, spelled_offset = 0;
    size_t size = 0;
    clang_getFileLocation(at, &file, NULL, NULL, &offset);
    clang_getSpellingLocation(at, &spelled, NULL, NULL, &spelled_offset);
    if (!file || file != spelled || offset != spelled_offset)
        return false;
    const char *text = clang_getFileContents(f->t->clang, file, &size);
    if (!text || size < 4 || offset > size - 4 || memcmp(text + offset, "for", 3) != 0)
        return false;
    const char *end = text + size, *open = text + offset + 3;
    while (open < end && *open != '(') {
        const char *after = skip_comment(open, end);
        if (after == open && !isspace((unsigned char)*open) && *open != '\\')
            return false;
        open = after + 1;
    }
    struct header h;
    if (open >= end || !read_header(open, end, &h))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        CXFile in = NULL;
        unsigned start = 0;
        CXSourceLocation begin = clang_getRangeStart(clang_getCursorExtent(parts[i]));
        clang_getFileLocation(begin, &in, NULL, NULL, &start);
        const char *p = text + start;
        if (in != file || p <= h.open || p >= h.close)
            return false;
        slots[i] = p < h.first ? 0 : p < h.second ? 1 : 2;
        if (i && slots[i] <= slots[i - 1])
            return false;
    }
    return true;
}

// ---- written in a macro ------------------------------------------------------------------------

static enum CXChildVisitResult number_loops(CXCursor c, CXCursor parent, CXClientData data)
{
    struct fn *f = data;
    (void)parent;
    if (c.kind == CXCursor_ForStmt || c.kind == CXCursor_CXXForRangeStmt)
        *JG_VEC_PUSH(&f->for_order) = key_of(c.data[1]);
    return CXChildVisit_Recurse;
}

static void print_function(struct fn *f)
{
    CXPrintingPolicy policy = clang_getCursorPrintingPolicy(f->cursor);
    CXString s = clang_getCursorPrettyPrinted(f->cursor, policy);
    const char *text = clang_getCString(s);
    f->printed = jg_strdup(text ? text : "");
    clang_disposeString(s);
    clang_PrintingPolicy_dispose(policy);
    clang_visitChildren(f->body, number_loops, f);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// The k-th `for (` outside strings; k counts from 0.
static const char *find_loop(const char *text, uint32_t k)
{
    const char *end = text + strlen(text);
    for (const char *at = text; at < end; at++) {
        if (*at == '"' || *at == '\'') {
            at = skip_literal(at, end);
            continue;
        }
        if (strncmp(at, "for (", 5) == 0 && (at == text || !is_word(at[-1])) && k-- == 0)
            return at + 4;
    }
    return NULL;
}

static bool is_blank(const char *from, const char *to)
{
    while (from < to && isspace((unsigned char)*from))
        from++;
    return from >= to;
}

static bool scan_print(struct fn *f, CXCursor loop, uint32_t count, int *slots)
{
    if (!f->printed)
        print_function(f);
    uint32_t k = 0;
    while (k < f->for_order.count && f->for_order.data[k] != key_of(loop.data[1]))
        k++;
    const char *open = k < f->for_order.count ? find_loop(f->printed, k) : NULL;
    struct header h;
    if (!open || !read_header(open, f->printed + strlen(f->printed), &h))
        return false;
    bool there[3] = {!is_blank(h.open + 1, h.first), !is_blank(h.first + 1, h.second),
                     !is_blank(h.second + 1, h.close)};
    uint32_t found = 0;
    for (int slot = 0; slot < 3; slot++)
        if (there[slot]) {
            if (found == count)
                return false;
            slots[found++] = slot;
        }
    return found == count;
}

// ---- the answer --------------------------------------------------------------------------------

// The parts between the parentheses, C++ condition variable aside.
static void place_parts(struct fn *f, CXCursor loop, const CXCursor *parts, uint32_t count,
                        struct for_parts *p)
{
    int slots[3] = {0, 1, 2};
    if (count > 0 && count < 3 && !scan_file(f, loop, parts, count, slots) &&
        !scan_print(f, loop, count, slots)) {
        // No text at all: a declaration is the init part, the rest is taken in order from the end.
        for (uint32_t i = 0; i < count; i++)
            slots[i] = parts[0].kind == CXCursor_DeclStmt ? (int)i : (int)(3 - count + i);
        count_unmodelled(f->t, "ForStmt");
        f->flags |= JG_FN_UNMODELLED;
    }
    CXCursor *const part[] = {&p->init, &p->cond, &p->inc};
    for (uint32_t i = 0; i < count && i < 3; i++)
        *part[slots[i]] = parts[i];
}

struct for_parts for_parts(struct fn *f, CXCursor loop)
{
    CXCursor none = clang_getNullCursor();
    struct for_parts p = {none, none, none, none, none};
    struct kids k = kids_of(f->t, loop);
    CXCursor parts[3];
    uint32_t count = 0;
    if (!k.count)
        return p;
    p.body = k.at[k.count - 1];
    for (uint32_t i = 0; i + 1 < k.count; i++) {
        if (k.at[i].kind == CXCursor_VarDecl)
            p.var = k.at[i];
        else if (count < 3)
            parts[count++] = k.at[i];
    }
    place_parts(f, loop, parts, count, &p);
    return p;
}
