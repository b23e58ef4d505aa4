// SPDX-License-Identifier: Apache-2.0
//
// Clang positions -> the source map of the unit.
//
// The primary position is clang's *file location*: the line the user wrote, exact inside arguments
// of a macro. It differs from the *spelling location* exactly when the code lies in a macro's body;
// then the body's position and the macro's name are kept too. The name is read from the text at the
// primary position, for without a preprocessing record libclang does not tell it. `#line` is
// ignored.
//
// Positions are interned: asking twice costs a look-up in a hash map.

#include "analyzer/frontend/frontend_internal.h"
#include "analyzer/ir/path.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct position {
    CXFile file;
    unsigned line, column, offset;
};

// `./a//b` and the like, as seen from the folder of the command.
jg_str absolute_path(struct tu *t, const char *name)
{
    while (name[0] == '.' && name[1] == '/')
        name += name[2] == '/' ? 3 : 2;
    if (name[0] == '/' || !t->directory || !*t->directory)
        return intern(t, name, strlen(name));
    char *path = jg_format("%s%s%s", t->directory,
                           t->directory[strlen(t->directory) - 1] == '/' ? "" : "/", name);
    jg_str s = intern(t, path, strlen(path));
    free(path);
    return s;
}

// A `#pragma GCC system_header` acts from its line on, so the end of the file is asked.
bool is_system_file(struct tu *t, CXFile file)
{
    size_t size = 0;
    if (!clang_getFileContents(t->clang, file, &size) || size == 0)
        return false;
    CXSourceLocation end = clang_getLocationForOffset(t->clang, file, (unsigned)(size - 1));
    return clang_Location_isInSystemHeader(end) != 0;
}

jg_str path_of(struct tu *t, CXFile file)
{
    CXString name = clang_getFileName(file);
    const char *text = clang_getCString(name);
    jg_str path = absolute_path(t, text ? text : "");
    clang_disposeString(name);
    return path;
}

// One header has as many names as there are ways to it, "/p/a/../inc/h.h": the plain one.
static jg_str plain_path_of(struct tu *t, CXFile file)
{
    jg_str spelled = path_of(t, file);
    const char *plain = jg_path_plain(&t->arena, "/", jg_unit_str(t->u, spelled));
    return strcmp(plain, jg_unit_str(t->u, spelled)) == 0 ? spelled
                                                          : intern(t, plain, strlen(plain));
}

uint32_t file_of(struct tu *t, CXFile file)
{
    uint32_t known = map_get(&t->files, key_of(file));
    if (known != JG_NONE)
        return known;
    jg_str path = plain_path_of(t, file);

    uint32_t index = 0;
    while (index < t->u->files.count && t->u->files.data[index].path != path)
        index++;
    bool is_main = t->u->files.count > 0 && clang_File_isEqual(file, t->file_info.data[0].handle);
    if (is_main)
        index = 0;
    if (index == t->u->files.count) {
        struct jg_file *f = JG_VEC_PUSH(&t->u->files);
        f->path = path;
        f->system = is_system_file(t, file);
        *JG_VEC_PUSH(&t->file_info) = (struct file_info){file, index == 0};
    }
    map_put(&t->files, key_of(file), index);
    return index;
}

static struct position file_position(CXSourceLocation at)
{
    struct position p = {0};
    clang_getFileLocation(at, &p.file, &p.line, &p.column, &p.offset);
    return p;
}

bool in_main_file(struct tu *t, CXSourceLocation at)
{
    CXFile file = NULL;
    clang_getExpansionLocation(at, &file, NULL, NULL, NULL);
    return file && file_of(t, file) == 0;
}

// ---- macro bodies ------------------------------------------------------------------------------

static jg_str identifier_at(struct tu *t, const struct position *p)
{
    size_t size = 0;
    const char *text = clang_getFileContents(t->clang, p->file, &size);
    if (!text || p->offset >= size)
        return 0;
    size_t length = 0;
    while (p->offset + length < size) {
        unsigned char c = (unsigned char)text[p->offset + length];
        if (!isalnum(c) && c != '_' && c != '$' && c < 128)
            break;
        length++;
    }
    return intern(t, text + p->offset, length);
}

