// SPDX-License-Identifier: Apache-2.0
//
// Paths as texts. See path.h.

#include "analyzer/ir/path.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

const char *jg_path_plain(struct jg_bump *a, const char *directory, const char *path)
{
    const char *spelled =
        path[0] == '/'
            ? path
            : jg_bump_format(a, "%s/%s", strcmp(directory, "/") == 0 ? "" : directory, path);
    const char *plain = jg_path_absolute(a, "/", spelled);
    struct stat before, after;
    bool same = strcmp(plain, spelled) == 0 || stat(spelled, &before) != 0 ||
                (stat(plain, &after) == 0 && before.st_dev == after.st_dev &&
                 before.st_ino == after.st_ino);
    return same ? plain : spelled;
}
