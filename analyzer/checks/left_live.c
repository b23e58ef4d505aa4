// SPDX-License-Identifier: Apache-2.0
//
// Local references that a function leaves behind for nobody: the engine finds them where the
// summary is made; here is decided what that costs, by where the function runs.
//
// Below native methods the virtual machine drops them in the end: a note. On a thread without a
// native frame, and in what other code calls back, they add up: a warning. Not seen here: functions
// that push a local frame, and those that leave a reference behind only where they initialise
// something or throw. What lies in a loop of the function itself is local-ref-leak-in-loop.

#include "analyzer/checks/describe.h"
#include "rules/jni.h"

#include <string.h>

// ---- who frees them -----------------------------------------------------------------------------

#define MAX_DEPTH 2 // of calls that are followed

static bool names_a_detach(const struct jg_unit *u, const struct jg_insn *in)
{
    const char *name = in->sub == JG_CALLEE_FIELD ? jg_unit_str(u, u->fields.data[in->a].name)
                                                  : jg_insn_callee(u, in);
    return name && (strstr(name, "etach") || strstr(name, "DETACH"));
}

static bool leaves_frame(const struct jg_program *p, uint32_t id, int depth);

// Does the instruction end what local references live in: a frame, the attachment of the thread,
// the virtual machine?
static bool frees(const struct jg_program *p, uint32_t unit, uint32_t insn, int depth)
{
    const struct jg_unit *u = jg_program_unit(p, unit);
    const struct jg_insn *in = &u->insns.data[insn];
    if (in->op != JG_OP_CALL)
        return false;
    if (in->sub == JG_CALLEE_INVOKE)
        return in->a == JG_INVOKE_DetachCurrentThread || in->a == JG_INVOKE_DestroyJavaVM;
    if (jg_insn_calls(in, JG_JNI_PopLocalFrame) || names_a_detach(u, in))
        return true;
    bool complete;
    uint32_t count;
    const uint32_t *ids = jg_program_callees(p, unit, insn, &count, &complete);
    for (uint32_t i = 0; depth > 0 && i < count; i++)
        if (leaves_frame(p, ids[i], depth - 1))
            return true;
    return false;
}

// Does the function do that for its caller? One that pushes the frame itself does not.
static bool leaves_frame(const struct jg_program *p, uint32_t id, int depth)
{
    struct jg_function_ref f = jg_program_function(p, id);
    uint32_t first, end;
    bool found = false;
    jg_function_insns(f.unit, &f.unit->functions.data[f.index], &first, &end);
    for (uint32_t i = first; i < end; i++) {
        if (jg_insn_calls(&f.unit->insns.data[i], JG_JNI_PushLocalFrame))
            return false;
        found |= frees(p, f.unit_index, i, depth);
    }
    return found;
}

static bool function_frees(const struct jg_program *p, uint32_t id)
{
    struct jg_function_ref f = jg_program_function(p, id);
    uint32_t first, end;
    jg_function_insns(f.unit, &f.unit->functions.data[f.index], &first, &end);
    for (uint32_t i = first; i < end; i++)
        if (frees(p, f.unit_index, i, MAX_DEPTH))
            return true;
    return false;
}

// ---- do they add up? ----------------------------------------------------------------------------

static uint32_t block_of(const struct jg_unit *u, const struct jg_function *f, uint32_t insn)
{
    for (uint32_t b = 0; b < f->block_count; b++) {
        const struct jg_block *block = &u->blocks.data[f->first_block + b];
        if (insn - block->first_insn < block->insn_count)
            return b;
    }
    return 0;
}

enum turn { NO_LOOP, KEEPS, FREES };

// Of the loop that an instruction of a function lies in: do its turns free local references?
static enum turn turns_of(const struct jg_program *p, uint32_t id, uint32_t insn)
{
    struct jg_function_ref ref = jg_program_function(p, id);
    const struct jg_unit *u = ref.unit;
    const struct jg_function *f = &u->functions.data[ref.index];
    uint32_t at = block_of(u, f, insn);
    const struct jg_block *from = &u->blocks.data[f->first_block + at];
    bool again = false;
    for (uint32_t i = 0; i < from->succ_count; i++)
        again |= jg_function_reaches(u, f, u->succs.data[from->first_succ + i], at);
    if (!again)
        return NO_LOOP;
    for (uint32_t b = 0; b < f->block_count; b++) {
        const struct jg_block *block = &u->blocks.data[f->first_block + b];
        for (uint32_t i = block->first_insn; i < block->first_insn + block->insn_count; i++)
            if (frees(p, ref.unit_index, i, MAX_DEPTH) && jg_function_reaches(u, f, at, b) &&
                jg_function_reaches(u, f, b, at))
                return FREES;
    }
    return KEEPS;
}

