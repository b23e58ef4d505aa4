// SPDX-License-Identifier: Apache-2.0
//
// A library that uses arenas and is loaded and unloaded by test_dlopen: with the arena inlined from
// the shared library, or with the static archive inside.

#include <jniguard/arena.h>

int plugin_use(void);
int plugin_leave_open(void);
uint64_t plugin_opens(void);
const void *plugin_tls(void);

int plugin_use(void)
{
    struct jg_arena arenas[6];
    int bad = 0;
    for (int i = 0; i < 6; i++) {
        bad += jg_arena_open(&arenas[i]) != JG_ARENA_OK;
        char *p = jg_arena_alloc(&arenas[i], 20, 1);
        bad += p == NULL || p[0] != 0;
        if (p != NULL)
            memset(p, 0xFF, 20);
    }
    for (int i = 0; i < 6; i++)
        bad += jg_arena_close(&arenas[i]) != JG_ARENA_OK;
    return bad;
}

int plugin_leave_open(void)
{
    static struct jg_arena a;
    return jg_arena_open(&a) != JG_ARENA_OK;
}

uint64_t plugin_opens(void)
{
    struct jg_arena_stats stats;
    jg_arena_stats_get(&stats);
    return stats.opens;
}

const void *plugin_tls(void)
{
    return jg_arena_self_1();
}
