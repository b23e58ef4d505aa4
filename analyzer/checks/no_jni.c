// SPDX-License-Identifier: Apache-2.0
//
// Code that must not call JNI at all, and does, perhaps by way of other functions: functions marked
// JG_NO_JNI, and signal handlers.
//
// Misses: calls of functions whose body is not in the program, and of pointers that nothing is
// known of. The way through one function is not looked at: a call that never happens there counts.

#include "analyzer/checks/program_checks.h"

#include <stdlib.h>

// What a way ends with, for the end of a sentence: "which calls FindClass" or "which reaches
// FindClass by way of other functions".
static const char *which(const struct jg_program_check *c, const struct jg_reach *r,
                         uint32_t callee)
{
    const char *end = jg_reach_end(c, r, callee);
    return r->length[callee] == 0 ? jg_bump_format(&c->out->arena, "which calls %s", end)
                                  : jg_bump_format(&c->out->arena, "which leads to %s", end);
}

// ---- JG_NO_JNI ----------------------------------------------------------------------------------

static bool *find_marked(const struct jg_program *p)
{
    bool *marked = jg_calloc((size_t)jg_program_function_count(p) + 1, sizeof *marked);
    for (uint32_t unit = 0; unit < jg_program_unit_count(p); unit++) {
        const struct jg_unit *u = jg_program_unit(p, unit);
        for (uint32_t i = 0; i < u->symbols.count; i++) {
            uint32_t count;
            const uint32_t *ids = jg_program_definitions(p, unit, i, &count);
            for (uint32_t k = 0; k < count && u->symbols.data[i].flags & JG_SYM_NO_JNI; k++)
                marked[ids[k]] = true;
        }
    }
    return marked;
}

// `callee`: the function that the call leads to; JG_NONE when it is itself a call of JNI.
static void report_marked(const struct jg_program_check *c, const struct jg_reach *r, uint32_t id,
                          uint32_t insn, uint32_t callee, bool sure)
{
    struct jg_program_finding f;
    struct jg_function_ref ref = jg_program_function(c->program, id);
    uint32_t loc = ref.unit->insns.data[insn].loc;
    const char *text = jg_reach_text(c, ref.unit_index, insn, callee);
    jg_program_finding_begin(c, &f, JG_RULE_NO_JNI_VIOLATED, id);
    if (callee == JG_NONE)
        jg_describe_at_loc(&f.d, loc,
                           "'%s' is marked JG_NO_JNI and calls %s; move the call out of it",
                           f.d.function, text);
    else
        jg_describe_at_loc(&f.d, loc,
                           "'%s' is marked JG_NO_JNI and calls %s, %s; move the call out of it",
                           f.d.function, text, which(c, r, callee));
    if (!sure)
        jg_lower_confidence(&f.d, JG_MEDIUM, JG_DOUBT_WAY);
    if (callee != JG_NONE)
        jg_reach_steps(c, &f, r, id, insn, callee);
    jg_program_finding_end(c, &f);
}

static void look_at_marked(const struct jg_program_check *c, const struct jg_reach *r, uint32_t id)
{
    struct jg_function_ref ref = jg_program_function(c->program, id);
    uint32_t first, end, count;
    jg_function_insns(ref.unit, &ref.unit->functions.data[ref.index], &first, &end);
    for (uint32_t i = first; i < end; i++)
        if (jg_is_jni_call(c->program, ref.unit_index, i))
            report_marked(c, r, id, i, JG_NONE, true);
    const uint32_t *calls = jg_program_calls(c->program, id, &count);
    for (uint32_t i = 0; i < count; i++) {
        bool direct;
        if (r->length[calls[i]] == JG_NONE)
            continue;
        uint32_t site = jg_program_call_site(c->program, id, calls[i], &direct);
        report_marked(c, r, id, site, calls[i], direct && r->sure[calls[i]]);
    }
}

void jg_check_no_jni(const struct jg_program_check *c)
{
    const struct jg_program *p = c->program;
    bool *marked = find_marked(p), any = false;
    for (uint32_t id = 0; id < jg_program_function_count(p); id++)
        any |= marked[id];
    if (any) { // what a marked function does that is called by another one is reported there
        struct jg_reach r;
        jg_reach_init(&r, p, &(struct jg_reach_query){jg_is_jni_call, marked, false});
        for (uint32_t id = 0; id < jg_program_function_count(p); id++)
            if (marked[id] && jg_program_representative(p, id) == id)
                look_at_marked(c, &r, id);
        jg_reach_fini(&r);
    }
    free(marked);
}

// ---- signal handlers ----------------------------------------------------------------------------

static void report_handler(const struct jg_program_check *c, const struct jg_reach *r, uint32_t id,
                           const struct jg_context_reason *why)
{
    struct jg_program_finding f;
    struct jg_function_ref ref = jg_program_function(c->program, id);
    uint32_t insn = r->insn[id], callee = r->next[id];
    const char *text = jg_reach_text(c, ref.unit_index, insn, callee);
    jg_program_finding_begin(c, &f, JG_RULE_JNI_IN_SIGNAL_HANDLER, id);
    jg_describe_at_loc(
        &f.d, ref.unit->insns.data[insn].loc,
        "the signal handler '%s' calls %s%s%s, while the thread that it interrupts may "
        "be anywhere in the virtual machine; set a flag and let a thread do the rest",
        f.d.function, text, callee == JG_NONE ? "" : ", ",
        callee == JG_NONE ? "" : which(c, r, callee));
    if (!r->sure[id] || r->length[id] > 2) // a long way depends on much
        jg_lower_confidence(&f.d, JG_MEDIUM, JG_DOUBT_WAY);
    jg_program_step(c, &f, why->unit, why->loc, "'%s' becomes a signal handler here", f.d.function);
    jg_reach_steps(c, &f, r, id, insn, callee);
    jg_program_finding_end(c, &f);
}

void jg_check_signal_handlers(const struct jg_program_check *c)
{
    const struct jg_program *p = c->program;
    struct jg_reach r = {0};
    for (uint32_t id = 0; id < jg_program_function_count(p); id++) {
        struct jg_context_reason why;
        if (!jg_program_context_reason(p, id, JG_CONTEXT_SIGNAL, &why) || why.root != id ||
            jg_program_representative(p, id) != id)
            continue;
        if (!r.length)
            jg_reach_init(&r, p, &(struct jg_reach_query){jg_is_jni_call, NULL, false});
        if (r.length[id] != JG_NONE)
            report_handler(c, &r, id, &why);
    }
    jg_reach_fini(&r);
}
