// SPDX-License-Identifier: Apache-2.0
//
// A file of models: tree of nodes -> rows. In: text. Out: a struct jg_model_set, or the first error
// with its place; an unknown key is told with the nearest one of its level.
//
// How to read it: `keys` is vocabulary.def; next_key() finds the row of a key at a level and sets
// what is true or false by itself; each read_*() handles the other keys of one level; the check_*()
// refuse what contradicts itself. One thread.

#include "analyzer/models/document.h"
#include "analyzer/models/internal.h"
#include "rules/common/nearest.h"
#include "rules/rule.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

#define MAX_TEXTS 1000 // of one list: what compares each with each stays quick

enum level {
    LEVEL_FILE,
    LEVEL_MODEL,
    LEVEL_WHEN,
    LEVEL_RETURNS,
    LEVEL_PARAMETER,
    LEVEL_PAIR,
    LEVEL_HINT
};

enum type {
    TYPE_LIST,
    TYPE_MAP,
    TYPE_TEXT,
    TYPE_TEXTS, // one text or a list of them
    TYPE_FLAG,  // true, false
    TYPE_COUNT,
    TYPE_INDEX,           // of a parameter
    TYPE_RESULT_OR_INDEX, // `result`, or an index
    TYPE_LEVEL,           // high, medium, low
    TYPE_OBJECT,
    TYPE_THROWS,
    TYPE_HINT,
};

enum key_id {
#define JG_MODEL_KEY(level, symbol, ...) KEY_##level##_##symbol,
#include "analyzer/models/vocabulary.def"
};

