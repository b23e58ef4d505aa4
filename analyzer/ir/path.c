// SPDX-License-Identifier: Apache-2.0
//
// Paths as texts. See path.h.

#include "analyzer/ir/path.h"

#include <stdlib.h>
#include <string.h>

char *jg_path_absolute(struct jg_bump *a, const char *directory, const char *path)
{
    char *joined = path[0] == '/' ? jg_strdup(path) : jg_format("%s/%s", directory, path);
    char *out = jg_bump_alloc(a, strlen(joined) + 2), *end = out;
    for (const char *s = joined; *s;) {
        while (*s == '/')
            s++;
        size_t n = strcspn(s, "/");
        if (n == 2 && s[0] == '.' && s[1] == '.') {
            while (end > out && *--end != '/')
                ;
        } else if (n && !(n == 1 && s[0] == '.')) {
            *end++ = '/';
            memcpy(end, s, n);
            end += n;
        }
        s += n;
    }
    if (end == out)
        *end++ = '/';
    *end = '\0';
    free(joined);
    return out;
}
