// SPDX-License-Identifier: Apache-2.0
//
// The sources as the reports need them: lines for snippets, tokens for fingerprints, comments for
// suppressions. Nothing here reads a file: the texts come with the units, which hold what was
// parsed. One thread. Texts and paths are the caller's and outlive struct jg_sources, to which all
// else belongs.

#ifndef JG_REPORT_SOURCE_H
#define JG_REPORT_SOURCE_H

#include "analyzer/ir/mem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jg_token {
    uint32_t offset, length;
    uint32_t line; // of its first byte
    bool comment;
    bool directive; // lies in a preprocessor directive
};

struct jg_source {
    const char *path;
    const char *data; // NULL: missing
    uint32_t size;
    struct JG_VEC(uint32_t) lines; // offset of each line
    bool lexed;
    struct JG_VEC(struct jg_token) tokens;
};

struct jg_sources {
    struct JG_VEC(struct jg_source *) list; // sorted by path
    struct jg_source missing;
};

void jg_sources_fini(struct jg_sources *s);

// Adds a file, or replaces the one of that path.
struct jg_source *jg_sources_put(struct jg_sources *s, const char *path, const char *data,
                                 size_t size);

// Never NULL; ->data is NULL when nobody put the file there.
struct jg_source *jg_sources_get(struct jg_sources *s, const char *path);

// A line (from 1) without its end; NULL when there is no such line.
const char *jg_source_line(const struct jg_source *src, uint32_t line, size_t *length);

// Line (from 1) of an offset. Logarithmic.
uint32_t jg_source_line_of(const struct jg_source *src, uint32_t offset);

// Fills src->tokens, comments included.
void jg_source_lex(struct jg_source *src);

#endif