// JG_NONE when `at`, whose primary position is p, was written in a file. Tokens pasted by ## have
// no file of their own: the body is then said to lie where the macro is used.
static uint32_t expansion_of(struct tu *t, CXSourceLocation at, const struct position *p)
{
    struct position body = {0};
    if (clang_Location_isFromMainFile(at))
        return JG_NONE; // says no to every position that a macro had a hand in
    clang_getSpellingLocation(at, &body.file, &body.line, &body.column, &body.offset);
    if (body.file == p->file && body.offset == p->offset)
        return JG_NONE;
    if (!body.file)
        body = *p;
    uint32_t file = file_of(t, body.file);
    uint64_t key =
        ((uint64_t)file << 40 ^ (uint64_t)body.offset << 1 ^ (uint64_t)p->offset << 24) | 1;
    jg_str macro = identifier_at(t, p);
    uint32_t known = map_get(&t->expansions, key);
    if (known != JG_NONE) {
        const struct jg_expansion *e = &t->u->expansions.data[known];
        if (e->macro == macro && e->file == file && e->line == body.line &&
            e->column == body.column)
            return known;
    }
    *JG_VEC_PUSH(&t->u->expansions) = (struct jg_expansion){macro, file, body.line, body.column};
    map_put(&t->expansions, key, t->u->expansions.count - 1);
    return t->u->expansions.count - 1;
}

// ---- positions ---------------------------------------------------------------------------------

static uint32_t add_loc(struct tu *t, CXSourceLocation at, const struct position *end)
{
    struct position p = file_position(at);
    if (!p.file)
        return JG_NONE;
    struct jg_loc loc = {.file = file_of(t, p.file), .line = p.line, .column = p.column};
    loc.expansion = expansion_of(t, at, &p);
    if (end && end->file == p.file && end->offset > p.offset && loc.expansion == JG_NONE) {
        loc.end_line = end->line;
        loc.end_column = end->column;
    }
    *JG_VEC_PUSH(&t->u->locs) = loc;
    return t->u->locs.count - 1;
}

uint32_t loc_at(struct tu *t, CXSourceLocation at)
{
    if (!at.int_data)
        return JG_NONE;
    uint32_t known = map_get(&t->locs, at.int_data);
    if (known != JG_NONE)
        return known;
    uint32_t loc = add_loc(t, at, NULL);
    if (loc != JG_NONE)
        map_put(&t->locs, at.int_data, loc);
    return loc;
}

uint32_t loc_of(struct tu *t, CXCursor c)
{
    return loc_at(t, clang_getCursorLocation(c));
}

uint32_t loc_with_end(struct tu *t, CXCursor c)
{
    CXSourceRange extent = clang_getCursorExtent(c);
    CXSourceLocation begin = clang_getRangeStart(extent), end = clang_getRangeEnd(extent);
    if (!begin.int_data)
        return JG_NONE;
    uint64_t key = (uint64_t)end.int_data << 32 | begin.int_data;
    uint32_t known = map_get(&t->locs, key);
    if (known != JG_NONE)
        return known;
    struct position p = file_position(end);
    uint32_t loc = add_loc(t, begin, &p);
    if (loc != JG_NONE)
        map_put(&t->locs, key, loc);
    return loc;
}

// The extent ends after the closing brace; one back is the brace itself.
uint32_t loc_of_end(struct tu *t, CXCursor c)
{
    CXSourceLocation end = clang_getRangeEnd(clang_getCursorExtent(c));
    struct position p = file_position(end);
    if (!p.file)
        return JG_NONE;
    if (p.offset > 0 && p.column > 1)
        return loc_at(t, clang_getLocationForOffset(t->clang, p.file, p.offset - 1));
    return loc_at(t, end);
}

bool has_error_inside(struct tu *t, CXCursor c)
{
    if (!t->errors.count)
        return false;
    CXSourceRange extent = clang_getCursorExtent(c);
    struct position from = {0}, to = {0};
    clang_getExpansionLocation(clang_getRangeStart(extent), &from.file, NULL, NULL, &from.offset);
    clang_getExpansionLocation(clang_getRangeEnd(extent), &to.file, NULL, NULL, &to.offset);
    for (uint32_t i = 0; i < t->errors.count; i++) {
        const struct error_position *e = &t->errors.data[i];
        if (e->file == from.file && e->offset >= from.offset && e->offset <= to.offset)
            return true;
    }
    return false;
}
