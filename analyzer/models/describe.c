// SPDX-License-Identifier: Apache-2.0
//
// A model as one line of text, in the words of vocabulary.def.

#include "analyzer/ir/mem.h"
#include "analyzer/models/models.h"

#include <stdio.h>

static const char *const effects[] = {
#define JG_MODEL_EFFECT(symbol, key, meaning) key,
#include "analyzer/models/vocabulary.def"
};
static const char *const results[] = {
#define JG_MODEL_RESULT(symbol, key, meaning) key,
#include "analyzer/models/vocabulary.def"
};
static const char *const uses[] = {
#define JG_MODEL_USE(symbol, key, meaning) key,
#include "analyzer/models/vocabulary.def"
};
static const char *const objects[] = {
    "",
#define JG_MODEL_OBJECT(symbol, key, meaning) key,
#include "analyzer/models/vocabulary.def"
};
static const char *const throws[] = {
    "",
#define JG_MODEL_THROWS(symbol, key, meaning) key,
#include "analyzer/models/vocabulary.def"
};

static void put_flags(FILE *out, unsigned yes, unsigned no, const char *const *names, size_t count,
                      const char *before)
{
    for (size_t i = 0; i < count; i++)
        if ((yes | no) >> i & 1)
            fprintf(out, "%s%s%s", before, names[i], no >> i & 1 ? ": false" : "");
}

static void put_object(FILE *out, const char *key, unsigned object)
{
    if (object)
        fprintf(out, " %s: %s", key, objects[object]);
}

static void put_param(FILE *out, const char *name, const struct jg_model_param *p)
{
    if (!p->uses && !p->releases && !p->acquires && !p->elements && !p->fields)
        return;
    fprintf(out, "; %s:", name);
    put_flags(out, p->uses, 0, uses, sizeof uses / sizeof *uses, " ");
    put_object(out, "releases", p->releases);
    put_object(out, "acquires", p->acquires);
    put_object(out, "acquires-elements", p->elements);
    put_object(out, "acquires-fields", p->fields);
}

char *jg_model_describe(const struct jg_model *m)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        jg_out_of_memory();
    put_flags(out, m->does, m->does_not, effects, sizeof effects / sizeof *effects, "; ");
    if (m->throws)
        fprintf(out, "; throws: %s", throws[m->throws]);
    if (m->fresh)
        fprintf(out, "; returns fresh: %s", objects[m->fresh]);
    if (m->result_param >= 0)
        fprintf(out, "; returns parameter: %d", m->result_param);
    if (m->length_of >= 0)
        fprintf(out, "; returns length-of: %d", m->length_of);
    put_flags(out, m->result, m->result_not, results, sizeof results / sizeof *results,
              "; returns ");
    for (int i = 0; i < JG_MODEL_PARAMS; i++) {
        char name[24];
        snprintf(name, sizeof name, "parameter %d", i);
        if (m->params_said >> i & 1)
            put_param(out, name, &m->params[i]);
    }
    put_param(out, "further parameters", &m->further);
    if (fclose(out) != 0)
        jg_out_of_memory();
    if (length == 0) {
        free(text);
        return jg_strdup("nothing is known");
    }
    memmove(text, text + 2, length - 1); // the first "; "
    return text;
}
