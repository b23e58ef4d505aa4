// SPDX-License-Identifier: Apache-2.0
//
// What arenas cost, beside ordinary allocators, Java's arenas and the least that is possible.
//
//   bench_arena [--quick] [--repetitions N] [--only GROUP] [--json PATH] [--shared PATH]
//               [--java PATH]
//
// Prints a table for each group of cases (minimum, median, spread), then the goals beside what was
// measured. A measurement to read: no figure makes it fail. See README.md for the groups.

#include "bench_arena.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bench_options bench_options = {
    .repetitions = 25,
    .batch_ns = 2e6,
    .shared = JG_BENCH_SHARED,
};

// ---- results ------------------------------------------------------------------------------------

// Not on the heap, whose state is part of what is measured.
static struct bench_result results[1024];
static size_t result_count;
static char notes[16][512];
static int note_count;

static struct bench_result *find(const char *group, const char *name, long parameter)
{
    for (size_t i = 0; i < result_count; i++)
        if (results[i].parameter == parameter && !strcmp(results[i].group, group) &&
            !strcmp(results[i].name, name))
            return &results[i];
    return NULL;
}

void bench_add(const char *group, const char *name, long parameter, const char *unit, double value)
{
    struct bench_result *r = find(group, name, parameter);
    if (!r) {
        if (result_count == sizeof results / sizeof *results)
            abort();
        r = &results[result_count++];
        *r = (struct bench_result){.group = group, .name = name, .unit = unit};
        r->parameter = parameter;
    }
    if (r->count < BENCH_REPETITIONS)
        r->values[r->count++] = value;
}

const struct bench_result *bench_find(const char *group, const char *name, long parameter)
{
    return find(group, name, parameter);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The value below which this part of all values lies; 0 is the minimum, 0.5 the median.
static double quantile(const struct bench_result *r, double part)
{
    double sorted[BENCH_REPETITIONS];
    memcpy(sorted, r->values, r->count * sizeof *sorted);
    qsort(sorted, r->count, sizeof *sorted, compare_doubles);
    double at = part * (double)(r->count - 1);
    size_t low = (size_t)at;
    size_t high = low + 1 < r->count ? low + 1 : low;
    return sorted[low] + (sorted[high] - sorted[low]) * (at - (double)low);
}

double bench_min(const struct bench_result *r)
{
    return quantile(r, 0);
}

double bench_median(const struct bench_result *r)
{
    return quantile(r, 0.5);
}

void bench_note(const char *format, ...)
{
    if (note_count == sizeof notes / sizeof *notes)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(notes[note_count++], sizeof *notes, format, args);
    va_end(args);
}

// ---- table --------------------------------------------------------------------------------------

static void print_cell(const struct bench_result *r)
{
    if (!r) {
        printf("  %20s", "-");
        return;
    }
    double median = bench_median(r);
    char cell[64];
    int length = snprintf(cell, sizeof cell, "%.4g", median);
    if (r->count > 1)
        snprintf(cell + length, sizeof cell - (size_t)length, " (%.4g, %.0f%%)", bench_min(r),
                 median > 0 ? 100 * (quantile(r, 0.9) - quantile(r, 0.1)) / median : 0.0);
    printf("  %20s", cell);
}

// Rows are names, columns parameters, both in the order in which they were measured.
static void print_group(const char *group, const char *unit)
{
    long parameters[16];
    int columns = 0;
    printf("\n%-28s", group);
    for (size_t i = 0; i < result_count; i++) {
        int c = 0;
        while (c < columns && parameters[c] != results[i].parameter)
            c++;
        if (!strcmp(results[i].group, group) && c == columns && c < 16) {
            parameters[columns++] = results[i].parameter;
            printf("  %20ld", results[i].parameter);
        }
    }
    printf("   %s\n", unit);
    for (size_t i = 0; i < result_count; i++) {
        bool seen = strcmp(results[i].group, group) != 0;
        for (size_t k = 0; k < i && !seen; k++)
            seen = !strcmp(results[k].group, group) && !strcmp(results[k].name, results[i].name);
        if (seen)
            continue;
        printf("%-28s", results[i].name);
        for (int c = 0; c < columns; c++)
            print_cell(find(group, results[i].name, parameters[c]));
        printf("\n");
    }
}

static void print_table(void)
{
    printf("Cells: median (minimum, spread from the 10th to the 90th percentile).\n");
    for (size_t i = 0; i < result_count; i++) {
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++)
            seen = !strcmp(results[k].group, results[i].group);
        if (!seen)
            print_group(results[i].group, results[i].unit);
    }
    printf("\n");
    for (int i = 0; i < note_count; i++)
        printf("%s\n", notes[i]);
}

// ---- goals --------------------------------------------------------------------------------------

// A goal on the quotient of two cases of a group, by their minima, after what each would cost
// without memory is subtracted. `at_most`: the quotient may not exceed the limit; else not fall
// below.
struct goal {
    const char *text, *group;
    const char *above, *below;
    const char *above_base, *below_base; // NULL: nothing
    long parameter;
    bool at_most;
    double limit;
};

