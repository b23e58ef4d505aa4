// SPDX-License-Identifier: Apache-2.0
//
// libyaml's events -> a tree of nodes. See document.h for what is refused.

#include "analyzer/models/document.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml.h>

#define MAX_DEPTH 16
#define MAX_KEYS 64 // of a map: each new one is compared with the others

struct builder {
    struct jg_bump *arena;
    const char *path, *text;
    size_t length;
    char *error;
    struct jg_node *root;
    struct level {
        struct jg_node *node, *last; // the list or map, and its last element or key
        unsigned keys;
    } levels[MAX_DEPTH];
    unsigned depth;
};

uint32_t jg_document_column(const char *text, size_t length, uint32_t line, uint32_t character)
{
    size_t i = 0;
    for (uint32_t at = 1; i < length && at < line; i++)
        at += text[i] == '\n' || (text[i] == '\r' && !(i + 1 < length && text[i + 1] == '\n'));
    size_t begin = i;
    for (uint32_t at = 1; i < length && at < character; at++)
        do
            i++;
        while (i < length && ((unsigned char)text[i] & 0xc0) == 0x80);
    return (uint32_t)(i - begin + 1);
}

static void fail(struct builder *b, yaml_mark_t at, const char *text, const char *detail)
{
    uint32_t line = (uint32_t)at.line + 1;
    uint32_t column = jg_document_column(b->text, b->length, line, (uint32_t)at.column + 1);
    if (!b->error)
        b->error = jg_format("%s:%u:%u: %s%s%s", b->path, line, column, text, detail ? ": " : "",
                             detail ? detail : "");
}

static struct jg_node *node_at(struct builder *b, enum jg_node_kind kind, yaml_mark_t at)
{
    struct jg_node *n = jg_bump_alloc(b->arena, sizeof *n);
    n->kind = kind;
    n->line = (uint32_t)at.line + 1;
    n->character = (uint32_t)at.column + 1;
    return n;
}

static const struct jg_node *find_key(const struct jg_node *map, const char *name)
{
    for (const struct jg_node *k = map->first; k; k = k->next)
        if (strcmp(k->text, name) == 0)
            return k;
    return NULL;
}

static void append(struct level *l, struct jg_node *n)
{
    if (l->last)
        l->last->next = n;
    else
        l->node->first = n;
    l->last = n;
}

// Puts a node where it belongs: the root, the next element, the next key, or the value of a key.
static void put(struct builder *b, struct jg_node *n, yaml_mark_t at)
{
    struct level *l = b->depth ? &b->levels[b->depth - 1] : NULL;
    if (!l) {
        b->root = n;
    } else if (l->node->kind == JG_NODE_LIST) {
        append(l, n);
    } else if (l->last && !l->last->value) {
        l->last->value = n;
    } else if (n->kind != JG_NODE_TEXT) {
        fail(b, at, "a key must be a name, not a list or a map", NULL);
    } else if (find_key(l->node, n->text)) {
        fail(b, at, "key stands twice", n->text);
    } else if (l->keys++ == MAX_KEYS) {
        fail(b, at, "a map with too many keys", NULL);
    } else {
        append(l, n);
    }
}

static void put_text(struct builder *b, const yaml_event_t *e)
{
    struct jg_node *n = node_at(b, JG_NODE_TEXT, e->start_mark);
    size_t length = e->data.scalar.length;
    const char *text = (const char *)e->data.scalar.value;
    if (memchr(text, '\0', length))
        fail(b, e->start_mark, "a text holds a NUL", NULL);
    n->text = jg_bump_strdup(b->arena, text);
    n->quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    put(b, n, e->start_mark);
}

static void open_level(struct builder *b, enum jg_node_kind kind, yaml_mark_t at)
{
    struct jg_node *n = node_at(b, kind, at);
    put(b, n, at);
    if (b->depth == MAX_DEPTH)
        fail(b, at, "nested too deep", NULL);
    else
        b->levels[b->depth++] = (struct level){n, NULL, 0};
}

