// SPDX-License-Identifier: Apache-2.0
//
// The hash of contents: BLAKE2b with 256 bits, from libsodium. A cryptographic one, because what is
// found under a hash is believed: nobody must be able to make a file that is taken for another.
//
// A hasher belongs to one thread at a time; different ones do not share anything.

#ifndef JG_IR_HASH_H
#define JG_IR_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct jg_hash {
    uint8_t bytes[32];
};

struct jg_hasher {
    _Alignas(64) unsigned char state[384]; // crypto_generichash_state
};

void jg_hasher_init(struct jg_hasher *h);
void jg_hasher_add(struct jg_hasher *h, const void *data, size_t size);
void jg_hasher_add_str(struct jg_hasher *h,
                       const char *s);               // with its NUL: "ab", "c" is not "a", "bc"
struct jg_hash jg_hasher_final(struct jg_hasher *h); // the hasher is then spent

struct jg_hash jg_hash_of(const void *data, size_t size);

static inline bool jg_hash_equal(const struct jg_hash *a, const struct jg_hash *b)
{
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

#define JG_HASH_HEX (2 * sizeof(struct jg_hash) + 1) // bytes of its text

// In lower-case hexadecimal, NUL-terminated. Returns `text`.
char *jg_hash_hex(const struct jg_hash *hash, char text[JG_HASH_HEX]);

#endif
