// SPDX-License-Identifier: Apache-2.0
//
// A compile command -> the folders in which its headers are looked for.
//
// Their order is not modelled: a file is noticed when it appears in any of them, also in one that
// is searched later. That costs a needless parse, where a mistake about the order could hide a
// change. The folders of the system come from well-known names and from the paths of what was read;
// the installed compilers, which decide about others, are part of the key. An option that leads to
// files in another way makes the command opaque: its unit is not kept.

#include "analyzer/project/cache_internal.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                        "OBJC_INCLUDE_PATH", "OBJCPLUS_INCLUDE_PATH"};

enum meaning {
    FOLDER,  // searched
    FORCED,  // a file that is included first
    SYSROOT, // a folder that holds folders of the system
    OPAQUE,
    OPAQUE_PREFIX, // whatever follows
    PLAIN_PREFIX,  // leads to no file
};

// Of those that match, the longest counts. Values are joined or the next argument.
static const struct option {
    const char *text;
    enum meaning meaning;
} options[] = {
    {"-I", FOLDER},
    {"-iquote", FOLDER},
    {"-isystem", FOLDER},
    {"-idirafter", FOLDER},
    {"-internal-isystem", FOLDER},
    {"-internal-externc-isystem", FOLDER},
    {"-include", FORCED},
    {"-imacros", FORCED},
    {"-include-pch", PLAIN_PREFIX}, // left out by the frontend
    {"-isysroot", SYSROOT},
    {"--sysroot", SYSROOT},
    {"-i", OPAQUE_PREFIX},  // -iprefix, -iframework, -ivfsoverlay, ...
    {"--i", OPAQUE_PREFIX}, // --include-directory, --imacros, ...
    {"-F", OPAQUE},         // frameworks
    {"-cxx-isystem", OPAQUE},
    {"-stdlib++-isystem", OPAQUE},
    {"--config", OPAQUE_PREFIX},
    {"-vfsoverlay", OPAQUE_PREFIX},
    {"-fmodule-map-file", OPAQUE_PREFIX},
    {"-fms-compatibility", OPAQUE_PREFIX}, // looks in the folders of all including files
    {"-Wp,", OPAQUE_PREFIX},
    {"-Wp,-M", PLAIN_PREFIX},
    {"-Wp,-D", PLAIN_PREFIX},
    {"-Wp,-U", PLAIN_PREFIX},
};

static const struct option *find_option(const char *arg)
{
    const struct option *best = NULL;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        size_t length = strlen(options[i].text);
        if (strncmp(arg, options[i].text, length) == 0 && (!best || length > strlen(best->text)))
            best = &options[i];
    }
    return best;
}

// ---- folders ------------------------------------------------------------------------------------

void jg_cache_search_add(struct jg_cache_search *s, jg_name folder)
{
    for (uint32_t i = 0; i < s->folders.count; i++)
        if (s->folders.data[i] == folder)
            return;
    *JG_VEC_PUSH(&s->folders) = folder;
}

// As seen from the folder of the command, and with ".." left to the system, which alone knows where
// a symbolic link leads.
static void add_folder(struct jg_cache_files *f, struct jg_cache_search *s, const char *text)
{
    char *path =
        text[0] == '/' ? jg_strdup(text) : jg_format("%s/%s", jg_cache_text(f, s->directory), text);
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    jg_cache_search_add(s, jg_cache_name(f, path, length));
    s->opaque |= length > 5 && memcmp(path + length - 5, ".hmap", 5) == 0; // a map, no folder
    free(path);
}

static void add_sysroot(struct jg_cache_files *f, struct jg_cache_search *s, const char *root)
{
    static const char *const below[] = {"/usr/local/include", "/usr/include", "/include"};
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        char *path = jg_format("%s%s", root, below[i]);
        add_folder(f, s, path);
        free(path);
    }
}

static void add_list(struct jg_cache_files *f, struct jg_cache_search *s, const char *list)
{
    for (size_t length; list; list = list[length] ? list + length + 1 : NULL) {
        length = strcspn(list, ":");
        char *folder = length ? jg_format("%.*s", (int)length, list) : jg_strdup(".");
        add_folder(f, s, folder);
        free(folder);
    }
}

