// SPDX-License-Identifier: Apache-2.0
//
// Progress on stderr. See progress.h.

#include "analyzer/cli/progress.h"

#include "analyzer/report/report.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static double seconds(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

void jg_progress_begin(struct jg_progress *p, enum jg_progress_mode mode, uint32_t total)
{
    memset(p, 0, sizeof *p);
    clock_gettime(CLOCK_MONOTONIC, &p->begin);
    p->mode = mode == JG_PROGRESS_AUTO && !isatty(STDERR_FILENO) ? JG_PROGRESS_NONE : mode;
    p->total = total;
}

double jg_progress_seconds(const struct jg_progress *p)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return seconds(&p->begin, &now);
}

static void clear_line(void)
{
    fputs("\r\033[K", stderr);
}

// The line must not wrap, or the next one could not take its place.
static void rewrite_line(struct jg_progress *p, const char *path)
{
    struct winsize size;
    unsigned columns =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
    double spent = jg_progress_seconds(p);
    char tail[64] = "";
    int n = 0;
    if (p->done && spent > 1) {
        unsigned eta = (unsigned)(spent / p->done * (p->total - p->done) + 0.5);
        n = snprintf(tail, sizeof tail, "  ETA %u:%02u", eta / 60, eta % 60);
    }
    clear_line();
    int head = fprintf(stderr, "[%u/%u] ", p->done, p->total);
    size_t length = strlen(path);
    size_t room = columns > (unsigned)(head + n + 1) ? columns - (unsigned)(head + n + 1) : 0;
    if (length > room) // the end of a path says more than its beginning
        path += length - room;
    while (((unsigned char)*path & 0xc0) == 0x80)
        path++;
    jg_put_escaped(stderr, path, strlen(path));
    fputs(tail, stderr);
    fflush(stderr);
}

void jg_progress_unit(struct jg_progress *p, const char *path)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (p->mode == JG_PROGRESS_PLAIN) {
        fprintf(stderr, "[%u/%u] ", p->begun + 1, p->total);
        jg_put_escaped(stderr, path, strlen(path));
        fputc('\n', stderr);
    } else if (p->mode == JG_PROGRESS_AUTO && (p->begun == 0 || seconds(&p->shown, &now) > 0.05)) {
        rewrite_line(p, path);
        p->shown = now;
    }
    p->begun++;
}

void jg_progress_done(struct jg_progress *p)
{
    p->done++;
}

void jg_progress_end(struct jg_progress *p)
{
    if (p->mode == JG_PROGRESS_AUTO && p->begun)
        clear_line();
}
