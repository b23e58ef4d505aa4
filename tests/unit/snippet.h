// SPDX-License-Identifier: Apache-2.0
//
// For tests of the engine: checks a piece of C and gives the findings as one text,
// "rule:line rule:line", in order.

#ifndef JG_TESTS_SNIPPET_H
#define JG_TESTS_SNIPPET_H

#include "analyzer/checks/check.h"
#include "analyzer/frontend/frontend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline char *snippet_check(const char *code, struct jg_findings *findings,
                                  struct jg_check_stats *stats)
{
    char dir[] = "/tmp/jg-snippet-XXXXXX";
    if (!mkdtemp(dir))
        abort();
    char *path = jg_format("%s/t.c", dir);
    FILE *f = fopen(path, "w");
    if (!f)
        abort();
    fprintf(f, "%s", code);
    fclose(f);
    char *error = NULL;
    struct jg_frontend *frontend = jg_frontend_new(&error);
    if (!frontend) {
        fprintf(stderr, "%s\n", error);
        abort();
    }
    const char *argv[] = {"cc", "-I" JG_TEST_JNI_INCLUDE, "-I" JG_TEST_JNI_INCLUDE "/linux", "-c",
                          path};
    struct jg_compile_command command = {.directory = dir, .file = path, .argv = argv, .argc = 5};
    struct jg_unit unit;
    jg_frontend_parse(frontend, &command, &unit);
    for (uint32_t i = 0; i < unit.diagnostics.count; i++)
        fprintf(stderr, "snippet: %s\n", jg_unit_str(&unit, unit.diagnostics.data[i].text));
    const char *unsound = jg_unit_verify(&unit);
    if (unsound) {
        fprintf(stderr, "snippet: %s\n", unsound);
        abort();
    }
    const struct jg_unit *units[] = {&unit};
    struct jg_program *program = jg_program_new(units, 1);
    jg_check_program(program, &(struct jg_check_options){.threads = 1}, findings, stats);
    jg_program_free(program);
    jg_findings_sort(findings);
    char *text = jg_strdup("");
    for (uint32_t i = 0; i < findings->list.count; i++) {
        const struct jg_finding *x = &findings->list.data[i];
        char *longer =
            jg_format("%s%s%s:%u", text, i ? " " : "", jg_rule_info(x->rule)->id, x->at.line);
        free(text);
        text = longer;
    }
    jg_unit_fini(&unit);
    jg_frontend_free(frontend);
    unlink(path);
    rmdir(dir);
    free(path);
    return text;
}

#endif
