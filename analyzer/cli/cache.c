// SPDX-License-Identifier: Apache-2.0
//
// `jniguard cache info|clear`.

#include "analyzer/project/cache.h"
#include "analyzer/cli/cli.h"
#include "analyzer/report/report.h"

#include <stdlib.h>
#include <string.h>

static void print_path(const char *path)
{
    jg_put_escaped(stdout, path, strlen(path));
    putchar('\n');
}

// "104.2 MiB"
static char *size_text(uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double size = (double)bytes;
    unsigned unit = 0;
    for (; size >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
        size /= 1024;
    return unit ? jg_format("%.1f %s", size, units[unit])
                : jg_format("%llu %s", (unsigned long long)bytes, units[0]);
}

static void print_info(const struct jg_cache_info *info, const char *size)
{
    char *limit = size_text(JG_CACHE_LIMIT);
    fputs("folder  ", stdout);
    print_path(info->folder);
    printf("units   %llu\nfiles   %llu\nsize    %s of at most %s; the oldest go first\n",
           (unsigned long long)info->units, (unsigned long long)info->files, size, limit);
    free(limit);
}

static int cache(bool clear)
{
    struct jg_cache_info info;
    char *error = clear ? jg_cache_clear(&info) : jg_cache_info(&info);
    char *size = size_text(info.bytes);
    int code = JG_EXIT_OK;
    if (error) {
        code = jg_error("cache: %s", error);
    } else if (!info.folder) {
        puts("no cache: neither XDG_CACHE_HOME nor HOME names a folder");
    } else if (!info.exists) {
        fputs(clear ? "nothing to remove: there is no " : "no cache yet; it would be ", stdout);
        print_path(info.folder);
    } else if (clear) {
        printf("removed %llu file%s, %s, from ", (unsigned long long)info.files,
               info.files == 1 ? "" : "s", size);
        print_path(info.folder);
    } else {
        print_info(&info, size);
    }
    free(size);
    free(error);
    free(info.folder);
    return jg_finish_stdout(code);
}

int jg_cmd_cache(const struct jg_options *o)
{
    const char *what = o->arguments.count ? o->arguments.data[0] : NULL;
    if (o->arguments.count != 1 || o->has_rest)
        return jg_error("'cache' takes one argument: info or clear");
    if (strcmp(what, "info") == 0)
        return cache(false);
    if (strcmp(what, "clear") == 0)
        return cache(true);
    return jg_error("'cache' cannot '%s'; it can info and clear", what);
}
