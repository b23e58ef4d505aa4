// SPDX-License-Identifier: Apache-2.0
//
// The arena as its header inlines it, statistics compiled out.

#define JG_ARENA_STATS 0

#include "bench_arena_loops.h"

#include <jniguard/arena.h>

BENCH_LOOPS(bench_inline, BENCH_TAKE_ARENA, BENCH_GIVE_ARENA)
