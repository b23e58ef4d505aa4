// SPDX-License-Identifier: Apache-2.0
//
// control_functions.def as a sorted table, searched by name.

#include "rules/control_function.h"

#include <stdlib.h>
#include <string.h>

static const struct jg_control_function functions[] = {
#define NONE JG_CONTROL_NONE
#define JG_CONTROL(name, kind, param, argument) {#name, JG_CONTROL_##kind, param, argument},
#include "rules/control_functions.def"
#undef NONE
};

static int by_name(const void *name, const void *row)
{
    return strcmp(name, ((const struct jg_control_function *)row)->name);
}

const struct jg_control_function *jg_control_find(const char *name)
{
    return bsearch(name, functions, sizeof functions / sizeof *functions, sizeof *functions,
                   by_name);
}
