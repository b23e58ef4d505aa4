// SPDX-License-Identifier: Apache-2.0
//
// Attaching a thread and detaching it: attached and detached on some ways out only, a thread that
// ends attached, and a thread detached that somebody else has attached.
//
// Whether a call attached the thread is known by its status, or by the environment it stored. A
// function that hands the environment to its caller leaves detaching to a twin, one that stores it
// as thread-specific data leaves it to a destructor. Not seen here: attaching and detaching in
// functions that this one calls, but that they detach.

#include "analyzer/checks/describe.h"
#include "analyzer/checks/threads.h"
#include "rules/jni.h"

#include <string.h>

enum { ON_SOME_WAYS, AT_THREAD_END, NEVER };

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

static bool names_a_detach(const char *name)
{
    return name && (strstr(name, "etach") || strstr(name, "DETACH"));
}

// Functions that keep a value for the thread; a destructor detaches it when the thread ends.
static bool keeps_for_thread(const char *name)
{
    static const char *const keepers[] = {"pthread_setspecific", "tss_set",       "TlsSetValue",
                                          "FlsSetValue",         "g_private_set", NULL};
    for (const char *const *k = keepers; name && *k; k++)
        if (strcmp(name, *k) == 0)
            return true;
    return false;
}

#define MAX_DEPTH 4 // of calls that are followed

// Does the function of this unit, or one that it calls, detach the thread, or see to it?
static bool function_detaches(const struct jg_unit *u, uint32_t function, int depth)
{
    uint32_t first, end;
    jg_function_insns(u, &u->functions.data[function], &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (invokes(in, JG_INVOKE_DetachCurrentThread) || keeps_for_thread(jg_insn_callee(u, in)))
            return true;
        if (in->op != JG_OP_CALL || in->sub != JG_CALLEE_SYMBOL || depth == 0)
            continue;
        uint32_t callee = u->symbols.data[in->a].function;
        if (callee != JG_NONE && callee != function && function_detaches(u, callee, depth - 1))
            return true;
    }
    return false;
}

// Does the call, of another function than those of JNI, detach the thread, or see to it?
static bool detaches_elsewhere(const struct jg_unit *u, const struct jg_insn *in)
{
    const char *name = jg_insn_callee(u, in);
    if (in->op == JG_OP_CALL && in->sub == JG_CALLEE_FIELD)
        return names_a_detach(jg_unit_str(u, u->fields.data[in->a].name));
    if (!name)
        return false;
    const struct jg_symbol *callee = &u->symbols.data[in->a];
    if (names_a_detach(name) || keeps_for_thread(name))
        return true;
    if (callee->function != JG_NONE)
        return function_detaches(u, callee->function, MAX_DEPTH);
    for (uint32_t i = 0; i < callee->param_count; i++)
        if (u->types.data[u->param_types.data[callee->first_param + i]].role == JG_ROLE_VM)
            return true;
    return false;
}

