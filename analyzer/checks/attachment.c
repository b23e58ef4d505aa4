// SPDX-License-Identifier: Apache-2.0
//
// Attaching a thread and detaching it: attached and detached on some ways out only, a thread that
// ends attached, and a thread detached that somebody else has attached.
//
// The engine follows attaching and detaching, through helpers in any file, too (engine/threads.c).
// A function that hands the environment to its caller leaves detaching to a twin, one that stores
// it as thread-specific data leaves it to a destructor. A helper that attaches where needed and
// says whether it has makes its caller detach.

#include "analyzer/checks/describe.h"
#include "analyzer/checks/threads.h"
#include "analyzer/engine/analysis.h"
#include "rules/jni.h"

#include <string.h>

enum { ON_SOME_WAYS, AT_THREAD_END, TOLD, NEVER };

static bool invokes(const struct jg_insn *in, enum jg_invoke_slot slot)
{
    return in->op == JG_OP_CALL && in->sub == JG_CALLEE_INVOKE && in->a == (uint32_t)slot;
}

static bool attaches(const struct jg_insn *in)
{
    return invokes(in, JG_INVOKE_AttachCurrentThread) ||
           invokes(in, JG_INVOKE_AttachCurrentThreadAsDaemon);
}

// ---- who detaches -------------------------------------------------------------------------------

// Does the function detach the thread on some way on from an instruction? JG_NONE: anywhere.
static bool detaches_after(const struct jg_moment *m, uint32_t insn)
{
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        if (jg_engine_may_detach(m->engine, i) &&
            (insn == JG_NONE || jg_engine_reaches(m->engine, jg_engine_block_of(m->engine, insn),
                                                  jg_engine_block_of(m->engine, i))))
            return true;
    }
    return false;
}

// ---- along the paths ----------------------------------------------------------------------------

static const char *function_name(const struct jg_moment *m)
{
    return jg_function_name(m->unit, &m->unit->functions.data[m->function]);
}

// The VM calls it from Java code, so that there are Java frames below it.
static bool runs_below_java(const struct jg_moment *m)
{
    return jg_moment_is_native(m) && strncmp(function_name(m), "JNI_OnUnload", 12) != 0 &&
           strncmp(function_name(m), "Agent_", 6) != 0;
}

// Does the function attach the thread on some path, or make JNI calls? One that only asks and
// detaches is there to detach what others have attached.
static bool uses_thread(const struct jg_moment *m, bool *attaches_it)
{
    uint32_t first, end;
    bool uses = *attaches_it = false;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        *attaches_it |= jg_engine_may_attach(m->engine, i);
        uses |= jg_insn_jni(&m->unit->insns.data[i]) != NULL;
    }
    return uses || *attaches_it;
}

// Not attached on this path, by this function: by whom GetEnv found it to be attached, then? Where
// other paths attach it, the status need not be known: this one was not taken for theirs.
static bool is_foreign(const struct jg_moment *m, const struct jg_recalled *get, bool *sure)
{
    return uses_thread(m, sure) && (*sure ? get->result != 1 : get->result == 0);
}

void jg_watch_attachment(const struct jg_moment *m)
{
    struct jg_recalled get = {.insn = JG_NONE, .result = -1}, attached;
    if (!invokes(m->call, JG_INVOKE_DetachCurrentThread) ||
        jg_moment_recall(m, JG_TOPIC_ATTACHED, &attached))
        return;
    bool asked = jg_moment_recall(m, JG_TOPIC_GET_ENV, &get);
    struct jg_violation v = jg_violation_of(JG_RULE_THREAD_DETACH_FOREIGN);
    v.parameter = runs_below_java(m);
    v.cause = m->insn;
    v.origin = v.parameter ? JG_NONE : get.insn;
    if (v.parameter ? get.result != 1 : asked && is_foreign(m, &get, &v.all))
        jg_moment_report(m, v, m->insn);
}

// The same where a helper has done it, whatever its cases.
static void judge_detached(const struct jg_moment *m)
{
    struct jg_recalled detached;
    bool all;
    if (!jg_moment_recall(m, JG_TOPIC_DETACHED, &detached) ||
        jg_moment_truth(m, detached.value) != 1 ||
        invokes(&m->unit->insns.data[detached.insn], JG_INVOKE_DetachCurrentThread))
        return;
    struct jg_violation v = jg_violation_of(JG_RULE_THREAD_DETACH_FOREIGN);
    v.parameter = runs_below_java(m);
    v.cause = detached.insn;
    if (v.parameter ? detached.result != 1 : detached.result == 0 && uses_thread(m, &all))
        jg_moment_report(m, v, detached.insn);
}