static const struct goal goals[] = {
// clang-format off
#define SMALL(text, above, below, size, at_most, limit) \
    {text, "small", above, below, NULL, NULL, size, at_most, limit}
    SMALL("inline, no statistics, 5 bytes / floor", "arena inline", "floor", 5, true, 2),
    SMALL("inline, no statistics, 20 bytes / floor", "arena inline", "floor", 20, true, 2),
    SMALL("inline, statistics, 5 bytes / floor", "arena inline, statistics", "floor", 5, true, 3),
    SMALL("inline, statistics, 20 bytes / floor", "arena inline, statistics", "floor", 20, true, 3),
    SMALL("calloc / shared library, 5 bytes", "calloc/free", "arena shared library", 5, false, 1.8),
    SMALL("calloc / shared library, 20 bytes", "calloc/free", "arena shared library", 20, false,
          1.8),
    SMALL("calloc / fallback, 100 bytes", "calloc/free", "arena inline", 100, false, 1.1),
    SMALL("calloc / fallback, 500 bytes", "calloc/free", "arena inline", 500, false, 1.1),
    SMALL("calloc / fallback, 2000 bytes", "calloc/free", "arena inline", 2000, false, 0.95),
    SMALL("calloc / fallback, 8000 bytes", "calloc/free", "arena inline", 8000, false, 0.95),
    {"calloc / inline, nested 8 deep", "nested", "calloc/free", "arena inline", NULL, NULL, 8,
     false, 1.3},
    {"calloc / arena, fibers on one carrier", "fibers", "calloc/free", "arena", "switch only",
     "switch only", 4, false, 2},
    {"glibc / jg_chunks, list", "list", "glibc", "jg_chunks", NULL, NULL, 2000001, false, 3},
    // clang-format on
};

// No goals, but quotients that a reader wants beside them.
static const struct goal beside[] = {
    // clang-format off
    SMALL("calloc / inline, no statistics, 5 bytes", "calloc/free", "arena inline", 5, false, 0),
    SMALL("calloc / inline, no statistics, 20 bytes", "calloc/free", "arena inline", 20, false, 0),
    SMALL("calloc / floor, 20 bytes", "calloc/free", "floor", 20, false, 0),
    SMALL("Java ofConfined() / calloc, 5 bytes", "Java Arena.ofConfined()", "calloc/free", 5, false,
          0),
    {"calloc / arena, fibers, identity not counted", "fibers", "calloc/free", "arena",
     "switch only", "identity", 4, false, 0},
    // clang-format on
};

// Minimum or median of a case; 0 for no case, negative where it was not measured.
static double value_of(const struct goal *g, const char *name,
                       double (*value)(const struct bench_result *r))
{
    const struct bench_result *r = name ? find(g->group, name, g->parameter) : NULL;
    return r ? value(r) : name ? -1 : 0;
}

// The quotient by minima or by medians; negative where something was not measured.
static double quotient(const struct goal *g, double (*value)(const struct bench_result *r))
{
    double above = value_of(g, g->above, value) - value_of(g, g->above_base, value);
    double below = value_of(g, g->below, value) - value_of(g, g->below_base, value);
    return above > 0 && below > 0 ? above / below : -1;
}

static const char *verdict(const struct goal *g, double measured)
{
    if (measured < 0)
        return "not measured";
    return (g->at_most ? measured <= g->limit : measured >= g->limit) ? "met" : "missed";
}

static void print_goals(void)
{
    printf("\n%-48s  %8s  %9s  %10s\n", "Goals", "limit", "by minima", "by medians");
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
        const struct goal *g = &goals[i];
        double minima = quotient(g, bench_min), medians = quotient(g, bench_median);
        printf("%-48s  %s %5.2f  ", g->text, g->at_most ? "<=" : ">=", g->limit);
        if (minima < 0)
            printf("%9s  %10s  ", "-", "-");
        else
            printf("%9.2f  %10.2f  ", minima, medians);
        printf("%s\n", verdict(g, minima));
    }
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        if (quotient(&beside[i], bench_min) >= 0)
            printf("%-48s  %8s  %9.2f  %10.2f\n", beside[i].text, "",
                   quotient(&beside[i], bench_min), quotient(&beside[i], bench_median));
}

// ---- JSON ---------------------------------------------------------------------------------------

static void write_string(FILE *f, const char *text)
{
    putc('"', f);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', f);
        if ((unsigned char)*text < 0x20)
            fprintf(f, "\\u%04x", (unsigned)*text);
        else
            putc(*text, f);
    }
    putc('"', f);
}

