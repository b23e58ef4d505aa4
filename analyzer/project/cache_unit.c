// SPDX-License-Identifier: Apache-2.0
//
// Units: found and kept.
//
// The manifest of a command, named by the hash of all that can be known without reading a source,
// lists up to four variants. Each has the files that were read, with the hash of their contents,
// the files that were not there but would have been read instead or answered an __has_include
// differently, and the name of the unit's bytes, which is their hash.
//
// A failed unit should not be kept: the header that it lacks has no place that could be watched.

#include "analyzer/project/cache_internal.h"
#include "analyzer/project/project.h"

#include <stdlib.h>
#include <string.h>

// ---- the key ------------------------------------------------------------------------------------

static struct jg_hash key_of(const struct jg_cache *c, const struct jg_compile_command *command)
{
    struct jg_hasher h;
    jg_hasher_init(&h);
    jg_hasher_add(&h, &c->tool, sizeof c->tool);
    jg_hasher_add_str(&h, command->directory ? command->directory : "");
    jg_hasher_add_str(&h, command->file);
    for (size_t i = 0; i < command->argc; i++)
        jg_hasher_add_str(&h, command->argv[i]);
    return jg_hasher_final(&h);
}

// ---- finding ------------------------------------------------------------------------------------

static bool is_current(struct jg_cache *c, const struct jg_manifest *m,
                       const struct jg_manifest_variant *v)
{
    for (uint32_t i = 0; i < v->input_count; i++) {
        const struct jg_manifest_input *in = &m->inputs.data[v->first_input + i];
        const struct jg_cache_file *file = jg_cache_file(c->files, in->path, false);
        if (!file->readable || !jg_hash_equal(&file->hash, &in->hash))
            return false;
    }
    for (uint32_t i = 0; i < v->probe_count; i++) {
        const struct jg_manifest_probe *p = &m->probes.data[v->first_probe + i];
        bool exists = jg_cache_presence(c->files, p->folder, p->name) != JG_CACHE_ABSENT;
        if (exists != p->exists)
            return false;
    }
    return true;
}

static bool load_manifest(struct jg_cache *c, const struct jg_hash *key, struct jg_manifest *out)
{
    struct jg_cache_bytes bytes;
    if (!jg_cache_map(c, JG_CACHE_MANIFEST, key, &bytes))
        return false;
    bool ok = jg_manifest_decode(c->files, bytes.data, bytes.size, out);
    jg_cache_unmap(&bytes);
    if (!ok) {
        jg_manifest_fini(out);
        *out = (struct jg_manifest){0};
    }
    return ok;
}

bool jg_cache_find_unit(struct jg_cache *c, const struct jg_compile_command *command,
                        struct jg_cache_bytes *out)
{
    *out = (struct jg_cache_bytes){0};
    if (!c || c->why_off)
        return false;
    struct jg_hash key = key_of(c, command);
    struct jg_manifest m = {0};
    bool found = false;
    if (load_manifest(c, &key, &m))
        for (uint32_t i = 0; i < m.variants.count && !found; i++)
            found = is_current(c, &m, &m.variants.data[i]) &&
                    jg_cache_map(c, JG_CACHE_UNIT, &m.variants.data[i].unit, out);
    jg_manifest_fini(&m);
    c->stats.found += found;
    return found;
}

// ---- what would change the unit -----------------------------------------------------------------

struct survey {
    struct jg_cache_files *files;
    struct jg_cache_search search;
    struct jg_manifest *manifest; // inputs and probes are appended
    struct JG_VEC(jg_name) everywhere;
    uint8_t *marks; // of names
    uint32_t mark_count;
    bool unsure;
};

enum { MARK_ENDING = 1, MARK_ASKED = 2, MARK_PROBED = 4, MARK_INPUT = 8 };

// Names that are interned while the survey goes on get their marks when they are asked for.
static uint8_t *mark_of(struct survey *s, jg_name name)
{
    if (name >= s->mark_count) {
        uint32_t count = 2 * (name + 1);
        s->marks = jg_realloc(s->marks, count);
        memset(s->marks + s->mark_count, 0, count - s->mark_count);
        s->mark_count = count;
    }
    return &s->marks[name];
}

// Every ending of a path is a name by which the file may have been asked for.
static void mark_endings(struct survey *s, jg_name path)
{
    const char *text = jg_cache_text(s->files, path);
    for (const char *slash = text; (slash = strchr(slash, '/')) != NULL; slash++)
        *mark_of(s, jg_cache_name(s->files, slash + 1, strlen(slash + 1))) |= MARK_ENDING;
}

// Was a file of that name read? An #include of one that was not stands in a branch that is left
// out, else the unit would have failed. Paths with dots need not end in the name as it is written.
static bool may_be_read(struct survey *s, jg_name name)
{
    const char *text = jg_cache_text(s->files, name);
    return (*mark_of(s, name) & MARK_ENDING) || text[0] == '/' || strstr(text, "./") ||
           strstr(text, "//");
}