static bool starts_vm(const struct jg_moment *m, uint32_t call)
{
    const struct jg_model *model = jg_engine_model(m->engine, call);
    return model && model->does & JG_DOES_STARTS_VM;
}

bool jg_is_attached(const struct jg_moment *m, struct jg_recalled *attached)
{
    return !jg_moment_is_native(m) && jg_moment_recall(m, JG_TOPIC_ATTACHED, attached) &&
           !starts_vm(m, attached->insn) && // which is what DestroyJavaVM is for
           attached->result != 1 &&
           (attached->value == JG_VALUE_UNKNOWN || jg_moment_truth(m, attached->value) != 0);
}

// Is the value computed from a local variable, an environment in it aside?
static bool comes_from(const struct jg_moment *m, uint32_t temp, uint32_t var, int depth)
{
    const struct jg_unit *u = m->unit;
    const struct jg_insn *in = jg_engine_definition(m->engine, temp);
    if (!in || depth == 0)
        return false;
    if (in->op == JG_OP_UN)
        return comes_from(m, in->a, var, depth - 1);
    if (in->op == JG_OP_BIN)
        return comes_from(m, in->a, var, depth - 1) || comes_from(m, in->b, var, depth - 1);
    if (in->op != JG_OP_LOAD && in->op != JG_OP_ADDR)
        return false;
    const struct jg_place *p = &u->places.data[in->a];
    return p->base_kind == JG_BASE_VAR && p->base == var &&
           (in->type == JG_NONE || u->types.data[in->type].role != JG_ROLE_ENV);
}

#define MAX_DEPTH 4 // of expressions

// Is it handed on what the helper called at `call` has said by a local variable: stored, passed,
// returned?
static bool tells_others(const struct jg_moment *m, uint32_t call, uint32_t var)
{
    const struct jg_unit *u = m->unit;
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if ((in->op == JG_OP_STORE && comes_from(m, in->b, var, MAX_DEPTH)) ||
            (in->op == JG_OP_COPY && u->places.data[in->b].base == var &&
             u->places.data[in->b].base_kind == JG_BASE_VAR))
            return true;
        for (uint32_t k = 0; in->op == JG_OP_CALL && i != call && k < in->arg_count; k++)
            if (comes_from(m, u->args.data[in->first_arg + k], var, MAX_DEPTH))
                return true;
    }
    const struct jg_function *f = &u->functions.data[m->function];
    for (uint32_t b = 0; b < f->block_count; b++) {
        const struct jg_block *block = &u->blocks.data[f->first_block + b];
        if (block->term == JG_TERM_RETURN && block->cond != JG_NONE &&
            comes_from(m, block->cond, var, MAX_DEPTH))
            return true;
    }
    return false;
}

// The local variable whose address the argument is; JG_NONE.
static uint32_t local_variable(const struct jg_moment *m, uint32_t temp)
{
    const struct jg_insn *in = jg_engine_definition(m->engine, temp);
    if (!in || in->op != JG_OP_ADDR)
        return JG_NONE;
    const struct jg_place *p = &m->unit->places.data[in->a];
    bool local = p->base_kind == JG_BASE_VAR && p->elem_count == 0 &&
                 m->unit->vars.data[p->base].kind == JG_VAR_LOCAL;
    return local ? p->base : JG_NONE;
}

// The local variable that the result of a call is stored in; JG_NONE.
static uint32_t result_variable(const struct jg_moment *m, uint32_t call)
{
    uint32_t first, end, temp = m->unit->insns.data[call].dst;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; temp != JG_NONE && i < end; i++) {
        const struct jg_insn *in = &m->unit->insns.data[i];
        if (in->op == JG_OP_STORE &&
            jg_engine_definition(m->engine, in->b) == &m->unit->insns.data[call])
            return jg_place_variable(m->unit, in->a);
    }
    return JG_NONE;
}

static bool is_env_variable(const struct jg_moment *m, uint32_t var)
{
    return m->unit->types.data[m->unit->vars.data[var].type].role == JG_ROLE_ENV;
}

