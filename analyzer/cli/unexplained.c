// SPDX-License-Identifier: Apache-2.0
//
// See unexplained.h.

#include "analyzer/cli/unexplained.h"
#include "analyzer/cli/cli.h"
#include "analyzer/cli/explain_finding.h"
#include "analyzer/models/models.h"
#include "rules/common/nearest.h"
#include "rules/jni.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_one_of(const char *name, const char *const *names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

// The pairs of a model that the function is half of.
static unsigned print_pairs(const char *name)
{
    unsigned found = 0;
    const struct jg_model_pair *pair;
    for (unsigned i = 0; (pair = jg_models_pair(jg_models_current(), i)); i++) {
        bool acquires = is_one_of(name, pair->acquire, pair->acquire_count);
        if (!acquires && !is_one_of(name, pair->release, pair->release_count))
            continue;
        int param = acquires ? pair->object : pair->released;
        char *where = param < 0 ? jg_strdup("its result") : jg_format("parameter %d", param);
        printf("'%s', from the pair at %s:%u: %s %s, which is %s\n", name, pair->file, pair->line,
               acquires ? "acquires a" : "gives back a", pair->what, where);
        free(where);
        found++;
    }
    return found;
}

// The first call of a function of that name, whose body is in no unit.
static bool tell_call(const struct jg_run *run, const struct jg_program *p, const char *name)
{
    for (uint32_t u = 0; u < jg_program_unit_count(p); u++) {
        const struct jg_unit *unit = jg_program_unit(p, u);
        for (uint32_t i = 0; i < unit->insns.count; i++) {
            const struct jg_insn *in = &unit->insns.data[i];
            if (in->op != JG_OP_CALL || in->sub != JG_CALLEE_SYMBOL || in->loc == JG_NONE ||
                strcmp(jg_unit_str(unit, unit->symbols.data[in->a].name), name) != 0)
                continue;
            const struct jg_loc *loc = &unit->locs.data[in->loc];
            fprintf(stderr, "jniguard: '%s' is called at ", name);
            jg_put_path(&run->report, jg_unit_str(unit, unit->files.data[loc->file].path), stderr);
            fprintf(stderr,
                    ":%u:%u, but its body is in no unit and no model names it: 'jniguard models "
                    "--suggest' prints one to fill in\n",
                    loc->line, loc->column);
            return true;
        }
    }
    return false;
}

static void tell_unknown(const struct jg_program *p, const char *name)
{
    uint32_t count = jg_program_function_count(p);
    const char **names = jg_calloc(count + 1, sizeof *names);
    for (uint32_t id = 0; id < count; id++)
        names[id] = jg_program_function_name(p, id);
    const char *near = *name ? jg_nearest(name, names, count) : NULL;
    jg_error("no function '%s' is defined or called in the units asked for%s%s%s", name,
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    free(names);
}

int jg_tell_unexplained(const struct jg_run *run, const struct jg_program *program,
                        const char *name)
{
    if (print_pairs(name))
        return JG_EXIT_OK;
    if (jg_jni_find(name) >= 0)
        jg_error("'%s' is a function of JNI: what it does is in the JNI specification, chapter 4",
                 name);
    else if (!tell_call(run, program, name))
        tell_unknown(program, name);
    return JG_EXIT_ERROR;
}
