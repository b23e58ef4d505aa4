// SPDX-License-Identifier: Apache-2.0
//
// A YAML document as a tree, of text that nobody has looked at before. In: bytes. Out: nodes in an
// arena, or one error with its place.
//
// Bounded on purpose: 1 MB, 16 levels, one document. Anchors and aliases are refused (a few lines
// of them expand to gigabytes), and so are tags and keys that stand twice. One thread.

#ifndef JG_MODELS_DOCUMENT_H
#define JG_MODELS_DOCUMENT_H

#include "analyzer/ir/mem.h"

#include <stdbool.h>

#define JG_DOCUMENT_MAX (1u << 20) // bytes

enum jg_node_kind { JG_NODE_TEXT, JG_NODE_LIST, JG_NODE_MAP };

struct jg_node {
    enum jg_node_kind kind;
    uint32_t line, character; // 1-based; see jg_document_column
    const char *text;         // JG_NODE_TEXT: without a NUL inside
    bool quoted;              // '10' is a text, 10 a number
    struct jg_node *first;    // the elements of a list; the keys of a map, which are texts
    struct jg_node *value;    // of a key
    struct jg_node *next;     // within its list or map
};

// The root, or NULL with *error "path:line:column: text" (heap; the caller frees it).
struct jg_node *jg_document_parse(struct jg_bump *arena, const char *path, const char *text,
                                  size_t length, char **error);

// libyaml counts characters. The column in bytes, 1-based, of a character of a line.
uint32_t jg_document_column(const char *text, size_t length, uint32_t line, uint32_t character);

// The content of a regular file, at most JG_DOCUMENT_MAX bytes. NULL with *error as above.
char *jg_document_read(const char *path, size_t *length, char **error);

#endif