// The helper says whether it has attached the thread: to this function alone?
static bool is_told(const struct jg_moment *m, uint32_t call)
{
    const struct jg_insn *in = &m->unit->insns.data[call];
    if (jg_engine_attaches(m->engine, call) != JG_ATTACHES_AND_TELLS)
        return false;
    for (uint32_t k = 0; k < in->arg_count; k++) {
        uint32_t temp = m->unit->args.data[in->first_arg + k];
        const struct jg_insn *address = jg_engine_definition(m->engine, temp);
        uint32_t var = local_variable(m, temp);
        if (!address || address->op != JG_OP_ADDR)
            continue;
        if (var == JG_NONE || (!is_env_variable(m, var) && tells_others(m, call, var)))
            return false;
    }
    uint32_t result = result_variable(m, call);
    return result == JG_NONE || is_env_variable(m, result) || !tells_others(m, call, result);
}

static bool owes(const struct jg_moment *m, const struct jg_recalled *attached, int64_t *how)
{
    *how = AT_THREAD_END;
    if (jg_moment_is_thread_entry(m))
        return true;
    *how = ON_SOME_WAYS;
    if (detaches_after(m, attached->insn)) // who keeps threads attached need not detach here
        return jg_engine_attaches(m->engine, attached->insn) != JG_ATTACHES_IF_NEEDED;
    *how = TOLD;
    return is_told(m, attached->insn);
}

void jg_watch_attached_return(const struct jg_moment *m)
{
    struct jg_recalled attached;
    struct jg_violation v = jg_violation_of(JG_RULE_THREAD_ATTACH_WITHOUT_DETACH);
    judge_detached(m);
    if (!jg_is_attached(m, &attached) ||
        (attached.value != JG_VALUE_UNKNOWN && jg_moment_is_given_back(m, attached.value)) ||
        !owes(m, &attached, &v.number))
        return;
    v.origin = attached.insn;
    jg_moment_report(m, v, JG_TOPIC_ATTACHED);
}

// ---- never --------------------------------------------------------------------------------------

static bool detaches(const struct jg_program *p, uint32_t unit, uint32_t insn)
{
    const struct jg_unit *u = jg_program_unit(p, unit);
    const struct jg_insn *in = &u->insns.data[insn];
    if (in->op != JG_OP_CALL || in->sub == JG_CALLEE_JNI)
        return false;
    const struct jg_model *m = in->sub == JG_CALLEE_INVOKE ? NULL : jg_program_model(p, unit, insn);
    return invokes(in, JG_INVOKE_DetachCurrentThread) ||
           (m && (m->does | m->does_not) & JG_DOES_DETACHES
                ? (m->does & JG_DOES_DETACHES) != 0
                : jg_names_a_detach(jg_insn_callee(u, in)));
}

static bool is_detached_anywhere(const struct jg_program *p)
{
    for (uint32_t k = 0; k < jg_program_unit_count(p); k++) {
        const struct jg_unit *u = jg_program_unit(p, k);
        for (uint32_t i = 0; i < u->insns.count; i++)
            if (detaches(p, k, i))
                return true;
    }
    return false;
}

// One finding for the program, at the first call that attaches.
static bool is_first_to_attach(const struct jg_program *p, const struct jg_insn *call)
{
    for (uint32_t k = 0; k < jg_program_unit_count(p); k++) {
        const struct jg_unit *u = jg_program_unit(p, k);
        for (uint32_t i = 0; i < u->insns.count; i++)
            if (attaches(&u->insns.data[i]))
                return &u->insns.data[i] == call;
    }
    return false;
}

struct jg_hash jg_attachment_facts(const struct jg_program *p)
{
    struct jg_hasher h;
    jg_hasher_init(&h);
    for (uint32_t k = 0; k < jg_program_unit_count(p); k++) {
        const struct jg_unit *u = jg_program_unit(p, k);
        for (uint32_t i = 0; i < u->insns.count; i++)
            if (attaches(&u->insns.data[i])) {
                uint32_t facts[2] = {i, is_detached_anywhere(p)};
                jg_hasher_add_str(&h, jg_unit_str(u, u->path));
                jg_hasher_add(&h, facts, sizeof facts);
                return jg_hasher_final(&h);
            }
    }
    return jg_hasher_final(&h); // nobody asks
}

