// SPDX-License-Identifier: Apache-2.0
//
// Units with other texts: as if the same sources lay elsewhere.

#ifndef JG_IR_REWRITE_H
#define JG_IR_REWRITE_H

#include "analyzer/ir/ir.h"

// What a text becomes: a heap string, or NULL when it stays.
typedef char *jg_rewrite(void *context, const char *text);

// The bytes of a unit file (heap, *size of them) in which every string of the unit is what
// `rewrite` makes of it: names, paths, literals. The texts of the sources stay. `u` comes from the
// frontend.
void *jg_unit_rewrite(const struct jg_unit *u, jg_rewrite *rewrite, void *context, size_t *size);

#endif
