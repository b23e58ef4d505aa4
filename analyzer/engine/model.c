// SPDX-License-Identifier: Apache-2.0
//
// Declarations -> the shape that models ask for.

#include "analyzer/engine/model.h"

static unsigned shape_of_result(const struct jg_unit *u, uint32_t type)
{
    if (type == JG_NONE)
        return 0;
    const struct jg_type *t = &u->types.data[type];
    if (t->kind == JG_TYPE_VOID)
        return JG_WHEN_GIVES_NONE;
    if (t->kind == JG_TYPE_INT || t->kind == JG_TYPE_BOOL)
        return JG_WHEN_GIVES_TRUTH;
    return jg_role_is_ref((enum jg_type_role)t->role) ? JG_WHEN_GIVES_REF : 0;
}

static unsigned shape_of_param(const struct jg_unit *u, uint32_t type)
{
    enum jg_type_role role = (enum jg_type_role)u->types.data[type].role;
    if (role == JG_ROLE_ENV || role == JG_ROLE_VM)
        return JG_WHEN_GETS_ENV;
    return jg_role_is_ref(role) ? JG_WHEN_TAKES_REF : 0;
}

// A C function has the USR "c:@F@name"; a member of a C++ class or namespace has a longer one.
static bool has_c_linkage(const struct jg_unit *u, const struct jg_symbol *s)
{
    static const char plain[] = "c:@F@";
    const char *name = jg_unit_str(u, s->name), *usr = jg_unit_str(u, s->usr);
    return strcmp(usr, name) == 0 ||
           (strncmp(usr, plain, strlen(plain)) == 0 && strcmp(usr + strlen(plain), name) == 0);
}

struct jg_model_query jg_model_query_of(const struct jg_unit *u, uint32_t symbol)
{
    const struct jg_symbol *s = &u->symbols.data[symbol];
    struct jg_model_query q = {.name = jg_unit_str(u, s->name), .param_count = s->param_count};
    q.shape = shape_of_result(u, s->return_type) | (has_c_linkage(u, s) ? JG_WHEN_C_ONLY : 0);
    for (uint32_t i = 0; i < s->param_count; i++)
        q.shape |= shape_of_param(u, u->param_types.data[s->first_param + i]);
    return q;
}

const struct jg_model *jg_model_of_field(const struct jg_unit *u, uint32_t field)
{
    const struct jg_field *f = &u->fields.data[field];
    struct jg_model_query q = {.name = jg_unit_str(u, f->name),
                               .record = jg_unit_str(u, f->record)};
    return jg_models_find(jg_models_current(), &q);
}

bool jg_name_hints(const char *name, unsigned hints)
{
    return jg_models_hints(jg_models_current(), name, hints) != 0;
}