// A file that is there, is asked for and is no input is searched later than one that is; or it is
// an input under another name, since compilers tell files by their inodes. Its content counts.
static void add_other_name(struct survey *s, jg_name folder, jg_name name)
{
    const char *text = jg_cache_join(s->files, folder, name);
    jg_name path = jg_cache_name(s->files, text, strlen(text));
    if (*mark_of(s, path) & MARK_INPUT)
        return;
    const struct jg_cache_file *file = jg_cache_file(s->files, path, false);
    s->unsure |= !file->readable;
    *JG_VEC_PUSH(&s->manifest->inputs) = (struct jg_manifest_input){path, file->hash};
    *mark_of(s, path) |= MARK_INPUT;
}

static void add_probe(struct survey *s, jg_name folder, jg_name name, bool probe)
{
    enum jg_cache_presence presence = jg_cache_presence(s->files, folder, name);
    if (presence == JG_CACHE_FRESH)
        s->unsure = true; // was it there when the compiler looked?
    if (presence == JG_CACHE_PRESENT && may_be_read(s, name))
        add_other_name(s, folder, name);
    if (presence == JG_CACHE_ABSENT || probe)
        *JG_VEC_PUSH(&s->manifest->probes) =
            (struct jg_manifest_probe){folder, name, presence != JG_CACHE_ABSENT};
}

static jg_name folder_of(struct jg_cache_files *f, jg_name path)
{
    const char *text = jg_cache_text(f, path), *slash = strrchr(text, '/');
    return jg_cache_name(f, text, slash && slash > text ? (size_t)(slash - text) : 1);
}

static void ask_everywhere(struct survey *s, jg_name name, uint8_t how)
{
    uint8_t *mark = mark_of(s, name);
    if (!(*mark & (MARK_ASKED | MARK_PROBED)))
        *JG_VEC_PUSH(&s->everywhere) = name;
    *mark |= how;
}

static void ask(struct survey *s, jg_name folder, const struct jg_cache_asked *a)
{
    if (!a->probe && !may_be_read(s, a->name))
        return;
    if (a->quoted)
        add_probe(s, folder, a->name, a->probe);
    ask_everywhere(s, a->name, a->probe ? MARK_PROBED : MARK_ASKED);
}

// The name of an #include is a macro: it may have been any name that leads to one of the inputs.
static void ask_computed(struct survey *s, const struct jg_cache_input *inputs, size_t count)
{
    struct jg_bump arena = {0};
    const char **paths = jg_bump_alloc(&arena, count * sizeof *paths);
    for (size_t i = 0; i < count; i++)
        paths[i] = jg_path_absolute(&arena, "/", inputs[i].path);
    for (uint32_t k = 0; k < s->search.folders.count; k++) {
        const char *folder =
            jg_path_absolute(&arena, "/", jg_cache_text(s->files, s->search.folders.data[k]));
        size_t length = strlen(folder);
        for (size_t i = 0; i < count; i++) {
            if (!jg_path_below(folder, paths[i]))
                continue;
            const char *name = paths[i] + length + (paths[i][length] == '/');
            ask_everywhere(s, jg_cache_name(s->files, name, strlen(name)), MARK_ASKED);
        }
    }
    jg_bump_fini(&arena);
}

static bool add_input(struct survey *s, const struct jg_cache_input *input)
{
    jg_name path = jg_cache_name(s->files, input->path, strlen(input->path));
    const struct jg_cache_file *file = jg_cache_file(s->files, path, true);
    if (!file->readable || !jg_hash_equal(&file->hash, &input->hash) || file->opaque)
        return false;
    *JG_VEC_PUSH(&s->manifest->inputs) = (struct jg_manifest_input){path, input->hash};
    *mark_of(s, path) |= MARK_INPUT;
    mark_endings(s, path);
    jg_cache_search_add_system(s->files, &s->search, path);
    return true;
}

static void survey_names(struct survey *s, const struct jg_cache_input *inputs, size_t count)
{
    bool computed = false;
    uint32_t first = s->manifest->inputs.count - (uint32_t)count;
    for (uint32_t i = 0; i < s->search.forced.count; i++)
        ask(s, s->search.directory,
            &(struct jg_cache_asked){s->search.forced.data[i], true, false});
    for (uint32_t i = 0; i < count; i++) {
        jg_name path = s->manifest->inputs.data[first + i].path;
        const struct jg_cache_file *file = jg_cache_file(s->files, path, true);
        jg_name folder = folder_of(s->files, path);
        for (uint32_t k = 0; k < file->asked_count; k++)
            ask(s, folder, &file->asked[k]);
        if (file->computed) // in quotes, perhaps
            jg_cache_search_add(&s->search, folder);
        computed |= file->computed;
    }
    if (computed)
        ask_computed(s, inputs, count);
    for (uint32_t i = 0; i < s->everywhere.count; i++)
        for (uint32_t k = 0; k < s->search.folders.count; k++)
            add_probe(s, s->search.folders.data[k], s->everywhere.data[i],
                      *mark_of(s, s->everywhere.data[i]) & MARK_PROBED);
}

