// SPDX-License-Identifier: Apache-2.0
//
// For tests of whole programs: lowers several files and links them.

#ifndef JG_TESTS_PROJECT_H
#define JG_TESTS_PROJECT_H

#include "analyzer/engine/program.h"
#include "tests/unit/lowered.h"

#include <sys/stat.h>

#define MAX_UNITS 4

// Units made of files below one temporary folder; `name` may lie in a folder.
struct project {
    char dir[64];
    struct jg_unit units[MAX_UNITS];
    const struct jg_unit *at[MAX_UNITS];
    char *paths[MAX_UNITS];
    uint32_t count;
    struct jg_program *p;
};

struct source {
    const char *name, *code, *define;
};

static inline void add_file(struct project *x, const char *name, const char *code)
{
    char *path = jg_format("%s/%s", x->dir, name), *slash = strrchr(path, '/');
    *slash = '\0';
    mkdir(path, 0700);
    *slash = '/';
    write_file(x->dir, name, code);
    free(path);
}

static inline void add_unit(struct project *x, const struct source *s)
{
    char *path = jg_format("%s/%s", x->dir, s->name), *include = jg_format("-I%s", x->dir);
    const char *argv[] = {
        "cc",    "-I" JG_TEST_JNI_INCLUDE,         "-I" JG_TEST_JNI_INCLUDE "/linux",
        include, s->define ? s->define : "-DNONE", "-c",
        path};
    struct jg_compile_command command = {
        .directory = x->dir, .file = path, .argv = argv, .argc = 7};
    struct jg_unit *u = &x->units[x->count];
    jg_frontend_parse(lowered_frontend(), &command, u);
    if (u->diagnostics.count)
        fail_msg("%s: %s", s->name, jg_unit_str(u, u->diagnostics.data[0].text));
    const char *unsound = jg_unit_verify(u);
    if (unsound)
        fail_msg("unit: %s", unsound);
    x->paths[x->count] = path;
    x->at[x->count++] = u;
    free(include);
}

static inline void link_sources(struct project *x, const char *header, const struct source *sources,
                                uint32_t count)
{
    memset(x, 0, sizeof *x);
    strcpy(x->dir, "/tmp/jg-program-XXXXXX");
    if (!mkdtemp(x->dir))
        fail_msg("no temporary folder");
    add_file(x, "h.h", header ? header : "");
    for (uint32_t i = 0; i < count; i++) {
        add_file(x, sources[i].name, sources[i].code);
        add_unit(x, &sources[i]);
    }
    x->p = jg_program_new(x->at, x->count);
}

static inline void project_fini(struct project *x)
{
    jg_program_free(x->p);
    for (uint32_t i = 0; i < x->count; i++) {
        jg_unit_fini(&x->units[i]);
        unlink(x->paths[i]);
        char *slash = strrchr(x->paths[i], '/');
        *slash = '\0';
        rmdir(x->paths[i]);
        free(x->paths[i]);
    }
    char *header = jg_format("%s/h.h", x->dir);
    unlink(header);
    free(header);
    rmdir(x->dir);
}

static inline uint32_t id_of(const struct project *x, uint32_t unit, const char *name)
{
    for (uint32_t i = 0; i < x->units[unit].functions.count; i++)
        if (strcmp(jg_function_name(&x->units[unit], &x->units[unit].functions.data[i]), name) == 0)
            return jg_program_id(x->p, unit, i);
    fail_msg("no function %s in unit %u", name, unit);
    return JG_NONE;
}

#define LINK(x, header, ...)                                                                       \
    const struct source sources[] = {__VA_ARGS__};                                                 \
    struct project x;                                                                              \
    link_sources(&x, header, sources, sizeof sources / sizeof *sources)

#endif
