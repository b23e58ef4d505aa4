// SPDX-License-Identifier: Apache-2.0
//
// Ordinary allocators, the floor, and the groups of cases that run on one thread: small and nested.

#include "bench_arena_loops.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct bench_heap bench_heaps[BENCH_HEAPS] = {
    [BENCH_GLIBC] = {"glibc", calloc, malloc, free},
    [BENCH_JEMALLOC] = {.name = "jemalloc"},
    [BENCH_MIMALLOC] = {.name = "mimalloc"},
};

bool bench_heap_load(int heap)
{
    static const struct {
        const char *library, *package, *calloc, *malloc, *free;
    } loads[BENCH_HEAPS] = {
        [BENCH_JEMALLOC] = {"libjemalloc.so.2", "libjemalloc2", "calloc", "malloc", "free"},
        [BENCH_MIMALLOC] = {"libmimalloc.so.2", "libmimalloc2.0", "mi_calloc", "mi_malloc",
                            "mi_free"},
    };
    struct bench_heap *h = &bench_heaps[heap];
    if (h->calloc)
        return true;
    void *library = dlopen(loads[heap].library, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        bench_note("%s: skipped, %s (Debian: apt-get install %s)", h->name, dlerror(),
                   loads[heap].package);
        return false;
    }
    *(void **)&h->malloc = dlsym(library, loads[heap].malloc);
    *(void **)&h->free = dlsym(library, loads[heap].free);
    *(void **)&h->calloc = dlsym(library, loads[heap].calloc);
    return h->malloc && h->free && h->calloc;
}

#define TAKE_CALLOC(p, size) char *p = calloc(1, (size));
#define GIVE_FREE(p) free(p);
#define TAKE_MALLOC(p, size)                                                                       \
    char *p = malloc((size));                                                                      \
    __asm__ volatile("" : "+r"(p)); /* or the compiler makes it a calloc */                        \
    memset(p, 0, (size));
#define TAKE_JE(p, size) char *p = bench_heaps[BENCH_JEMALLOC].calloc(1, (size));
#define GIVE_JE(p) bench_heaps[BENCH_JEMALLOC].free(p);
#define TAKE_MI(p, size) char *p = bench_heaps[BENCH_MIMALLOC].calloc(1, (size));
#define GIVE_MI(p) bench_heaps[BENCH_MIMALLOC].free(p);

BENCH_LOOPS(bench_calloc, TAKE_CALLOC, GIVE_FREE)
BENCH_LOOPS(bench_malloc, TAKE_MALLOC, GIVE_FREE)
BENCH_LOOPS(bench_je, TAKE_JE, GIVE_JE)
BENCH_LOOPS(bench_mi, TAKE_MI, GIVE_MI)

// What no arena of this kind can do without: a bump in thread-local storage, 64 bytes zeroed.
static __thread struct {
    char *pool, *at;
} floor_tls;

#define TAKE_FLOOR(p, size)                                                                        \
    char *p = floor_tls.at;                                                                        \
    floor_tls.at = p + (size);
#define GIVE_FLOOR(p)                                                                              \
    memset(floor_tls.pool, 0, 64);                                                                 \
    floor_tls.at = floor_tls.pool;

BENCH_LOOPS(bench_floor, TAKE_FLOOR, GIVE_FLOOR)

// What no block of its own can do without: a list to be freed from, malloc, zeroing, two calls.
struct block {
    struct block *next;
    size_t size;
};

static __attribute__((noinline)) struct block *block_new(struct block *blocks, size_t size)
{
    struct block *b = malloc(sizeof *b + size);
    b->next = blocks;
    b->size = size;
    memset(b + 1, 0, size);
    return b;
}

static __attribute__((noinline)) void blocks_free(struct block *b)
{
    while (b) {
        struct block *next = b->next;
        free(b);
        b = next;
    }
}

#define TAKE_BLOCK(p, size)                                                                        \
    struct block *b = block_new(NULL, (size));                                                     \
    char *p = (char *)(b + 1);
#define GIVE_BLOCK(p) blocks_free(b);

BENCH_LOOPS(bench_block, TAKE_BLOCK, GIVE_BLOCK)

