// SPDX-License-Identifier: Apache-2.0
//
// Lowers one file and prints what came out: for difftest.py, and for looking at a function.
//
//   dump_cfg [--dot | --summary | --time N] [--function NAME] [--directory DIR] -- CC ARGS… FILE
//
// Without a choice the functions are printed as text. --summary is one line a function, tab
// separated: name, line, blocks, edges, values of logical operators, calls of FatalError, flags. An
// exit block and its edges are counted as clang's CFG has them.
// --time parses N times with and without lowering and prints both processor times.
// The unit is verified in any case. Exit code: 0, 1 when it is not sound, 2 for wrong usage.

#include "analyzer/frontend/frontend.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum mode { TEXT, DOT, SUMMARY, TIME };

struct options {
    enum mode mode;
    const char *function;
    int repeat;
    struct jg_compile_command command;
};

static int usage(void)
{
    fputs(
        "usage: dump_cfg [--dot | --summary | --time N] [--function NAME] [--directory DIR] -- CC "
        "ARGS... FILE\n",
        stderr);
    return 2;
}

// What a switch over all enumerators falls out to.
static bool is_impossible(const struct jg_block *b)
{
    return b->term == JG_TERM_UNREACHABLE && !b->insn_count;
}

// Exit as a block of its own, reached from every block that leaves the function.
static void summarise(const struct jg_unit *u, const struct jg_function *f)
{
    uint32_t blocks = 1, edges = 0, logical = 0, fatal = 0;
    for (uint32_t i = 0; i < f->block_count; i++) {
        const struct jg_block *b = &u->blocks.data[f->first_block + i];
        if (is_impossible(b))
            continue;
        blocks++;
        edges += !b->succ_count;
        for (uint32_t j = 0; j < b->succ_count; j++)
            edges +=
                !is_impossible(&u->blocks.data[f->first_block + u->succs.data[b->first_succ + j]]);
        for (uint32_t j = 0; j < b->insn_count; j++) {
            const struct jg_insn *n = &u->insns.data[b->first_insn + j];
            logical += (n->flags & JG_INSN_LOGICAL) != 0;
            fatal += n->op == JG_OP_CALL && b->term == JG_TERM_UNREACHABLE &&
                     j + 1 == b->insn_count && n->sub == JG_CALLEE_JNI;
        }
    }
    printf("%s\t%u\t%u\t%u\t%u\t%u\t%s%s%s\n", jg_function_name(u, f), u->locs.data[f->loc].line,
           blocks, edges, logical, fatal, f->flags & JG_FN_UNMODELLED ? "u" : "",
           f->flags & JG_FN_DEGRADED ? "d" : "", f->flags & JG_FN_HEADER ? "h" : "");
}

static void print(const struct jg_unit *u, const struct options *o)
{
    for (uint32_t i = 0; i < u->functions.count; i++) {
        const struct jg_function *f = &u->functions.data[i];
        if (o->function && strcmp(o->function, jg_function_name(u, f)) != 0)
            continue;
        if (o->mode == SUMMARY)
            summarise(u, f);
        else if (o->mode == DOT)
            jg_dump_dot(u, i, stdout);
        else
            jg_dump_function(u, i, stdout);
    }
    for (uint32_t i = 0; i < u->unmodelled.count && !o->function; i++)
        printf("# unmodelled\t%s\t%u\n", jg_unit_str(u, u->unmodelled.data[i].construct),
               u->unmodelled.data[i].count);
    for (uint32_t i = 0; i < u->native_methods.count && o->mode == TEXT && !o->function; i++) {
        const struct jg_native_method *m = &u->native_methods.data[i];
        printf("# native method\t%s\t%s\t%s\n", jg_unit_str(u, m->name),
               jg_unit_str(u, m->signature),
               m->symbol == JG_NONE ? "?" : jg_unit_str(u, u->symbols.data[m->symbol].name));
    }
    for (uint32_t i = 0; i < u->diagnostics.count; i++)
        printf("# %s\t%s\n", u->diagnostics.data[i].fatal ? "fatal" : "error",
               jg_unit_str(u, u->diagnostics.data[i].text));
    printf("# status\t%d\n", (int)u->status);
}

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

// Alternates, so that both see the same machine.
static void measure(struct jg_frontend *f, const struct options *o)
{
    double parse = 0, both = 0;
    jg_frontend_parse_only(f, &o->command);
    for (int i = 0; i < o->repeat; i++) {
        double start = processor_time();
        jg_frontend_parse_only(f, &o->command);
        double middle = processor_time();
        struct jg_unit u;
        jg_frontend_parse(f, &o->command, &u);
        jg_unit_fini(&u);
        parse += middle - start;
        both += processor_time() - middle;
    }
    printf("%.3f\t%.3f\n", parse / o->repeat, both / o->repeat);
}

int main(int argc, char **argv)
{
    struct options o = {0};
    static char cwd[PATH_MAX], path[PATH_MAX];
    o.command.directory = getcwd(cwd, sizeof cwd);
    int i = 1;
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--dot") == 0)
            o.mode = DOT;
        else if (strcmp(argv[i], "--summary") == 0)
            o.mode = SUMMARY;
        else if (strcmp(argv[i], "--time") == 0 && i + 1 < argc) {
            o.mode = TIME;
            o.repeat = atoi(argv[++i]);
        } else if (strcmp(argv[i], "--function") == 0 && i + 1 < argc)
            o.function = argv[++i];
        else if (strcmp(argv[i], "--directory") == 0 && i + 1 < argc)
            o.command.directory = argv[++i];
        else
            return usage();
    }
    if (i + 2 >= argc || (o.mode == TIME && o.repeat < 1))
        return usage();
    const char *file = argv[argc - 1];
    if (file[0] == '/')
        snprintf(path, sizeof path, "%s", file);
    else
        snprintf(path, sizeof path, "%s/%s", o.command.directory, file);
    o.command.file = path;
    o.command.argv = (const char *const *)argv + i + 1;
    o.command.argc = (size_t)(argc - i - 1);

    char *error = NULL;
    struct jg_frontend *f = jg_frontend_new(&error);
    if (!f) {
        fprintf(stderr, "%s\n", error);
        free(error);
        return 2;
    }
    int code = 0;
    if (o.mode == TIME) {
        measure(f, &o);
    } else {
        struct jg_unit u;
        jg_frontend_parse(f, &o.command, &u);
        const char *unsound = jg_unit_verify(&u);
        if (unsound) {
            fprintf(stderr, "%s: %s\n", file, unsound);
            code = 1;
        } else {
            print(&u, &o);
        }
        jg_unit_fini(&u);
    }
    jg_frontend_free(f);
    return code;
}
