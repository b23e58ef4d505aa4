// SPDX-License-Identifier: Apache-2.0
//
// The model of a function of a unit: by its name, and by the shape that its declaration has.

#ifndef JG_ENGINE_MODEL_H
#define JG_ENGINE_MODEL_H

#include "analyzer/ir/ir.h"
#include "analyzer/models/models.h"

// What is asked about a function. Strings are the unit's.
struct jg_model_query jg_model_query_of(const struct jg_unit *u, uint32_t symbol);

// The model in force of a function that is called through a field, a table of functions; NULL.
const struct jg_model *jg_model_of_field(const struct jg_unit *u, uint32_t field);

// Do the words of a name suggest one of these (enum jg_model_hint)? That may silence a finding or
// lower its confidence, never make one.
bool jg_name_hints(const char *name, unsigned hints);

#endif