static const struct key {
    enum level level;
    enum type type;
    const char *name;
    unsigned id; // enum key_id; of a flag: its position in its table
} keys[] = {
#define JG_MODEL_KEY(level, symbol, key, type, meaning)                                            \
    {LEVEL_##level, TYPE_##type, key, KEY_##level##_##symbol},
#define JG_MODEL_WHEN(symbol, key, meaning) {LEVEL_WHEN, TYPE_FLAG, key, JG_WHEN_##symbol##_INDEX},
#define JG_MODEL_EFFECT(symbol, key, meaning)                                                      \
    {LEVEL_MODEL, TYPE_FLAG, key, JG_DOES_##symbol##_INDEX},
#define JG_MODEL_RESULT(symbol, key, meaning)                                                      \
    {LEVEL_RETURNS, TYPE_FLAG, key, JG_RESULT_##symbol##_INDEX},
#define JG_MODEL_USE(symbol, key, meaning)                                                         \
    {LEVEL_PARAMETER, TYPE_FLAG, key, JG_USE_##symbol##_INDEX},
#include "analyzer/models/vocabulary.def"
};
#define KEY_COUNT (sizeof keys / sizeof *keys)

static const char *const objects[] = {
#define JG_MODEL_OBJECT(symbol, key, meaning) key,
#include "analyzer/models/vocabulary.def"
};
static const char *const throws[] = {
#define JG_MODEL_THROWS(symbol, key, meaning) key,
#include "analyzer/models/vocabulary.def"
};
static const char *const hints[] = {
#define JG_MODEL_HINT(symbol, key, meaning) key,
#include "analyzer/models/vocabulary.def"
};

struct loader {
    struct jg_model_set *set;
    struct jg_bump *arena;
    const char *path, *text;
    size_t length;
    char *error; // the first; nothing is read after it
};

// ---- errors and values --------------------------------------------------------------------------

__attribute__((format(printf, 3, 4))) static void fail(struct loader *l, const struct jg_node *at,
                                                       const char *fmt, ...)
{
    if (l->error)
        return;
    char *text;
    va_list args;
    va_start(args, fmt);
    int n = vasprintf(&text, fmt, args);
    va_end(args);
    if (n < 0)
        jg_out_of_memory();
    uint32_t column = jg_document_column(l->text, l->length, at->line, at->character);
    l->error = jg_format("%s:%u:%u: %s", l->path, at->line, column, text);
    free(text);
}

// "; did you mean 'x'?", or "; there are a, b, c" when nothing is near.
static char *suggestion(const char *word, const char *const *names, size_t count)
{
    const char *near = strlen(word) < 64 ? jg_nearest(word, names, count) : NULL;
    if (near)
        return jg_format("; did you mean '%s'?", near);
    char *list = jg_strdup("; there are ");
    for (size_t i = 0; i < count; i++) {
        char *longer = jg_format("%s%s%s", list, i ? ", " : "", names[i]);
        free(list);
        list = longer;
    }
    return list;
}

static const char *kind_name(enum jg_node_kind kind)
{
    switch (kind) {
    case JG_NODE_TEXT:
        return "a text";
    case JG_NODE_LIST:
        return "a list";
    case JG_NODE_MAP:
        return "a map";
    }
    return "";
}

static bool expect(struct loader *l, const struct jg_node *n, enum jg_node_kind kind,
                   const char *what)
{
    if (n->kind != kind)
        fail(l, n, "%s is %s, not %s", what, kind_name(kind), kind_name(n->kind));
    return !l->error;
}

static const char *text_of(struct loader *l, const struct jg_node *n, const char *what)
{
    if (!expect(l, n, JG_NODE_TEXT, what))
        return "";
    if (!*n->text)
        fail(l, n, "%s is empty", what);
    return n->text;
}

// Position of a word in a table of names; 0 with an error.
static unsigned word_of(struct loader *l, const struct jg_node *n, const char *what,
                        const char *const *names, size_t count)
{
    const char *word = text_of(l, n, what);
    for (unsigned i = 0; i < count; i++)
        if (strcmp(word, names[i]) == 0)
            return i;
    char *near = suggestion(word, names, count);
    fail(l, n, "%s cannot be '%s'%s", what, word, near);
    free(near);
    return 0;
}

static bool flag_of(struct loader *l, const struct jg_node *n, const char *what)
{
    bool yes = n->kind == JG_NODE_TEXT && !n->quoted && strcmp(n->text, "true") == 0;
    bool no = n->kind == JG_NODE_TEXT && !n->quoted && strcmp(n->text, "false") == 0;
    if (!yes && !no)
        fail(l, n, "%s is true or false", what);
    return yes;
}

static bool is_number(const char *text, unsigned limit, unsigned *out)
{
    size_t digits = strspn(text, "0123456789");
    if (!digits || text[digits] || digits > 4 || (digits > 1 && text[0] == '0'))
        return false;
    *out = (unsigned)strtoul(text, NULL, 10);
    return *out < limit;
}

static int8_t number_of(struct loader *l, const struct jg_node *n, const char *what, unsigned limit)
{
    unsigned value = 0;
    if (n->kind != JG_NODE_TEXT || n->quoted || !is_number(n->text, limit, &value))
        fail(l, n, "%s is a number from 0 to %u", what, limit - 1);
    return (int8_t)value;
}

static uint8_t object_of(struct loader *l, const struct jg_node *n, const char *what)
{
    return (uint8_t)(1 + word_of(l, n, what, objects, sizeof objects / sizeof *objects));
}

// One text or a list of them.
static const char *const *texts_of(struct loader *l, const struct jg_node *n, const char *what,
                                   uint32_t *count)
{
    *count = 0;
    if (n->kind == JG_NODE_MAP || (n->kind == JG_NODE_LIST && !n->first))
        fail(l, n, "%s is a text, or a list of at least one", what);
    if (l->error)
        return NULL;
    const struct jg_node *first = n->kind == JG_NODE_LIST ? n->first : n;
    uint32_t length = n->kind == JG_NODE_TEXT;
    for (const struct jg_node *e = n->first; e; e = e->next)
        length++;
    if (length > MAX_TEXTS) {
        fail(l, n, "%s has more than %d elements", what, MAX_TEXTS);
        return NULL;
    }
    const char **texts = jg_bump_alloc(l->arena, (length + 1) * sizeof *texts);
    for (const struct jg_node *e = first; *count < length; e = e->next)
        texts[(*count)++] = text_of(l, e, what);
    return texts;
}

static bool is_function_name(const char *name)
{
    if (isdigit((unsigned char)*name))
        return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_' && *name != '$')
            return false;
    return true;
}

static const char *const *functions_of(struct loader *l, const struct jg_node *n, const char *what,
                                       uint32_t *count)
{
    const char *const *names = texts_of(l, n, what, count);
    const struct jg_node *e = n->kind == JG_NODE_LIST ? n->first : n;
    for (uint32_t i = 0; i < *count && !l->error; i++, e = e->next)
        if (!is_function_name(names[i]))
            fail(l, e, "'%s' is no name of a function; a regular expression is a 'pattern'",
                 names[i]);
    return names;
}

static const char *pattern_of(struct loader *l, const struct jg_node *n)
{
    const char *regex = text_of(l, n, "pattern");
    char *error = NULL;
    struct jg_pattern *p = l->error ? NULL : jg_pattern_new(regex, &error);
    if (error)
        fail(l, n, "pattern: %s", error);
    free(error);
    jg_pattern_free(p);
    return regex;
}

// ---- keys ---------------------------------------------------------------------------------------

static const struct key *find_key(struct loader *l, enum level level, const struct jg_node *at,
                                  const char *name)
{
    const char *names[KEY_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (keys[i].level != level)
            continue;
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
        names[count++] = keys[i].name;
    }
    char *near = suggestion(name, names, count);
    fail(l, at, "unknown key '%s'%s", name, near);
    free(near);
    return NULL;
}

// The row of a key; NULL with an error. A key that is true or false is put into one of the sets.
static const struct key *next_key(struct loader *l, enum level level, const struct jg_node *at,
                                  uint16_t *yes, uint16_t *no)
{
    const struct key *key = find_key(l, level, at, at->text);
    if (!key || key->type != TYPE_FLAG)
        return key;
    uint16_t bit = (uint16_t)(1u << key->id);
    if (flag_of(l, at->value, key->name))
        *yes |= bit;
    else
        *no |= bit;
    return key;
}

// ---- models -------------------------------------------------------------------------------------

static void read_when(struct loader *l, const struct jg_node *n, struct jg_model *m)
{
    uint16_t yes = 0, no = 0;
    if (!expect(l, n, JG_NODE_MAP, "when"))
        return;
    for (const struct jg_node *k = n->first; k && !l->error; k = k->next) {
        const struct key *key = next_key(l, LEVEL_WHEN, k, &yes, &no);
        if (!key || key->type == TYPE_FLAG)
            continue;
        if (key->id == KEY_WHEN_RECORD)
            m->record = text_of(l, k->value, key->name);
        else
            m->when_params = number_of(l, k->value, key->name, 100);
    }
    m->when = (uint8_t)yes;
    m->when_not = (uint8_t)no;
}

static void read_returns(struct loader *l, const struct jg_node *n, struct jg_model *m)
{
    uint16_t yes = 0, no = 0;
    if (!expect(l, n, JG_NODE_MAP, "returns"))
        return;
    for (const struct jg_node *k = n->first; k && !l->error; k = k->next) {
        const struct key *key = next_key(l, LEVEL_RETURNS, k, &yes, &no);
        if (!key || key->type == TYPE_FLAG)
            continue;
        if (key->id == KEY_RETURNS_FRESH)
            m->fresh = object_of(l, k->value, key->name);
        else if (key->id == KEY_RETURNS_PARAMETER)
            m->result_param = number_of(l, k->value, key->name, JG_MODEL_PARAMS);
        else
            m->length_of = number_of(l, k->value, key->name, JG_MODEL_PARAMS);
    }
    m->result = (uint8_t)yes;
    m->result_not = (uint8_t)no;
    if (yes & JG_RESULT_NON_NULL && yes & JG_RESULT_NULL_THROWS)
        fail(l, n, "'non-null' and 'null-when-throws' contradict each other");
    if (m->fresh && yes & JG_RESULT_BORROWED)
        fail(l, n, "'fresh' and 'borrowed' contradict each other");
    if (m->result_param >= 0 && (m->fresh || m->length_of >= 0 || yes & JG_RESULT_ENV))
        fail(l, n, "'parameter' and '%s' contradict each other",
             m->fresh            ? "fresh"
             : m->length_of >= 0 ? "length-of"
                                 : "env");
}

// `out`: the key itself, true.
static void read_use(struct loader *l, const struct jg_node *n, struct jg_model_param *p)
{
    const char *word = text_of(l, n, "what happens to a parameter");
    const struct key *key = l->error ? NULL : find_key(l, LEVEL_PARAMETER, n, word);
    if (key && key->type != TYPE_FLAG)
        fail(l, n, "'%s' needs a value: {%s: local}", word, word);
    else if (key)
        p->uses |= (uint16_t)(1u << key->id);
}

static void read_use_keys(struct loader *l, const struct jg_node *n, struct jg_model_param *p)
{
    uint16_t yes = 0, no = 0;
    for (const struct jg_node *k = n->first; k && !l->error; k = k->next) {
        const struct key *key = next_key(l, LEVEL_PARAMETER, k, &yes, &no);
        if (!key || key->type == TYPE_FLAG)
            continue;
        uint8_t object = object_of(l, k->value, key->name);
        if (key->id == KEY_PARAMETER_RELEASES)
            p->releases = object;
        else if (key->id == KEY_PARAMETER_ACQUIRES)
            p->acquires = object;
        else if (key->id == KEY_PARAMETER_ELEMENTS)
            p->elements = object;
        else
            p->fields = object;
    }
    p->uses |= yes;
    if (no)
        fail(l, n, "what does not happen to a parameter is left out, not false");
}

static void check_param(struct loader *l, const struct jg_node *n, const struct jg_model_param *p)
{
    const unsigned memory = JG_USE_OUT | JG_USE_IN | JG_USE_STRING | JG_USE_PRINTED;
    const unsigned number = JG_USE_SIZE | JG_USE_ALLOCATED;
    const unsigned function = JG_USE_ENTRY | JG_USE_CALLED | JG_USE_CALLBACK | JG_USE_HANDLER;
    bool acquires = p->acquires || p->elements || p->fields;
    if (p->uses & number && (p->uses & (memory | function) || acquires || p->releases))
        fail(l, n, "a number of bytes is no memory, function or object");
    if (p->uses & function && p->uses & memory)
        fail(l, n, "a function is no memory that is read or written");
    if (p->uses & JG_USE_VALUE && (p->uses & ~(unsigned)JG_USE_VALUE || acquires || p->releases))
        fail(l, n, "'value' says that nothing else happens to the parameter");
    if (p->releases && p->uses & JG_USE_KEEPS)
        fail(l, n, "'releases' and 'keeps' contradict each other");
}

static void read_param(struct loader *l, const struct jg_node *n, struct jg_model_param *p)
{
    if (n->kind == JG_NODE_MAP)
        read_use_keys(l, n, p);
    else if (n->kind == JG_NODE_LIST)
        for (const struct jg_node *e = n->first; e && !l->error; e = e->next)
            read_use(l, e, p);
    else
        read_use(l, n, p);
    check_param(l, n, p);
}

static void read_params(struct loader *l, const struct jg_node *n, struct jg_model *m)
{
    if (!expect(l, n, JG_NODE_MAP, "parameters"))
        return;
    for (const struct jg_node *k = n->first; k && !l->error; k = k->next) {
        unsigned index = 0;
        if (strcmp(k->text, "further") == 0) {
            read_param(l, k->value, &m->further);
        } else if (is_number(k->text, JG_MODEL_PARAMS, &index)) {
            m->params_said |= (uint16_t)(1u << index);
            read_param(l, k->value, &m->params[index]);
        } else {
            fail(l, k, "a key of 'parameters' is a number from 0 to %d, or 'further', not '%s'",
                 JG_MODEL_PARAMS - 1, k->text);
        }
    }
}

static void check_model(struct loader *l, const struct jg_node *n, const struct jg_model *m,
                        bool named)
{
    bool returns = m->fresh || m->result || m->result_param >= 0 || m->length_of >= 0;
    if (named == m->is_pattern)
        fail(l, n, "a model has either 'names' or 'pattern'");
    if (m->record && m->is_pattern)
        fail(l, n, "'when: record' goes with 'names', not with a pattern");
    if (m->does & JG_DOES_NORETURN && (returns || m->throws))
        fail(l, n, "'never-returns' and '%s' contradict each other",
             returns ? "returns" : "throws");
    if (m->throws == JG_THROWS_NEVER && m->result & JG_RESULT_NULL_THROWS)
        fail(l, n, "'throws: never' and 'null-when-throws' contradict each other");
    if (m->throws == JG_THROWS_ALWAYS && m->does & JG_DOES_CHECKS)
        fail(l, n, "'throws: always' and 'checks-exception' contradict each other");
    if (m->does & JG_DOES_CLEARS && m->does & JG_DOES_CHECKS)
        fail(l, n,
             "'clears-exception' and 'checks-exception' contradict each other; say neither "
             "where the result tells what was cleared");
    if (m->does & JG_DOES_ATTACHES && m->does & JG_DOES_DETACHES)
        fail(l, n, "'attaches' and 'detaches' contradict each other");
    if (m->when & JG_WHEN_GIVES_NONE && returns)
        fail(l, n, "'returns-nothing' and 'returns' contradict each other");
}

static void add_model(struct loader *l, const struct jg_node *names, struct jg_model *m)
{
    if (m->is_pattern) {
        *JG_VEC_PUSH(&l->set->patterns) = *m;
        return;
    }
    uint32_t count;
    const char *const *list = functions_of(l, names, "names", &count);
    const struct jg_node *e = names->kind == JG_NODE_LIST ? names->first : names;
    for (uint32_t i = 0; i < count && !l->error; i++, e = e->next) {
        m->name = list[i];
        m->line = e->line;
        m->column = jg_document_column(l->text, l->length, e->line, e->character);
        *JG_VEC_PUSH(&l->set->names) = *m;
    }
}

static void read_model(struct loader *l, const struct jg_node *n)
{
    struct jg_model m = {
        .file = l->path, .line = n->line, .when_params = -1, .result_param = -1, .length_of = -1};
    const struct jg_node *names = NULL;
    enum jg_confidence confidence = JG_LOW;
    bool says_confidence = false;
    if (!expect(l, n, JG_NODE_MAP, "a model"))
        return;
    for (const struct jg_node *k = n->first; k && !l->error; k = k->next) {
        const struct key *key = next_key(l, LEVEL_MODEL, k, &m.does, &m.does_not);
        if (!key || key->type == TYPE_FLAG)
            continue;
        switch (key->id) {
        case KEY_MODEL_NAMES:
            names = k->value;
            break;
        case KEY_MODEL_PATTERN:
            m.name = pattern_of(l, k->value);
            m.line = k->line;
            m.is_pattern = true;
            break;
        case KEY_MODEL_WHEN:
            read_when(l, k->value, &m);
            break;
        case KEY_MODEL_CONFIDENCE:
            says_confidence = true;
            if (!jg_confidence_parse(text_of(l, k->value, key->name), &confidence))
                fail(l, k->value, "confidence is high, medium or low");
            break;
        case KEY_MODEL_THROWS:
            m.throws = (uint8_t)(1 + word_of(l, k->value, key->name, throws,
                                             sizeof throws / sizeof *throws));
            break;
        case KEY_MODEL_RETURNS:
            read_returns(l, k->value, &m);
            break;
        default:
            read_params(l, k->value, &m);
            break;
        }
    }
    if (!says_confidence)
        confidence = m.is_pattern ? JG_MEDIUM : JG_HIGH;
    m.confidence = (uint8_t)confidence;
    if (!m.is_pattern && !m.record && !(m.when_not & JG_WHEN_C_ONLY))
        m.when |= JG_WHEN_C_ONLY;
    m.when_not &= (uint8_t)~JG_WHEN_C_ONLY; // false only lifts the default
    check_model(l, n, &m, names != NULL);
    if (!l->error)
        add_model(l, names, &m);
}

// ---- pairs and hints ----------------------------------------------------------------------------

static void check_pair(struct loader *l, const struct jg_node *n, const struct jg_model_pair *p)
{
    if (!p->acquire_count || !p->release_count)
        fail(l, n, "a pair has 'acquire' and 'release'");
    for (uint32_t i = 0; i < p->acquire_count && !l->error; i++)
        for (uint32_t k = 0; k < p->release_count; k++)
            if (strcmp(p->acquire[i], p->release[k]) == 0)
                fail(l, n, "'%s' cannot both acquire and release", p->acquire[i]);
}

static void read_pair(struct loader *l, const struct jg_node *n)
{
    struct jg_model_pair p = {.object = -1, .what = "object", .file = l->path, .line = n->line};
    uint16_t none = 0;
    if (!expect(l, n, JG_NODE_MAP, "a pair"))
        return;
    for (const struct jg_node *k = n->first; k && !l->error; k = k->next) {
        const struct key *key = next_key(l, LEVEL_PAIR, k, &none, &none);
        if (!key)
            break;
        switch (key->id) {
        case KEY_PAIR_ACQUIRE:
            p.acquire = functions_of(l, k->value, key->name, &p.acquire_count);
            break;
        case KEY_PAIR_RELEASE:
            p.release = functions_of(l, k->value, key->name, &p.release_count);
            break;
        case KEY_PAIR_OBJECT:
            if (k->value->kind != JG_NODE_TEXT || strcmp(k->value->text, "result") != 0)
                p.object = number_of(l, k->value, "object is 'result', or", JG_MODEL_PARAMS);
            break;
        case KEY_PAIR_RELEASED:
            p.released = number_of(l, k->value, key->name, JG_MODEL_PARAMS);
            break;
        default:
            p.what = text_of(l, k->value, key->name);
            break;
        }
    }
    check_pair(l, n, &p);
    if (!l->error)
        *JG_VEC_PUSH(&l->set->pairs) = p;
}

static void read_hint(struct loader *l, const struct jg_node *n)
{
    struct jg_model_hint_row h = {.file = l->path, .line = n->line};
    uint16_t none = 0;
    if (!expect(l, n, JG_NODE_MAP, "a hint"))
        return;
    for (const struct jg_node *k = n->first; k && !l->error; k = k->next) {
        const struct key *key = next_key(l, LEVEL_HINT, k, &none, &none);
        if (!key)
            break;
        if (key->id == KEY_HINT_SAYS)
            h.hint = 1u << word_of(l, k->value, key->name, hints, sizeof hints / sizeof *hints);
        else if (key->id == KEY_HINT_WORDS)
            h.words = texts_of(l, k->value, key->name, &h.word_count);
        else
            h.pattern = pattern_of(l, k->value);
    }
    for (uint32_t i = 0; i < h.word_count && !l->error; i++)
        for (const char *c = h.words[i]; *c; c++)
            if (isupper((unsigned char)*c))
                fail(l, n, "'%s': words are written in small letters, and found in whatever case",
                     h.words[i]);
    if (!h.hint || (!h.word_count && !h.pattern))
        fail(l, n, "a hint has 'says', and 'words' or 'pattern'");
    if (!l->error)
        *JG_VEC_PUSH(&l->set->hints) = h;
}

// ---- the file -----------------------------------------------------------------------------------

static void read_file(struct loader *l, const struct jg_node *root)
{
    static void (*const readers[])(struct loader *, const struct jg_node *) = {
        [KEY_FILE_MODELS] = read_model,
        [KEY_FILE_PAIRS] = read_pair,
        [KEY_FILE_HINTS] = read_hint,
    };
    uint16_t none = 0;
    if (!expect(l, root, JG_NODE_MAP, "a file of models"))
        return;
    for (const struct jg_node *k = root->first; k && !l->error; k = k->next) {
        const struct key *key = next_key(l, LEVEL_FILE, k, &none, &none);
        if (!key || !expect(l, k->value, JG_NODE_LIST, key->name))
            break;
        for (const struct jg_node *e = k->value->first; e && !l->error; e = e->next)
            readers[key->id](l, e);
    }
}

int jg_model_compare(const char *name, const char *record, const struct jg_model *m)
{
    int order = strcmp(name, m->name);
    return order ? order : strcmp(record ? record : "", m->record ? m->record : "");
}

static int by_name(const void *a, const void *b)
{
    const struct jg_model *m = a;
    return jg_model_compare(m->name, m->record, b);
}

static int compare_places(const struct jg_model *a, const struct jg_model *b)
{
    return a->line != b->line ? (a->line < b->line ? -1 : 1) : (int)a->column - (int)b->column;
}

// By name, then in the order of the file.
static int by_name_and_place(const void *a, const void *b)
{
    const struct jg_model *m = *(const struct jg_model *const *)a,
                          *n = *(const struct jg_model *const *)b;
    int order = jg_model_compare(m->name, m->record, n);
    return order ? order : compare_places(m, n);
}

// Two models of one function, the first such in the order of the file.
static void check_duplicates(struct loader *l)
{
    uint32_t count = l->set->names.count;
    const struct jg_model **sorted = jg_malloc((count + 1) * sizeof *sorted);
    const struct jg_model *twice = NULL, *before = NULL;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = &l->set->names.data[i];
    qsort(sorted, count, sizeof *sorted, by_name_and_place);
    for (uint32_t i = 1; i < count; i++) {
        if (jg_model_compare(sorted[i]->name, sorted[i]->record, sorted[i - 1]) == 0 &&
            (!twice || compare_places(sorted[i], twice) < 0)) {
            twice = sorted[i];
            before = sorted[i - 1];
        }
    }
    if (twice)
        l->error = jg_models_duplicate(twice, before);
    free(sorted);
}

char *jg_models_duplicate(const struct jg_model *twice, const struct jg_model *before)
{
    return jg_format("%s:%u:%u: '%s' has a model already, at %s:%u", twice->file, twice->line,
                     twice->column, twice->name, before->file, before->line);
}

char *jg_model_set_read(struct jg_model_set *set, struct jg_bump *arena, const char *path,
                        const char *text, size_t length)
{
    struct loader l = {.set = set, .arena = arena, .text = text, .length = length};
    l.path = jg_bump_strdup(arena, path);
    struct jg_node *root = jg_document_parse(arena, path, text, length, &l.error);
    if (root)
        read_file(&l, root);
    if (!l.error)
        check_duplicates(&l);
    return l.error;
}

struct jg_hash jg_hash_join(struct jg_hash a, struct jg_hash b)
{
    struct jg_hasher h;
    jg_hasher_init(&h);
    jg_hasher_add(&h, a.bytes, sizeof a.bytes);
    jg_hasher_add(&h, b.bytes, sizeof b.bytes);
    return jg_hasher_final(&h);
}

void jg_model_set_fini(struct jg_model_set *set)
{
    JG_VEC_FREE(&set->names);
    JG_VEC_FREE(&set->patterns);
    JG_VEC_FREE(&set->pairs);
    JG_VEC_FREE(&set->hints);
}

void jg_model_set_sort(struct jg_model_set *set)
{
    if (set->names.count)
        qsort(set->names.data, set->names.count, sizeof *set->names.data, by_name);
}
