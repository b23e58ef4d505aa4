// SPDX-License-Identifier: Apache-2.0
//
// The name that somebody who mistyped one may have meant.

#include "rules/common/nearest.h"

#include <stdint.h>
#include <string.h>

// Edits (insert, delete, replace) from a to b. Names only: both are short.
static size_t distance(const char *a, const char *b)
{
    size_t row[64], n = strlen(b);
    if (n >= sizeof row / sizeof *row)
        return SIZE_MAX;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[n];
}

const char *jg_nearest_within(const char *word, const char *const *names, size_t count,
                              size_t limit)
{
    size_t best = limit + 1;
    const char *found = NULL;
    for (size_t i = 0; i < count; i++) {
        size_t d = distance(word, names[i]);
        if (d < best) {
            best = d;
            found = names[i];
        }
    }
    return found;
}

const char *jg_nearest(const char *word, const char *const *names, size_t count)
{
    size_t length = strlen(word);
    return jg_nearest_within(word, names, count, length / 3 + (length % 3 != 0));
}
