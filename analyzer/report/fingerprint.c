// SPDX-License-Identifier: Apache-2.0
//
// The fingerprint of a finding: rule, function and the token text of the statement it lies in. No
// path and no line number, so that it survives moves; white space and comments do not count.
// Statements of equal text in one function have equal fingerprints; a baseline counts them.

#include "analyzer/report/report.h"

#include <string.h>
#include <xxhash.h>

#define MAX_TOKENS 256 // each way

static bool is_char(const struct jg_source *src, const struct jg_token *t, const char *chars)
{
    return t->length == 1 && strchr(chars, src->data[t->offset]);
}

// The last token that begins at or before the position; false when there is none.
static bool token_at(const struct jg_source *src, const struct jg_position *at, uint32_t *index)
{
    if (at->line == 0 || at->line > src->lines.count)
        return false;
    uint64_t offset = (uint64_t)src->lines.data[at->line - 1] + (at->column ? at->column - 1 : 0);
    uint32_t low = 0, high = src->tokens.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (src->tokens.data[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    while (low > 0 && src->tokens.data[low - 1].comment)
        low--;
    *index = low ? low - 1 : 0;
    return low > 0;
}

// Tokens of the other world end nothing: a directive in the middle of a statement is passed over.
static bool counts(const struct jg_token *t, bool directive)
{
    return !t->comment && t->directive == directive;
}

// The range of tokens [*first, *last] of the statement around `at`.
static void statement(const struct jg_source *src, uint32_t at, uint32_t *first, uint32_t *last)
{
    const struct jg_token *tokens = src->tokens.data;
    bool directive = tokens[at].directive;
    int depth = 0;
    uint32_t n = 0;
    *first = *last = at;
    for (uint32_t i = at; i-- > 0 && n < MAX_TOKENS;) {
        if (!counts(&tokens[i], directive)) {
            if (directive && !tokens[i].comment)
                break;
            continue;
        }
        depth += is_char(src, &tokens[i], ")") ? 1 : is_char(src, &tokens[i], "(") ? -1 : 0;
        if (is_char(src, &tokens[i], "{}") || (depth <= 0 && is_char(src, &tokens[i], ";")))
            break;
        *first = i;
        n++;
    }
    depth = 0;
    n = 0;
    for (uint32_t i = at; i < src->tokens.count && n < MAX_TOKENS; i++) {
        if (!counts(&tokens[i], directive)) {
            if (directive && !tokens[i].comment)
                break;
            continue;
        }
        depth += is_char(src, &tokens[i], "(") ? 1 : is_char(src, &tokens[i], ")") ? -1 : 0;
        if (is_char(src, &tokens[i], "{}") || (depth <= 0 && is_char(src, &tokens[i], ";")))
            break;
        *last = i;
        n++;
    }
}

static void add_text(XXH3_state_t *state, const char *text, size_t length)
{
    XXH3_128bits_update(state, text, length);
    XXH3_128bits_update(state, "\0", 1);
}

void jg_report_fingerprint(struct jg_sources *sources, struct jg_finding *finding)
{
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        jg_out_of_memory();
    XXH3_128bits_reset(state);
    const char *rule = jg_rule_info(finding->rule)->id;
    add_text(state, rule, strlen(rule));
    add_text(state, finding->function, strlen(finding->function));

    struct jg_source *src = jg_sources_get(sources, finding->at.path);
    jg_source_lex(src);
    uint32_t at, first, last;
    if (src->data && token_at(src, &finding->at, &at)) {
        statement(src, at, &first, &last);
        bool directive = src->tokens.data[at].directive;
        for (uint32_t i = first; i <= last; i++)
            if (counts(&src->tokens.data[i], directive))
                add_text(state, src->data + src->tokens.data[i].offset, src->tokens.data[i].length);
    } else {
        add_text(state, finding->message, strlen(finding->message)); // no source: the next best
    }

    XXH128_canonical_t hash;
    XXH128_canonicalFromHash(&hash, XXH3_128bits_digest(state));
    XXH3_freeState(state);
    for (size_t i = 0; i < sizeof hash.digest; i++)
        snprintf(finding->fingerprint + 2 * i, 3, "%02x", hash.digest[i]);
}
