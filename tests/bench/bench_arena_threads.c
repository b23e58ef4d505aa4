// SPDX-License-Identifier: Apache-2.0
//
// threads    1, 2, 4, 8 threads that do nothing but take and give back 20 bytes: CPU time for one,
//            averaged over the threads, and what all together do in a second
// exchange   two threads allocate a batch of 48-byte objects each, meet, and free the batch of
// their
//            own (shift 0, where they need not meet) or of the other (shift 1); "assigns" only
//            stores into objects that are there: the price of handing memory over, without an
//            allocator

#include "bench_arena.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static void start(pthread_t *thread, void *(*run)(void *), void *argument)
{
    if (pthread_create(thread, NULL, run, argument)) {
        perror("bench_arena: thread");
        exit(2);
    }
}

// ---- threads ------------------------------------------------------------------------------------

struct loop {
    const struct bench_ops *ops;
    pthread_barrier_t *start;
    size_t n;
    double cpu, begin, end;
};

static void *run_loop(void *argument)
{
    struct loop *l = argument;
    l->ops->once(100, 20);
    pthread_barrier_wait(l->start);
    l->begin = bench_wall();
    double cpu = bench_cpu();
    l->ops->once(l->n, 20);
    l->cpu = bench_cpu() - cpu;
    l->end = bench_wall();
    return NULL;
}

static void threads_once(int op, int count)
{
    struct loop loops[8];
    pthread_t threads[8];
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, (unsigned)count);
    size_t n = (size_t)(bench_options.batch_ns / 5) + 1;
    for (int t = 0; t < count; t++) {
        loops[t] = (struct loop){&bench_ops[op], &barrier, n, 0, 0, 0};
        start(&threads[t], run_loop, &loops[t]);
    }
    double cpu = 0, begin = 0, end = 0;
    for (int t = 0; t < count; t++) {
        pthread_join(threads[t], NULL);
        cpu += loops[t].cpu;
        begin = t && begin < loops[t].begin ? begin : loops[t].begin;
        end = end > loops[t].end ? end : loops[t].end;
    }
    pthread_barrier_destroy(&barrier);
    double operations = (double)n * count;
    bench_add("threads", bench_ops[op].name, count, "ns", cpu / operations);
    bench_add("threads, all together", bench_ops[op].name, count, "Mops/s",
              operations / (end - begin) * 1e3);
}

void bench_threads(void)
{
    for (int r = 0; r < bench_options.repetitions; r++)
        for (int count = 1; count <= 8; count *= 2)
            for (int o = BENCH_CALLOC; o < BENCH_OPS; o++)
                if (bench_ops[o].available)
                    threads_once(o, count);
}

// ---- exchange -----------------------------------------------------------------------------------

enum { BATCH = 100, OBJECT = 48 };

struct exchange {
    const struct bench_heap *heap; // NULL: assigns
    size_t batch, rounds;
    unsigned shift;
    atomic_uint arrived;
    void *objects[2][2][BATCH]; // by round, by thread
};

struct side {
    struct exchange *exchange;
    unsigned number;
    double ns; // per object
};

// Spins long before it yields: a hand-over to a thread that waits takes less than a switch.
static void meet(struct exchange *e, unsigned *phase)
{
    *phase += 2;
    atomic_fetch_add(&e->arrived, 1);
    for (unsigned spins = 0; atomic_load(&e->arrived) < *phase; spins++)
        if (spins > 20000)
            sched_yield();
}

static void *run_side(void *argument)
{
    struct side *s = argument;
    struct exchange *e = s->exchange;
    unsigned phase = 0;
    meet(e, &phase);
    double begin = bench_wall();
    for (size_t r = 0; r < e->rounds; r++) {
        // What the other thread still frees is of the other set: one meeting a round suffices.
        void **own = e->objects[r % 2][s->number];
        void **other = e->objects[r % 2][(s->number + e->shift) % 2];
        for (size_t i = 0; i < e->batch; i++) {
            if (e->heap)
                own[i] = e->heap->malloc(OBJECT);
            bench_touch(own[i]);
        }
        if (e->shift)
            meet(e, &phase);
        for (size_t i = 0; i < e->batch; i++) {
            bench_touch(other[i]);
            if (e->heap)
                e->heap->free(other[i]);
        }
    }
    s->ns = (bench_wall() - begin) / (double)(e->rounds * e->batch);
    return NULL;
}

static double exchange_ns(const struct bench_heap *heap, size_t batch, unsigned shift,
                          size_t rounds)
{
    static _Alignas(64) char memory[2][2][BATCH][64];
    static struct exchange e;
    e.heap = heap;
    e.batch = batch;
    e.rounds = rounds;
    e.shift = shift;
    atomic_store(&e.arrived, 0);
    for (int i = 0; i < 4 * BATCH; i++)
        e.objects[i / 2 / BATCH][i / BATCH % 2][i % BATCH] =
            memory[i / 2 / BATCH][i / BATCH % 2][i % BATCH];
    struct side sides[2] = {{&e, 0, 0}, {&e, 1, 0}};
    pthread_t thread;
    start(&thread, run_side, &sides[1]);
    run_side(&sides[0]);
    pthread_join(thread, NULL);
    return (sides[0].ns + sides[1].ns) / 2;
}

void bench_exchange(void)
{
    static const char *const names[BENCH_HEAPS + 1][2] = {
        {"glibc, shift 0", "glibc, shift 1"},
        {"jemalloc, shift 0", "jemalloc, shift 1"},
        {"mimalloc, shift 0", "mimalloc, shift 1"},
        {"assigns, shift 0", "assigns, shift 1"},
    };
    static const size_t batches[] = {1, 10, 100};
    for (int r = 0; r < bench_options.repetitions; r++)
        for (size_t b = 0; b < 3; b++)
            for (int h = 0; h <= BENCH_HEAPS; h++)
                for (unsigned shift = 0; shift < 2; shift++) {
                    const struct bench_heap *heap = h < BENCH_HEAPS ? &bench_heaps[h] : NULL;
                    double round_ns = shift ? 500 : 10.0 * (double)batches[b];
                    size_t rounds = (size_t)(bench_options.batch_ns / round_ns) + 2;
                    if (!heap || heap->malloc)
                        bench_add("exchange", names[h][shift], (long)batches[b], "ns",
                                  exchange_ns(heap, batches[b], shift, rounds));
                }
}
