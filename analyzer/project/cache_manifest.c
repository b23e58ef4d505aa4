// SPDX-License-Identifier: Apache-2.0
//
// A manifest as bytes. All numbers are 32 bits in the machine's order, since the cache belongs to
// one machine or to several of a kind: another order fails at the version.
//
//   head | variants | inputs | probes | strings, each with its NUL
//
// Strings are named by their number. Every count and index is checked on the way in.

#include "analyzer/project/cache_internal.h"

#include <stdlib.h>
#include <string.h>

struct head {
    uint32_t variants, inputs, probes, strings;
};

struct wire_input {
    struct jg_hash hash;
    uint32_t path;
};

struct wire_probe {
    uint32_t folder;
    uint32_t name; // and, in the lowest bit, whether it exists
};

_Static_assert(sizeof(struct wire_input) == 36 && sizeof(struct jg_manifest_variant) == 48,
               "no padding: equal manifests are equal bytes");

void jg_manifest_fini(struct jg_manifest *m)
{
    JG_VEC_FREE(&m->variants);
    JG_VEC_FREE(&m->inputs);
    JG_VEC_FREE(&m->probes);
}

// ---- out ----------------------------------------------------------------------------------------

struct encoder {
    const struct jg_cache_files *files;
    uint32_t *number; // of a string in the manifest, by its name; UINT32_MAX: none yet
    struct JG_VEC(jg_name) strings;
};

static uint32_t number_of(struct encoder *e, jg_name name)
{
    if (e->number[name] == UINT32_MAX) {
        e->number[name] = e->strings.count;
        *JG_VEC_PUSH(&e->strings) = name;
    }
    return e->number[name];
}

static void add(struct jg_manifest_bytes *b, const void *data, size_t size)
{
    if (size == 0)
        return;
    if (size > UINT32_MAX / 2 - b->count)
        jg_out_of_memory();
    if (b->count + size > b->capacity) {
        b->capacity = (uint32_t)(2 * (b->count + size));
        b->data = jg_realloc(b->data, b->capacity);
    }
    memcpy(b->data + b->count, data, size);
    b->count += (uint32_t)size;
}

void jg_manifest_encode(const struct jg_cache_files *f, const struct jg_manifest *m,
                        struct jg_manifest_bytes *out)
{
    jg_name end = jg_cache_name_end(f);
    struct encoder e = {.files = f, .number = jg_malloc(end * sizeof *e.number)};
    memset(e.number, 0xff, end * sizeof *e.number);
    struct head head = {m->variants.count, m->inputs.count, m->probes.count, 0};
    out->count = 0;
    add(out, &head, sizeof head);
    add(out, m->variants.data, m->variants.count * sizeof *m->variants.data);
    for (uint32_t i = 0; i < m->inputs.count; i++) {
        const struct jg_manifest_input *in = &m->inputs.data[i];
        add(out, &(struct wire_input){in->hash, number_of(&e, in->path)},
            sizeof(struct wire_input));
    }
    for (uint32_t i = 0; i < m->probes.count; i++) {
        const struct jg_manifest_probe *p = &m->probes.data[i];
        struct wire_probe wire = {number_of(&e, p->folder),
                                  number_of(&e, p->name) << 1 | p->exists};
        add(out, &wire, sizeof wire);
    }
    for (uint32_t i = 0; i < e.strings.count; i++) {
        const char *text = jg_cache_text(f, e.strings.data[i]);
        add(out, text, strlen(text) + 1);
    }
    ((struct head *)(void *)out->data)->strings = e.strings.count;
    JG_VEC_FREE(&e.strings);
    free(e.number);
}

// ---- in -----------------------------------------------------------------------------------------

struct decoder {
    const char *at, *end;
    jg_name *strings;
    uint32_t string_count;
};

// `count` elements of `size` bytes; NULL when there are not as many.
static const void *take(struct decoder *d, uint32_t count, size_t size)
{
    if (count > (size_t)(d->end - d->at) / size)
        return NULL;
    const void *data = d->at;
    d->at += count * size;
    return data;
}

static bool take_strings(struct decoder *d, struct jg_cache_files *f, uint32_t count)
{
    if (count > (size_t)(d->end - d->at)) // each has a NUL at least
        return false;
    d->strings = jg_malloc(count * sizeof *d->strings);
    for (; d->string_count < count; d->string_count++) {
        const char *nul = memchr(d->at, '\0', (size_t)(d->end - d->at));
        if (!nul)
            return false;
        d->strings[d->string_count] = jg_cache_name(f, d->at, (size_t)(nul - d->at));
        d->at = nul + 1;
    }
    return d->at == d->end;
}

static bool is_range(uint32_t first, uint32_t count, uint32_t end)
{
    return first <= end && count <= end - first;
}

static bool fill(const struct decoder *d, const struct head *head,
                 const struct jg_manifest_variant *variants, const struct wire_input *inputs,
                 const struct wire_probe *probes, struct jg_manifest *out)
{
    for (uint32_t i = 0; i < head->variants; i++) {
        const struct jg_manifest_variant *v = &variants[i];
        if (!is_range(v->first_input, v->input_count, head->inputs) ||
            !is_range(v->first_probe, v->probe_count, head->probes))
            return false;
        *JG_VEC_PUSH(&out->variants) = *v;
    }
    for (uint32_t i = 0; i < head->inputs; i++) {
        if (inputs[i].path >= d->string_count)
            return false;
        *JG_VEC_PUSH(&out->inputs) =
            (struct jg_manifest_input){d->strings[inputs[i].path], inputs[i].hash};
    }
    for (uint32_t i = 0; i < head->probes; i++) {
        uint32_t folder = probes[i].folder, name = probes[i].name >> 1;
        if (folder >= d->string_count || name >= d->string_count)
            return false;
        *JG_VEC_PUSH(&out->probes) =
            (struct jg_manifest_probe){d->strings[folder], d->strings[name], probes[i].name & 1};
    }
    return true;
}

bool jg_manifest_decode(struct jg_cache_files *f, const void *data, size_t size,
                        struct jg_manifest *out)
{
    struct decoder d = {.at = data, .end = (const char *)data + size};
    const struct head *head = take(&d, 1, sizeof *head);
    if (!head || head->variants > JG_CACHE_VARIANTS)
        return false;
    const struct jg_manifest_variant *variants = take(&d, head->variants, sizeof *variants);
    const struct wire_input *inputs =
        variants ? take(&d, head->inputs, sizeof(struct wire_input)) : NULL;
    const struct wire_probe *probes =
        inputs ? take(&d, head->probes, sizeof(struct wire_probe)) : NULL;
    bool ok = probes && take_strings(&d, f, head->strings) &&
              fill(&d, head, variants, inputs, probes, out);
    free(d.strings);
    return ok;
}
