// SPDX-License-Identifier: Apache-2.0
//
// Units in the cache. See project/cache.h; a NULL cache finds and keeps nothing.

#ifndef JG_CLI_UNIT_CACHE_H
#define JG_CLI_UNIT_CACHE_H

#include "analyzer/ir/ir.h"
#include "analyzer/project/cache.h"

// Opens the cache as this program and its libclang fill it.
struct jg_cache *jg_unit_cache_open(void);

// True: `out` is the unit of that command, in a mapping that it owns.
bool jg_unit_cache_find(struct jg_cache *c, const struct jg_compile_command *command,
                        struct jg_unit *out);

// Keeps a unit that was read from bytes (its block), unless it failed: nobody could say which of
// the files that would mend it has appeared.
void jg_unit_cache_keep(struct jg_cache *c, const struct jg_compile_command *command,
                        const struct jg_unit *unit);

#endif
