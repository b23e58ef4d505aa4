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
// Options of GCC that clang does not know are left in: clang reports them without a position, which
// parse.c takes for noise of the driver, and the AST is complete all the same.

#include "analyzer/frontend/frontend_internal.h"

#include <ctype.h>
#include <string.h>

// One row per option that must not reach libclang, or that takes a value we must step over.
enum action {
    DROP,       // exactly this
    DROP_VALUE, // this and its value: joined or the next argument
    DROP_PREFIX,
    KEEP_VALUE,     // keep it; its value is joined or the next argument
    KEEP_ESSENTIAL, // the same, and kept in ARGS_ESSENTIAL too
    KEEP_PREFIX,    // kept in ARGS_ESSENTIAL too; no separate value
};

static const struct option {
    const char *text;
    enum action action;
} options[] = {
    {"-c", DROP},
    {"-S", DROP},
    {"-E", DROP},
    {"-pedantic-errors", DROP},
    {"-M", DROP},
    {"-MM", DROP},
    {"-MG", DROP},
    {"-MP", DROP},
    {"-MD", DROP},
    {"-MMD", DROP},
    {"-MV", DROP},
    {"-MF", DROP_VALUE},
    {"-MT", DROP_VALUE},
    {"-MQ", DROP_VALUE},
    {"-MJ", DROP_VALUE},
    {"-Wp,-M", DROP_PREFIX},
    {"-save-temps", DROP_PREFIX},
    {"--save-temps", DROP_PREFIX},
    {"-Werror", DROP_PREFIX},
    {"-Wfatal-errors", DROP},
    {"-fmax-errors", DROP_PREFIX},
    {"-ferror-limit", DROP_PREFIX},
    {"-fplugin", DROP_PREFIX},
    {"-fpass-plugin", DROP_PREFIX},
    {"-fmodule", DROP_PREFIX}, // -fmodules fills a cache, -fmodule-output writes
    {"-fcxx-modules", DROP},
    {"-fimplicit-module", DROP_PREFIX},
    {"-H", DROP},
    {"-v", DROP},
    {"-###", DROP},
    {"-help", DROP_PREFIX},
    {"--help", DROP_PREFIX},
    {"--target-help", DROP},
    {"--version", DROP},
    {"-version", DROP},
    {"-ccc-print", DROP_PREFIX},
    {"-ccc-gcc-name", DROP_VALUE},
    {"-print-", DROP_PREFIX},
    {"--print-", DROP_PREFIX},
    {"--autocomplete", DROP_PREFIX},
    {"--analyze", DROP_PREFIX},
    {"-mcpu=help", DROP},
    {"-mcpu=?", DROP},
    {"-mtune=help", DROP},
    {"-mtune=?", DROP},
    {"-dumpversion", DROP},
    {"-dumpfullversion", DROP},
    {"-dumpmachine", DROP},
    {"-dumpspecs", DROP},
    {"-Wp,-v", DROP},
    {"-Wp,-H", DROP},
    {"-fprofile", DROP_PREFIX},
    {"-fpch", DROP_PREFIX},
    {"-fdump", DROP_PREFIX},
    {"-ftime-report", DROP_PREFIX},
    {"-fdiagnostics", DROP_PREFIX},
    {"-fcallgraph-info", DROP_PREFIX},
    {"-fconserve-stack", DROP},
    {"-fanalyzer", DROP_PREFIX},
    {"-fstack-usage", DROP},
    {"-ftime-trace", DROP_PREFIX},
    {"-fsanitize", DROP_PREFIX},
    {"-fcoverage", DROP_PREFIX},
    {"--coverage", DROP},
    {"-flto", DROP_PREFIX},
    {"-fcrash-diagnostics", DROP_PREFIX},
    {"-fproc-stat-report", DROP_PREFIX},
    {"--serialize-diagnostics", DROP_VALUE},
    {"-serialize-diagnostics", DROP_VALUE},
    {"-dependency-file", DROP_VALUE},
    {"-dependency-dot", DROP_VALUE},
    {"-gen-cdb-fragment-path", DROP_VALUE},
    {"-index-store-path", DROP_VALUE},
    {"-object-file-name", DROP_VALUE},
    {"-header-include-file", DROP_VALUE},
    {"-foptimization-record", DROP_PREFIX},
    {"-fsave-optimization-record", DROP_PREFIX},
    {"-include-pch", DROP_VALUE}, // of another clang, or not built; CMake names the header as well
    {"-specs", DROP_PREFIX},
    {"--specs", DROP_PREFIX},
    {"-resource-dir", DROP_VALUE},
    {"-wrapper", DROP_VALUE},
    {"-dumpbase", DROP_VALUE},
    {"-dumpdir", DROP_VALUE},
    {"-aux-info", DROP_VALUE},
    {"-working-directory", DROP_VALUE},
    {"-Wl,", DROP_PREFIX},
    {"-Wa,", DROP_PREFIX},
    {"-l", DROP_VALUE},
    {"-L", DROP_VALUE},
    {"-T", DROP_VALUE},
    {"-Wno-error", KEEP_PREFIX},
    {"-include", KEEP_ESSENTIAL},
    {"-imacros", KEEP_ESSENTIAL},
    {"-isystem", KEEP_ESSENTIAL},
    {"-iquote", KEEP_ESSENTIAL},
    {"-idirafter", KEEP_ESSENTIAL},
    {"-isysroot", KEEP_ESSENTIAL},
    {"-iprefix", KEEP_ESSENTIAL},
    {"-iwithprefixbefore", KEEP_ESSENTIAL},
    {"-iwithprefix", KEEP_ESSENTIAL},
    {"--sysroot", KEEP_ESSENTIAL},
    {"-target", KEEP_ESSENTIAL},
    {"--target", KEEP_ESSENTIAL},
    {"-arch", KEEP_ESSENTIAL},
    {"-framework", KEEP_VALUE},
    {"-mllvm", DROP_VALUE},
    {"--param", DROP_VALUE},
    {"-std", KEEP_PREFIX},
    {"-ansi", KEEP_PREFIX},
    {"-fno-builtin", KEEP_PREFIX},
    {"-ffreestanding", KEEP_PREFIX},
    {"-funsigned-char", KEEP_PREFIX},
    {"-fsigned-char", KEEP_PREFIX},
    {"-fms-extensions", KEEP_PREFIX},
    {"-fshort-wchar", KEEP_PREFIX},
    {"-pthread", KEEP_PREFIX},
    {"-nostdinc", KEEP_PREFIX},
    {"-m32", KEEP_PREFIX},
    {"-m64", KEEP_PREFIX},
    {"-x", KEEP_ESSENTIAL},
    {"-I", KEEP_ESSENTIAL},
    {"-D", KEEP_ESSENTIAL},
    {"-U", KEEP_ESSENTIAL},
    {"-F", KEEP_ESSENTIAL},
    {"-B", KEEP_VALUE},
    {"-z", DROP_VALUE},
    {"-u", DROP_VALUE},
    {"-o", DROP_VALUE},
};

