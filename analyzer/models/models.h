// SPDX-License-Identifier: Apache-2.0
//
// Models: what functions without a body at hand do, written by hand as YAML (rules/models/*.yaml
// and the user's own files), and what the words of a name suggest. vocabulary.def lists every key.
//
//   rules/models/*.yaml -> compile_models, at build time -> shipped_models.c --+
//   the user's files -> jg_models_load -----------------------------------------+-> jg_models_find
//
// A model is a summary: what it says holds, `false` included; of what it does not say nothing is
// known, as of a function without model. The body of a function, where it is known, wins.
//
// A struct jg_models is filled by one thread and may then be read by any number. Everything a
// lookup returns lives as long as the struct jg_models.

#ifndef JG_MODELS_MODELS_H
#define JG_MODELS_MODELS_H

#include "analyzer/ir/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Each table of vocabulary.def as an enumeration of positions and one of bits.
#define JG_MODEL_BIT(name) (1u << (name##_INDEX))

enum jg_model_when_index {
#define JG_MODEL_WHEN(symbol, ...) JG_WHEN_##symbol##_INDEX,
#include "analyzer/models/vocabulary.def"
    JG_WHEN_COUNT
};
enum jg_model_when { // shape of a function
#define JG_MODEL_WHEN(symbol, ...) JG_WHEN_##symbol = JG_MODEL_BIT(JG_WHEN_##symbol),
#include "analyzer/models/vocabulary.def"
};

enum jg_model_effect_index {
#define JG_MODEL_EFFECT(symbol, ...) JG_DOES_##symbol##_INDEX,
#include "analyzer/models/vocabulary.def"
    JG_DOES_COUNT
};
enum jg_model_effect {
#define JG_MODEL_EFFECT(symbol, ...) JG_DOES_##symbol = JG_MODEL_BIT(JG_DOES_##symbol),
#include "analyzer/models/vocabulary.def"
};

enum jg_model_result_index {
#define JG_MODEL_RESULT(symbol, ...) JG_RESULT_##symbol##_INDEX,
#include "analyzer/models/vocabulary.def"
    JG_RESULT_COUNT
};
enum jg_model_result {
#define JG_MODEL_RESULT(symbol, ...) JG_RESULT_##symbol = JG_MODEL_BIT(JG_RESULT_##symbol),
#include "analyzer/models/vocabulary.def"
};

enum jg_model_use_index {
#define JG_MODEL_USE(symbol, ...) JG_USE_##symbol##_INDEX,
#include "analyzer/models/vocabulary.def"
    JG_USE_COUNT
};
enum jg_model_use {
#define JG_MODEL_USE(symbol, ...) JG_USE_##symbol = JG_MODEL_BIT(JG_USE_##symbol),
#include "analyzer/models/vocabulary.def"
};

enum jg_model_object {
    JG_OBJECT_NONE,
#define JG_MODEL_OBJECT(symbol, ...) JG_OBJECT_##symbol,
#include "analyzer/models/vocabulary.def"
    JG_OBJECT_COUNT
};

enum jg_model_throws {
    JG_THROWS_UNKNOWN, // the model does not say
#define JG_MODEL_THROWS(symbol, ...) JG_THROWS_##symbol,
#include "analyzer/models/vocabulary.def"
};

enum jg_model_hint_index {
#define JG_MODEL_HINT(symbol, ...) JG_HINT_##symbol##_INDEX,
#include "analyzer/models/vocabulary.def"
    JG_HINT_COUNT
};
enum jg_model_hint {
#define JG_MODEL_HINT(symbol, ...) JG_HINT_##symbol = JG_MODEL_BIT(JG_HINT_##symbol),
#include "analyzer/models/vocabulary.def"
};

// ---- a model ------------------------------------------------------------------------------------

#define JG_MODEL_PARAMS 16 // a model may say something of so many parameters, one by one

struct jg_model_param {
    uint16_t uses;                                // enum jg_model_use
    uint8_t releases, acquires, elements, fields; // enum jg_model_object
};

