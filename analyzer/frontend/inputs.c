// SPDX-License-Identifier: Apache-2.0
//
// What a unit was made from: the command and its include folders, every file read with the hash of
// its content, and the texts that reports will want.
//
// Contents come from libclang's own buffers: what was parsed is what is hashed and kept, whatever
// has happened to the file since.

#include "analyzer/frontend/frontend_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 32 << 20, MAX_TEXTS = 1 << 30 }; // larger files are not quoted from

// ---- the command -------------------------------------------------------------------------------

static jg_str keep(struct tu *t, const char *text)
{
    return intern(t, text, strlen(text));
}

static void add_folder(struct tu *t, const char *folder)
{
    jg_str path = absolute_path(t, *folder ? folder : ".");
    for (uint32_t i = 0; i < t->u->include_folders.count; i++)
        if (t->u->include_folders.data[i] == path)
            return;
    *JG_VEC_PUSH(&t->u->include_folders) = path;
}

// A folder named where another option wants a value, `-o -Ix`, is taken for one as well: one folder
// too many does no harm.
static void add_folders(struct tu *t, const struct jg_compile_command *c)
{
    static const char *const options[] = {"-I", "-isystem", "-iquote", "-idirafter", "-F"};
    for (size_t i = 1; i < c->argc; i++)
        for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
            size_t length = strlen(options[k]);
            if (strncmp(c->argv[i], options[k], length) != 0)
                continue;
            if (c->argv[i][length])
                add_folder(t, c->argv[i] + length);
            else if (i + 1 < c->argc)
                add_folder(t, c->argv[i + 1]);
        }
}

void record_command(struct tu *t, const struct jg_compile_command *command)
{
    t->u->directory = keep(t, command->directory ? command->directory : "");
    for (size_t i = 0; i < command->argc; i++)
        *JG_VEC_PUSH(&t->u->arguments) = keep(t, command->argv[i]);
    add_folders(t, command);
}

// ---- the texts ---------------------------------------------------------------------------------

static void mark(const struct jg_unit *u, bool *wanted, uint32_t loc)
{
    if (loc != JG_NONE)
        wanted[u->locs.data[loc].file] = true;
}

// The files in which a finding can have its place.
static void mark_files_with_code(const struct jg_unit *u, bool *wanted)
{
    for (uint32_t i = 0; i < u->functions.count; i++) {
        mark(u, wanted, u->functions.data[i].loc);
        mark(u, wanted, u->functions.data[i].end_loc);
    }
    for (uint32_t i = 0; i < u->insns.count; i++)
        mark(u, wanted, u->insns.data[i].loc);
    for (uint32_t i = 0; i < u->blocks.count; i++)
        mark(u, wanted, u->blocks.data[i].loc);
    for (uint32_t i = 0; i < u->native_methods.count; i++)
        mark(u, wanted, u->native_methods.data[i].loc);
    for (uint32_t i = 0; i < u->static_functions.count; i++)
        mark(u, wanted, u->static_functions.data[i].loc);
}

static void add_text(struct jg_unit *u, uint32_t file, const char *text, size_t size)
{
    if (size > MAX_TEXT || u->texts.count + size + 1 > MAX_TEXTS)
        return;
    struct jg_source_text source = {file, u->texts.count, (uint32_t)size};
    *JG_VEC_PUSH(&u->sources) = source;
    u->texts.capacity = source.offset + source.size + 1;
    u->texts.data = jg_realloc(u->texts.data, u->texts.capacity);
    memcpy(u->texts.data + source.offset, text, size);
    u->texts.data[source.offset + size] = '\0';
    u->texts.count = u->texts.capacity;
}

// ---- the files ---------------------------------------------------------------------------------

struct reading {
    struct tu *t;
    struct map seen; // paths: a header without a guard is read several times
    struct JG_VEC(CXFile) files;
};

static void add_input(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    struct reading *r = data;
    (void)stack;
    (void)depth;
    size_t size = 0;
    const char *text = clang_getFileContents(r->t->clang, file, &size);
    jg_str path = path_of(r->t, file);
    if (!text || map_get(&r->seen, (uint64_t)path + 1) != JG_NONE)
        return;
    map_put(&r->seen, (uint64_t)path + 1, 0);
    *JG_VEC_PUSH(&r->files) = file;
    *JG_VEC_PUSH(&r->t->u->inputs) = (struct jg_input_file){path, jg_hash_of(text, size)};
}

static bool is_wanted(struct reading *r, CXFile file, const bool *has_code, uint32_t count,
                      const char *text, size_t size)
{
    uint32_t known = map_get(&r->t->files, key_of(file));
    if (known != JG_NONE && known < count && has_code[known])
        return !r->t->u->files.data[known].system;
    return memmem(text, size, JG_DIRECTIVE_PREFIX, strlen(JG_DIRECTIVE_PREFIX)) &&
           !is_system_file(r->t, file);
}

void record_files(struct tu *t)
{
    struct reading r = {.t = t};
    clang_getInclusions(t->clang, add_input, &r);
    uint32_t count = t->u->files.count;
    bool *has_code = jg_calloc(count, sizeof *has_code);
    mark_files_with_code(t->u, has_code);
    for (uint32_t i = 0; i < r.files.count; i++) {
        size_t size = 0;
        const char *text = clang_getFileContents(t->clang, r.files.data[i], &size);
        if (is_wanted(&r, r.files.data[i], has_code, count, text, size))
            add_text(t->u, file_of(t, r.files.data[i]), text, size);
    }
    free(has_code);
    map_free(&r.seen);
    JG_VEC_FREE(&r.files);
}
