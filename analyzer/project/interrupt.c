// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C and its kin. See interrupt.h.

#include "analyzer/project/interrupt.h"

#include <stddef.h>
#include <string.h>

static const int watched[] = {SIGINT, SIGTERM, SIGHUP};
static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    if (caught) { // takes effect when this function returns
        signal(number, SIG_DFL);
        raise(number);
    }
    caught = number;
}

void jg_interrupt_watch(void)
{
    caught = 0;
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++) {
        struct sigaction before, after;
        memset(&after, 0, sizeof after);
        after.sa_handler = on_signal;
        after.sa_flags = SA_RESTART; // ppoll(2) is interrupted all the same, output is not
        if (sigaction(watched[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(watched[i], &after, NULL);
    }
}

bool jg_interrupted(void)
{
    return caught != 0;
}

void jg_interrupt_block(sigset_t *before)
{
    sigset_t all;
    sigemptyset(&all);
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++)
        sigaddset(&all, watched[i]);
    sigprocmask(SIG_BLOCK, &all, before);
}

void jg_interrupt_ignore(const sigset_t *before)
{
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++)
        signal(watched[i], SIG_IGN);
    sigprocmask(SIG_SETMASK, before, NULL);
}
