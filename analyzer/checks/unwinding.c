// SPDX-License-Identifier: Apache-2.0
//
// longjmp and pthread_exit below a native method: they take the Java frames above it off the stack,
// and the virtual machine never learns of it.
//
// A function that calls setjmp is one that longjmp may lead back to: it, and all that it calls, are
// left alone, as in the error handling of libjpeg and libpng. So are calls through pointers: which
// of several handlers runs, and in which phase, the call graph cannot say.

#include "analyzer/checks/program_checks.h"
#include "analyzer/engine/model.h"

#include <stdlib.h>

static bool does(const struct jg_program *p, uint32_t unit, uint32_t insn, unsigned effect)
{
    const struct jg_model *m = jg_program_model(p, unit, insn);
    return m && m->does & effect;
}

static bool unwinds(const struct jg_program *p, uint32_t unit, uint32_t insn)
{
    bool named = jg_program_unit(p, unit)->insns.data[insn].sub == JG_CALLEE_SYMBOL;
    return named && does(p, unit, insn, JG_DOES_UNWINDS);
}

static bool *find_catchers(const struct jg_program *p)
{
    bool *found = jg_calloc((size_t)jg_program_function_count(p) + 1, sizeof *found);
    for (uint32_t id = 0; id < jg_program_function_count(p); id++) {
        struct jg_function_ref f = jg_program_function(p, id);
        uint32_t first, end;
        jg_function_insns(f.unit, &f.unit->functions.data[f.index], &first, &end);
        for (uint32_t i = first; i < end && !found[id]; i++)
            found[id] = does(p, f.unit_index, i, JG_DOES_CATCHES);
    }
    return found;
}

// pthread_exit ends the thread whatever is on its stack; where longjmp leads to, and png_error, is
// not known.
static bool ends_thread(const struct jg_program *p, const struct jg_reach *r, uint32_t id)
{
    while (r->next[id] != JG_NONE)
        id = r->next[id];
    struct jg_function_ref f = jg_program_function(p, id);
    const char *name = jg_insn_callee(f.unit, &f.unit->insns.data[r->insn[id]]);
    return !strstr(name, "jmp") && !strstr(name, "error");
}

static void report(const struct jg_program_check *c, const struct jg_reach *r, uint32_t id)
{
    struct jg_program_finding f;
    struct jg_function_ref ref = jg_program_function(c->program, id);
    uint32_t insn = r->insn[id], callee = r->next[id];
    bool exits = ends_thread(c->program, r, id);
    const char *end = callee == JG_NONE ? jg_reach_text(c, ref.unit_index, insn, JG_NONE)
                                        : jg_reach_end(c, r, callee);
    jg_program_finding_begin(c, &f, JG_RULE_STACK_UNWOUND_OVER_JAVA, id);
    if (callee == JG_NONE)
        jg_describe_at_loc(
            &f.d, ref.unit->insns.data[insn].loc,
            "%s in native method '%s' takes Java frames off the stack, and %s; return "
            "an error instead",
            end, f.d.function,
            exits ? "the virtual machine still counts on this thread"
                  : "there is no setjmp in this call to jump to");
    else
        jg_describe_at_loc(
            &f.d, ref.unit->insns.data[insn].loc,
            "native method '%s' calls '%s', which leads to %s: that takes Java frames "
            "off the stack, and %s; return an error instead",
            f.d.function, jg_program_function_name(c->program, callee), end,
            exits ? "the virtual machine still counts on this thread"
                  : "no function on the way calls setjmp");
    if (!exits)
        jg_lower_confidence(&f.d, JG_MEDIUM, "setjmp may be called farther up");
    if (callee != JG_NONE)
        jg_reach_steps(c, &f, r, id, insn, callee);
    jg_program_finding_end(c, &f);
}

void jg_check_unwinding(const struct jg_program_check *c)
{
    const struct jg_program *p = c->program;
    bool *catchers = find_catchers(p);
    struct jg_reach r;
    jg_reach_init(&r, p, &(struct jg_reach_query){unwinds, catchers, true});
    for (uint32_t id = 0; id < jg_program_function_count(p); id++)
        if (jg_program_is_native(p, id) && r.length[id] != JG_NONE &&
            jg_program_representative(p, id) == id)
            report(c, &r, id);
    jg_reach_fini(&r);
    free(catchers);
}
