// SPDX-License-Identifier: Apache-2.0
//
// Between the files of this folder: what a file of models holds, and regular expressions.

#ifndef JG_MODELS_INTERNAL_H
#define JG_MODELS_INTERNAL_H

#include "analyzer/ir/mem.h"
#include "analyzer/models/models.h"

// One entry of `hints`.
struct jg_model_hint_row {
    unsigned hint; // enum jg_model_hint
    const char *const *words;
    uint32_t word_count;
    const char *pattern; // NULL: words only
    const char *file;
    uint32_t line;
};

// What files hold, in their order. Strings lie in the arena that they were read into.
struct jg_model_set {
    struct JG_VEC(struct jg_model) names, patterns;
    struct JG_VEC(struct jg_model_pair) pairs;
    struct JG_VEC(struct jg_model_hint_row) hints;
};

void jg_model_set_fini(struct jg_model_set *set);

// load.c: adds what the text holds to an empty set. NULL, or "path:line:column: text" (heap); then
// the set holds what came before it.
char *jg_model_set_read(struct jg_model_set *set, struct jg_bump *arena, const char *path,
                        const char *text, size_t length);

// Of one hash and another, in that order.
struct jg_hash jg_hash_join(struct jg_hash a, struct jg_hash b);

// The error that a function has two models (heap).
char *jg_models_duplicate(const struct jg_model *twice, const struct jg_model *before);

// Order of models with exact names: by name, then by record.
int jg_model_compare(const char *name, const char *record, const struct jg_model *m);
void jg_model_set_sort(struct jg_model_set *set);

// What an instance of struct jg_models is searched in, twice: the user's, and the shipped one.
struct jg_model_layer {
    const struct jg_model *names, *patterns; // names sorted
    const struct jg_model_pair *pairs;
    const struct jg_model_hint_row *hints;
    uint32_t name_count, pattern_count, pair_count, hint_count;
    struct jg_hash hash; // of the texts they were read from
};

// shipped_models.c, which compile_models writes.
extern const struct jg_model_layer jg_shipped_models;

// match.c: a regular expression that must match a name from its first to its last character.
// Matching gives up after a fixed number of steps; matching is thread-safe, the rest is not.
struct jg_pattern;

// NULL with *error (heap): what is wrong with it, and where.
struct jg_pattern *jg_pattern_new(const char *regex, char **error);
void jg_pattern_free(struct jg_pattern *p);
bool jg_pattern_matches(struct jg_pattern *p, const char *name);

// Did it give up on a name since the last time somebody asked?
bool jg_pattern_take_limit(struct jg_pattern *p);

#endif
