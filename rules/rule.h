// SPDX-License-Identifier: Apache-2.0
//
// The rules, as data: one row of `rules.def` each. Every rule has a row from the start; `analyzer`
// and `agent` say which half has built it. Immutable static data, any thread.

#ifndef JG_RULES_RULE_H
#define JG_RULES_RULE_H

#include <stdbool.h>
#include <stddef.h>

enum jg_rule {
#define JG_RULE(symbol, ...) JG_RULE_##symbol,
#include "rules/rules.def"
    JG_RULE_COUNT,
    JG_RULE_NONE = JG_RULE_COUNT // "legal" in protocols.def
};

// The families of rules, in the order of rules.def.
#define JG_FAMILIES(X)                                                                             \
    X(references) X(exceptions) X(critical) X(buffers) X(threads) X(types) X(cost)

enum jg_family {
#define JG_FAMILY(name) JG_FAMILY_##name,
    JG_FAMILIES(JG_FAMILY)
#undef JG_FAMILY
        JG_FAMILY_COUNT
};

enum jg_severity { JG_NOTE, JG_WARNING, JG_ERROR };
enum jg_confidence { JG_LOW, JG_MEDIUM, JG_HIGH };

struct jg_rule_info {
    const char *id; // "local-ref-leak-in-loop"
    enum jg_family family;
    enum jg_severity severity;
    enum jg_confidence confidence; // the confidence a finding starts with
    unsigned cwe;                  // 0: none
    bool analyzer;                 // built in the analyzer
    bool agent;                    // built in the agent
    const char *title;             // one line, no full stop
};

const struct jg_rule_info *jg_rule_info(enum jg_rule rule);

// JG_RULE_NONE when no rule has that id.
enum jg_rule jg_rule_find(const char *id);

// The id nearest to a misspelled one (edit distance at most a third of its length), or NULL.
const char *jg_rule_nearest(const char *id);

// The page `rules/docs/<id>.md`, embedded at build time; NULL for rules without one.
const char *jg_rule_page(enum jg_rule rule);

const char *jg_family_name(enum jg_family f);         // "references"
const char *jg_severity_name(enum jg_severity s);     // "note", "warning", "error"
const char *jg_confidence_name(enum jg_confidence c); // "low", "medium", "high"
bool jg_severity_parse(const char *name, enum jg_severity *out);
bool jg_confidence_parse(const char *name, enum jg_confidence *out);

#endif
