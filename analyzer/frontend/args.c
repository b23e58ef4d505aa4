// SPDX-License-Identifier: Apache-2.0
//
// The command of the compile database -> the arguments libclang gets.
//
// Goes out: everything that writes a file (-o, -MD, -Wp,-MD,x, -save-temps, -fmodules), prints
// (--help, -v: the standard output belongs to the report), names another action (-c, -E), turns
// warnings into errors, loads plug-ins, or reads profiles of another compiler.
// Comes in: the folder of the command, the target of a cross compiler's prefix, clang's own
// headers, and -w, which also spares the analyses behind warnings. Input files are dropped and the
// one asked for is appended, so that a command that names several gives the right one.
//
// Which argument has which fate stands in args.def. Options of GCC that clang does not know and
// that have no row there are left in: clang reports them without a position, which parse.c takes
// for noise of the driver, and the AST is complete all the same.

#include "analyzer/frontend/frontend_internal.h"

#include <string.h>

enum action {
    DROP,
    DROP_VALUE,
    DROP_PREFIX,
    KEEP_VALUE,
    KEEP_ESSENTIAL,
    KEEP_PREFIX,
    TRANSLATE,
};

static const struct option {
    const char *text;
    enum action action;
    const char *instead; // TRANSLATE
} options[] = {
#define JG_ARG(text, action, instead) {text, action, instead},
#include "analyzer/frontend/args.def"
};

static const char *const added[] = {
#define JG_ARG_ADDED(text) text,
#include "analyzer/frontend/args.def"
};

static const char *const machines[] = {
#define JG_ARG_MACHINE(prefix) prefix,
#include "analyzer/frontend/args.def"
};

static const char *const compilers[] = {
#define JG_ARG_COMPILER(name) name,
#include "analyzer/frontend/args.def"
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

// The longest option that matches: -MF before -M, -include before -I.
static const struct option *find_option(const char *arg)
{
    const struct option *best = NULL;
    size_t best_length = 0;
    for (size_t i = 0; i < COUNT(options); i++) {
        const struct option *o = &options[i];
        size_t length = strlen(o->text);
        if (length <= best_length || strncmp(arg, o->text, length) != 0)
            continue;
        char next = arg[length];
        // A long option with a value joins it by `=` only; short ones join it directly.
        bool joined = o->action == DROP_PREFIX || o->action == KEEP_PREFIX || length == 2 ||
                      (o->text[1] == 'M' && length == 3) || o->text[1] == 'i' || next == '=';
        bool exact = o->action == DROP || o->action == TRANSLATE;
        if (next && (exact || !joined))
            continue;
        best = o;
        best_length = length;
    }
    return best;
}

static void push(struct args *a, const char *arg)
{
    a->argv[a->argc++] = arg;
}

static bool is_essential(enum action action)
{
    return action == KEEP_ESSENTIAL || action == KEEP_PREFIX;
}

// Is the next argument its value?
static bool takes_next(const struct option *o, const char *arg)
{
    return (o->action == DROP_VALUE || o->action == KEEP_VALUE || o->action == KEEP_ESSENTIAL) &&
           !arg[strlen(o->text)];
}

// Copies one option, with its separate value if it has one. Returns how many arguments it took.
static size_t copy_option(struct args *a, const struct jg_compile_command *c, size_t i,
                          enum args_mode mode)
{
    const char *arg = c->argv[i];
    const struct option *o = find_option(arg);
    if (!o) {
        if (mode == ARGS_ALL)
            push(a, arg);
        return 1;
    }
    bool separate = takes_next(o, arg) && i + 1 < c->argc;
    bool drop = o->action == DROP || o->action == DROP_VALUE || o->action == DROP_PREFIX;
    if (o->action == TRANSLATE) {
        push(a, o->instead);
    } else if (!drop && (mode == ARGS_ALL || is_essential(o->action))) {
        push(a, arg);
        if (separate)
            push(a, c->argv[i + 1]);
    }
    return separate ? 2 : 1;
}

// ---- -Xclang -----------------------------------------------------------------------------------

static bool is_inner(const char *arg)
{
    return strcmp(arg, "-Xclang") == 0 || strcmp(arg, "-Xpreprocessor") == 0;
}

static bool is_one_of(const char *arg, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(arg, names[i]) == 0)
            return true;
    return false;
}

// Does it take the next inner argument, whatever that looks like?
static bool inner_takes_value(const char *arg)
{
    static const char *const names[] = {"-load",          "-plugin", "-add-plugin",
                                        "-mllvm",         "-o",      "-header-include-file",
                                        "-target-feature"};
    return strncmp(arg, "-plugin-arg-", 12) == 0 ||
           is_one_of(arg, names, sizeof names / sizeof *names);
}

// Does it shape the AST? Of clang's own options, which nobody promises to keep, only those that are
// known to do so stay: others load plug-ins, write files, or swallow the diagnostics.
static bool shapes_ast(const char *arg)
{
    static const char *const names[] = {"-triple",           "-target-cpu",
                                        "-target-abi",       "-target-feature",
                                        "-internal-isystem", "-internal-externc-isystem"};
    const struct option *o = find_option(arg);
    if (is_one_of(arg, names, sizeof names / sizeof *names))
        return true;
    if (o)
        return is_essential(o->action);
    return arg[0] == '-' && arg[1] == 'f';
}

