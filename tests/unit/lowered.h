// SPDX-License-Identifier: Apache-2.0
//
// For tests of the frontend: lowers a piece of code and finds things in the unit.

#ifndef JG_TESTS_LOWERED_H
#define JG_TESTS_LOWERED_H

#include "analyzer/frontend/frontend.h"
#include "rules/jni.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct lowered {
    struct jg_unit unit;
    const struct jg_unit *u;
    char dir[64];
    char *path;
};

static struct jg_frontend *lowered_frontend(void)
{
    static struct jg_frontend *frontend;
    char *error = NULL;
    if (!frontend)
        frontend = jg_frontend_new(&error);
    if (!frontend)
        fail_msg("%s", error);
    return frontend;
}

static inline void write_file(const char *dir, const char *name, const char *text)
{
    char *path = jg_format("%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    if (!f)
        fail_msg("cannot write %s", path);
    fputs(text, f);
    fclose(f);
    free(path);
}

// `extra` ends with NULL: arguments between the include folders and the file. `header`, when not
// NULL, becomes h.h beside the file.
static inline void lower_with(struct lowered *l, const char *name, const char *code,
                              const char *header, const char *const *extra)
{
    strcpy(l->dir, "/tmp/jg-lowered-XXXXXX");
    if (!mkdtemp(l->dir))
        fail_msg("no temporary folder");
    write_file(l->dir, name, code);
    if (header)
        write_file(l->dir, "h.h", header);
    l->path = jg_format("%s/%s", l->dir, name);
    const char *argv[32] = {"cc", "-I" JG_TEST_JNI_INCLUDE, "-I" JG_TEST_JNI_INCLUDE "/linux",
                            "-c"};
    size_t argc = 4;
    while (extra && *extra && argc < 30)
        argv[argc++] = *extra++;
    argv[argc++] = l->path;
    struct jg_compile_command command = {
        .directory = l->dir, .file = l->path, .argv = argv, .argc = argc};
    jg_frontend_parse(lowered_frontend(), &command, &l->unit);
    l->u = &l->unit;
    const char *unsound = jg_unit_verify(l->u);
    if (unsound)
        fail_msg("unit: %s", unsound);
}

static inline void lower(struct lowered *l, const char *code)
{
    lower_with(l, "t.c", code, NULL, NULL);
}

static inline void lowered_fini(struct lowered *l)
{
    char *header = jg_format("%s/h.h", l->dir);
    jg_unit_fini(&l->unit);
    unlink(header);
    unlink(l->path);
    rmdir(l->dir);
    free(header);
    free(l->path);
}

static inline const struct jg_function *find_function(const struct lowered *l, const char *name)
{
    for (uint32_t i = 0; i < l->u->functions.count; i++)
        if (strcmp(jg_function_name(l->u, &l->u->functions.data[i]), name) == 0)
            return &l->u->functions.data[i];
    return NULL;
}

static inline const struct jg_block *block_at(const struct lowered *l, const struct jg_function *f,
                                              uint32_t i)
{
    return &l->u->blocks.data[f->first_block + i];
}

// The n-th instruction of that kind in the function, counting from 0; NULL when there are fewer.
static inline const struct jg_insn *find_insn(const struct lowered *l, const char *function,
                                              enum jg_op op, uint32_t n)
{
    const struct jg_function *f = find_function(l, function);
    if (!f)
        fail_msg("no function %s", function);
    for (uint32_t i = 0; i < f->block_count; i++) {
        const struct jg_block *b = block_at(l, f, i);
        for (uint32_t j = 0; j < b->insn_count; j++) {
            const struct jg_insn *x = &l->u->insns.data[b->first_insn + j];
            if (x->op == op && n-- == 0)
                return x;
        }
    }
    return NULL;
}

static inline uint32_t count_insns(const struct lowered *l, const char *function, enum jg_op op)
{
    uint32_t n = 0;
    while (find_insn(l, function, op, n))
        n++;
    return n;
}

static inline uint32_t count_terms(const struct lowered *l, const char *function, enum jg_term term)
{
    const struct jg_function *f = find_function(l, function);
    uint32_t n = 0;
    for (uint32_t i = 0; f && i < f->block_count; i++)
        n += block_at(l, f, i)->term == term;
    return n;
}

// The text of --dump-cfg, for comparing whole functions.
static __attribute__((noinline, unused)) char *dump_text(const struct lowered *l,
                                                         const char *function)
{
    const struct jg_function *f = find_function(l, function);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    jg_dump_function(l->u, (uint32_t)(f - l->u->functions.data), out);
    fclose(out);
    return text;
}

static inline void assert_dump_has(const struct lowered *l, const char *function, const char *part)
{
    char *text = dump_text(l, function);
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in\n%s", part, text);
    free(text);
}

#define TEXT(s) jg_unit_str(l.u, s)

#endif
