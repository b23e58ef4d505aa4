// SPDX-License-Identifier: Apache-2.0
//
// Reads compile_commands.json into a project.
//
// Not through libclang's CXCompilationDatabase: that one makes up commands for files it does not
// know, and says neither where an error lies nor what it is. Source: JSON Compilation Database
// Format Specification (clang.llvm.org/docs).

#include "analyzer/project/project.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void jg_project_init(struct jg_project *p)
{
    memset(p, 0, sizeof *p);
}

void jg_project_fini(struct jg_project *p)
{
    JG_VEC_FREE(&p->path_maps);
    JG_VEC_FREE(&p->entries);
    JG_VEC_FREE(&p->headers);
    JG_VEC_FREE(&p->duplicates);
    JG_VEC_FREE(&p->skipped);
    JG_VEC_FREE(&p->response_files.list);
    jg_bump_fini(&p->arena);
}

// ---- entries ------------------------------------------------------------------------------------

// The real path where there is one, so that links and `..` behind links are seen as the system
// does.
static const char *real_path(struct jg_project *p, const char *directory, const char *path)
{
    char *joined = path[0] == '/' ? jg_strdup(path) : jg_format("%s/%s", directory, path);
    char *real = realpath(joined, NULL);
    const char *copy =
        real ? jg_bump_strdup(&p->arena, real) : jg_path_absolute(&p->arena, directory, path);
    free(real);
    free(joined);
    return copy;
}

static void push_entry(struct jg_project *p, const char *directory, const char *file,
                       struct jg_words *words)
{
    struct jg_entry *e = JG_VEC_PUSH(&p->entries);
    e->command.directory = directory;
    e->command.file = file;
    e->command.argc = words->list.count;
    e->command.argv =
        jg_bump_copy(&p->arena, words->list.data, words->list.count * sizeof(const char *));
}

static const char *current_folder(struct jg_project *p)
{
    char *cwd = getcwd(NULL, 0);
    const char *directory = jg_bump_strdup(&p->arena, cwd ? cwd : "/");
    free(cwd);
    return directory;
}

void jg_project_add(struct jg_project *p, const char *file, const char *const *compile_args,
                    size_t count)
{
    const char *directory = current_folder(p);
    const char *absolute = real_path(p, directory, file);
    for (uint32_t i = 0; i < p->entries.count; i++)
        if (strcmp(p->entries.data[i].command.file, absolute) == 0)
            return; // named twice
    struct jg_words words = {0};
    if (count == 0 || compile_args[0][0] == '-' || compile_args[0][0] == '@')
        *JG_VEC_PUSH(&words.list) = "cc"; // flags only; otherwise the first word is the compiler
    for (size_t i = 0; i < count; i++)
        *JG_VEC_PUSH(&words.list) = jg_bump_strdup(&p->arena, compile_args[i]);
    jg_expand_response_files(&p->arena, directory, &words, &p->response_files);
    jg_strip_launchers(&words);
    *JG_VEC_PUSH(&words.list) = absolute;
    push_entry(p, directory, absolute, &words);
    JG_VEC_FREE(&words.list);
}

// The words of a command that are files, not options nor their values: in order, one after *at.
static const char *next_file(const struct jg_words *words, uint32_t *at, bool *only_files)
{
    while (*at < words->list.count) {
        const char *word = words->list.data[(*at)++];
        if (*only_files || word[0] != '-' || !word[1])
            return word;
        if (strcmp(word, "--") == 0)
            *only_files = true;
        else if (jg_frontend_takes_value(word))
            ++*at;
    }
    return NULL;
}

// The source file that a command names. NULL: *error says why there is none.
static const char *source_of(const struct jg_words *words, char **error)
{
    bool only_files = false;
    const char *source = NULL, *other = NULL, *file;
    for (uint32_t at = 1; !*error && (file = next_file(words, &at, &only_files));) {
        const char *language = jg_other_language(file, words->list.data, words->list.count);
        if (language)
            other = language;
        else if (source)
            *error = jg_format("the command names %s and %s; a unit is made of one source file",
                               source, file);
        else
            source = file;
    }
    if (!source)
        *error = jg_format("the command names no C or C++ source file%s%s%s", other ? " (but " : "",
                           other ? other : "", other ? ")" : "");
    return *error ? NULL : source;
}

char *jg_project_add_command(struct jg_project *p, const char *const *command, size_t count)
{
    const char *directory = current_folder(p);
    struct jg_words words = {0};
    char *error = NULL;
    for (size_t i = 0; i < count; i++)
        *JG_VEC_PUSH(&words.list) = jg_bump_strdup(&p->arena, command[i]);
    jg_expand_response_files(&p->arena, directory, &words, &p->response_files);
    jg_strip_launchers(&words);
    const char *source = words.list.count ? source_of(&words, &error) : NULL;
    if (source)
        push_entry(p, directory, jg_path_plain(&p->arena, directory, source), &words);
    else if (!error)
        error = jg_strdup("there is no command");
    JG_VEC_FREE(&words.list);
    return error;
}

