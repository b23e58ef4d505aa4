// SPDX-License-Identifier: Apache-2.0
//
// The part of test_debug that is compiled as a release translation unit.

#define JG_ARENA_DEBUG 0
#include <jniguard/arena.h>

enum jg_arena_status close_inlined(struct jg_arena *a);
void *alloc_inlined(struct jg_arena *a, size_t size);

enum jg_arena_status close_inlined(struct jg_arena *a)
{
    return jg_arena_close(a);
}

void *alloc_inlined(struct jg_arena *a, size_t size)
{
    return jg_arena_alloc(a, size, 1);
}
