// SPDX-License-Identifier: Apache-2.0
//
// The arena as its header inlines it, with statistics.

#define JG_ARENA_STATS 1

#include "bench_arena_loops.h"

#include <jniguard/arena.h>

BENCH_LOOPS(bench_stats, BENCH_TAKE_ARENA, BENCH_GIVE_ARENA)
