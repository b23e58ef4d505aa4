// SPDX-License-Identifier: Apache-2.0
//
// Structs as bytes and back. One function describes a struct for both ways: it hands every field to
// one of these, which write it, or read it into place.
//
// What is read is believed as little as possible: after the first thing that is wrong (too short,
// out of its range) `bad` is set and all further fields are zero. The bytes are for this program on
// this machine: they carry no names, no versions and no byte order.

#ifndef JG_IR_RECORD_H
#define JG_IR_RECORD_H

#include "analyzer/ir/mem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jg_record {
    bool writing, bad;
    struct JG_VEC(char) out;   // what was written
    const unsigned char *data; // to be read
    size_t size, at;
    struct jg_bump *arena; // for strings that are read
};

// Zero-initialise for writing, with `writing` set.
void jg_record_fini(struct jg_record *r);

void jg_record_bool(struct jg_record *r, bool *value);
// Less than `limit`; or JG_NONE, where `none` says that this may be.
void jg_record_u8(struct jg_record *r, uint8_t *value, uint32_t limit);
void jg_record_u16(struct jg_record *r, uint16_t *value);
void jg_record_u32(struct jg_record *r, uint32_t *value, uint32_t limit, bool none);
void jg_record_bits(struct jg_record *r, uint32_t *value); // any
void jg_record_u64(struct jg_record *r, uint64_t *value);
void jg_record_i64(struct jg_record *r, int64_t *value);
void jg_record_str(struct jg_record *r, const char **value); // or NULL

// An enumeration, or a count.
#define JG_RECORD_NUMBER(r, field, limit)                                                          \
    do {                                                                                           \
        uint32_t number_ = (uint32_t)(field);                                                      \
        jg_record_u32((r), &number_, (limit), false);                                              \
        (field) = number_;                                                                         \
    } while (0)

// All was read, and nothing was wrong.
bool jg_record_is_whole(const struct jg_record *r);

#endif
