// SPDX-License-Identifier: Apache-2.0
//
// The models in force: the user's files over what is shipped. Filled by one thread, then read by
// any number.

#include "analyzer/models/models.h"
#include "analyzer/models/document.h"
#include "analyzer/models/internal.h"
#include "rules/rule.h"

#include <pthread.h>
#include <stdio.h>
#include <strings.h>

// Compiled patterns of one layer, in its order: those of models, then those of hints (NULL where a
// hint has only words).
struct patterns {
    struct jg_pattern **list;
    uint32_t count;
};

struct jg_models {
    struct jg_bump arena;    // strings of the user's files
    struct jg_model_set own; // the user's
    struct jg_hash own_hash;
    struct jg_model_layer layers[2];
    struct patterns patterns[2];
};

enum { USER, SHIPPED };

// ---- making -------------------------------------------------------------------------------------

static struct jg_pattern *compile(const char *regex)
{
    char *error = NULL;
    struct jg_pattern *p = regex ? jg_pattern_new(regex, &error) : NULL;
    free(error); // both the loader and compile_models have compiled it before: there is none
    return p;
}

static void compile_all(const struct jg_model_layer *l, struct patterns *p)
{
    p->list = jg_calloc(l->pattern_count + l->hint_count + 1, sizeof *p->list);
    for (uint32_t i = 0; i < l->pattern_count; i++)
        p->list[p->count++] = compile(l->patterns[i].name);
    for (uint32_t i = 0; i < l->hint_count; i++)
        p->list[p->count++] = compile(l->hints[i].pattern);
}

static void free_patterns(struct patterns *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        jg_pattern_free(p->list[i]);
    free(p->list);
    *p = (struct patterns){0};
}

struct jg_models *jg_models_new(void)
{
    struct jg_models *m = jg_calloc(1, sizeof *m);
    m->layers[SHIPPED] = jg_shipped_models;
    compile_all(&m->layers[SHIPPED], &m->patterns[SHIPPED]);
    return m;
}

void jg_models_free(struct jg_models *m)
{
    if (!m)
        return;
    free_patterns(&m->patterns[USER]);
    free_patterns(&m->patterns[SHIPPED]);
    jg_model_set_fini(&m->own);
    jg_bump_fini(&m->arena);
    free(m);
}

static struct jg_models *current;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void use_shipped(void)
{
    if (!current)
        current = jg_models_new();
}

void jg_models_install(struct jg_models *m)
{
    current = m;
}

const struct jg_models *jg_models_current(void)
{
    pthread_once(&once, use_shipped);
    return current;
}

