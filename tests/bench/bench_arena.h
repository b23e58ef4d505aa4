// SPDX-License-Identifier: Apache-2.0
//
// What the parts of bench_arena share: allocators, results, clocks. Each part measures one group of
// cases, interleaved: repetition by repetition, all cases of the group one after the other, so that
// a slow spell of the machine hits all alike.

#ifndef JG_TESTS_BENCH_ARENA_H
#define JG_TESTS_BENCH_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define BENCH_REPETITIONS 101 // at most

// ---- results ------------------------------------------------------------------------------------

// All repetitions of one case. `parameter` is a size, a depth, a number of threads ...
struct bench_result {
    const char *group, *name, *unit;
    long parameter;
    double values[BENCH_REPETITIONS];
    size_t count;
};

// One more value of a case, which is made when it is met first. The strings must stay.
void bench_add(const char *group, const char *name, long parameter, const char *unit, double value);

// NULL when the case was not measured.
const struct bench_result *bench_find(const char *group, const char *name, long parameter);
double bench_min(const struct bench_result *r);
double bench_median(const struct bench_result *r);

// A line for the reader of table and JSON: what was skipped and why.
__attribute__((format(printf, 1, 2))) void bench_note(const char *format, ...);

// ---- options ------------------------------------------------------------------------------------

struct bench_options {
    bool quick;
    int repetitions;
    double batch_ns;    // how long one repetition of a small case takes
    const char *shared; // libjniguard-arena.so
    const char *java;   // launcher of a JDK >= 22; NULL: look for one
};

extern struct bench_options bench_options;

// ---- allocators ---------------------------------------------------------------------------------

// NULL members: not installed.
struct bench_heap {
    const char *name;
    void *(*calloc)(size_t count, size_t size);
    void *(*malloc)(size_t size);
    void (*free)(void *p);
};

enum { BENCH_GLIBC, BENCH_JEMALLOC, BENCH_MIMALLOC, BENCH_HEAPS };
extern struct bench_heap bench_heaps[BENCH_HEAPS];

// Loads what is not linked. False: skipped, with a note.
bool bench_heap_load(int heap);

// One way of getting and giving back tiny memory: open, allocate, write a byte, close; n times.
// `nest` does so `depth` times within one another. Both are of one kind for all allocators.
struct bench_ops {
    const char *name;
    void (*once)(size_t n, size_t size);
    void (*nest)(size_t n, int depth);
    bool available;
};

enum {
    BENCH_FLOOR,
    BENCH_BLOCK,
    BENCH_CALLOC,
    BENCH_MALLOC_MEMSET,
    BENCH_JE,
    BENCH_MI,
    BENCH_INLINE,
    BENCH_INLINE_STATS,
    BENCH_SHARED,
    BENCH_OPS
};
extern struct bench_ops bench_ops[BENCH_OPS];

void bench_ops_load(void);

void bench_inline_once(size_t n, size_t size);
void bench_inline_nest(size_t n, int depth);
void bench_stats_once(size_t n, size_t size);
void bench_stats_nest(size_t n, int depth);
void bench_shared_once(size_t n, size_t size);
void bench_shared_nest(size_t n, int depth);
bool bench_shared_load(const char *path);

// ---- groups -------------------------------------------------------------------------------------

void bench_small(void);
void bench_nested(void);
void bench_fibers(void);
void bench_threads(void);
void bench_exchange(void);
void bench_list(void);
void bench_cycles(void);
void bench_java(void);

// The part of a group that wants a process of its own: what `bench_arena --worker ...` runs.
int bench_worker(int argc, char **argv);

// ---- clocks -------------------------------------------------------------------------------------

static inline double bench_clock(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// Time of this thread, without that of others on the same processor.
static inline double bench_cpu(void)
{
    return bench_clock(CLOCK_THREAD_CPUTIME_ID);
}

static inline double bench_wall(void)
{
    return bench_clock(CLOCK_MONOTONIC);
}

// The memory is used: no compiler may leave out its allocation or what is stored before.
static inline void bench_touch(void *p)
{
    *(volatile char *)p = 1;
    __asm__ volatile("" : : "r"(p) : "memory");
}

#endif
