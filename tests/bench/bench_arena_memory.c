// SPDX-License-Identifier: Apache-2.0
//
// What stays resident. Each case runs in a process of its own (`bench_arena --worker ...`), which
// prints numbers that the parent reads.
//
// list     2,000,001 nodes of 16 bytes: build, walk, free
// cycles   eight threads take turns: together they fill 1 GiB with objects of random sizes, then
// free
//          all but 64 MiB in random order; five times. With jg_chunks, what dies together lies
//          together: each thread has 16 allocators and drops 15 of them.
// java     Arena.ofConfined() of a JDK, in the JVM

#include "bench_arena.h"

#include <jniguard/chunks.h>

#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MIB 1048576.0
#define CHUNKS BENCH_HEAPS // jg_chunks, behind the heaps

static const char *const allocator_names[] = {"glibc", "jemalloc", "mimalloc", "jg_chunks"};

static double resident_mib(void)
{
    long size, pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld %ld", &size, &pages) != 2)
        pages = 0;
    if (f)
        fclose(f);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / MIB;
}

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

// ---- list ---------------------------------------------------------------------------------------

struct node {
    struct node *next;
    uint64_t value;
};

static int list_worker(int allocator, long count)
{
    struct jg_chunks chunks;
    (void)jg_chunks_init(&chunks, NULL);
    const struct bench_heap *heap = &bench_heaps[allocator % BENCH_HEAPS];
    double rss = resident_mib(), begin = bench_cpu();
    struct node *first = NULL;
    for (long i = 0; i < count; i++) {
        struct node *n = allocator == CHUNKS
                             ? jg_chunks_zalloc(&chunks, sizeof *n, _Alignof(struct node))
                             : heap->calloc(1, sizeof *n);
        if (!n)
            return 2;
        n->next = first;
        n->value = (uint64_t)i;
        first = n;
    }
    double built = bench_cpu();
    uint64_t sum = 0;
    for (const struct node *n = first; n; n = n->next)
        sum += n->value;
    double walked = bench_cpu(), high = resident_mib(), released = bench_cpu();
    if (sum != (uint64_t)count * ((uint64_t)count - 1) / 2)
        return 2;
    if (allocator == CHUNKS) {
        jg_chunks_fini(&chunks);
    } else {
        for (struct node *n = first, *next; n; n = next) {
            next = n->next;
            heap->free(n);
        }
    }
    double end = bench_cpu();
    double ms = (walked - begin + end - released) / 1e6;
    printf("%g %g %g %g %g\n", ms, (built - begin) / 1e6, (end - released) / 1e6, high - rss,
           resident_mib() - rss);
    return 0;
}

// ---- cycles -------------------------------------------------------------------------------------

enum { TURNS = 8, GROUPS = 16, OBJECTS = 1 << 20 };

struct turn {
    const struct bench_heap *heap; // NULL: jg_chunks
    size_t largest;                // object
    size_t target;                 // bytes that shall be live after this turn
    uint64_t seed;
    void **objects;
    size_t *sizes;
    size_t count, live;
    struct jg_chunks chunks[GROUPS];
    size_t chunk_live[GROUPS];
    pthread_barrier_t begin, end; // this thread and the main one
    bool stop;
};

static void fill(struct turn *t)
{
    while (t->live < t->target && t->count < OBJECTS) {
        size_t size = 16 + next_random(&t->seed) % t->largest;
        size_t group = t->live * GROUPS / (t->target + 1);
        char *p = t->heap ? t->heap->malloc(size) : jg_chunks_alloc(&t->chunks[group], size, 16);
        if (!p)
            abort();
        for (size_t i = 0; i < size; i += 4096)
            p[i] = 1;
        p[size - 1] = 1;
        t->live += size;
        if (t->heap) {
            t->objects[t->count] = p;
            t->sizes[t->count++] = size;
        } else {
            t->chunk_live[group] += size;
        }
    }
}

static void drain(struct turn *t)
{
    int stay = t->target ? 1 : 0; // what is left in the first one is the target, or a little more
    for (int g = GROUPS - 1; !t->heap && g >= stay && t->live > t->target; g--) {
        jg_chunks_fini(&t->chunks[g]);
        t->live -= t->chunk_live[g];
        t->chunk_live[g] = 0;
    }
    while (t->heap && t->live > t->target && t->count) {
        size_t i = next_random(&t->seed) % t->count;
        t->heap->free(t->objects[i]);
        t->live -= t->sizes[i];
        t->objects[i] = t->objects[--t->count];
        t->sizes[i] = t->sizes[t->count];
    }
}

