// SPDX-License-Identifier: Apache-2.0
//
// rules.def -> a constant table; the pages come from rules/docs through embed_pages.cmake.

#include "rules/rule.h"

#include <string.h>

// The columns analyzer and agent, as rules.def spells them.
enum { HALF_never = false, HALF_planned = false, HALF_built = true };

static const struct jg_rule_info rules[JG_RULE_COUNT] = {
#define JG_RULE(symbol, id, family, severity, confidence, cwe, analyzer, agent, title)             \
    [JG_RULE_##symbol] = {id,  JG_FAMILY_##family, JG_##severity, JG_##confidence,                 \
                          cwe, HALF_##analyzer,    HALF_##agent,  title},
#include "rules/rules.def"
};

// Defined in the file that embed_pages.cmake writes; NULL where there is no page.
extern const char *const jg_rule_pages[JG_RULE_COUNT];

static const char *const severity_names[] = {"note", "warning", "error"};
static const char *const confidence_names[] = {"low", "medium", "high"};

const struct jg_rule_info *jg_rule_info(enum jg_rule rule)
{
    return &rules[rule];
}

enum jg_rule jg_rule_find(const char *id)
{
    for (unsigned i = 0; i < JG_RULE_COUNT; i++) {
        if (strcmp(rules[i].id, id) == 0)
            return (enum jg_rule)i;
    }
    return JG_RULE_NONE;
}

// Longer strings are near to no id.
#define LONGEST_WORD 64

// Edits (insert, delete, replace) that turn `a` into `b`; both at most LONGEST_WORD long.
// Levenshtein's table, one row at a time: row[j] is the distance from the part of `a` read so far
// to the first j characters of `b`.
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[LONGEST_WORD + 1];
    size_t width = strlen(b);

    for (size_t j = 0; j <= width; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < width; j++) {
            size_t best = diagonal + (a[i] != b[j]);
            if (best > row[j] + 1)
                best = row[j] + 1;
            if (best > row[j + 1] + 1)
                best = row[j + 1] + 1;
            diagonal = row[j + 1];
            row[j + 1] = best;
        }
    }
    return row[width];
}

const char *jg_rule_nearest(const char *id)
{
    size_t length = strlen(id);
    if (length > LONGEST_WORD)
        return NULL;

    const char *nearest = NULL;
    size_t limit = length / 3 + 1;
    for (size_t i = 0; i < JG_RULE_COUNT; i++) {
        size_t distance = edit_distance(id, rules[i].id);
        if (distance < limit) {
            limit = distance;
            nearest = rules[i].id;
        }
    }
    return nearest;
}

const char *jg_rule_page(enum jg_rule rule)
{
    return jg_rule_pages[rule];
}

const char *jg_family_name(enum jg_family f)
{
    static const char *const names[] = {
#define JG_FAMILY(name) #name,
        JG_FAMILIES(JG_FAMILY)
#undef JG_FAMILY
    };
    return names[f];
}

const char *jg_severity_name(enum jg_severity s)
{
    return severity_names[s];
}

const char *jg_confidence_name(enum jg_confidence c)
{
    return confidence_names[c];
}

// Index of `name` among three names, -1 when it is none of them.
static int parse(const char *const names[3], const char *name)
{
    for (int i = 0; i < 3; i++) {
        if (strcmp(names[i], name) == 0)
            return i;
    }
    return -1;
}

bool jg_severity_parse(const char *name, enum jg_severity *out)
{
    int i = parse(severity_names, name);
    if (i >= 0)
        *out = (enum jg_severity)i;
    return i >= 0;
}

bool jg_confidence_parse(const char *name, enum jg_confidence *out)
{
    int i = parse(confidence_names, name);
    if (i >= 0)
        *out = (enum jg_confidence)i;
    return i >= 0;
}
