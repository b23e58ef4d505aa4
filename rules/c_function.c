// SPDX-License-Identifier: Apache-2.0
//
// c_functions.def as a sorted table, searched by name.

#include "rules/c_function.h"

#include <stdlib.h>
#include <string.h>

enum { JG_C_0 = 0 }; // "no flag" in the table

static const struct jg_c_function functions[] = {
#define JG_C_FUNCTION(name, flags, a, b, c, d, further)                                            \
    {#name, JG_C_##flags, {JG_C_##a, JG_C_##b, JG_C_##c, JG_C_##d, JG_C_##further}},
#include "rules/c_functions.def"
};

static int by_name(const void *name, const void *row)
{
    return strcmp(name, ((const struct jg_c_function *)row)->name);
}

const struct jg_c_function *jg_c_find(const char *name)
{
    return bsearch(name, functions, sizeof functions / sizeof *functions, sizeof *functions,
                   by_name);
}

enum jg_c_role jg_c_role(const struct jg_c_function *fn, unsigned index)
{
    return (enum jg_c_role)fn->roles[index < JG_C_ROLES ? index : JG_C_ROLES - 1];
}

int jg_c_size(const struct jg_c_function *fn)
{
    for (int i = 0; i < JG_C_ROLES; i++)
        if (fn->roles[i] == JG_C_SIZE)
            return i;
    return -1;
}