static int by_name(const void *a, const void *b)
{
    const struct jg_manifest_probe *x = a, *y = b;
    if (x->folder != y->folder)
        return x->folder < y->folder ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

// Sorts the probes from `first` on; of equal ones, one stays.
static void unite_probes(struct jg_manifest *m, uint32_t first)
{
    struct jg_manifest_probe *p = m->probes.data;
    if (m->probes.count == first)
        return;
    qsort(p + first, m->probes.count - first, sizeof *p, by_name);
    uint32_t kept = first;
    for (uint32_t i = first + 1; i < m->probes.count; i++)
        if (by_name(&p[kept], &p[i]) != 0)
            p[++kept] = p[i];
    m->probes.count = kept + 1;
}

// Appends the inputs and probes of a unit. False: it cannot be said what would change it.
static bool survey(struct jg_cache *c, const struct jg_compile_command *command,
                   const struct jg_cache_input *inputs, size_t count, struct jg_manifest *m)
{
    struct survey s = {.files = c->files, .manifest = m};
    uint32_t first_probe = m->probes.count;
    jg_cache_search(c->files, command, &s.search);
    bool ok = !s.search.opaque;
    for (size_t i = 0; i < count && ok; i++)
        ok = add_input(&s, &inputs[i]);
    if (ok) {
        survey_names(&s, inputs, count);
        unite_probes(m, first_probe);
    }
    JG_VEC_FREE(&s.everywhere);
    jg_cache_search_fini(&s.search);
    free(s.marks);
    return ok && !s.unsure;
}

// ---- keeping ------------------------------------------------------------------------------------

// The same inputs make the same unit: a variant like the new one is replaced by it.
static bool is_same(const struct jg_manifest *a, const struct jg_manifest_variant *x,
                    const struct jg_manifest *b, const struct jg_manifest_variant *y)
{
    if (x->input_count != y->input_count)
        return false;
    for (uint32_t i = 0; i < x->input_count; i++) {
        const struct jg_manifest_input *p = &a->inputs.data[x->first_input + i];
        const struct jg_manifest_input *q = &b->inputs.data[y->first_input + i];
        if (p->path != q->path || !jg_hash_equal(&p->hash, &q->hash))
            return false;
    }
    return true;
}

static void copy_variant(struct jg_manifest *to, const struct jg_manifest *from,
                         const struct jg_manifest_variant *v)
{
    struct jg_manifest_variant copy = *v;
    copy.first_input = to->inputs.count;
    copy.first_probe = to->probes.count;
    for (uint32_t i = 0; i < v->input_count; i++)
        *JG_VEC_PUSH(&to->inputs) = from->inputs.data[v->first_input + i];
    for (uint32_t i = 0; i < v->probe_count; i++)
        *JG_VEC_PUSH(&to->probes) = from->probes.data[v->first_probe + i];
    *JG_VEC_PUSH(&to->variants) = copy;
}

// The manifest `m` holds the new variant: behind it come the others.
static void add_others(struct jg_cache *c, const struct jg_hash *key, struct jg_manifest *m)
{
    struct jg_manifest old = {0};
    if (load_manifest(c, key, &old))
        for (uint32_t i = 0; i < old.variants.count && m->variants.count < JG_CACHE_VARIANTS; i++)
            if (!is_same(m, &m->variants.data[0], &old, &old.variants.data[i]))
                copy_variant(m, &old, &old.variants.data[i]);
    jg_manifest_fini(&old);
}

bool jg_cache_keep_unit(struct jg_cache *c, const struct jg_compile_command *command,
                        const struct jg_cache_input *inputs, size_t count, const void *data,
                        size_t size)
{
    if (!c || c->why_off || c->read_only || count == 0)
        return false;
    struct jg_hash key = key_of(c, command);
    struct jg_manifest m = {0};
    struct jg_manifest_bytes bytes = {0};
    bool ok = survey(c, command, inputs, count, &m);
    if (ok) {
        struct jg_manifest_variant *v = JG_VEC_PUSH(&m.variants);
        v->unit = jg_hash_of(data, size);
        v->input_count = m.inputs.count;
        v->probe_count = m.probes.count;
        struct jg_hash unit = v->unit;
        add_others(c, &key, &m);
        jg_manifest_encode(c->files, &m, &bytes);
        ok = jg_cache_write(c, JG_CACHE_UNIT, &unit, data, size) &&
             jg_cache_write(c, JG_CACHE_MANIFEST, &key, bytes.data, bytes.count);
    }
    JG_VEC_FREE(&bytes);
    jg_manifest_fini(&m);
    c->stats.kept += ok;
    return ok;
}
