// SPDX-License-Identifier: Apache-2.0
//
// Where the cache lies, and whether it can be trusted.
//
// Up to and including jniguard/ the path is the user's and may lead through symbolic links. From
// v1/ on nothing is followed: each folder is opened from the one above it and must belong to this
// user and be writable by nobody else. All further work goes through those descriptors, so that
// nobody who changes the path meanwhile leads it elsewhere.

#include "analyzer/project/cache_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const kind_names[JG_CACHE_KINDS] = {
    [JG_CACHE_MANIFEST] = "manifests", [JG_CACHE_UNIT] = "units", [JG_CACHE_RESULTS] = "results"};

// An absolute path from the environment, or NULL: the specification has relative ones ignored.
static const char *absolute(const char *variable)
{
    const char *value = getenv(variable);
    return value && value[0] == '/' ? value : NULL;
}

// Makes the folders of `path` after its first `given` bytes. Errors show when it is opened.
static void make_folders(char *path, size_t given)
{
    for (char *slash = path + given; (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    mkdir(path, 0700);
}

static char *check(int fd, const char *path, mode_t forbidden)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return jg_format("%s: %s", path, strerror(errno));
    if (st.st_uid != geteuid())
        return jg_format("%s belongs to another user (%u)", path, (unsigned)st.st_uid);
    if (st.st_mode & forbidden)
        return jg_format("%s can be written by others", path);
    return NULL;
}

// Opens `name` in the folder `above`, following no link. *fd is -1 when it is not there and need
// not be made.
static char *open_below(int above, const char *name, const char *path, bool create, int *fd)
{
    if (create)
        mkdirat(above, name, 0700);
    *fd = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (*fd < 0)
        return errno == ENOENT && !create ? NULL
                                          : jg_format("%s/%s: %s", path, name, strerror(errno));
    char *full = jg_format("%s/%s", path, name);
    char *error = check(*fd, full, S_IWGRP | S_IWOTH);
    free(full);
    return error;
}

// Folders of kinds that are missing stay -1 without `create`.
static char *open_all(struct jg_cache_folders *f, int jniguard, char *path, bool create)
{
    // Whoever can rename below this one could only put something there that is then refused; so its
    // group, which some systems give to the user alone, may write.
    char *error = check(jniguard, path, S_IWOTH);
    if (!error)
        error = open_below(jniguard, JG_CACHE_FOLDER, path, create, &f->top);
    for (unsigned i = 0; i < JG_CACHE_KINDS && !error && f->top >= 0; i++)
        error = open_below(f->top, kind_names[i], f->path, create, &f->kind[i]);
    return error;
}

char *jg_cache_folders_open(struct jg_cache_folders *f, bool create)
{
    *f = (struct jg_cache_folders){.top = -1};
    for (unsigned i = 0; i < JG_CACHE_KINDS; i++)
        f->kind[i] = -1;
    const char *xdg = absolute("XDG_CACHE_HOME"), *home = absolute("HOME");
    if (!xdg && !home)
        return jg_strdup("");
    char *path = jg_format("%s%s/jniguard", xdg ? xdg : home, xdg ? "" : "/.cache");
    f->path = jg_format("%s/" JG_CACHE_FOLDER, path);
    if (create) // a home that is not there is nothing to make
        make_folders(path, xdg ? 0 : strlen(home));
    char *error = NULL;
    int jniguard = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (jniguard >= 0) {
        error = open_all(f, jniguard, path, create);
        close(jniguard);
    } else if (errno != ENOENT || create) {
        error = jg_format("%s: %s", path, strerror(errno));
    }
    free(path);
    return error;
}

void jg_cache_folders_close(struct jg_cache_folders *f)
{
    for (unsigned i = 0; i < JG_CACHE_KINDS; i++)
        if (f->kind[i] >= 0)
            close(f->kind[i]);
    if (f->top >= 0)
        close(f->top);
    free(f->path);
    *f = (struct jg_cache_folders){.top = -1};
}

void jg_cache_folders_remove(const struct jg_cache_folders *f)
{
    for (unsigned i = 0; i < JG_CACHE_KINDS; i++)
        unlinkat(f->top, kind_names[i], AT_REMOVEDIR);
    if (rmdir(f->path) != 0)
        return;
    char *above = jg_format("%.*s", (int)(strrchr(f->path, '/') - f->path), f->path);
    rmdir(above);
    free(above);
}
