// SPDX-License-Identifier: Apache-2.0
//
// What a unit was made from: the command and its include folders, every file read with the hash of
// its content, and the texts that reports will want.
//
// Contents come from libclang's own buffers: what was parsed is what is hashed and kept, whatever
// has happened to the file since.
//
// Most headers come again with the next unit, and hashing all of them costs 4 % of the parsing. So
// a frontend remembers contents and compares, which is four times as fast and as certain. To go by
// times and sizes would not be certain.

#include "analyzer/frontend/frontend_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 32 << 20, MAX_TEXTS = 1 << 30 }; // what is larger is not quoted from
enum { MAX_MEMORY = 64 << 20 };

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

// A file as it was when it was looked at.
struct remembered {
    char *text;
    size_t size;
    struct jg_hash hash;
    bool has_directive;
};

struct memory {
    struct map paths; // hash of a path -> index
    struct JG_VEC(struct remembered) files;
    size_t bytes;
};

void forget_files(struct memory *m)
{
    for (uint32_t i = 0; m && i < m->files.count; i++)
        free(m->files.data[i].text);
    if (m) {
        JG_VEC_FREE(&m->files);
        map_free(&m->paths);
    }
    free(m);
}

static void remember(struct memory *m, uint64_t key, struct remembered r)
{
    if (r.size > MAX_MEMORY - m->bytes || map_get(&m->paths, key) != JG_NONE)
        return;
    r.text = memcpy(jg_malloc(r.size), r.text, r.size);
    *JG_VEC_PUSH(&m->files) = r;
    map_put(&m->paths, key, m->files.count - 1);
    m->bytes += r.size;
}

// What there is to know of a file; its text is the one that was given.
static struct remembered look_at(struct tu *t, const char *path, const char *text, size_t size)
{
    if (!t->frontend->memory)
        t->frontend->memory = jg_calloc(1, sizeof *t->frontend->memory);
    struct memory *m = t->frontend->memory;
    struct remembered r = {.text = (char *)(uintptr_t)text, .size = size};
    uint64_t key = hash_text(path, strlen(path)); // of two paths with one key, one is remembered
    uint32_t known = map_get(&m->paths, key);
    const struct remembered *old = known != JG_NONE ? &m->files.data[known] : NULL;
    if (old && old->size == size && memcmp(old->text, text, size) == 0) {
        r.hash = old->hash;
        r.has_directive = old->has_directive;
        return r;
    }
    r.hash = jg_hash_of(text, size);
    r.has_directive = memmem(text, size, JG_DIRECTIVE_PREFIX, strlen(JG_DIRECTIVE_PREFIX)) != NULL;
    remember(m, key, r);
    return r;
}

struct file_read {
    CXFile file;
    struct remembered content;
};

struct reading {
    struct tu *t;
    struct map seen; // paths: a header without a guard is read several times
    struct JG_VEC(struct file_read) files;
};

// Asking libclang for the content of a file costs a search through all files and macro expansions
// of the unit: once for each.
static void add_input(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    struct reading *r = data;
    (void)stack;
    (void)depth;
    jg_str path = path_of(r->t, file);
    if (map_get(&r->seen, (uint64_t)path + 1) != JG_NONE)
        return;
    map_put(&r->seen, (uint64_t)path + 1, 0);
    size_t size = 0;
    const char *text = clang_getFileContents(r->t->clang, file, &size);
    if (!text)
        return;
    struct remembered content = look_at(r->t, jg_unit_str(r->t->u, path), text, size);
    *JG_VEC_PUSH(&r->files) = (struct file_read){file, content};
    *JG_VEC_PUSH(&r->t->u->inputs) = (struct jg_input_file){path, content.hash};
}

// `has_code`: of the first `count` files of the unit.
static bool is_wanted(struct tu *t, const struct file_read *f, const bool *has_code, uint32_t count)
{
    uint32_t known = map_get(&t->files, key_of(f->file));
    bool located = known != JG_NONE && known < count;
    if (!f->content.has_directive && !(located && has_code[known]))
        return false;
    return !(located ? t->u->files.data[known].system : is_system_file(t, f->file));
}

void record_files(struct tu *t)
{
    struct reading r = {.t = t};
    clang_getInclusions(t->clang, add_input, &r);
    uint32_t count = t->u->files.count;
    bool *has_code = jg_calloc(count, sizeof *has_code);
    mark_files_with_code(t->u, has_code);
    for (uint32_t i = 0; i < r.files.count; i++) {
        const struct file_read *f = &r.files.data[i];
        if (is_wanted(t, f, has_code, count))
            add_text(t->u, file_of(t, f->file), f->content.text, f->content.size);
    }
    free(has_code);
    map_free(&r.seen);
    JG_VEC_FREE(&r.files);
}