// The JSON of one entry, checked. NULL, or what is wrong with it.
static const char *entry_words(struct jg_project *p, json_t *arguments, json_t *command,
                               struct jg_words *words)
{
    if (arguments) {
        if (!json_is_array(arguments))
            return "\"arguments\" is not an array";
        size_t i;
        json_t *word;
        json_array_foreach(arguments, i, word)
        {
            if (!json_is_string(word))
                return "\"arguments\" holds something that is not a string";
            *JG_VEC_PUSH(&words->list) = jg_bump_strdup(&p->arena, json_string_value(word));
        }
    } else if (command) {
        if (!json_is_string(command))
            return "\"command\" is not a string";
        if (!jg_shell_split(&p->arena, json_string_value(command), words))
            return "a quote in \"command\" is not closed";
    } else {
        return "neither \"arguments\" nor \"command\"";
    }
    return words->list.count ? NULL : "the command is empty";
}

static void map_words(struct jg_project *p, struct jg_words *words, bool response_files)
{
    for (uint32_t i = 0; i < words->list.count; i++)
        if ((words->list.data[i][0] == '@') == response_files)
            words->list.data[i] = jg_word_mapped(p, words->list.data[i]);
}

// Response files lie where the map says, and hold paths that it concerns. No path is mapped twice:
// TO may lie below FROM.
static void expand(struct jg_project *p, const char *directory, struct jg_words *words)
{
    map_words(p, words, true);
    jg_expand_response_files(&p->arena, directory, words, &p->response_files);
    map_words(p, words, false);
}

static const char *read_entry(struct jg_project *p, const char *database_folder, json_t *item)
{
    if (!json_is_object(item))
        return "not an object";
    json_t *file = json_object_get(item, "file");
    json_t *directory = json_object_get(item, "directory");
    if (!json_is_string(file) || !*json_string_value(file))
        return "\"file\" is missing or not a string";
    if (directory && !json_is_string(directory))
        return "\"directory\" is not a string";

    struct jg_words words = {0};
    const char *wrong = entry_words(p, json_object_get(item, "arguments"),
                                    json_object_get(item, "command"), &words);
    if (!wrong) {
        const char *folder = directory ? json_string_value(directory) : ".";
        const char *dir = real_path(p, database_folder, jg_path_mapped(p, folder));
        const char *path = real_path(p, dir, jg_path_mapped(p, json_string_value(file)));
        expand(p, dir, &words);
        jg_strip_launchers(&words);
        const char *language = jg_other_language(path, words.list.data, words.list.count);
        if (language) {
            struct jg_skipped *s = JG_VEC_PUSH(&p->skipped);
            s->file = path;
            s->language = jg_bump_strdup(&p->arena, language);
        } else {
            push_entry(p, dir, path, &words);
        }
    }
    JG_VEC_FREE(&words.list);
    return wrong;
}

// ---- duplicates ---------------------------------------------------------------------------------

// By file, then by what the command is: which of several counts must not depend on their order in
// the database, which build tools do not promise.
static int compare_commands(const void *a, const void *b)
{
    const struct jg_compile_command *x = &((const struct jg_entry *)a)->command;
    const struct jg_compile_command *y = &((const struct jg_entry *)b)->command;
    int order = strcmp(x->file, y->file);
    order = order ? order : strcmp(x->directory, y->directory);
    for (size_t i = 0; !order && i < x->argc && i < y->argc; i++)
        order = strcmp(x->argv[i], y->argv[i]);
    return order ? order : (x->argc > y->argc) - (x->argc < y->argc);
}

// Sorts the entries by file, keeps the first command of each and counts the others.
static void sort_entries(struct jg_project *p)
{
    struct jg_entry *entries = p->entries.data;
    uint32_t count = p->entries.count, kept = 0;
    if (count)
        qsort(entries, count, sizeof *entries, compare_commands);
    for (uint32_t i = 0; i < count; i++) {
        if (!kept || strcmp(entries[kept - 1].command.file, entries[i].command.file) != 0) {
            entries[kept++] = entries[i];
            continue;
        }
        struct jg_duplicate *last =
            p->duplicates.count ? &p->duplicates.data[p->duplicates.count - 1] : NULL;
        if (!last || strcmp(last->file, entries[i].command.file) != 0) {
            last = JG_VEC_PUSH(&p->duplicates);
            last->file = entries[i].command.file;
        }
        last->count++;
    }
    p->entries.count = kept;
}

// ---- the file -----------------------------------------------------------------------------------

char *jg_project_read(struct jg_project *p, const char *path)
{
    const char *why;
    FILE *f = jg_open_regular(path, &why);
    if (!f)
        return jg_format("%s: %s", path, why);
    json_error_t error;
    json_t *root = json_loadf(f, 0, &error);
    fclose(f);
    if (!root)
        return jg_format("%s:%d:%d: %s", path, error.line < 1 ? 1 : error.line,
                         error.column < 1 ? 1 : error.column, error.text);

    char *result = NULL;
    char *real = realpath(path, NULL);
    char *folder = jg_bump_strdup(&p->arena, real ? real : "/");
    free(real);
    char *slash = strrchr(folder, '/');
    *(slash == folder ? slash + 1 : slash) = '\0';
    p->database = jg_bump_strdup(&p->arena, path);

    if (!json_is_array(root))
        result = jg_format("%s:1:1: a compile database is an array of objects", path);
    size_t i;
    json_t *item;
    json_array_foreach(root, i, item)
    {
        const char *wrong = result ? NULL : read_entry(p, folder, item);
        if (wrong)
            result = jg_format("%s: entry %zu: %s", path, i + 1, wrong);
    }
    json_decref(root);
    sort_entries(p);
    return result;
}
