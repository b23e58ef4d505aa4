// SPDX-License-Identifier: Apache-2.0
//
// The floor of the analyzer's cost: parse every entry of a compile database with libclang, one
// after the other in one process, dispose of each unit, and do nothing else.
//
//   bench_parse [--keep-going] [--quiet] DIR
//
// Standard output is JSON Lines: {"file","cpu","errors","peak_rss"} for each entry, unless --quiet,
// and {"files","failed","cpu","peak_rss"} for all; cpu is seconds of user and system time of this
// process (getrusage), peak_rss KiB. The peak is the process's own and only ever grows: for the
// peak of one file give a database with one entry.

#include <clang-c/CXCompilationDatabase.h>
#include <clang-c/Index.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct usage {
    double cpu;    // seconds, user + system
    long peak_rss; // KiB
};

struct result {
    unsigned errors; // diagnostics of severity error or fatal
    bool parsed;
};

static struct usage usage_now(void)
{
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return (struct usage){
        .cpu = (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
               (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e6,
        .peak_rss = r.ru_maxrss,
    };
}

static void die(const char *message, const char *detail)
{
    fprintf(stderr, "bench_parse: %s: %s\n", message, detail);
    exit(2);
}

static bool takes_output_name(const char *arg)
{
    return strcmp(arg, "-o") == 0 || strcmp(arg, "-MF") == 0 || strcmp(arg, "-MT") == 0 ||
           strcmp(arg, "-MQ") == 0;
}

// The database's argument vector without what names or makes an output. The strings belong to
// `strings`, which the caller disposes of; the array is the caller's to free.
static const char **parse_arguments(CXCompileCommand command, CXString *strings, unsigned n,
                                    int *count)
{
    const char **argv = malloc((n + 1) * sizeof *argv);
    if (!argv)
        die("out of memory", "arguments");
    *count = 0;
    for (unsigned i = 0; i < n; i++)
        strings[i] = clang_CompileCommand_getArg(command, i);
    for (unsigned i = 0; i < n; i++) {
        const char *arg = clang_getCString(strings[i]);
        if (takes_output_name(arg))
            i++;
        else if (strcmp(arg, "-c") != 0 && strncmp(arg, "-M", 2) != 0)
            argv[(*count)++] = arg;
    }
    argv[(*count)++] = "-ferror-limit=0";
    return argv;
}

static struct result parse(CXIndex index, CXCompileCommand command, unsigned options)
{
    unsigned n = clang_CompileCommand_getNumArgs(command);
    CXString *strings = malloc(n * sizeof *strings);
    if (!strings)
        die("out of memory", "arguments");
    int count;
    const char **argv = parse_arguments(command, strings, n, &count);

    struct result result = {0};
    CXTranslationUnit unit = NULL;
    if (clang_parseTranslationUnit2FullArgv(index, NULL, argv, count, NULL, 0, options, &unit) ==
        CXError_Success) {
        result.parsed = true;
        for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
            CXDiagnostic d = clang_getDiagnostic(unit, i);
            result.errors += clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error;
            clang_disposeDiagnostic(d);
        }
        clang_disposeTranslationUnit(unit);
    }
    for (unsigned i = 0; i < n; i++)
        clang_disposeString(strings[i]);
    free(strings);
    free(argv);
    return result;
}

// Relative paths in an entry count from its directory.
static void enter_directory(CXCompileCommand command)
{
    CXString directory = clang_CompileCommand_getDirectory(command);
    if (chdir(clang_getCString(directory)) != 0)
        die("cannot enter", clang_getCString(directory));
    clang_disposeString(directory);
}

static void print_json_string(const char *s)
{
    putchar('"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            putchar('\\');
        putchar(*s);
    }
    putchar('"');
}

static void print_file(CXCompileCommand command, struct result result, double cpu)
{
    CXString file = clang_CompileCommand_getFilename(command);
    printf("{\"file\":");
    print_json_string(clang_getCString(file));
    printf(",\"cpu\":%.6f,\"errors\":%u,\"peak_rss\":%ld}\n", cpu, result.errors,
           usage_now().peak_rss);
    clang_disposeString(file);
}

int main(int argc, char **argv)
{
    unsigned options = CXTranslationUnit_None;
    bool quiet = false;
    const char *dir = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--keep-going") == 0)
            options |= CXTranslationUnit_KeepGoing;
        else if (strcmp(argv[i], "--quiet") == 0)
            quiet = true;
        else
            dir = argv[i];
    }
    if (!dir)
        die("usage", "bench_parse [--keep-going] [--quiet] DIR");

    CXCompilationDatabase_Error error;
    CXCompilationDatabase database = clang_CompilationDatabase_fromDirectory(dir, &error);
    if (error != CXCompilationDatabase_NoError)
        die("no compile_commands.json in", dir);
    CXCompileCommands commands = clang_CompilationDatabase_getAllCompileCommands(database);
    CXIndex index = clang_createIndex(0, 0);

    unsigned files = clang_CompileCommands_getSize(commands), failed = 0;
    for (unsigned i = 0; i < files; i++) {
        CXCompileCommand command = clang_CompileCommands_getCommand(commands, i);
        enter_directory(command);
        double before = usage_now().cpu;
        struct result result = parse(index, command, options);
        failed += !result.parsed || result.errors > 0;
        if (!quiet)
            print_file(command, result, usage_now().cpu - before);
    }
    clang_disposeIndex(index);
    clang_CompileCommands_dispose(commands);
    clang_CompilationDatabase_dispose(database);
    struct usage all = usage_now();
    printf("{\"files\":%u,\"failed\":%u,\"cpu\":%.6f,\"peak_rss\":%ld}\n", files, failed, all.cpu,
           all.peak_rss);
    return 0;
}
