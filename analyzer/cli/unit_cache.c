// SPDX-License-Identifier: Apache-2.0
//
// Units in the cache. See unit_cache.h.

#include "analyzer/cli/unit_cache.h"

#include "analyzer/frontend/frontend.h"
#include "analyzer/ir/unit_file.h"

#include <stdlib.h>

struct jg_cache *jg_unit_cache_open(void)
{
    char *identity = jg_frontend_identity();
    struct jg_cache *c = jg_cache_open(identity);
    free(identity);
    return c;
}

bool jg_unit_cache_find(struct jg_cache *c, const struct jg_compile_command *command,
                        struct jg_unit *out)
{
    struct jg_cache_bytes bytes;
    if (!jg_cache_find_unit(c, command, &bytes))
        return false;
    char *error = jg_unit_view(out, bytes.data, bytes.size);
    if (error) { // is parsed again, and then replaced
        jg_unit_fini(out);
        jg_cache_unmap(&bytes);
        free(error);
        return false;
    }
    out->memory = JG_MEMORY_MAPPED;
    out->block = bytes.map;
    out->block_size = bytes.map_size;
    return true;
}

void jg_unit_cache_keep(struct jg_cache *c, const struct jg_compile_command *command,
                        const struct jg_unit *unit)
{
    if (!c || unit->status == JG_UNIT_FAILED)
        return;
    struct JG_VEC(struct jg_cache_input) inputs = {0};
    for (uint32_t i = 0; i < unit->inputs.count; i++)
        *JG_VEC_PUSH(&inputs) = (struct jg_cache_input){
            jg_unit_str(unit, unit->inputs.data[i].path), unit->inputs.data[i].hash};
    jg_cache_keep_unit(c, command, inputs.data, inputs.count, unit->block, unit->block_size);
    JG_VEC_FREE(&inputs);
}
