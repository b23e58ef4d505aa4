// SPDX-License-Identifier: Apache-2.0
//
// Atomic replacement of a file. See replace.h.

#include "analyzer/ir/replace.h"

#include "analyzer/ir/mem.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *error_text(const char *path, int error)
{
    return error == EPIPE ? jg_strdup("") : jg_format("%s: %s", path, strerror(error));
}

// Opens the temporary file with the rights that a new file gets. False with errno set.
static bool open_temporary(struct jg_replacement *r)
{
    int fd = mkstemp(r->temporary);
    if (fd < 0)
        return false;
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(fd, 0666 & ~mask) == 0)
        r->file = fdopen(fd, "w");
    if (r->file)
        return true;
    int saved = errno;
    close(fd);
    unlink(r->temporary);
    errno = saved;
    return false;
}

static bool is_below(const char *folder, const char *path)
{
    return strncmp(path, folder, strlen(folder)) == 0;
}

// Is the file one to be replaced, or yet to be made?
static bool is_replaceable(const struct jg_replacement *r)
{
    struct stat st;
    if (is_below("/dev/", r->path) || is_below("/proc/", r->path))
        return false;
    if (lstat(r->target, &st) == 0)
        return S_ISREG(st.st_mode); // a link here leads nowhere: opening it makes its target
    return true;
}

static void forget(struct jg_replacement *r)
{
    free(r->target);
    free(r->temporary);
    *r = (struct jg_replacement){0};
}

char *jg_replace_begin(struct jg_replacement *r, const char *path)
{
    char *real = realpath(path, NULL);
    *r = (struct jg_replacement){.path = path, .target = real ? real : jg_strdup(path)};
    if (is_replaceable(r)) {
        r->temporary = jg_format("%s.XXXXXX", r->target);
        open_temporary(r);
    } else {
        r->file = fopen(path, "we");
    }
    if (r->file)
        return NULL;
    char *error = error_text(path, errno);
    forget(r);
    return error;
}

char *jg_replace_end(struct jg_replacement *r)
{
    bool bad = ferror(r->file) != 0;
    int saved = errno; // of the write that failed, unless something came between
    char *error = NULL;
    if (fclose(r->file) != 0 || bad)
        error = error_text(r->path, bad ? (saved ? saved : EIO) : errno);
    if (r->temporary && !error && rename(r->temporary, r->target) != 0)
        error = error_text(r->path, errno);
    if (r->temporary && error)
        unlink(r->temporary);
    forget(r);
    return error;
}

void jg_replace_cancel(struct jg_replacement *r)
{
    if (!r->file)
        return;
    fclose(r->file);
    if (r->temporary)
        unlink(r->temporary);
    forget(r);
}