struct jg_model {
    const char *name;   // of a pattern: the regular expression
    const char *record; // NULL, or the struct through whose field the function is called
    const char *file;   // where the model stands
    uint32_t line, column;
    bool is_pattern;
    uint8_t confidence; // enum jg_confidence: what findings that rest on it have at most
    uint8_t when;       // enum jg_model_when: what the function must be
    uint8_t when_not;   // and must not be
    int8_t when_params; // number of parameters; -1: any
    uint8_t throws;     // enum jg_model_throws
    uint16_t does;      // enum jg_model_effect: said to be true
    uint16_t does_not;  // said to be false
    uint8_t result;     // enum jg_model_result
    uint8_t result_not;
    uint8_t fresh;        // enum jg_model_object
    int8_t result_param;  // the result is that parameter; -1
    int8_t length_of;     // the result is the length of that string; -1
    uint16_t params_said; // bit i: the model says something of parameter i
    struct jg_model_param params[JG_MODEL_PARAMS];
    struct jg_model_param further; // parameters behind the last that `params` speaks of
};

// What the model says of parameter `index`, 0 being the first. Never NULL.
static inline const struct jg_model_param *jg_model_param(const struct jg_model *m, unsigned index)
{
    bool listed = index < JG_MODEL_PARAMS && m->params_said >> index;
    return listed ? &m->params[index] : &m->further;
}

// The first parameter with one of these uses, -1 when there is none.
int jg_model_param_with(const struct jg_model *m, unsigned uses);

// ---- pairs --------------------------------------------------------------------------------------

// Functions of the user's own that acquire and give back: one more protocol.
struct jg_model_pair {
    const char *const *acquire, *const *release; // names
    uint32_t acquire_count, release_count;
    int8_t object; // parameter of `acquire` that what is acquired is stored through; -1: the result
    int8_t released;  // parameter of `release`
    const char *what; // "connection"
    const char *file; // where the pair stands
    uint32_t line;
};

// ---- all of them --------------------------------------------------------------------------------

struct jg_models;

// With the shipped ones. Never NULL.
struct jg_models *jg_models_new(void);
void jg_models_free(struct jg_models *m);

// Adds a user's file. NULL, or "path:line:column: text" (heap; the caller frees it); then nothing
// was added.
char *jg_models_load(struct jg_models *m, const char *path);

// As jg_models_load, of text that is in memory; `path` for messages only.
char *jg_models_load_text(struct jg_models *m, const char *path, const char *text, size_t length);

// The models in force in this process: those installed, before them the shipped ones. Install
// before any other thread or process is started; the struct is then the process's, and never freed.
void jg_models_install(struct jg_models *m);
const struct jg_models *jg_models_current(void);

struct jg_model_query {
    const char *name;
    const char *record; // called through a field of this struct ("struct x" or "x"); NULL
    unsigned shape;     // enum jg_model_when: all that is true of the function
    unsigned param_count;
};

// The first that matches: the user's exact names, the user's patterns, shipped exact names, shipped
// patterns; patterns in the order of files and lines, and never for what is called through a field.
// NULL when nothing is known. Cost: names are searched in logarithmic time, then each pattern whose
// shape fits is tried: ask once a symbol.
const struct jg_model *jg_models_find(const struct jg_models *m, const struct jg_model_query *q);

// What the words of a name suggest, of a set of enum jg_model_hint that is asked for.
unsigned jg_models_hints(const struct jg_models *m, const char *name, unsigned wanted);

// Pairs by number, from 0; NULL behind the last.
const struct jg_model_pair *jg_models_pair(const struct jg_models *m, unsigned index);

// Models by number, from 0: the user's, then the shipped ones; NULL behind the last.
const struct jg_model *jg_models_at(const struct jg_models *m, unsigned index);

// Of the texts of all files, the shipped ones among them, in the order in which they were loaded:
// what was found with other models may no longer hold.
struct jg_hash jg_models_hash(const struct jg_models *m);

// How many of those are the user's.
void jg_models_own(const struct jg_models *m, unsigned *models, unsigned *pairs);

// A pattern gives up on a name after a fixed number of steps; that counts as no match. Text that
// says so of one pattern (heap), each once; NULL: nothing more to tell. Any thread.
char *jg_models_take_limit(const struct jg_models *m);

// The model of a C function by its name alone, of those that are shipped: no struct jg_models, no
// pattern. NULL when there is none. Any thread, logarithmic.
const struct jg_model *jg_models_shipped(const char *name);

// One model as text: "blocks; parameter 0: string". Heap; the caller frees it.
char *jg_model_describe(const struct jg_model *m);

#endif
