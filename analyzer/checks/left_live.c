// SPDX-License-Identifier: Apache-2.0
//
// Local references that a function leaves behind for nobody: the engine finds them where the
// summary is made, and lifetime.h says what that costs, by where the function runs.
//
// Below native methods the virtual machine drops them in the end: a note. On a thread without a
// native frame, and in what other code calls back, they add up: a warning. Not seen here: functions
// that push a local frame, and those that leave a reference behind only where they initialise
// something or throw. What lies in a loop of the function itself is local-ref-leak-in-loop.

#include "analyzer/checks/describe.h"
#include "analyzer/engine/lifetime.h"
#include "rules/jni.h"

#include <string.h>

// Whoever throws leaves the rest to the native method, which returns.
static bool is_thrown(struct jg_describe *d)
{
    uint32_t first, end;
    jg_engine_insns(d->engine, &first, &end);
    for (uint32_t i = first; d->violation->name && i < end; i++) {
        const struct jg_insn *in = &d->unit->insns.data[i];
        if (!jg_insn_calls(in, JG_JNI_Throw) || in->arg_count < 2)
            continue;
        const char *thrown = jg_engine_expression(d->engine, d->unit->args.data[in->first_arg + 1]);
        if (thrown && strcmp(thrown, d->violation->name) == 0)
            return true;
    }
    return false;
}

// ---- words --------------------------------------------------------------------------------------

static void step_elsewhere(struct jg_describe *d, const struct jg_context_reason *r,
                           const char *message)
{
    const struct jg_unit *own = d->unit;
    if (r->unit == JG_NONE || r->loc == JG_NONE)
        return;
    d->unit = jg_program_unit(jg_engine_program(d->engine), r->unit);
    jg_describe_step_loc(d, r->loc, "%s", message);
    d->unit = own;
}

// Where the function runs, and how long the reference stays; a step for what is known of it.
static const char *describe_thread(struct jg_describe *d, const struct jg_context_reason *r)
{
    const char *root = jg_program_function_name(jg_engine_program(d->engine), r->root);
    const char *how = !jg_is_thread_entry(r) ? jg_bump_format(d->arena, "'%s' attaches", root)
                      : r->loc == JG_NONE
                          ? jg_bump_format(d->arena, "'%s' is the entry of", root)
                          : jg_bump_format(d->arena, "%s starts with '%s'", r->what, root);
    if (!jg_is_thread_entry(r))
        jg_lower_confidence(d, JG_MEDIUM, "threads of Java are attached, too");
    step_elsewhere(d, r,
                   jg_is_thread_entry(r) ? jg_bump_format(d->arena, "'%s' is started here", root)
                                         : jg_bump_format(d->arena, "'%s' attaches here", root));
    return jg_bump_format(d->arena,
                          "it runs on a thread that %s, below no native method, so each call "
                          "leaves one more alive until the thread detaches",
                          how);
}

static const char *describe_callback(struct jg_describe *d, const struct jg_context_reason *r)
{
    const char *root = jg_program_function_name(jg_engine_program(d->engine), r->root);
    bool itself = r->root == jg_engine_function_id(d->engine);
    jg_lower_confidence(d, JG_MEDIUM, "how often it is called back, and where, is not seen");
    step_elsewhere(d, r, jg_bump_format(d->arena, "the address of '%s' is given away here", root));
    return jg_bump_format(
        d->arena,
        "%s is called back by code outside this program, perhaps many times before control "
        "returns to Java, or on a thread where it never does; each call leaves one more alive",
        itself ? "it" : jg_bump_format(d->arena, "'%s', which comes to call it,", root));
}

bool jg_describe_left_live(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const struct jg_program *p = jg_engine_program(d->engine);
    uint32_t id = jg_engine_function_id(d->engine);
    struct jg_context_reason r;
    if (jg_is_outermost(p, id) || jg_function_frees(p, id) || jg_callers_free(p, id) ||
        is_thrown(d))
        return false;
    enum jg_rule rule = jg_leak_rule(p, id);
    if (v->unknown_callee)
        jg_doubt_callee(d);
    const char *why = "each call leaves one more alive until control returns to Java";
    if (rule != v->rule)
        jg_describe_become(d, rule);
    if (rule == JG_RULE_LOCAL_REF_LEAK_ON_THREAD &&
        jg_program_context_reason(p, id, JG_CONTEXT_THREAD, &r))
        why = describe_thread(d, &r);
    else if (rule == JG_RULE_LOCAL_REF_LEAK_IN_CALLBACK &&
             jg_program_context_reason(p, id, JG_CONTEXT_CALLBACK, &r))
        why = describe_callback(d, &r);
    jg_describe_at(
        d, v->origin, "%s, made in '%s', %s when '%s' returns; %s: call DeleteLocalRef on it first",
        jg_subject(d), d->function,
        jg_engine_ends_elsewhere(d->engine, v->origin) ? "is on some path neither deleted nor held"
                                                       : "is neither deleted nor held",
        d->function, why);
    jg_describe_step(d, v->origin, "made by %s", jg_called(d, v->origin));
    jg_describe_path(d, 1);
    jg_describe_step(d, JG_NONE, "'%s' returns here with it still alive", d->function);
    jg_describe_exits(d, "still alive here, too");
    return true;
}