static void write_result(FILE *f, const struct bench_result *r)
{
    fputs("    {\"group\": ", f);
    write_string(f, r->group);
    fputs(", \"name\": ", f);
    write_string(f, r->name);
    fprintf(f, ", \"parameter\": %ld, \"unit\": ", r->parameter);
    write_string(f, r->unit);
    fprintf(f, ", \"min\": %.6g, \"p10\": %.6g, \"median\": %.6g, \"p90\": %.6g, \"max\": %.6g",
            bench_min(r), quantile(r, 0.1), bench_median(r), quantile(r, 0.9), quantile(r, 1));
    fputs(", \"values\": [", f);
    for (size_t i = 0; i < r->count; i++)
        fprintf(f, "%s%.6g", i ? ", " : "", r->values[i]);
    fputs("]}", f);
}

static bool write_json(const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f) {
        perror(path);
        return false;
    }
    fprintf(f, "{\n  \"benchmark\": \"bench_arena\",\n  \"quick\": %s,\n  \"repetitions\": %d,\n",
            bench_options.quick ? "true" : "false", bench_options.repetitions);
    fputs("  \"results\": [\n", f);
    for (size_t i = 0; i < result_count; i++) {
        write_result(f, &results[i]);
        fputs(i + 1 < result_count ? ",\n" : "\n", f);
    }
    fputs("  ],\n  \"goals\": [\n", f);
    enum { GOALS = sizeof goals / sizeof *goals };
    for (int i = 0; i < GOALS; i++) {
        double minima = quotient(&goals[i], bench_min), medians = quotient(&goals[i], bench_median);
        fputs("    {\"goal\": ", f);
        write_string(f, goals[i].text);
        fprintf(f, ", \"%s\": %g", goals[i].at_most ? "at_most" : "at_least", goals[i].limit);
        if (minima >= 0)
            fprintf(f, ", \"minima\": %.6g, \"medians\": %.6g", minima, medians);
        fprintf(f, ", \"verdict\": \"%s\"}%s\n", verdict(&goals[i], minima),
                i + 1 < GOALS ? "," : "");
    }
    fputs("  ],\n  \"notes\": [", f);
    for (int i = 0; i < note_count; i++) {
        fputs(i ? ", " : "", f);
        write_string(f, notes[i]);
    }
    fputs("]\n}\n", f);
    bool good = !ferror(f);
    return !fclose(f) && good;
}

// ---- main ---------------------------------------------------------------------------------------

static const struct {
    const char *name;
    void (*run)(void);
} groups[] = {
    {"small", bench_small},   {"java", bench_java},       {"nested", bench_nested},
    {"fibers", bench_fibers}, {"threads", bench_threads}, {"exchange", bench_exchange},
    {"list", bench_list},     {"cycles", bench_cycles},
};

static void usage(FILE *f)
{
    fputs("usage: bench_arena [--quick] [--repetitions N] [--only GROUP] [--json PATH]\n"
          "                   [--shared PATH] [--java PATH]\n"
          "groups:",
          f);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        fprintf(f, " %s", groups[i].name);
    fputs("\n", f);
}

// jemalloc's thread-local storage is larger than what a program keeps for libraries that it loads
// late. That reserve is set before a program starts, so: start again.
static void reserve_static_tls(char **argv)
{
    if (getenv("GLIBC_TUNABLES"))
        return;
    setenv("GLIBC_TUNABLES", "glibc.rtld.optional_static_tls=16384", 1);
    execv("/proc/self/exe", argv);
}

static void *second_thread(void *unused)
{
    return unused;
}

int main(int argc, char **argv)
{
    const char *json = NULL, *only = NULL;
    reserve_static_tls(argv);
    // glibc takes shortcuts as long as a process has never had a second thread; a JVM always has.
    pthread_t thread;
    if (!pthread_create(&thread, NULL, second_thread, NULL))
        pthread_join(thread, NULL);
    if (argc > 2 && !strcmp(argv[1], "--worker"))
        return bench_worker(argc - 2, argv + 2);
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(argv[i], "--help")) {
            usage(stdout);
            return 0;
        }
        if (!strcmp(argv[i], "--quick")) {
            bench_options.quick = true;
            bench_options.repetitions = 3;
            bench_options.batch_ns = 5e4;
            continue;
        }
        i++;
        if (value && !strcmp(argv[i - 1], "--repetitions")) {
            bench_options.repetitions = atoi(value);
        } else if (value && !strcmp(argv[i - 1], "--only")) {
            only = value;
        } else if (value && !strcmp(argv[i - 1], "--json")) {
            json = value;
        } else if (value && !strcmp(argv[i - 1], "--shared")) {
            bench_options.shared = value;
        } else if (value && !strcmp(argv[i - 1], "--java")) {
            bench_options.java = value;
        } else {
            usage(stderr);
            return 2;
        }
    }
    if (bench_options.repetitions < 1 || bench_options.repetitions > BENCH_REPETITIONS) {
        fprintf(stderr, "bench_arena: --repetitions is 1 to %d\n", BENCH_REPETITIONS);
        return 2;
    }
    bench_ops_load();
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (!only || !strcmp(only, groups[i].name))
            groups[i].run();
    print_table();
    print_goals();
    bool written = !json || write_json(json);
    return written ? 0 : 2;
}
