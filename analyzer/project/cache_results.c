// SPDX-License-Identifier: Apache-2.0
//
// Records: many small pieces of bytes in one file, each found by the hash of all it depends on.
//
//   count | rows, sorted by key | the bytes of the records, each aligned to 8
//
// The file as it was found is mapped and stays as it is; what is added lies in memory until the
// close, which writes what this run has used.

#include "analyzer/project/cache_internal.h"

#include <stdlib.h>
#include <string.h>

struct row {
    struct jg_hash key;
    uint64_t offset; // from the beginning of the file's content
    uint64_t size;
};

struct head {
    uint64_t count;
};

struct record {
    struct jg_hash key;
    const void *data;
    size_t size;
};

struct jg_cache_results {
    struct jg_cache *cache;
    struct jg_hash name;
    struct jg_cache_bytes old;
    const struct row *rows;
    uint64_t row_count;
    bool *used;                         // of the rows
    struct JG_VEC(struct record) added; // in order of their arrival
    struct JG_VEC(uint32_t) table;      // of indices into `added`, plus one; 0 is free
    struct jg_bump arena;
};

static bool check_rows(const struct jg_cache_results *r)
{
    size_t first = sizeof(struct head) + (size_t)r->row_count * sizeof(struct row);
    for (uint64_t i = 0; i < r->row_count; i++) {
        const struct row *row = &r->rows[i];
        if (row->offset < first || row->offset > r->old.size || row->offset % 8 ||
            row->size > r->old.size - row->offset)
            return false;
        if (i && memcmp(&r->rows[i - 1].key, &row->key, sizeof row->key) >= 0)
            return false;
    }
    return true;
}

static bool read_rows(struct jg_cache_results *r)
{
    const struct head *head = r->old.data;
    if (r->old.size < sizeof *head ||
        head->count > (r->old.size - sizeof *head) / sizeof(struct row))
        return false;
    r->row_count = head->count;
    r->rows = (const struct row *)(const void *)(head + 1);
    return check_rows(r);
}

struct jg_cache_results *jg_cache_results_open(struct jg_cache *c, const struct jg_hash *unit)
{
    if (!c || c->why_off)
        return NULL;
    struct jg_cache_results *r = jg_calloc(1, sizeof *r);
    r->cache = c;
    // Bound to the tool: what another version found has no place here, whatever the keys say.
    struct jg_hasher h;
    jg_hasher_init(&h);
    jg_hasher_add(&h, &c->tool, sizeof c->tool);
    jg_hasher_add(&h, unit, sizeof *unit);
    r->name = jg_hasher_final(&h);
    if (jg_cache_map(c, JG_CACHE_RESULTS, &r->name, &r->old) && !read_rows(r))
        r->row_count = 0;
    r->used = jg_calloc((size_t)r->row_count, sizeof *r->used);
    return r;
}

// ---- finding ------------------------------------------------------------------------------------

static int compare_row(const void *key, const void *row)
{
    return memcmp(key, &((const struct row *)row)->key, sizeof(struct jg_hash));
}

static const struct row *find_row(const struct jg_cache_results *r, const struct jg_hash *key)
{
    return r->row_count ? bsearch(key, r->rows, (size_t)r->row_count, sizeof *r->rows, compare_row)
                        : NULL;
}

// Where the key stands, or would stand, in the table, which has room.
static uint32_t *slot_of(const struct jg_cache_results *r, const struct jg_hash *key)
{
    uint32_t at, mask = r->table.count - 1;
    memcpy(&at, key, sizeof at);
    for (at &= mask; r->table.data[at]; at = (at + 1) & mask)
        if (jg_hash_equal(&r->added.data[r->table.data[at] - 1].key, key))
            break;
    return &r->table.data[at];
}

static const struct record *find_added(const struct jg_cache_results *r, const struct jg_hash *key)
{
    uint32_t index = r->table.count ? *slot_of(r, key) : 0;
    return index ? &r->added.data[index - 1] : NULL;
}

bool jg_cache_results_find(struct jg_cache_results *r, const struct jg_hash *key, const void **data,
                           size_t *size)
{
    if (!r)
        return false;
    const struct row *row = find_row(r, key);
    if (row) {
        r->used[row - r->rows] = true;
        *data = (const char *)r->old.data + row->offset;
        *size = (size_t)row->size;
        return true;
    }
    const struct record *record = find_added(r, key);
    if (record) {
        *data = record->data;
        *size = record->size;
    }
    return record != NULL;
}

// ---- adding -------------------------------------------------------------------------------------

static void make_room(struct jg_cache_results *r)
{
    if (r->added.count < r->table.count / 2)
        return;
    r->table.count = r->table.count ? 2 * r->table.count : 64;
    free(r->table.data);
    r->table.data = jg_calloc(r->table.count, sizeof *r->table.data);
    for (uint32_t i = 0; i < r->added.count; i++)
        *slot_of(r, &r->added.data[i].key) = i + 1;
}

void jg_cache_results_put(struct jg_cache_results *r, const struct jg_hash *key, const void *data,
                          size_t size)
{
    const void *known;
    size_t known_size;
    if (!r || jg_cache_results_find(r, key, &known, &known_size))
        return;
    make_room(r);
    uint32_t *slot = slot_of(r, key);
    *slot = r->added.count + 1;
    *JG_VEC_PUSH(&r->added) = (struct record){*key, jg_bump_copy(&r->arena, data, size), size};
}

// ---- writing ------------------------------------------------------------------------------------

static int by_key(const void *a, const void *b)
{
    return memcmp(&((const struct record *)a)->key, &((const struct record *)b)->key,
                  sizeof(struct jg_hash));
}

static size_t aligned(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

static void write_records(struct jg_cache_results *r)
{
    for (uint64_t i = 0; i < r->row_count; i++)
        if (r->used[i])
            *JG_VEC_PUSH(&r->added) =
                (struct record){r->rows[i].key, (const char *)r->old.data + r->rows[i].offset,
                                (size_t)r->rows[i].size};
    qsort(r->added.data, r->added.count, sizeof *r->added.data, by_key);
    size_t offset = sizeof(struct head) + r->added.count * sizeof(struct row), size = offset;
    for (uint32_t i = 0; i < r->added.count; i++)
        size += aligned(r->added.data[i].size);
    char *bytes = jg_calloc(1, size);
    *(struct head *)(void *)bytes = (struct head){r->added.count};
    struct row *rows = (struct row *)(void *)(bytes + sizeof(struct head));
    for (uint32_t i = 0; i < r->added.count; i++) {
        const struct record *record = &r->added.data[i];
        rows[i] = (struct row){record->key, offset, record->size};
        if (record->size)
            memcpy(bytes + offset, record->data, record->size);
        offset += aligned(record->size);
    }
    jg_cache_write(r->cache, JG_CACHE_RESULTS, &r->name, bytes, size);
    free(bytes);
}

void jg_cache_results_close(struct jg_cache_results *r)
{
    if (!r)
        return;
    if (r->added.count)
        write_records(r);
    jg_cache_unmap(&r->old);
    JG_VEC_FREE(&r->added);
    JG_VEC_FREE(&r->table);
    jg_bump_fini(&r->arena);
    free(r->used);
    free(r);
}
