// SPDX-License-Identifier: Apache-2.0
//
// Which language a file or a command is in, by the names that GCC and clang go by.

#include "analyzer/project/project.h"

#include <string.h>

static const char *const c_files[] = {".c", ".i", ".m", NULL};
static const char *const cxx_files[] = {".cc", ".cp",  ".cpp", ".cxx", ".c++", ".C",
                                        ".CC", ".CPP", ".ii",  ".mm",  NULL};
static const char *const headers[] = {".h", ".inc", NULL};
static const char *const cxx_headers[] = {".hh", ".hp",  ".hpp", ".hxx", ".h++",
                                          ".H",  ".inl", ".ipp", ".tcc", NULL};

static bool is_one_of(const char *text, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(text, *list) == 0)
            return true;
    return false;
}

static const char *extension(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') ? dot : "";
}

// NULL for C and C++, else what the language is called.
static const char *language_of_name(const char *lang)
{
    static const char *const known[] = {"c",    "c-header",    "cpp-output",
                                        "c++",  "c++-header",  "c++-cpp-output",
                                        "none", "objective-c", "objective-c++"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(lang, known[i]) == 0)
            return NULL;
    return strncmp(lang, "assembler", 9) == 0 ? "assembler" : lang;
}

static const char *language_of_file(const char *path)
{
    static const struct {
        const char *extension, *language;
    } others[] = {{".s", "assembler"},   {".S", "assembler"}, {".sx", "assembler"},
                  {".asm", "assembler"}, {".f", "Fortran"},   {".f90", "Fortran"},
                  {".cu", "CUDA"},       {".rs", "Rust"},     {".swift", "Swift"},
                  {".d", "D"},           {".cl", "OpenCL"}};
    const char *ext = extension(path);
    if (is_one_of(ext, c_files) || jg_is_cxx_file(path) || jg_is_header(path))
        return NULL;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(ext, others[i].extension) == 0)
            return others[i].language;
    return *ext ? ext : "a file without extension";
}

// The value of the last -x on a command line, which wins over the extension; NULL: there is none.
static const char *given_language(const char *const *argv, size_t argc)
{
    const char *language = NULL;
    for (size_t i = 1; i < argc; i++) {
        if (strncmp(argv[i], "-x", 2) != 0)
            continue;
        if (argv[i][2])
            language = argv[i] + 2;
        else if (i + 1 < argc)
            language = argv[++i];
    }
    return language;
}

const char *jg_other_language(const char *file, const char *const *argv, size_t argc)
{
    const char *given = given_language(argv, argc);
    return given ? language_of_name(given) : language_of_file(file);
}

bool jg_is_header(const char *file)
{
    return is_one_of(extension(file), headers) || is_one_of(extension(file), cxx_headers);
}

bool jg_is_cxx_file(const char *file)
{
    return is_one_of(extension(file), cxx_files) || is_one_of(extension(file), cxx_headers);
}

bool jg_is_cxx_command(const struct jg_compile_command *c)
{
    const char *given = given_language(c->argv, c->argc);
    size_t length = c->argc ? strlen(c->argv[0]) : 0;
    if (given)
        return strstr(given, "++") != NULL;
    return jg_is_cxx_file(c->file) || (length > 2 && strcmp(c->argv[0] + length - 2, "++") == 0);
}
