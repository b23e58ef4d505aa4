// SPDX-License-Identifier: Apache-2.0
//
// What is shown: by rule, family, severity and confidence.

#include "analyzer/report/report.h"

#include <stdlib.h>
#include <string.h>

void jg_filter_init(struct jg_filter *f)
{
    for (unsigned i = 0; i < JG_RULE_COUNT; i++)
        f->rule[i] = true;
    f->min_severity = JG_WARNING;
    f->min_confidence = JG_MEDIUM;
}

bool jg_filter_shows(const struct jg_filter *f, const struct jg_finding *finding)
{
    return f->rule[finding->rule] && finding->severity >= f->min_severity &&
           finding->confidence >= f->min_confidence;
}

// Calls `add` for each name of a list; stops at the first error.
static char *each_name(const char *list, char *(*add)(const char *name, bool *set), bool *set)
{
    char *copy = jg_strdup(list), *rest = copy, *error = NULL, *name;
    while (!error && (name = strsep(&rest, ",")) != NULL) {
        name += strspn(name, " \t");
        name[strcspn(name, " \t")] = '\0';
        if (*name)
            error = add(name, set);
    }
    free(copy);
    return error;
}

static bool is_family(const char *name)
{
    for (unsigned f = 0; f < JG_FAMILY_COUNT; f++)
        if (strcmp(jg_family_name((enum jg_family)f), name) == 0)
            return true;
    return false;
}

char *jg_rule_unknown(const char *name)
{
    char *begin_so = NULL;
    size_t length = strlen(name);
    for (unsigned i = 0; i < JG_RULE_COUNT; i++) {
        const char *id = jg_rule_info((enum jg_rule)i)->id;
        if (strncmp(id, name, length) != 0 || id[length] != '-' || !jg_rule_page((enum jg_rule)i))
            continue;
        char *longer = jg_format("%s%s%s", begin_so ? begin_so : "", begin_so ? ", " : "", id);
        free(begin_so);
        begin_so = longer;
    }
    const char *near = jg_rule_nearest(name);
    char *text = is_family(name)
                     ? jg_format("no rule is called '%s', it is a family: --family %s", name, name)
                 : begin_so && length
                     ? jg_format("no rule is called '%s'; there are %s", name, begin_so)
                 : near ? jg_format("no rule is called '%s'; did you mean '%s'?", name, near)
                        : jg_format("no rule is called '%s'; 'jniguard rules' lists them", name);
    free(begin_so);
    return text;
}

static char *add_rule(const char *name, bool *set)
{
    enum jg_rule rule = jg_rule_find(name);
    if (rule == JG_RULE_NONE)
        return jg_rule_unknown(name);
    set[rule] = true;
    return NULL;
}

static char *add_family(const char *name, bool *set)
{
    char *known = jg_strdup("");
    for (unsigned f = 0; f < JG_FAMILY_COUNT; f++) {
        const char *family = jg_family_name((enum jg_family)f);
        if (strcmp(family, name) == 0) {
            for (unsigned i = 0; i < JG_RULE_COUNT; i++)
                set[i] |= jg_rule_info((enum jg_rule)i)->family == f;
            free(known);
            return NULL;
        }
        char *longer = jg_format("%s%s%s", known, *known ? ", " : "", family);
        free(known);
        known = longer;
    }
    char *error = jg_format("no family is called '%s'; there are %s", name, known);
    free(known);
    return error;
}

char *jg_rules_parse(const char *list, bool set[JG_RULE_COUNT])
{
    return each_name(list, add_rule, set);
}

char *jg_families_parse(const char *list, bool set[JG_RULE_COUNT])
{
    return each_name(list, add_family, set);
}
