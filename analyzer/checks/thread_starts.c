// SPDX-License-Identifier: Apache-2.0
//
// What belongs to one thread and is given to another one when that is started: a JNIEnv pointer, or
// a local reference, as the argument of pthread_create and its like or in the memory that the
// argument points to.
//
// Not seen here: what the new thread finds in a static variable (env-cached, local-ref-escape), in
// a queue or behind a second pointer, and threads that start in functions of the project's own.

#include "analyzer/checks/describe.h"
#include "analyzer/checks/threads.h"

#include <string.h>

static const struct jg_thread_start starts[] = {
    {"CreateThread", 2, 3},     {"_beginthread", 0, 2}, {"_beginthreadex", 2, 3},
    {"g_thread_create", 0, 1},  {"g_thread_new", 1, 2}, {"g_thread_try_new", 1, 2},
    {"pthread_create", 2, 3},   {"thrd_create", 1, 2},  {"uv_thread_create", 1, 2},
    {"SDL_CreateThread", 0, 2},
};

const struct jg_thread_start *jg_thread_start(const char *name)
{
    for (size_t i = 0; name && i < sizeof starts / sizeof *starts; i++)
        if (strcmp(name, starts[i].name) == 0)
            return &starts[i];
    return NULL;
}

// The function whose address a temporary is, casts skipped; JG_NONE. Temporaries are defined
// before they are used, in the same function.
static uint32_t function_address(const struct jg_unit *u, uint32_t call, uint32_t temp)
{
    for (uint32_t i = call; i-- > 0;) {
        const struct jg_insn *in = &u->insns.data[i];
        if (in->dst != temp)
            continue;
        if (in->op == JG_OP_FNADDR)
            return in->a;
        if (in->op != JG_OP_CAST)
            return JG_NONE;
        temp = in->a;
    }
    return JG_NONE;
}

bool jg_is_thread_entry(const struct jg_moment *m)
{
    const struct jg_unit *u = m->unit;
    uint32_t symbol = u->functions.data[m->function].symbol;
    if (!(u->symbols.data[symbol].flags & JG_SYM_ADDRESS_GIVEN))
        return false;
    for (uint32_t i = 0; i < u->insns.count; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        const struct jg_thread_start *start = jg_thread_start(jg_insn_callee(u, in));
        if (start && start->entry < in->arg_count &&
            function_address(u, i, u->args.data[in->first_arg + start->entry]) == symbol)
            return true;
    }
    return false;
}

// ---- what is given ------------------------------------------------------------------------------

static bool is_local(const struct jg_moment *m, jg_value value, struct jg_seen *seen)
{
    return jg_moment_object(m, value, seen) && seen->kind == JG_KIND_LOCAL &&
           seen->states == JG_STATE_LIVE && jg_moment_truth(m, value) != 0;
}

static void given(const struct jg_moment *m, jg_value value, const char *place, uint32_t stored)
{
    struct jg_seen seen = {.origin = JG_NONE};
    bool env = jg_is_env(m, value);
    if (!env && !is_local(m, value, &seen))
        return;
    struct jg_violation v =
        jg_violation_of(env ? JG_RULE_ENV_CROSS_THREAD : JG_RULE_LOCAL_REF_CROSS_THREAD);
    v.name = jg_moment_name(m, value);
    v.place = place;
    v.cause = stored;
    v.detail = jg_moment_callee(m);
    v.kind = JG_KIND_LOCAL;
    v.origin = seen.origin;
    v.since = seen.since;
    v.inferred = seen.inferred;
    jg_moment_report(m, v, m->insn);
}

static void see_behind(void *context, jg_region place, jg_value value, uint32_t insn)
{
    const struct jg_moment *m = context;
    if (insn != JG_NONE && m->unit->insns.data[insn].op == JG_OP_STORE)
        given(m, value, jg_moment_place_name(m, place), insn);
}

void jg_watch_thread_start(const struct jg_moment *m)
{
    const struct jg_thread_start *start = jg_thread_start(jg_moment_callee(m));
    if (!start || start->argument >= m->call->arg_count)
        return;
    given(m, m->args[start->argument], NULL, JG_NONE);
    jg_moment_behind(m, m->args[start->argument], see_behind, (void *)m);
}

static void describe_steps(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "made here");
    if (v->cause != JG_NONE)
        jg_describe_path_past(d, 1, v->cause, "stored here");
    else
        jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "thread started here");
}

// " in 'args->self'" for what lies behind the argument, or "".
static const char *where(struct jg_describe *d)
{
    return d->violation->place ? jg_bump_format(d->arena, " in '%s'", d->violation->place) : "";
}

bool jg_describe_env_cross_thread(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    jg_describe_at(d, v->insn,
                   "the JNIEnv pointer%s is given%s to the thread that '%s' starts; it is valid on "
                   "the thread of '%s' only, and another one that uses it corrupts the virtual "
                   "machine: give it the JavaVM pointer (GetJavaVM), and let it call "
                   "AttachCurrentThread",
                   v->name ? jg_bump_format(d->arena, " '%s'", v->name) : "", where(d), v->detail,
                   d->function);
    describe_steps(d);
    return true;
}

bool jg_describe_local_cross_thread(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (v->inferred)
        jg_lower_confidence(d, JG_MEDIUM);
    jg_describe_at(d, v->insn,
                   "%s is given%s to the thread that '%s' starts; it is valid on the thread of "
                   "'%s' only: give the other thread a global reference (NewGlobalRef) to use and "
                   "to delete",
                   jg_subject(d), where(d), v->detail, d->function);
    describe_steps(d);
    return true;
}