// The longest option that matches: -MF before -M, -include before -I.
static const struct option *find_option(const char *arg)
{
    const struct option *best = NULL;
    size_t best_length = 0;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const struct option *o = &options[i];
        size_t length = strlen(o->text);
        if (length <= best_length || strncmp(arg, o->text, length) != 0)
            continue;
        char next = arg[length];
        // A long option with a value joins it by `=` only; short ones join it directly.
        bool joined = o->action == DROP_PREFIX || o->action == KEEP_PREFIX || length == 2 ||
                      (o->text[1] == 'M' && length == 3) || o->text[1] == 'i' || next == '=';
        if (next && (o->action == DROP || !joined))
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
    if (!drop && (mode == ARGS_ALL || is_essential(o->action))) {
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

// "aarch64-linux-gnu-gcc-12" -> "aarch64-linux-gnu"; NULL when the name tells no target.
static const char *target_of(struct args *a, const char *compiler)
{
    static const char *const machines[] = {"x86_64", "i386",  "i486",    "i586",  "i686", "aarch64",
                                           "arm",    "mips",  "powerpc", "riscv", "s390", "sparc",
                                           "loong",  "alpha", "hppa",    "m68k",  "sh4",  "ia64"};
    const char *slash = strrchr(compiler, '/');
    const char *name = slash ? slash + 1 : compiler;
    bool known = false;
    for (size_t i = 0; i < sizeof machines / sizeof *machines && !known; i++)
        known = strncmp(name, machines[i], strlen(machines[i])) == 0;
    if (!known)
        return NULL;
    size_t length = strlen(name);
    // Back over a version, then over the name of the compiler.
    while (length && (isdigit((unsigned char)name[length - 1]) || name[length - 1] == '.'))
        length--;
    if (length && name[length - 1] == '-')
        length--;
    else
        length = strlen(name);
    while (length && name[length - 1] != '-')
        length--;
    if (length < 2)
        return NULL;
    return jg_bump_format(&a->arena, "--target=%.*s", (int)length - 1, name);
}

void args_init(struct args *a, const struct jg_frontend *f, const struct jg_compile_command *c,
               enum args_mode mode)
{
    static const char *const quiet[] = {
        "-w",
        "-Wno-error",
        "-Wno-unknown-warning-option",
        "-Wno-ignored-optimization-argument",
        "-Wno-unused-command-line-argument",
        // What GCC up to 13 only warns about.
        "-Wno-error=implicit-function-declaration",
        "-Wno-error=implicit-int",
        "-Wno-error=int-conversion",
        "-Wno-error=incompatible-function-pointer-types",
        "-Wno-error=incompatible-pointer-types",
        "-Wno-error=return-type",
        "-Wno-error=return-mismatch",
        "-ferror-limit=0",
        "-fno-spell-checking",
    };
    const size_t quiet_count = sizeof quiet / sizeof *quiet;

    *a = (struct args){0};
    a->argv = jg_bump_alloc(&a->arena, (c->argc + quiet_count + 8) * sizeof *a->argv);
    push(a, c->argc ? c->argv[0] : "cc");
    bool has_target = false, only_files = false;
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
        has_target |= strncmp(arg, "--target", 8) == 0 || strcmp(arg, "-target") == 0;
        if (is_inner(arg))
            i += copy_inner(a, c, i, mode);
        else if (arg[1] == 'X' && arg[2])
            i += 2; // -Xlinker, -Xassembler, -Xarch_device, ...: all take a value
        else
            i += copy_option(a, c, i, mode);
    }
    const char *target = has_target ? NULL : target_of(a, a->argv[0]);
    if (target)
        push(a, target);
    for (size_t i = 0; i < quiet_count; i++)
        push(a, quiet[i]);
    if (c->directory && *c->directory)
        push(a, jg_bump_format(&a->arena, "-working-directory=%s", c->directory));
    if (f->resource_dir) {
        push(a, "-resource-dir");
        push(a, f->resource_dir);
    }
    push(a, c->file);
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
