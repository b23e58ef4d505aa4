// SPDX-License-Identifier: Apache-2.0
//
// The name that somebody who mistyped one may have meant. Any thread.

#ifndef JG_RULES_COMMON_NEAREST_H
#define JG_RULES_COMMON_NEAREST_H

#include <stddef.h>

// The name nearest to `word`, of those at most `limit` edits away, or NULL.
const char *jg_nearest_within(const char *word, const char *const *names, size_t count,
                              size_t limit);
// At most a third of the letters of `word` differ.
const char *jg_nearest(const char *word, const char *const *names, size_t count);

#endif
