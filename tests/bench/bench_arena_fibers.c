// SPDX-License-Identifier: Apache-2.0
//
// Fibers. Each one opens an arena, allocates 20 bytes, yields, closes it, yields. What the arena
// costs is the difference to fibers that only yield. The scheduler tells the arena who runs at each
// resume, and that is part of the arena's cost; "identity" is that alone.
//
// fibers           one carrier, four fibers; ns per arena
// carriers         two carriers in step: all fibers of one phase, then those of the next. "stay":
//                  opened and closed on the same carrier, "one way": opened on A, closed on B,
//                  "half": half of each carrier's fibers change. The parameter is their number.

#define JG_ARENA_STATS 0
#define JG_ARENA_FIBERS 1

#include "bench_arena.h"

#include <jniguard/arena.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum work { SWITCH, IDENTITY, CALLOC, ARENA, WORKS };

static const char *const work_names[] = {"switch only", "identity", "calloc/free", "arena"};

struct fiber {
    void *self, *carrier; // stack pointers, or contexts
    enum work work;
    uint64_t id;
    void *stack;
};

#define STACK_SIZE 16384

// ---- the switch ---------------------------------------------------------------------------------

#if defined(__x86_64__)
// Saves the callee-saved registers and the stack pointer to *from, continues at `to`.
void bench_switch(void **from, void *to);
__asm__(".text\n"
        ".globl bench_switch\n"
        ".type bench_switch, @function\n"
        "bench_switch:\n"
        "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n    pushq %r13\n    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n    popq %r14\n    popq %r13\n    popq %r12\n    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size bench_switch, . - bench_switch\n");

static void prepare(struct fiber *f, void (*entry)(void))
{
    uintptr_t *top = (uintptr_t *)(void *)((char *)f->stack + STACK_SIZE);
    *--top = 0; // the entry sees a stack as after a call
    *--top = (uintptr_t)entry;
    for (int i = 0; i < 6; i++)
        *--top = 0;
    f->self = top;
}

static void discard(struct fiber *f)
{
    (void)f;
}
#else
#include <ucontext.h>

static void bench_switch(void **from, void *to)
{
    swapcontext(*from, to);
}

static void prepare(struct fiber *f, void (*entry)(void))
{
    ucontext_t *contexts = calloc(2, sizeof *contexts);
    if (!contexts)
        abort();
    getcontext(&contexts[0]);
    contexts[0].uc_stack.ss_sp = f->stack;
    contexts[0].uc_stack.ss_size = STACK_SIZE;
    makecontext(&contexts[0], entry, 0);
    f->self = &contexts[0];
    f->carrier = &contexts[1];
}

static void discard(struct fiber *f)
{
    free(f->self);
}
#endif

static __thread struct fiber *current;

// Not inlined: its callers may wake up on another thread, where `current` lies elsewhere.
static __attribute__((noinline)) struct fiber *running(void)
{
    __asm__ volatile("");
    return current;
}

static __attribute__((noinline)) void yield(void)
{
    struct fiber *f = running();
    bench_switch(&f->self, f->carrier);
}

static __attribute__((noinline)) void resume(struct fiber *f)
{
    current = f;
    if (f->work == ARENA || f->work == IDENTITY)
        jg_arena_fiber_enter(f->id);
    bench_switch(&f->carrier, f->self);
}

static void one_arena(void)
{
    struct jg_arena a;
    (void)jg_arena_open(&a);
    bench_touch(jg_arena_alloc(&a, 20, 8));
    yield();
    (void)jg_arena_close(&a);
    yield();
}

static void one_calloc(void)
{
    void *p = calloc(1, 20);
    bench_touch(p);
    yield();
    free(p);
    yield();
}

static void fiber_main(void)
{
    enum work work = running()->work;
    for (;;) {
        if (work == ARENA) {
            one_arena();
        } else if (work == CALLOC) {
            one_calloc();
        } else {
            yield();
            yield();
        }
    }
}

static struct fiber *make_fibers(size_t count, enum work work)
{
    struct fiber *fibers = calloc(count, sizeof *fibers);
    char *stacks = mmap(NULL, count * STACK_SIZE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!fibers || stacks == MAP_FAILED) {
        perror("bench_arena: fibers");
        exit(2);
    }
    for (size_t i = 0; i < count; i++) {
        fibers[i].work = work;
        fibers[i].id = jg_arena_fiber_id();
        fibers[i].stack = stacks + i * STACK_SIZE;
        prepare(&fibers[i], fiber_main);
    }
    return fibers;
}

static void drop_fibers(struct fiber *fibers, size_t count)
{
    munmap(fibers[0].stack, count * STACK_SIZE);
    for (size_t i = 0; i < count; i++)
        discard(&fibers[i]);
    free(fibers);
}

// ---- one carrier --------------------------------------------------------------------------------

