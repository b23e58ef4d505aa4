// SPDX-License-Identifier: Apache-2.0
//
// Regular expressions for names, by PCRE2. The only file that knows it.
//
// A pattern comes from a user's file and must not be able to hang the tool: its length, the steps
// of a match, their depth and their memory are bounded. What hits a bound is no match, and is
// counted, so that it can be told. No just-in-time compiler: it counts steps in another way, and
// costs more than it saves on names.

#include "analyzer/models/internal.h"

#include <stdatomic.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#define MAX_REGEX 1000    // characters of a pattern
#define MAX_STEPS 20000   // calls of PCRE2's match(); names need a few hundred
#define MAX_DEPTH 2000    // nested backtracking points
#define MAX_HEAP_KIB 1024 // memory of a match
#define MAX_NESTING 50    // parentheses

struct jg_pattern {
    pcre2_code *code;
    pcre2_match_context *context; // only read while matching
    atomic_bool limited, told;
};

static pcre2_match_context *bounds(void)
{
    pcre2_match_context *c = pcre2_match_context_create(NULL);
    if (!c)
        jg_out_of_memory();
    pcre2_set_match_limit(c, MAX_STEPS);
    pcre2_set_depth_limit(c, MAX_DEPTH);
    pcre2_set_heap_limit(c, MAX_HEAP_KIB);
    return c;
}

struct jg_pattern *jg_pattern_new(const char *regex, char **error)
{
    pcre2_compile_context *how = pcre2_compile_context_create(NULL);
    if (!how)
        jg_out_of_memory();
    pcre2_set_max_pattern_length(how, MAX_REGEX);
    pcre2_set_parens_nest_limit(how, MAX_NESTING);
    int code;
    PCRE2_SIZE offset;
    pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)regex, PCRE2_ZERO_TERMINATED,
                                         PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_NEVER_UTF |
                                             PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY,
                                         &code, &offset, how);
    pcre2_compile_context_free(how);
    if (!compiled) {
        PCRE2_UCHAR text[256];
        pcre2_get_error_message(code, text, sizeof text);
        *error = jg_format("%s, at offset %zu of '%s'", (const char *)text, (size_t)offset, regex);
        return NULL;
    }
    struct jg_pattern *p = jg_calloc(1, sizeof *p);
    p->code = compiled;
    p->context = bounds();
    return p;
}

void jg_pattern_free(struct jg_pattern *p)
{
    if (!p)
        return;
    pcre2_code_free(p->code);
    pcre2_match_context_free(p->context);
    free(p);
}

bool jg_pattern_matches(struct jg_pattern *p, const char *name)
{
    pcre2_match_data *data = pcre2_match_data_create(1, NULL); // no group is asked for
    if (!data)
        jg_out_of_memory();
    int result =
        pcre2_match(p->code, (PCRE2_SPTR)name, PCRE2_ZERO_TERMINATED, 0, 0, data, p->context);
    pcre2_match_data_free(data);
    if (result < 0 && result != PCRE2_ERROR_NOMATCH)
        atomic_store(&p->limited, true);
    return result >= 0;
}

bool jg_pattern_take_limit(struct jg_pattern *p)
{
    return atomic_load(&p->limited) && !atomic_exchange(&p->told, true);
}
