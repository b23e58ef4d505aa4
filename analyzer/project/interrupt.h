// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C and its kin: the first asks the run to end with what is done so far, a second one ends the
// process at once.
//
// Process-wide. Signals that the process ignores already (nohup) stay ignored.

#ifndef JG_PROJECT_INTERRUPT_H
#define JG_PROJECT_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

// From here on SIGINT, SIGTERM and SIGHUP are noted instead of ending the process.
void jg_interrupt_watch(void);

// Has one of them come?
bool jg_interrupted(void);

// Holds them back, so that ppoll(2) with the mask *before sees each, also one that comes just
// before it. The caller restores *before.
void jg_interrupt_block(sigset_t *before);

// In a child process, which its parent ends: ignores them, and restores the mask of before.
void jg_interrupt_ignore(const sigset_t *before);

#endif