// Copies one option behind -Xclang with its values, which are behind -Xclang again. Returns how
// many arguments they took.
static size_t copy_inner(struct args *a, const struct jg_compile_command *c, size_t i,
                         enum args_mode mode)
{
    if (i + 1 == c->argc)
        return 1;
    const char *option = c->argv[i + 1];
    size_t end = i + 2;
    if (inner_takes_value(option) && end + 1 < c->argc && is_inner(c->argv[end]))
        end += 2;
    while (end + 1 < c->argc && is_inner(c->argv[end]) && c->argv[end + 1][0] != '-')
        end += 2;
    for (size_t k = i; k < end && mode == ARGS_ALL && shapes_ast(option); k++)
        push(a, c->argv[k]);
    return end - i;
}

// ---- the whole command -------------------------------------------------------------------------

// Length of the compiler's own name at the start of `word`, when nothing but a version or a flavour
// ("-12", "-posix") follows; else 0.
static size_t compiler_length(const char *word)
{
    for (size_t i = 0; i < COUNT(compilers); i++) {
        size_t n = strlen(compilers[i]);
        if (strncmp(word, compilers[i], n) == 0 && (!word[n] || word[n] == '-' || word[n] == '.'))
            return n;
    }
    return 0;
}

// "aarch64-linux-gnu-gcc-12" -> "aarch64-linux-gnu"; NULL when the name tells no target.
static const char *target_of(struct args *a, const char *compiler)
{
    const char *slash = strrchr(compiler, '/');
    const char *name = slash ? slash + 1 : compiler;
    bool known = false;
    for (size_t i = 0; i < COUNT(machines) && !known; i++)
        known = strncmp(name, machines[i], strlen(machines[i])) == 0;
    for (const char *dash = strchr(name, '-'); known && dash; dash = strchr(dash + 1, '-'))
        if (compiler_length(dash + 1))
            return jg_bump_format(&a->arena, "%.*s", (int)(dash - name), name);
    return NULL;
}

// What the command itself says, by `--target=x`, `--target x` or `-target x`; NULL: nothing.
static const char *given_target(const struct jg_compile_command *c)
{
    const char *target = NULL; // the last one counts
    for (size_t i = 1; i < c->argc && strcmp(c->argv[i], "--") != 0; i++) {
        const char *arg = c->argv[i];
        if (strncmp(arg, "--target=", 9) == 0)
            target = arg + 9;
        else if ((strcmp(arg, "--target") == 0 || strcmp(arg, "-target") == 0) && i + 1 < c->argc)
            target = c->argv[++i];
    }
    return target;
}

void args_init(struct args *a, const struct jg_frontend *f, const struct jg_compile_command *c,
               enum args_mode mode)
{
    *a = (struct args){0};
    a->argv = jg_bump_alloc(&a->arena, (c->argc + COUNT(added) + 8) * sizeof *a->argv);
    push(a, c->argc ? c->argv[0] : "cc");
    bool only_files = false;
    for (size_t i = 1; i < c->argc;) {
        const char *arg = c->argv[i];
        if (only_files || arg[0] != '-' || !arg[1]) {
            i++;
            continue;
        }
        if (strcmp(arg, "--") == 0) {
            only_files = true;
            i++;
            continue;
        }
        if (is_inner(arg))
            i += copy_inner(a, c, i, mode);
        else if (arg[1] == 'X' && arg[2])
            i += 2; // -Xlinker, -Xassembler, -Xarch_device, ...: all take a value
        else
            i += copy_option(a, c, i, mode);
    }
    a->target = given_target(c);
    if (!a->target && (a->target = target_of(a, a->argv[0])) != NULL)
        push(a, jg_bump_format(&a->arena, "--target=%s", a->target));
    for (size_t i = 0; i < COUNT(added); i++)
        push(a, added[i]);
    if (c->directory && *c->directory)
        push(a, jg_bump_format(&a->arena, "-working-directory=%s", c->directory));
    if (f->resource_dir) {
        push(a, "-resource-dir");
        push(a, f->resource_dir);
    }
    push(a, c->file);
}

bool jg_frontend_takes_value(const char *arg)
{
    if (arg[0] != '-' || !arg[1])
        return false;
    if (arg[1] == 'X' && arg[2]) // as in args_init
        return true;
    const struct option *o = find_option(arg);
    return o && takes_next(o, arg);
}

const char *unread_response_file(const struct jg_compile_command *c)
{
    for (size_t i = 1; i < c->argc && strcmp(c->argv[i], "--") != 0;) {
        const char *arg = c->argv[i];
        if (arg[0] == '@' && arg[1]) {
            // A file may be called that.
            size_t length = strlen(arg), whole = strlen(c->file);
            if (whole < length || strcmp(c->file + whole - length, arg) != 0)
                return arg;
        }
        const struct option *o = arg[0] == '-' ? find_option(arg) : NULL;
        i += o && takes_next(o, arg) ? 2 : 1;
    }
    return NULL;
}

void args_fini(struct args *a)
{
    jg_bump_fini(&a->arena);
    *a = (struct args){0};
}
