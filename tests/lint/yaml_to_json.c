// SPDX-License-Identifier: Apache-2.0
//
// yaml_to_json: YAML from standard input as JSON, read as the analyzer reads it, so that the schema
// can be tested without a YAML library for Python.

#include "analyzer/models/document.h"

#include <jansson.h>

static json_t *to_json(const struct jg_node *n)
{
    if (n->kind == JG_NODE_TEXT) {
        json_error_t error;
        json_t *value = n->quoted ? NULL : json_loads(n->text, JSON_DECODE_ANY, &error);
        return json_is_integer(value) || json_is_boolean(value) ? value : json_string(n->text);
    }
    json_t *value = n->kind == JG_NODE_LIST ? json_array() : json_object();
    for (const struct jg_node *e = n->first; e; e = e->next)
        if (n->kind == JG_NODE_LIST)
            json_array_append_new(value, to_json(e));
        else
            json_object_set_new(value, e->text, to_json(e->value));
    return value;
}

int main(void)
{
    static char text[JG_DOCUMENT_MAX + 1];
    size_t length = fread(text, 1, sizeof text, stdin);
    struct jg_bump arena = {0};
    char *error = NULL;
    struct jg_node *root = jg_document_parse(&arena, "standard input", text, length, &error);
    if (!root) {
        fprintf(stderr, "yaml_to_json: %s\n", error);
        return 1;
    }
    json_t *value = to_json(root);
    json_dumpf(value, stdout, 0);
    json_decref(value);
    jg_bump_fini(&arena);
    return 0;
}