static void *take_turns(void *argument)
{
    struct turn *t = argument;
    for (;;) {
        pthread_barrier_wait(&t->begin);
        if (t->stop)
            return NULL;
        fill(t);
        drain(t);
        pthread_barrier_wait(&t->end);
    }
}

// All threads one after the other; thread i gets weights[i] of `bytes`.
static void round_of(struct turn *turns, const double *weights, double bytes)
{
    for (int i = 0; i < TURNS; i++) {
        turns[i].target = (size_t)(bytes * weights[i]);
        pthread_barrier_wait(&turns[i].begin);
        pthread_barrier_wait(&turns[i].end);
    }
}

static void *reserve(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (p == MAP_FAILED)
        abort();
    return p;
}

static int cycles_worker(int allocator, long largest_kib, long high_mib, long pause_ms)
{
    enum { CYCLES = 5 };
    static struct turn turns[TURNS];
    pthread_t threads[TURNS];
    static const struct jg_chunks_options options = {.first = 65536, .largest = 4 << 20};
    for (int i = 0; i < TURNS; i++) {
        struct turn *t = &turns[i];
        t->heap = allocator == CHUNKS ? NULL : &bench_heaps[allocator];
        t->largest = (size_t)largest_kib * 1024;
        t->seed = 0x9e3779b97f4a7c15u * (uint64_t)(i + 1);
        t->objects = reserve(OBJECTS * sizeof *t->objects);
        t->sizes = reserve(OBJECTS * sizeof *t->sizes);
        for (int g = 0; g < GROUPS; g++)
            (void)jg_chunks_init(&t->chunks[g], &options);
        pthread_barrier_init(&t->begin, NULL, 2);
        pthread_barrier_init(&t->end, NULL, 2);
        if (pthread_create(&threads[i], NULL, take_turns, t))
            return 2;
    }
    uint64_t seed = 4711;
    double begin = bench_clock(CLOCK_PROCESS_CPUTIME_ID);
    for (int c = 0; c < CYCLES; c++) {
        double weights[TURNS], sum = 0;
        for (int i = 0; i < TURNS; i++)
            sum += weights[i] = 1 + (double)(next_random(&seed) % 1000) / 250;
        for (int i = 0; i < TURNS; i++)
            weights[i] /= sum;
        round_of(turns, weights, (double)high_mib * MIB);
        double high = resident_mib();
        round_of(turns, weights, (double)high_mib / 16 * MIB);
        usleep((useconds_t)pause_ms * 1000);
        printf("%g %g\n", high, resident_mib());
    }
    double cpu = bench_clock(CLOCK_PROCESS_CPUTIME_ID) - begin;
    static const double nothing[TURNS];
    round_of(turns, nothing, 0);
    usleep((useconds_t)pause_ms * 1000);
    printf("%g %g\n", resident_mib(), cpu / 1e9);
    for (int i = 0; i < TURNS; i++) {
        turns[i].stop = true;
        pthread_barrier_wait(&turns[i].begin);
        pthread_join(threads[i], NULL);
    }
    return 0;
}

int bench_worker(int argc, char **argv)
{
    int allocator = argc > 1 ? atoi(argv[1]) : 0;
    if (argc < 3 || allocator < 0 || allocator > CHUNKS ||
        (allocator < CHUNKS && !bench_heap_load(allocator)))
        return 2;
    if (argc == 3 && !strcmp(argv[0], "list"))
        return list_worker(allocator, atol(argv[2]));
    if (argc == 5 && !strcmp(argv[0], "cycles"))
        return cycles_worker(allocator, atol(argv[2]), atol(argv[3]), atol(argv[4]));
    return 2;
}

// ---- the parent's side --------------------------------------------------------------------------

// Runs a program and reads the numbers it prints; returns how many.
static int numbers_of(const char *command, double *numbers, int most)
{
    FILE *f = popen(command, "r");
    int count = 0;
    while (f && count < most && fscanf(f, "%lf", &numbers[count]) == 1)
        count++;
    return f && !pclose(f) ? count : 0;
}

