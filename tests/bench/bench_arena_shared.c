// SPDX-License-Identifier: Apache-2.0
//
// The arena in the shared library, three calls through pointers as through a linkage table. The
// library is loaded at run time and has pools of its own: the program itself holds the static one,
// which the inlined loops use.

#define JG_ARENA_OUT_OF_LINE 1

#include "bench_arena_loops.h"

#include <jniguard/arena.h>

#include <dlfcn.h>

static enum jg_arena_status (*open_at)(struct jg_arena *a, const char *file, int line, int debug);
static void *(*alloc)(struct jg_arena *a, size_t size, size_t align);
static enum jg_arena_status (*close_arena)(struct jg_arena *a);

#define TAKE(p, size)                                                                              \
    struct jg_arena arena;                                                                         \
    (void)open_at(&arena, __FILE__, __LINE__, 0);                                                  \
    char *p = alloc(&arena, (size), 8);
#define GIVE(p) (void)close_arena(&arena);

BENCH_LOOPS(bench_shared, TAKE, GIVE)

bool bench_shared_load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        bench_note("shared library: skipped, %s", dlerror());
        return false;
    }
    *(void **)&open_at = dlsym(library, "jg_arena_open_at_1");
    *(void **)&alloc = dlsym(library, "jg_arena_alloc");
    *(void **)&close_arena = dlsym(library, "jg_arena_close");
    if (open_at && alloc && close_arena)
        return true;
    bench_note("shared library: skipped, %s lacks a function", path);
    return false;
}