static const struct jg_model *find_exact(const struct jg_model_layer *l, const char *name,
                                         const char *record)
{
    uint32_t low = 0, high = l->name_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = jg_model_compare(name, record, &l->names[middle]);
        if (order == 0)
            return &l->names[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static void use_own(struct jg_models *m)
{
    jg_model_set_sort(&m->own);
    m->layers[USER] = (struct jg_model_layer){.names = m->own.names.data,
                                              .patterns = m->own.patterns.data,
                                              .pairs = m->own.pairs.data,
                                              .hints = m->own.hints.data,
                                              .name_count = m->own.names.count,
                                              .pattern_count = m->own.patterns.count,
                                              .pair_count = m->own.pairs.count,
                                              .hint_count = m->own.hints.count,
                                              .hash = m->own_hash};
    free_patterns(&m->patterns[USER]);
    compile_all(&m->layers[USER], &m->patterns[USER]);
}

char *jg_models_load_text(struct jg_models *m, const char *path, const char *text, size_t length)
{
    struct jg_model_set set = {0};
    char *error = jg_model_set_read(&set, &m->arena, path, text, length);
    for (uint32_t i = 0; i < set.names.count && !error; i++) {
        const struct jg_model *n = &set.names.data[i];
        const struct jg_model *before = find_exact(&m->layers[USER], n->name, n->record);
        if (before)
            error = jg_models_duplicate(n, before);
    }
    if (!error) {
        for (uint32_t i = 0; i < set.names.count; i++)
            *JG_VEC_PUSH(&m->own.names) = set.names.data[i];
        for (uint32_t i = 0; i < set.patterns.count; i++)
            *JG_VEC_PUSH(&m->own.patterns) = set.patterns.data[i];
        for (uint32_t i = 0; i < set.pairs.count; i++)
            *JG_VEC_PUSH(&m->own.pairs) = set.pairs.data[i];
        for (uint32_t i = 0; i < set.hints.count; i++)
            *JG_VEC_PUSH(&m->own.hints) = set.hints.data[i];
        m->own_hash = jg_hash_join(m->own_hash, jg_hash_of(text, length));
        use_own(m);
    }
    jg_model_set_fini(&set);
    return error;
}

char *jg_models_load(struct jg_models *m, const char *path)
{
    size_t length;
    char *error = NULL;
    char *text = jg_document_read(path, &length, &error);
    if (text)
        error = jg_models_load_text(m, path, text, length);
    free(text);
    return error;
}

// ---- searching ----------------------------------------------------------------------------------

static bool has_shape(const struct jg_model *m, const struct jg_model_query *q)
{
    return (q->shape & m->when) == m->when && !(q->shape & m->when_not) &&
           (m->when_params < 0 || q->param_count == (unsigned)m->when_params);
}

static const char *without_keyword(const char *record)
{
    return record && strncmp(record, "struct ", 7) == 0 ? record + 7 : record;
}

const struct jg_model *jg_models_find(const struct jg_models *m, const struct jg_model_query *q)
{
    const char *record = without_keyword(q->record);
    for (unsigned k = USER; k <= SHIPPED; k++) {
        const struct jg_model_layer *l = &m->layers[k];
        const struct jg_model *found = find_exact(l, q->name, record);
        if (found && has_shape(found, q))
            return found;
        for (uint32_t i = 0; i < l->pattern_count && !record; i++)
            if (has_shape(&l->patterns[i], q) &&
                jg_pattern_matches(m->patterns[k].list[i], q->name))
                return &l->patterns[i];
    }
    return NULL;
}

static bool has_word(const struct jg_model_hint_row *h, const char *name)
{
    for (uint32_t i = 0; i < h->word_count; i++)
        if (strcasestr(name, h->words[i]))
            return true;
    return false;
}

unsigned jg_models_hints(const struct jg_models *m, const char *name, unsigned wanted)
{
    unsigned found = 0;
    for (unsigned k = USER; k <= SHIPPED; k++) {
        const struct jg_model_layer *l = &m->layers[k];
        for (uint32_t i = 0; i < l->hint_count; i++) {
            struct jg_pattern *p = m->patterns[k].list[l->pattern_count + i];
            if (wanted & ~found & l->hints[i].hint &&
                (has_word(&l->hints[i], name) || (p && jg_pattern_matches(p, name))))
                found |= l->hints[i].hint;
        }
    }
    return found;
}

const struct jg_model *jg_models_shipped(const char *name)
{
    return find_exact(&jg_shipped_models, name, NULL);
}

const struct jg_model_pair *jg_models_pair(const struct jg_models *m, unsigned index)
{
    for (unsigned k = USER; k <= SHIPPED; k++) {
        if (index < m->layers[k].pair_count)
            return &m->layers[k].pairs[index];
        index -= m->layers[k].pair_count;
    }
    return NULL;
}

const struct jg_model *jg_models_at(const struct jg_models *m, unsigned index)
{
    for (unsigned k = USER; k <= SHIPPED; k++) {
        const struct jg_model_layer *l = &m->layers[k];
        if (index < l->name_count)
            return &l->names[index];
        index -= l->name_count;
        if (index < l->pattern_count)
            return &l->patterns[index];
        index -= l->pattern_count;
    }
    return NULL;
}

struct jg_hash jg_models_hash(const struct jg_models *m)
{
    return jg_hash_join(m->layers[SHIPPED].hash, m->layers[USER].hash);
}

void jg_models_own(const struct jg_models *m, unsigned *models, unsigned *pairs)
{
    const struct jg_model_layer *l = &m->layers[USER];
    *models = l->name_count + l->pattern_count;
    *pairs = l->pair_count;
}

int jg_model_param_with(const struct jg_model *m, unsigned uses)
{
    for (int i = 0; i < JG_MODEL_PARAMS; i++)
        if (m->params_said >> i & 1 && m->params[i].uses & uses)
            return i;
    return -1;
}

char *jg_models_take_limit(const struct jg_models *m)
{
    for (unsigned k = USER; k <= SHIPPED; k++) {
        const struct jg_model_layer *l = &m->layers[k];
        for (uint32_t i = 0; i < m->patterns[k].count; i++) {
            struct jg_pattern *p = m->patterns[k].list[i];
            if (!p || !jg_pattern_take_limit(p))
                continue;
            const struct jg_model_hint_row *hint =
                i < l->pattern_count ? NULL : &l->hints[i - l->pattern_count];
            return jg_format("%s:%u: pattern '%s' takes too many steps on some names; those count "
                             "as not matched",
                             hint ? hint->file : l->patterns[i].file,
                             hint ? hint->line : l->patterns[i].line,
                             hint ? hint->pattern : l->patterns[i].name);
        }
    }
    return NULL;
}