static bool installed(int allocator)
{
    return allocator == CHUNKS || bench_heaps[allocator].calloc;
}

static const char *self(void)
{
    static char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    return path;
}

void bench_list(void)
{
    long count = bench_options.quick ? 100001 : 2000001;
    int repetitions = bench_options.quick ? 1 : 11;
    for (int r = 0; r < repetitions; r++) {
        for (int a = 0; a <= CHUNKS; a++) {
            char command[5000];
            double n[5];
            snprintf(command, sizeof command, "'%s' --worker list %d %ld", self(), a, count);
            if (!installed(a) || numbers_of(command, n, 5) != 5)
                continue;
            bench_add("list", allocator_names[a], count, "ms", n[0]);
            bench_add("list: build", allocator_names[a], count, "ms", n[1]);
            bench_add("list: free", allocator_names[a], count, "ms", n[2]);
            bench_add("list: resident", allocator_names[a], count, "MiB", n[3]);
            bench_add("list: resident after free", allocator_names[a], count, "MiB", n[4]);
        }
    }
}

void bench_cycles(void)
{
    long high = bench_options.quick ? 32 : 1024, pause = bench_options.quick ? 10 : 1500;
    static const long largest[] = {2048, 64};
    // What one would set for a process that runs for long.
    setenv("MALLOC_CONF", "background_thread:true,metadata_thp:auto,dirty_decay_ms:1000", 1);
    for (size_t s = 0; s < 2; s++) {
        for (int a = 0; a <= CHUNKS; a++) {
            char command[5000];
            double n[12];
            snprintf(command, sizeof command, "'%s' --worker cycles %d %ld %ld %ld", self(), a,
                     largest[s] * high / 1024 + 1, high, pause);
            if (!installed(a) || numbers_of(command, n, 12) != 12)
                continue;
            bench_add("cycles: first high", allocator_names[a], largest[s], "MiB", n[0]);
            bench_add("cycles: first low", allocator_names[a], largest[s], "MiB", n[1]);
            bench_add("cycles: last high", allocator_names[a], largest[s], "MiB", n[8]);
            bench_add("cycles: last low", allocator_names[a], largest[s], "MiB", n[9]);
            bench_add("cycles: all freed", allocator_names[a], largest[s], "MiB", n[10]);
            bench_add("cycles: processor time", allocator_names[a], largest[s], "s", n[11]);
        }
    }
    unsetenv("MALLOC_CONF");
}

// ---- Java ---------------------------------------------------------------------------------------

static int version_of(const char *release)
{
    char line[256];
    int version = 0;
    FILE *f = fopen(release, "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "JAVA_VERSION=\"%d", &version) == 1)
            break;
    if (f)
        fclose(f);
    return version;
}

// The launcher of the newest JDK under /usr/lib/jvm; NULL below 22.
static const char *find_java(void)
{
    static char path[4096];
    int best = 21;
    glob_t found;
    if (glob("/usr/lib/jvm/*/release", 0, NULL, &found))
        return NULL;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        int version = version_of(found.gl_pathv[i]);
        int length = (int)strlen(found.gl_pathv[i]) - (int)strlen("release");
        if (version > best && length < 4000) {
            best = version;
            snprintf(path, sizeof path, "%.*sbin/java", length, found.gl_pathv[i]);
        }
    }
    globfree(&found);
    return best > 21 ? path : NULL;
}

void bench_java(void)
{
    const char *java = bench_options.java ? bench_options.java : find_java();
    if (!java) {
        bench_note("Java: skipped, no JDK 22 or newer under /usr/lib/jvm");
        return;
    }
    char command[10000];
    double n[2 * 6 * BENCH_REPETITIONS];
    snprintf(command, sizeof command, "'%s' -XX:+UseSerialGC '%s/bench_arena.java' %d %d", java,
             JG_BENCH_DIR, bench_options.repetitions, bench_options.quick ? 20000 : 500000);
    int count = numbers_of(command, n, (int)(sizeof n / sizeof *n));
    if (!count)
        bench_note("Java: skipped, %s cannot run bench_arena.java", java);
    else
        bench_note("Java: %s", java);
    for (int i = 0; i + 1 < count; i += 2)
        bench_add("small", "Java Arena.ofConfined()", (long)n[i], "ns", n[i + 1]);
}
