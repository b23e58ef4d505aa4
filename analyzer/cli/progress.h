// SPDX-License-Identifier: Apache-2.0
//
// Progress on stderr: one rewritten line on a terminal, one line a unit with --progress=plain, or
// none. First units are counted, while they are made; then functions, while they are explored.

#ifndef JG_CLI_PROGRESS_H
#define JG_CLI_PROGRESS_H

#include <stdint.h>
#include <time.h>

enum jg_progress_mode { JG_PROGRESS_AUTO, JG_PROGRESS_PLAIN, JG_PROGRESS_NONE };

struct jg_progress {
    enum jg_progress_mode mode;
    uint32_t total, begun, done;
    struct timespec begin, shown;
};

void jg_progress_begin(struct jg_progress *p, enum jg_progress_mode mode, uint32_t total);
// A unit begins: its path as shown. Findings come later, when all units are there.
void jg_progress_unit(struct jg_progress *p, const char *path);
// One of those that began is done.
void jg_progress_done(struct jg_progress *p);
// On a terminal: how far exploring is, whatever number of findings it has brought, and where it is
// at. `total` 0: it has not begun.
void jg_progress_functions(struct jg_progress *p, uint32_t done, uint32_t total, uint32_t findings,
                           const char *path);
void jg_progress_end(struct jg_progress *p);

double jg_progress_seconds(const struct jg_progress *p); // since the beginning

#endif