// Does the function detach the thread on some way on from an instruction? JG_NONE: anywhere.
static bool detaches_after(const struct jg_moment *m, uint32_t insn)
{
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &m->unit->insns.data[i];
        if ((invokes(in, JG_INVOKE_DetachCurrentThread) || detaches_elsewhere(m->unit, in)) &&
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

static void attach(const struct jg_moment *m)
{
    struct jg_recalled get;
    if (jg_moment_is_native(m) || (jg_moment_recall(m, JG_TOPIC_GET_ENV, &get) && get.result == 0))
        return; // is attached: nothing happens
    const struct jg_value_info *out =
        m->call->arg_count > 1 ? jg_moment_value(m, m->args[1]) : NULL;
    jg_value env = out && out->kind == JG_V_ADDR
                       ? jg_value_make(jg_moment_domain(m), JG_V_MADE, m->insn, out->a)
                       : JG_VALUE_UNKNOWN;
    jg_moment_remember(m, JG_TOPIC_ATTACHED, m->insn, env);
}

// Does the function attach the thread on some path, or make JNI calls? One that only asks and
// detaches is there to detach what others have attached.
static bool uses_thread(const struct jg_moment *m, bool *attaches_it)
{
    uint32_t first, end;
    bool uses = *attaches_it = false;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        *attaches_it |= attaches(&m->unit->insns.data[i]);
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

static void detach(const struct jg_moment *m)
{
    struct jg_recalled get = {.insn = JG_NONE, .result = -1}, attached;
    bool asked = jg_moment_recall(m, JG_TOPIC_GET_ENV, &get);
    struct jg_violation v = jg_violation_of(JG_RULE_THREAD_DETACH_FOREIGN);
    v.parameter = runs_below_java(m);
    v.origin = v.parameter ? JG_NONE : get.insn;
    if (!jg_moment_recall(m, JG_TOPIC_ATTACHED, &attached) &&
        (v.parameter ? get.result != 1 : asked && is_foreign(m, &get, &v.all)))
        jg_moment_report(m, v, m->insn);
    jg_moment_forget(m, JG_TOPIC_ATTACHED);
    jg_moment_forget(m, JG_TOPIC_GET_ENV);
}

void jg_watch_attachment(const struct jg_moment *m)
{
    const struct jg_insn *in = m->call;
    if (attaches(in)) {
        attach(m);
    } else if (invokes(in, JG_INVOKE_GetEnv)) {
        if (detaches_after(m, JG_NONE))
            jg_moment_remember(m, JG_TOPIC_GET_ENV, m->insn, JG_VALUE_UNKNOWN);
    } else if (invokes(in, JG_INVOKE_DetachCurrentThread)) {
        detach(m);
    } else if (invokes(in, JG_INVOKE_DestroyJavaVM)) {
        jg_moment_forget(m, JG_TOPIC_ATTACHED);
    } else {
        struct jg_recalled attached;
        if (jg_moment_recall(m, JG_TOPIC_ATTACHED, &attached) && detaches_elsewhere(m->unit, in))
            jg_moment_forget(m, JG_TOPIC_ATTACHED);
    }
}

bool jg_is_attached(const struct jg_moment *m, struct jg_recalled *attached)
{
    return jg_moment_recall(m, JG_TOPIC_ATTACHED, attached) && attached->result != 1 &&
           (attached->value == JG_VALUE_UNKNOWN || jg_moment_truth(m, attached->value) != 0);
}

void jg_watch_attached_return(const struct jg_moment *m)
{
    struct jg_recalled attached;
    if (!jg_is_attached(m, &attached) ||
        (attached.value != JG_VALUE_UNKNOWN && jg_moment_is_given_back(m, attached.value)))
        return;
    struct jg_violation v = jg_violation_of(JG_RULE_THREAD_ATTACH_WITHOUT_DETACH);
    v.number = jg_moment_is_thread_entry(m) ? AT_THREAD_END : ON_SOME_WAYS;
    v.origin = attached.insn;
    if (v.number == AT_THREAD_END ||
        detaches_after(m, attached.insn)) // one for all that it attaches
        jg_moment_report(m, v, JG_TOPIC_ATTACHED);
}

// ---- never --------------------------------------------------------------------------------------

static bool detaches(const struct jg_unit *u, const struct jg_insn *in)
{
    const char *name = jg_insn_callee(u, in);
    return invokes(in, JG_INVOKE_DetachCurrentThread) || names_a_detach(name) ||
           keeps_for_thread(name);
}

static bool is_detached_anywhere(const struct jg_program *p)
{
    for (uint32_t k = 0; k < jg_program_unit_count(p); k++) {
        const struct jg_unit *u = jg_program_unit(p, k);
        for (uint32_t i = 0; i < u->insns.count; i++)
            if (detaches(u, &u->insns.data[i]))
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

bool jg_describe_attach_without_detach(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *made = jg_invoke_function(d->unit->insns.data[v->origin].a)->name;
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
    if (v->number == AT_THREAD_END)
        jg_describe_at(d, v->origin,
                       "the thread that runs '%s' is attached by %s and ends without "
                       "DetachCurrentThread; the virtual machine keeps its local references and "
                       "waits for it in DestroyJavaVM (ART aborts): detach it on every way out",
                       d->function, made);
    else
        jg_describe_at(d, v->origin,
                       "%s attaches the thread in '%s', which detaches it on other ways out but "
                       "not on this one; a thread that ends attached leaks its local references, "
                       "and DestroyJavaVM waits for it: call DetachCurrentThread here, too",
                       made, d->function);
    if (jg_describe_may_exit(d) || (v->number == AT_THREAD_END && v->unknown_callee))
        jg_lower_confidence(
            d, JG_MEDIUM,
            "a function on the way may have detached it, or may not return"); // that may have seen
                                                                              // to it
    jg_describe_step(d, v->origin, "attached here");
    jg_describe_path(d, 1);
    jg_describe_step(d, JG_NONE, "'%s' returns here, still attached", d->function);
    return true;
}

bool jg_describe_detach_foreign(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (v->parameter) {
        d->finding->severity = JG_WARNING;
        jg_describe_at(d, v->insn,
                       "DetachCurrentThread is called in '%s', which Java code calls on a thread "
                       "that was attached before; with Java frames below, the virtual machine "
                       "refuses (ART aborts): detach only threads that the native code has "
                       "attached",
                       d->function);
        jg_describe_path(d, 0);
        return true;
    }
    jg_describe_at(d, v->insn,
                   "DetachCurrentThread is called in '%s' on a thread that was attached before, as "
                   "GetEnv has said; whoever attached it goes on with a JNIEnv and references that "
                   "are not valid any more: detach only where GetEnv returned JNI_EDETACHED and "
                   "AttachCurrentThread was called here",
                   d->function);
    jg_describe_step(d, v->origin, "GetEnv called here");
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "detached here");
    return true;
}