static double one_carrier(struct fiber *fibers, size_t count, size_t rounds)
{
    double start = bench_cpu();
    for (size_t r = 0; r < 2 * rounds; r++) // opened in even rounds, closed in odd ones
        for (size_t i = 0; i < count; i++)
            resume(&fibers[i]);
    jg_arena_fiber_enter(0);
    return (bench_cpu() - start) / (double)(rounds * count);
}

static void same_carrier(void)
{
    enum { COUNT = 4 };
    struct fiber *fibers[WORKS];
    for (int w = 0; w < WORKS; w++) {
        fibers[w] = make_fibers(COUNT, (enum work)w);
        one_carrier(fibers[w], COUNT, 10);
    }
    size_t rounds = (size_t)(bench_options.batch_ns / 30) / COUNT + 1;
    for (int r = 0; r < bench_options.repetitions; r++)
        for (int w = 0; w < WORKS; w++)
            bench_add("fibers", work_names[w], COUNT, "ns", one_carrier(fibers[w], COUNT, rounds));
    for (int w = 0; w < WORKS; w++)
        drop_fibers(fibers[w], COUNT);
}

// ---- two carriers -------------------------------------------------------------------------------

enum pattern { STAY, ONE_WAY, HALF, PATTERNS };

struct step {
    struct fiber *fibers;
    size_t count; // of both carriers together
    size_t rounds;
    enum pattern pattern;
    atomic_uint arrived;
};

struct carrier {
    struct step *step;
    unsigned number; // 0 or 1
    double ns;
};

// Both carriers come here, phase after phase; sums up on one counter, so no reset is needed.
static void meet(struct step *s, unsigned *phase)
{
    *phase += 2;
    atomic_fetch_add(&s->arrived, 1);
    for (unsigned spins = 0; atomic_load(&s->arrived) < *phase; spins++)
        if (spins > 20000)
            sched_yield();
}

// Does this carrier run fiber i, in the phase that opens or closes?
static bool is_mine(const struct step *s, unsigned carrier, size_t i, bool closing)
{
    unsigned home = i < s->count / 2 ? 0 : 1;
    switch (s->pattern) {
    case ONE_WAY:
        return carrier == closing;
    case HALF:
        return carrier == (closing && i % 2 ? !home : home);
    default:
        return carrier == home;
    }
}

static void *carry(void *argument)
{
    struct carrier *c = argument;
    struct step *s = c->step;
    unsigned phase = 0;
    for (size_t r = 0; r < 2 * s->rounds; r++) {
        meet(s, &phase);
        double start = bench_cpu();
        for (size_t i = 0; i < s->count; i++)
            if (is_mine(s, c->number, i, r % 2))
                resume(&s->fibers[i]);
        jg_arena_fiber_enter(0);
        c->ns += bench_cpu() - start;
    }
    return NULL;
}

// CPU time per fiber that opened and closed.
static double two_carriers(struct fiber *fibers, size_t count, size_t rounds, enum pattern pattern)
{
    struct step step = {.fibers = fibers, .count = count, .rounds = rounds, .pattern = pattern};
    struct carrier carriers[2] = {{&step, 0, 0}, {&step, 1, 0}};
    pthread_t thread;
    if (pthread_create(&thread, NULL, carry, &carriers[1])) {
        perror("bench_arena: thread");
        exit(2);
    }
    carry(&carriers[0]);
    pthread_join(thread, NULL);
    return (carriers[0].ns + carriers[1].ns) / (double)(rounds * count);
}

static void migration(size_t count)
{
    static const char *const names[PATTERNS][WORKS] = {
        {"stay: switch only", "stay: identity", "stay: calloc/free", "stay: arena"},
        {"one way: switch only", "one way: identity", "one way: calloc/free", "one way: arena"},
        {"half: switch only", "half: identity", "half: calloc/free", "half: arena"},
    };
    static const char *const pools[PATTERNS] = {"stay", "one way", "half"};
    struct fiber *fibers[WORKS];
    for (int w = 0; w < WORKS; w++) {
        fibers[w] = make_fibers(count, (enum work)w);
        two_carriers(fibers[w], count, 2, STAY);
    }
    size_t rounds = (size_t)(bench_options.batch_ns / 50 / (double)count) + 2;
    for (int r = 0; r < (bench_options.repetitions + 1) / 2; r++) {
        for (int p = 0; p < PATTERNS; p++) {
            for (int w = 0; w < WORKS; w++) {
                struct jg_arena_stats before, after;
                jg_arena_stats_get(&before);
                bench_add("carriers", names[p][w], (long)count, "ns",
                          two_carriers(fibers[w], count, rounds, (enum pattern)p));
                jg_arena_stats_get(&after);
                if (w == ARENA)
                    bench_add("pools made per 1000 fibers", pools[p], (long)count, "pools",
                              1000.0 * (double)(after.pools_new - before.pools_new) /
                                  (double)(rounds * count));
            }
        }
    }
    for (int w = 0; w < WORKS; w++)
        drop_fibers(fibers[w], count);
}

void bench_fibers(void)
{
    same_carrier();
    migration(4);
    migration(64);
    migration(1024);
}
