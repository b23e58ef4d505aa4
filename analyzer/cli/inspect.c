// SPDX-License-Identifier: Apache-2.0
//
// --dump-cfg and --debug-object: looks into the analyzer, for those who work on it. In this
// process, so that a debugger sees it.

#include "analyzer/checks/check.h"
#include "analyzer/cli/run.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned visit_unit(const struct jg_unit *unit, const void *context);

static unsigned for_each_unit(const struct jg_project *project, visit_unit *visit,
                              const void *context, char **error)
{
    unsigned found = 0;
    struct jg_frontend *frontend = jg_frontend_new(error);
    if (!frontend)
        return 0;
    for (uint32_t i = 0; i < project->entries.count; i++) {
        if (!project->entries.data[i].selected)
            continue;
        struct jg_unit unit;
        jg_frontend_parse(frontend, &project->entries.data[i].command, &unit);
        if (unit.status != JG_UNIT_FAILED)
            found += visit(&unit, context);
        jg_unit_fini(&unit);
    }
    jg_frontend_free(frontend);
    return found;
}

static unsigned dump_functions(const struct jg_unit *unit, const void *context)
{
    unsigned found = 0;
    for (uint32_t i = 0; i < unit->functions.count; i++) {
        if (strcmp(jg_function_name(unit, &unit->functions.data[i]), context) == 0) {
            jg_dump_function(unit, i, stdout);
            found++;
        }
    }
    return found;
}

unsigned jg_inspect_cfg(const struct jg_project *project, const char *function, char **error)
{
    return for_each_unit(project, dump_functions, function, error);
}

struct spot {
    const char *path;
    uint32_t line;
};

static unsigned debug_objects(const struct jg_unit *unit, const void *context)
{
    const struct spot *spot = context;
    return jg_check_debug_object(unit, spot->path, spot->line, stdout);
}

unsigned jg_inspect_object(const struct jg_project *project, const char *path, uint32_t line,
                           char **error)
{
    struct spot spot = {path, line};
    return for_each_unit(project, debug_objects, &spot, error);
}
