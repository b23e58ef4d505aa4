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

// "head path tail", and how long it will take. The line must not wrap, or the next one could not
// take its place.
static void rewrite_line(struct jg_progress *p, const char *head, const char *path,
                         const char *tail)
{
    struct winsize size;
    unsigned columns =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
    double spent = jg_progress_seconds(p);
    char eta[64] = "";
    if (p->done && spent > 1) {
        unsigned left = (unsigned)(spent / p->done * (p->total - p->done) + 0.5);
        snprintf(eta, sizeof eta, "  ETA %u:%02u", left / 60, left % 60);
    }
    size_t length = strlen(path), around = strlen(head) + strlen(tail) + strlen(eta) + 1;
    if (around > columns) { // no room for more than the head
        tail = "";
        eta[0] = '\0';
        around = strlen(head) + 1;
    }
    size_t room = columns > around ? columns - around : 0;
    if (length > room) // the end of a path says more than its beginning
        path += length - room;
    while (((unsigned char)*path & 0xc0) == 0x80)
        path++;
    clear_line();
    fputs(head, stderr);
    jg_put_escaped(stderr, path, strlen(path));
    fprintf(stderr, "%s%s", tail, eta);
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
        char head[64];
        snprintf(head, sizeof head, "[%u/%u] ", p->done, p->total);
        rewrite_line(p, head, path, "");
        p->shown = now;
    }
    p->begun++;
}

void jg_progress_done(struct jg_progress *p)
{
    p->done++;
}

void jg_progress_functions(struct jg_progress *p, uint32_t done, uint32_t total, uint32_t findings,
                           const char *path)
{
    char head[64] = "linking", tail[64] = "";
    if (p->mode != JG_PROGRESS_AUTO)
        return;
    p->begun = 1;
    p->done = done;
    p->total = total;
    if (total) {
        snprintf(head, sizeof head, "exploring [%u/%u] ", done, total);
        snprintf(tail, sizeof tail, "  %u finding%s", findings, findings == 1 ? "" : "s");
    }
    rewrite_line(p, head, path, tail);
}

void jg_progress_end(struct jg_progress *p)
{
    if (p->mode == JG_PROGRESS_AUTO && p->begun)
        clear_line();
    p->begun = 0;
}