struct bench_ops bench_ops[BENCH_OPS] = {
    [BENCH_FLOOR] = {"floor", bench_floor_once, NULL, true},
    [BENCH_BLOCK] = {"floor of blocks", bench_block_once, NULL, true},
    [BENCH_CALLOC] = {"calloc/free", bench_calloc_once, bench_calloc_nest, true},
    [BENCH_MALLOC_MEMSET] = {"malloc+memset/free", bench_malloc_once, bench_malloc_nest, true},
    [BENCH_JE] = {"jemalloc calloc/free", bench_je_once, bench_je_nest, false},
    [BENCH_MI] = {"mimalloc calloc/free", bench_mi_once, bench_mi_nest, false},
    [BENCH_INLINE] = {"arena inline", bench_inline_once, bench_inline_nest, true},
    [BENCH_INLINE_STATS] = {"arena inline, statistics", bench_stats_once, bench_stats_nest, true},
    [BENCH_SHARED] = {"arena shared library", bench_shared_once, bench_shared_nest, false},
};

void bench_ops_load(void)
{
    static _Alignas(64) char pool[64];
    floor_tls.pool = floor_tls.at = pool;
    bench_ops[BENCH_JE].available = bench_heap_load(BENCH_JEMALLOC);
    bench_ops[BENCH_MI].available = bench_heap_load(BENCH_MIMALLOC);
    bench_ops[BENCH_SHARED].available = bench_shared_load(bench_options.shared);
}

// ---- small: open + allocate + write a byte + close
// -----------------------------------------------

// How many operations of about `ns` fill a repetition.
static size_t batch_of(double ns)
{
    double n = bench_options.batch_ns / (ns > 0.3 ? ns : 0.3);
    return n < 100 ? 100 : (size_t)n;
}

static double once_ns(const struct bench_ops *o, size_t n, size_t size)
{
    double start = bench_cpu();
    o->once(n, size);
    return (bench_cpu() - start) / (double)n;
}

// The same with the frame elsewhere in its page: see bench_small.
static __attribute__((noinline)) double once_moved_ns(const struct bench_ops *o, size_t n,
                                                      size_t size, size_t by)
{
    char room[by];
    bench_touch(room);
    double ns = once_ns(o, n, size);
    bench_touch(room);
    return ns;
}

enum { SIZES = 6 };
static const size_t sizes[SIZES] = {5, 20, 100, 500, 2000, 8000};

static bool makes_sense(int op, size_t size)
{
    return bench_ops[op].available && (op != BENCH_FLOOR || size <= 64) &&
           (op != BENCH_BLOCK || size > 64);
}

// A processor that compares page offsets only takes a load for one of memory that was zeroed right
// before, if the offsets of the two agree, and waits: 5 to 12 ns at 1000 to 2000 bytes. Where stack
// and heap begin decides whom it hits. So both move from repetition to repetition, for all alike.
void bench_small(void)
{
    size_t batches[SIZES][BENCH_OPS];
    for (int s = 0; s < SIZES; s++)
        for (int o = 0; o < BENCH_OPS; o++)
            batches[s][o] =
                makes_sense(o, sizes[s]) ? batch_of(once_ns(&bench_ops[o], 1000, sizes[s])) : 0;
    for (int r = 0; r < bench_options.repetitions; r++) {
        size_t by = 16 + (size_t)r * 1744 % 4096;
        for (int s = 0; s < SIZES; s++) {
            // What was freed last is what comes next: these stay.
            bench_touch(malloc(sizes[s]));
            bench_touch(malloc(sizes[s] + 16));
            for (int o = 0; o < BENCH_OPS; o++)
                if (batches[s][o])
                    bench_add("small", bench_ops[o].name, (long)sizes[s], "ns",
                              once_moved_ns(&bench_ops[o], batches[s][o], sizes[s], by));
        }
    }
}

// ---- nested -------------------------------------------------------------------------------------

static double nest_ns(const struct bench_ops *o, size_t n, int depth)
{
    double start = bench_cpu();
    o->nest(n, depth);
    return (bench_cpu() - start) / (double)n / depth;
}

void bench_nested(void)
{
    for (int r = 0; r < bench_options.repetitions; r++)
        for (int depth = 1; depth <= 8; depth++)
            for (int o = 0; o < BENCH_OPS; o++)
                if (bench_ops[o].available && bench_ops[o].nest)
                    bench_add("nested", bench_ops[o].name, depth, "ns",
                              nest_ns(&bench_ops[o], batch_of(10.0 * depth), depth));
}