// Takes one option and its value, which may be the next argument. Returns how many it took.
static size_t take(struct jg_cache_files *f, struct jg_cache_search *s, const char *const *argv,
                   size_t left)
{
    const struct option *o = find_option(argv[0]);
    s->opaque |= strstr(argv[0], "msvc") != NULL;
    if (!o || o->meaning == PLAIN_PREFIX)
        return 1;
    const char *value = argv[0] + strlen(o->text);
    size_t taken = *value ? 1 : 2;
    value += o->meaning == SYSROOT && *value == '=';
    if (taken == 2)
        value = left > 1 ? argv[1] : "";
    if (o->meaning == OPAQUE || o->meaning == OPAQUE_PREFIX || !*value || *value == '=')
        s->opaque = true; // `=` stands for the sysroot
    else if (o->meaning == FOLDER)
        add_folder(f, s, value);
    else if (o->meaning == FORCED)
        *JG_VEC_PUSH(&s->forced) = jg_cache_name(f, value, strlen(value));
    else
        add_sysroot(f, s, value);
    return taken <= left ? taken : left;
}

void jg_cache_search(struct jg_cache_files *f, const struct jg_compile_command *command,
                     struct jg_cache_search *out)
{
    *out = (struct jg_cache_search){0};
    const char *directory = command->directory ? command->directory : "";
    out->directory = jg_cache_name(f, directory, strlen(directory));
    // -Xclang and -Xpreprocessor only say who an argument is for.
    struct JG_VEC(const char *) argv = {0};
    for (size_t i = 1; i < command->argc; i++)
        if (strcmp(command->argv[i], "-Xclang") != 0 &&
            strcmp(command->argv[i], "-Xpreprocessor") != 0)
            *JG_VEC_PUSH(&argv) = command->argv[i];
    for (uint32_t i = 0; i < argv.count;)
        i += (uint32_t)take(f, out, argv.data + i, argv.count - i);
    JG_VEC_FREE(&argv);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        add_list(f, out, getenv(variables[i]));
    add_sysroot(f, out, "");
}

void jg_cache_search_fini(struct jg_cache_search *s)
{
    JG_VEC_FREE(&s->folders);
    JG_VEC_FREE(&s->forced);
}

// ---- folders of the system ----------------------------------------------------------------------

static bool is_named(const char *first, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(first, name, length) == 0;
}

// Is a folder of that name, below one called `above`, likely to be searched?
static bool is_system_name(const char *first, size_t length, const char *above, size_t above_length)
{
    return is_named(first, length, "include") || is_named(first, length, "include-fixed") ||
           is_named(first, length, "backward") || is_named(above, above_length, "c++") ||
           memmem(first, length, "-linux-", 7) || memmem(first, length, "-gnu", 4);
}

void jg_cache_search_add_system(struct jg_cache_files *f, struct jg_cache_search *s, jg_name input)
{
    const char *path = jg_cache_text(f, input), *above = path;
    size_t above_length = 0;
    for (const char *at = path; *at == '/';) {
        const char *first = at + 1;
        size_t length = strcspn(first, "/");
        at = first + length;
        if (*at != '/')
            return; // the file itself
        if (is_system_name(first, length, above, above_length)) {
            jg_cache_search_add(s, jg_cache_name(f, path, (size_t)(at - path)));
        }
        above = first;
        above_length = length;
    }
}

// ---- the key ------------------------------------------------------------------------------------

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

// The names in a folder, and in those below it down to `depth`.
static void hash_names(struct jg_hasher *h, const char *folder, unsigned depth)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, by_name);
    jg_hasher_add_str(h, folder);
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.') {
            jg_hasher_add_str(h, entries[i]->d_name);
            char *below = jg_format("%s/%s", folder, entries[i]->d_name);
            if (depth)
                hash_names(h, below, depth - 1);
            free(below);
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

void jg_cache_search_hash(struct jg_hasher *h)
{
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        jg_hasher_add(h, value ? "=" : "-", 1);
        jg_hasher_add_str(h, value ? value : "");
    }
    // clang looks for its headers beside the newest GCC that it finds.
    hash_names(h, "/usr/lib/gcc", 1);
    hash_names(h, "/usr/include/c++", 0);
}
