// SPDX-License-Identifier: Apache-2.0
//
// BLAKE2b by libsodium. See hash.h.

#include "analyzer/ir/hash.h"

#include <sodium.h>

_Static_assert(sizeof(struct jg_hasher) >= sizeof(crypto_generichash_state), "state too small");

static crypto_generichash_state *state_of(struct jg_hasher *h)
{
    return (crypto_generichash_state *)(void *)h->state;
}

// sodium_init picks the implementation for this processor. It may be called at any time and by any
// thread; should it fail, for want of random numbers, the portable one serves.
void jg_hasher_init(struct jg_hasher *h)
{
    (void)!sodium_init();
    crypto_generichash_init(state_of(h), NULL, 0, sizeof(struct jg_hash));
}

void jg_hasher_add(struct jg_hasher *h, const void *data, size_t size)
{
    crypto_generichash_update(state_of(h), data, size);
}

void jg_hasher_add_str(struct jg_hasher *h, const char *s)
{
    jg_hasher_add(h, s, strlen(s) + 1);
}

struct jg_hash jg_hasher_final(struct jg_hasher *h)
{
    struct jg_hash hash;
    crypto_generichash_final(state_of(h), hash.bytes, sizeof hash.bytes);
    return hash;
}

struct jg_hash jg_hash_of(const void *data, size_t size)
{
    struct jg_hasher h;
    jg_hasher_init(&h);
    jg_hasher_add(&h, data, size);
    return jg_hasher_final(&h);
}

char *jg_hash_hex(const struct jg_hash *hash, char text[JG_HASH_HEX])
{
    return sodium_bin2hex(text, JG_HASH_HEX, hash->bytes, sizeof hash->bytes);
}
