// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the cache share: a folder with a project and a cache of its own.

#ifndef JG_TESTS_CACHE_FIXTURE_H
#define JG_TESTS_CACHE_FIXTURE_H

#include "analyzer/project/cache_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/jg-cache-XXXXXX");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    setenv("HOME", folder, 1);
    char *path = jg_format("%s/cache", folder);
    setenv("XDG_CACHE_HOME", path, 1);
    free(path);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return chdir("/") != 0 || nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0;
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

#endif
