// SPDX-License-Identifier: Apache-2.0
//
// Functions that say by their status whether they did what they were asked, and code that does not
// look: the call is a statement of its own, or the status lies in a variable that nobody reads.
//
// Looking takes other forms, too: a check of the exception that a failure leaves, a test of the
// environment that GetEnv or AttachCurrentThread stores, or leaving it to the Java caller, who gets
// the exception. `(void)` in front of the call is a decision. The search for these goes by the text
// of the function, not by its paths, and takes the benefit of the doubt.
//
// Not seen here: a status that is passed on to something which ignores it.

#include "analyzer/checks/describe.h"
#include "rules/jni.h"

#include <string.h>

// What nobody sees then, and whether a failure leaves an exception.
static const struct watched {
    bool invoke;
    uint32_t slot;
    bool warning, throws;
    const char *consequence;
} watched[] = {
    {true, JG_INVOKE_GetEnv, true, false,
     "on a thread that is not attached, or where the version is not supported, there is no "
     "environment to use: compare the status with JNI_OK"},
    {true, JG_INVOKE_AttachCurrentThread, true, false,
     "when the thread could not be attached there is no environment to use: compare the status "
     "with JNI_OK"},
    {true, JG_INVOKE_AttachCurrentThreadAsDaemon, true, false,
     "when the thread could not be attached there is no environment to use: compare the status "
     "with JNI_OK"},
    {false, JG_JNI_RegisterNatives, true, true,
     "when a method does not exist none of those after it is registered and NoSuchMethodError is "
     "pending: return with an error when the status is not 0"},
    {false, JG_JNI_EnsureLocalCapacity, false, true,
     "when memory is short the capacity is not there and OutOfMemoryError is pending: return when "
     "the status is not 0"},
    {false, JG_JNI_PushLocalFrame, false, true,
     "when memory is short no frame was pushed and OutOfMemoryError is pending: return, without "
     "PopLocalFrame, when the status is not 0"},
    {false, JG_JNI_MonitorEnter, false, false,
     "when it failed the code runs without the lock and releases one that it does not hold: return "
     "when the status is not 0"},
    {false, JG_JNI_UnregisterNatives, false, false,
     "when it failed the methods still lead into this library: compare the status with 0 before "
     "going on"},
};

static const struct watched *find(const struct jg_insn *in)
{
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++) {
        uint8_t sub = watched[i].invoke ? JG_CALLEE_INVOKE : JG_CALLEE_JNI;
        if (in->op == JG_OP_CALL && in->sub == sub && in->a == watched[i].slot)
            return &watched[i];
    }
    return NULL;
}

// ---- other ways to look -------------------------------------------------------------------------

// A function of the project that may be such a check.
static bool may_check(const struct jg_moment *m, uint32_t insn)
{
    const struct jg_unit *u = m->unit;
    const struct jg_insn *in = &u->insns.data[insn];
    if (in->sub != JG_CALLEE_SYMBOL)
        return false;
    return jg_engine_checks(m->engine, insn) ||
           jg_name_hints(jg_unit_str(u, u->symbols.data[in->a].name), JG_HINT_CHECK);
}

enum next { NEXT_NOTHING, NEXT_CHECK, NEXT_OTHER };

// What comes first in instructions [i, end): an exception check, another JNI call, or neither.
static enum next look(const struct jg_moment *m, uint32_t i, uint32_t end)
{
    const struct jg_unit *u = m->unit;
    for (; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (in->op != JG_OP_CALL)
            continue;
        if (may_check(m, i))
            return NEXT_CHECK;
        if (in->sub != JG_CALLEE_JNI)
            continue;
        const struct jg_jni_function *fn = jg_jni_function(in->a);
        bool releases = (fn->flags & JG_JNI_PENDING_OK) && !(fn->flags & JG_JNI_PUSHES_FRAME);
        if (fn->flags & (JG_JNI_TESTS | JG_JNI_CLEARS))
            return NEXT_CHECK;
        if (!releases)
            return NEXT_OTHER;
    }
    return NEXT_NOTHING;
}

// Does an exception check follow on some way, before any other JNI call that is not legal with an
// exception pending? `*other`: such a call follows on some way.
static bool check_follows(const struct jg_moment *m, bool *other)
{
    const struct jg_unit *u = m->unit;
    const struct jg_function *f = &u->functions.data[m->function];
    uint32_t stack[64], depth = 0, seen[64], count = 0, i, end, b = m->block;
    jg_engine_block(m->engine, b, &i, &end);
    *other = false;
    for (i = m->insn + 1;;) {
        enum next next = look(m, i, end);
        if (next == NEXT_CHECK)
            return true;
        *other |= next == NEXT_OTHER;
        const struct jg_block *block = &u->blocks.data[f->first_block + b];
        for (uint32_t k = 0; next == NEXT_NOTHING && k < block->succ_count; k++) {
            uint32_t to = u->succs.data[block->first_succ + k], n = 0;
            while (n < count && seen[n] != to)
                n++;
            if (n == count && count < 64)
                seen[count++] = stack[depth++] = to;
        }
        if (!depth)
            return false;
        b = stack[--depth];
        jg_engine_block(m->engine, b, &i, &end);
    }
}

