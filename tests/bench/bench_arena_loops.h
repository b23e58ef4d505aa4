// SPDX-License-Identifier: Apache-2.0
//
// The measured loops, once for each way of allocating. TAKE(p, size) declares `p` and what belongs
// to it, GIVE(p) gives it back. The size is not known when compiling, as in most callers.
// Nested ones lie in frames of their own, as they do where native methods call one another.

#include "bench_arena.h"

#define BENCH_LOOPS(prefix, TAKE, GIVE)                                                            \
    __attribute__((noinline)) void prefix##_once(size_t n, size_t size)                            \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            TAKE(p, size)                                                                          \
            bench_touch(p);                                                                        \
            GIVE(p)                                                                                \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static __attribute__((noinline)) void prefix##_level(int depth, size_t size)                   \
    {                                                                                              \
        TAKE(p, size)                                                                              \
        bench_touch(p);                                                                            \
        if (depth > 1)                                                                             \
            prefix##_level(depth - 1, size);                                                       \
        GIVE(p)                                                                                    \
    }                                                                                              \
                                                                                                   \
    void prefix##_nest(size_t n, int depth)                                                        \
    {                                                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            prefix##_level(depth, 20);                                                             \
    }

#define BENCH_TAKE_ARENA(p, size)                                                                  \
    struct jg_arena arena;                                                                         \
    (void)jg_arena_open(&arena);                                                                   \
    char *p = jg_arena_alloc(&arena, (size), 8);
#define BENCH_GIVE_ARENA(p) (void)jg_arena_close(&arena);