void jg_watch_not_detached(const struct jg_moment *m)
{
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        if (!attaches(&m->unit->insns.data[i]))
            continue;
        if (jg_moment_is_native(m) || jg_moment_is_thread_entry(m) ||
            !is_first_to_attach(jg_moment_program(m), &m->unit->insns.data[i]) ||
            is_detached_anywhere(jg_moment_program(m)))
            return;
        struct jg_violation v = jg_violation_of(JG_RULE_THREAD_ATTACH_WITHOUT_DETACH);
        v.number = NEVER;
        v.origin = v.insn = i;
        v.block = jg_engine_block_of(m->engine, i);
        jg_moment_report(m, v, i);
    }
}

// ---- words --------------------------------------------------------------------------------------

// "AttachCurrentThread", or "'helper'".
static const char *called(struct jg_describe *d, uint32_t insn)
{
    const struct jg_insn *in = &d->unit->insns.data[insn];
    return in->sub == JG_CALLEE_INVOKE ? jg_invoke_function(in->a)->name : jg_called(d, insn);
}

bool jg_describe_attach_without_detach(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *made = called(d, v->origin);
    if (v->number == NEVER) {
        d->finding->severity = JG_NOTE;
        jg_lower_confidence(d, JG_MEDIUM, "somewhere else, which is not seen, it may be detached");
        jg_describe_at(d, v->origin,
                       "%s attaches the thread in '%s', and nothing in this program detaches it; a "
                       "thread that ends attached leaks its local references, and DestroyJavaVM "
                       "waits for it: call DetachCurrentThread before it ends",
                       made, d->function);
        return true;
    }
    if (v->number == TOLD)
        jg_describe_at(d, v->origin,
                       "%s attaches the thread where that is needed and tells '%s' so, which "
                       "returns here without having detached it; a thread that ends attached leaks "
                       "its local references, and DestroyJavaVM waits for it: call "
                       "DetachCurrentThread, or the function that does, where %s has attached",
                       made, d->function, made);
    else if (v->number == AT_THREAD_END)
        jg_describe_at(d, v->origin,
                       "the thread that runs '%s' is attached by %s and ends without "
                       "DetachCurrentThread; the virtual machine keeps its local references and "
                       "waits for it in DestroyJavaVM (ART aborts): detach it on every way out",
                       d->function, made);
    else
        jg_describe_at(d, v->origin,
                       "%s attaches the thread in '%s', which returns here without having detached "
                       "it; a thread that ends attached leaks its local references, and "
                       "DestroyJavaVM waits for it: call DetachCurrentThread on every way out that "
                       "follows the attaching",
                       made, d->function);
    if (jg_describe_may_exit(d) || (v->number == AT_THREAD_END && v->unknown_callee))
        jg_lower_confidence(d, JG_MEDIUM,
                            "a function on the way may have detached it, or may not return");
    jg_describe_step(d, v->origin, "attached here");
    jg_describe_path(d, 1);
    jg_describe_step(d, JG_NONE, "'%s' returns here, still attached", d->function);
    return true;
}

bool jg_describe_detach_foreign(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *detach = called(d, v->cause);
    bool helper = d->unit->insns.data[v->cause].sub != JG_CALLEE_INVOKE;
    const char *what = helper ? jg_bump_format(d->arena, "%s, which detaches the thread,", detach)
                              : "DetachCurrentThread";
    if (v->parameter) {
        d->finding->severity = JG_WARNING;
        jg_describe_at(d, v->cause,
                       "%s is called in '%s', which Java code calls on a thread "
                       "that was attached before; with Java frames below, the virtual machine "
                       "refuses (ART aborts): detach only threads that the native code has "
                       "attached",
                       what, d->function);
        jg_describe_path(d, 0);
        return true;
    }
    const char *asked = v->origin == JG_NONE ? "GetEnv" : called(d, v->origin);
    jg_describe_at(d, v->cause,
                   "%s is called in '%s' on a thread that was attached before, as %s has said; "
                   "whoever attached it goes on with a JNIEnv and references that are not valid "
                   "any more: detach only where %s",
                   what, d->function, asked,
                   *asked == '\''
                       ? jg_bump_format(d->arena, "%s has attached it", asked)
                       : "GetEnv returned JNI_EDETACHED and AttachCurrentThread was called here");
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "%s called here", asked);
    jg_describe_path(d, 1);
    jg_describe_step(d, v->cause, "detached here");
    return true;
}