// What somebody makes of the environment that was stored.
enum env_use { ENV_TESTED, ENV_RETURNED, ENV_USED, ENV_ELSEWHERE };

static bool is_load_of(const struct jg_moment *m, uint32_t temp, uint32_t var)
{
    return temp != JG_NONE && jg_engine_loaded(m->engine, temp) == var;
}

static bool tests(const struct jg_moment *m, const struct jg_insn *in, uint32_t var)
{
    if (in->op == JG_OP_BIN && (in->sub == JG_BIN_EQ || in->sub == JG_BIN_NE))
        return is_load_of(m, in->a, var) || is_load_of(m, in->b, var);
    return in->op == JG_OP_UN && in->sub == JG_UN_NOT && is_load_of(m, in->a, var);
}

static enum env_use use_of(const struct jg_moment *m, const struct jg_insn *call)
{
    const struct jg_unit *u = m->unit;
    const struct jg_insn *address =
        call->arg_count < 2 ? NULL
                            : jg_engine_definition(m->engine, u->args.data[call->first_arg + 1]);
    if (!address || address->op != JG_OP_ADDR)
        return ENV_ELSEWHERE;
    const struct jg_place *p = &u->places.data[address->a];
    if (p->base_kind != JG_BASE_VAR || p->elem_count || u->vars.data[p->base].kind != JG_VAR_LOCAL)
        return ENV_ELSEWHERE;
    const struct jg_function *f = &u->functions.data[m->function];
    bool returned = false;
    for (uint32_t b = 0; b < f->block_count; b++) {
        const struct jg_block *block = &u->blocks.data[f->first_block + b];
        uint32_t i, end;
        for (jg_engine_block(m->engine, b, &i, &end); i < end; i++)
            if (tests(m, &u->insns.data[i], p->base))
                return ENV_TESTED;
        if (block->term == JG_TERM_BRANCH && is_load_of(m, block->cond, p->base))
            return ENV_TESTED;
        returned |= block->term == JG_TERM_RETURN && is_load_of(m, block->cond, p->base);
    }
    return returned ? ENV_RETURNED : ENV_USED;
}

// Is it looked at in another way? `*sure` is cleared where that cannot be told.
static bool is_looked_at(const struct jg_moment *m, const struct watched *w, bool *sure)
{
    if (w->invoke) {
        enum env_use use = use_of(m, m->call);
        // GetEnv stores NULL when it fails: who gets the environment can see it.
        bool told = use == ENV_RETURNED && w->slot == JG_INVOKE_GetEnv;
        *sure = use == ENV_USED;
        return use == ENV_TESTED || told;
    }
    bool other, follows = check_follows(m, &other);
    // The exception goes on to the Java caller with nothing in between.
    bool propagates =
        w->throws && !other && jg_moment_is_native(m) &&
        strncmp(jg_function_name(m->unit, &m->unit->functions.data[m->function]), "JNI_", 4) != 0;
    *sure = other || !w->throws;
    return w->throws && (follows || propagates);
}

void jg_watch_status(const struct jg_moment *m)
{
    const struct watched *w = find(m->call);
    if (!w || m->call->flags & JG_INSN_VOID_CAST)
        return;
    uint32_t var;
    if (!jg_engine_is_unread(m->engine, m->insn, &var))
        return;
    bool sure = true;
    if (is_looked_at(m, w, &sure))
        return;
    struct jg_violation v = jg_violation_of(JG_RULE_STATUS_IGNORED);
    v.number = w - watched;
    v.all = sure && var == JG_NONE;
    if (var != JG_NONE)
        v.name = jg_unit_str(m->unit, m->unit->vars.data[var].name);
    jg_moment_report(m, v, m->insn);
}

bool jg_describe_status(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const struct watched *w = &watched[v->number];
    const char *name =
        w->invoke ? jg_invoke_function(w->slot)->name : jg_jni_function(w->slot)->name;
    if (!w->warning)
        d->finding->severity = JG_NOTE;
    jg_describe_at(d, v->insn, "the status of %s is %s in '%s'; %s", name,
                   v->name ? jg_bump_format(d->arena, "stored in '%s' and never read", v->name)
                           : "ignored",
                   d->function, w->consequence);
    jg_describe_path(d, 0);
    return true;
}
