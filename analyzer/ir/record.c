// SPDX-License-Identifier: Apache-2.0
//
// Structs as bytes and back; see record.h.

#include "analyzer/ir/record.h"

void jg_record_fini(struct jg_record *r)
{
    JG_VEC_FREE(&r->out);
}

static void put(struct jg_record *r, const void *data, size_t size)
{
    while (r->out.capacity - r->out.count < size)
        jg_vec_grow((void **)&r->out.data, &r->out.capacity, r->out.count, 1);
    memcpy(r->out.data + r->out.count, data, size);
    r->out.count += (uint32_t)size;
}

static void bytes(struct jg_record *r, void *value, size_t size)
{
    if (r->writing) {
        put(r, value, size);
        return;
    }
    r->bad = r->bad || size > r->size - r->at;
    if (r->bad) {
        memset(value, 0, size);
        return;
    }
    memcpy(value, r->data + r->at, size);
    r->at += size;
}

void jg_record_u32(struct jg_record *r, uint32_t *value, uint32_t limit, bool none)
{
    bytes(r, value, sizeof *value);
    if (*value < limit || (none && *value == UINT32_MAX))
        return;
    r->bad = true;
    *value = 0;
}

void jg_record_bits(struct jg_record *r, uint32_t *value)
{
    bytes(r, value, sizeof *value);
}

void jg_record_u8(struct jg_record *r, uint8_t *value, uint32_t limit)
{
    bytes(r, value, sizeof *value);
    if (*value < limit)
        return;
    r->bad = true;
    *value = 0;
}

void jg_record_bool(struct jg_record *r, bool *value)
{
    uint8_t byte = r->writing && *value;
    jg_record_u8(r, &byte, 2);
    *value = byte;
}

void jg_record_u16(struct jg_record *r, uint16_t *value)
{
    bytes(r, value, sizeof *value);
}

void jg_record_u64(struct jg_record *r, uint64_t *value)
{
    bytes(r, value, sizeof *value);
}

void jg_record_i64(struct jg_record *r, int64_t *value)
{
    bytes(r, value, sizeof *value);
}

void jg_record_str(struct jg_record *r, const char **value)
{
    uint32_t length = r->writing && *value ? (uint32_t)strlen(*value) : UINT32_MAX;
    jg_record_bits(r, &length);
    if (r->writing) {
        put(r, *value ? *value : "", *value ? length : 0);
        return;
    }
    *value = NULL;
    if (r->bad || length == UINT32_MAX)
        return;
    r->bad = length > r->size - r->at || memchr(r->data + r->at, '\0', length) != NULL;
    if (r->bad)
        return;
    char *copy = jg_bump_alloc(r->arena, (size_t)length + 1);
    memcpy(copy, r->data + r->at, length);
    r->at += length;
    *value = copy;
}

bool jg_record_is_whole(const struct jg_record *r)
{
    return !r->bad && r->at == r->size;
}