static void refuse_properties(struct builder *b, const yaml_event_t *e)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;
    if (e->type == YAML_SCALAR_EVENT) {
        anchor = e->data.scalar.anchor;
        tag = e->data.scalar.tag;
    } else if (e->type == YAML_SEQUENCE_START_EVENT) {
        anchor = e->data.sequence_start.anchor;
        tag = e->data.sequence_start.tag;
    } else if (e->type == YAML_MAPPING_START_EVENT) {
        anchor = e->data.mapping_start.anchor;
        tag = e->data.mapping_start.tag;
    } else if (e->type == YAML_ALIAS_EVENT) {
        anchor = e->data.alias.anchor;
    }
    if (anchor)
        fail(b, e->start_mark, "anchors and aliases (& and *) are not supported; write it out",
             (const char *)anchor);
    else if (tag)
        fail(b, e->start_mark, "tags (!) are not supported", (const char *)tag);
}

static void take(struct builder *b, const yaml_event_t *e)
{
    refuse_properties(b, e);
    if (b->error)
        return;
    switch (e->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (b->root)
            fail(b, e->start_mark, "a second document; one file holds one", NULL);
        break;
    case YAML_SCALAR_EVENT:
        put_text(b, e);
        break;
    case YAML_SEQUENCE_START_EVENT:
        open_level(b, JG_NODE_LIST, e->start_mark);
        break;
    case YAML_MAPPING_START_EVENT:
        open_level(b, JG_NODE_MAP, e->start_mark);
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        b->depth--;
        break;
    default:
        break;
    }
}

// What libyaml found wrong, its position by whichever of its fields holds one.
static void fail_as_parser(struct builder *b, const yaml_parser_t *p)
{
    if (p->error == YAML_MEMORY_ERROR)
        jg_out_of_memory();
    const char *problem = p->problem ? p->problem : "unreadable";
    if (p->error == YAML_READER_ERROR) { // an offset, no mark
        yaml_mark_t at = {0};
        for (size_t i = 0; i < p->problem_offset && i < b->length; i++) {
            at.line += b->text[i] == '\n';
            at.column = b->text[i] == '\n'                           ? 0
                        : ((unsigned char)b->text[i] & 0xc0) == 0x80 ? at.column
                                                                     : at.column + 1;
        }
        fail(b, at, "not text (UTF-8)", problem);
    } else {
        fail(b, p->problem_mark, "not YAML", problem);
    }
}

static void run(struct builder *b)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        jg_out_of_memory();
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)b->text, b->length);
    for (bool end = false; !end && !b->error;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            fail_as_parser(b, &parser);
            break;
        }
        take(b, &event);
        end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
}

struct jg_node *jg_document_parse(struct jg_bump *arena, const char *path, const char *text,
                                  size_t length, char **error)
{
    struct builder b = {.arena = arena, .path = path, .text = text, .length = length};
    if (length > JG_DOCUMENT_MAX)
        b.error = jg_format("%s: larger than 1 MB", path);
    else
        run(&b);
    if (!b.error && !b.root)
        b.error = jg_format("%s:1:1: empty", path);
    *error = b.error;
    return b.error ? NULL : b.root;
}

char *jg_document_read(const char *path, size_t *length, char **error)
{
    // Not blocking: opening a FIFO must not wait for a writer.
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    char *text = NULL;
    *error = NULL;
    *length = 0;
    if (fd < 0 || fstat(fd, &st) != 0) {
        *error = jg_format("%s: %s", path, strerror(errno));
    } else if (!S_ISREG(st.st_mode)) {
        *error = jg_format("%s: %s", path, S_ISDIR(st.st_mode) ? "a folder" : "not a regular file");
    } else {
        // One byte more than is allowed, so that the parser sees that it is too much.
        size_t capacity = JG_DOCUMENT_MAX + 2;
        text = jg_malloc(capacity);
        ssize_t n = 1;
        while (n > 0 && *length < capacity - 1) {
            n = read(fd, text + *length, capacity - 1 - *length);
            *length += n > 0 ? (size_t)n : 0;
        }
        text[*length] = '\0';
        if (n < 0)
            *error = jg_format("%s: %s", path, strerror(errno));
    }
    if (fd >= 0)
        close(fd);
    if (*error) {
        free(text);
        text = NULL;
    }
    return text;
}
