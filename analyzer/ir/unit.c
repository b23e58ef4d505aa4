// SPDX-License-Identifier: Apache-2.0
//
// Birth and death of a unit, and its strings. See ir.h.

#include "analyzer/ir/ir.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void jg_unit_init(struct jg_unit *u)
{
    memset(u, 0, sizeof *u);
    *JG_VEC_PUSH(&u->strings) = '\0'; // string 0 is ""
}

void jg_unit_fini(struct jg_unit *u)
{
    if (u->memory == JG_MEMORY_OWN) {
#define JG_VECTOR(name, type) JG_VEC_FREE(&u->name);
#include "analyzer/ir/unit.def"
    } else if (u->memory == JG_MEMORY_HEAP) {
        free(u->block);
    } else if (u->memory == JG_MEMORY_MAPPED) {
        munmap(u->block, u->block_size);
    }
    memset(u, 0, sizeof *u);
}

jg_str jg_unit_add_str(struct jg_unit *u, const char *s, size_t length)
{
    if (!length)
        return 0;
    size_t need = (size_t)u->strings.count + length + 1;
    if (need > UINT32_MAX / 2)
        jg_out_of_memory();
    if (need > u->strings.capacity) {
        uint32_t room = u->strings.capacity ? u->strings.capacity : 64;
        while (room < need)
            room *= 2;
        u->strings.data = jg_realloc(u->strings.data, room);
        u->strings.capacity = room;
    }
    jg_str at = u->strings.count;
    memcpy(u->strings.data + at, s, length);
    u->strings.data[at + length] = '\0';
    u->strings.count = (uint32_t)need;
    return at;
}

const char *jg_function_name(const struct jg_unit *u, const struct jg_function *f)
{
    return jg_unit_str(u, u->symbols.data[f->symbol].name);
}
