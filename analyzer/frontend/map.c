// SPDX-License-Identifier: Apache-2.0
//
// Open addressing from 64-bit keys to 32-bit values; keys are pointers and hashes, never 0.
// Nothing is ever removed. See frontend_internal.h.

#include "analyzer/frontend/frontend_internal.h"

#include <stdlib.h>
#include <string.h>

static void grow(struct map *m)
{
    struct map old = *m;
    m->capacity = old.capacity ? old.capacity * 2 : 64;
    m->slots = jg_calloc(m->capacity, sizeof *m->slots);
    for (uint32_t i = 0; i < old.capacity; i++)
        if (old.slots[i].key)
            m->slots[map_slot_of(m, old.slots[i].key)] = old.slots[i];
    free(old.slots);
}

void map_put(struct map *m, uint64_t key, uint32_t value)
{
    if (m->count * 4 >= m->capacity * 3)
        grow(m);
    struct map_slot *s = &m->slots[map_slot_of(m, key)];
    if (!s->key)
        m->count++;
    *s = (struct map_slot){key, value};
}

void map_clear(struct map *m)
{
    if (m->count)
        memset(m->slots, 0, m->capacity * sizeof *m->slots);
    m->count = 0;
}

void map_free(struct map *m)
{
    free(m->slots);
    *m = (struct map){0};
}