// Does the caller free what each of its calls leaves behind? Where it calls in a loop, turn by
// turn.
static bool caller_frees(const struct jg_program *p, uint32_t caller, uint32_t id)
{
    bool direct;
    uint32_t call = jg_program_call_site(p, caller, id, &direct);
    enum turn turn = call == JG_NONE ? NO_LOOP : turns_of(p, caller, call);
    return turn == NO_LOOP ? function_frees(p, caller) : turn == FREES;
}

static bool all_callers_free(const struct jg_program *p, uint32_t id)
{
    uint32_t count;
    const uint32_t *callers = jg_program_callers(p, id, &count);
    for (uint32_t i = 0; i < count; i++)
        if (!caller_frees(p, callers[i], id))
            return false;
    return count > 0;
}

// Is the root of the context what a thread begins with? Others are called on that thread by someone
// who is not known, and attach it.
static bool is_entry(const struct jg_context_reason *r)
{
    return strncmp(r->what, "AttachCurrentThread", strlen("AttachCurrentThread")) != 0;
}

// Follows the callers up to the loop in which the references add up. The entry of a thread runs
// once.
static bool adds_up_on_thread(const struct jg_program *p, uint32_t id)
{
    struct jg_context_reason r;
    while (!function_frees(p, id) && jg_program_context_reason(p, id, JG_CONTEXT_THREAD, &r)) {
        if (r.caller == JG_NONE)
            return !is_entry(&r);
        bool direct;
        uint32_t call = jg_program_call_site(p, r.caller, id, &direct);
        enum turn turn = call == JG_NONE ? NO_LOOP : turns_of(p, r.caller, call);
        if (turn != NO_LOOP)
            return turn == KEEPS;
        id = r.caller;
    }
    return false;
}

static bool adds_up_in_callback(const struct jg_program *p, uint32_t id)
{
    struct jg_context_reason r;
    while (!function_frees(p, id) && jg_program_context_reason(p, id, JG_CONTEXT_CALLBACK, &r)) {
        if (r.caller == JG_NONE)
            return true;
        id = r.caller;
    }
    return false;
}

enum jg_rule jg_leak_rule(const struct jg_program *p, uint32_t id)
{
    uint8_t contexts = jg_program_contexts(p, id);
    if (contexts & JG_CONTEXT_NATIVE)
        return JG_RULE_LOCAL_REF_LEAK_IN_HELPER;
    if (contexts & JG_CONTEXT_THREAD && adds_up_on_thread(p, id))
        return JG_RULE_LOCAL_REF_LEAK_ON_THREAD;
    if (contexts & JG_CONTEXT_CALLBACK && adds_up_in_callback(p, id))
        return JG_RULE_LOCAL_REF_LEAK_IN_CALLBACK;
    return JG_RULE_LOCAL_REF_LEAK_IN_HELPER;
}

// The virtual machine calls it, or a thread begins with it: it runs once before its references go.
static bool is_outermost(const struct jg_program *p, uint32_t id)
{
    struct jg_context_reason r;
    return (jg_program_context_reason(p, id, JG_CONTEXT_NATIVE, &r) && r.root == id) ||
           (jg_program_context_reason(p, id, JG_CONTEXT_THREAD, &r) && r.root == id &&
            is_entry(&r));
}

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
    const char *how = !is_entry(r) ? jg_bump_format(d->arena, "'%s' attaches", root)
                      : r->loc == JG_NONE
                          ? jg_bump_format(d->arena, "'%s' is the entry of", root)
                          : jg_bump_format(d->arena, "%s starts with '%s'", r->what, root);
    if (!is_entry(r))
        jg_lower_confidence(d, JG_MEDIUM, "threads of Java are attached, too");
    step_elsewhere(d, r,
                   is_entry(r) ? jg_bump_format(d->arena, "'%s' is started here", root)
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
        "%s is called back by code outside this program, many times before control returns to "
        "Java or on a thread where it never does, and each call leaves one more alive",
        itself ? "it" : jg_bump_format(d->arena, "'%s', which comes to call it,", root));
}

bool jg_describe_left_live(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const struct jg_program *p = jg_engine_program(d->engine);
    uint32_t id = jg_engine_function_id(d->engine);
    struct jg_context_reason r;
    if (is_outermost(p, id) || function_frees(p, id) || all_callers_free(p, id) || is_thrown(d))
        return false;
    enum jg_rule rule = jg_leak_rule(p, id);
    if (v->unknown_callee)
        jg_lower_confidence(d, JG_MEDIUM, JG_DOUBT_CALLEE);
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
