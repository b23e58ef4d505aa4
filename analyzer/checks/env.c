// SPDX-License-Identifier: Apache-2.0
//
// The JNI environment, a pointer that belongs to one thread: kept beyond the call it was given to,
// or used where there is none.
//
// What is kept is judged when the function returns, so that a place which is set for the duration
// of a call and reset at its end is right. Not seen here: an environment kept by a function that it
// is passed to, one that a helper has fetched and its caller keeps, and places reached through a
// parameter of a helper, which its caller judges.

#include "analyzer/checks/describe.h"
#include "analyzer/checks/threads.h"
#include "rules/jni.h"

#include <string.h>

// ---- kept ---------------------------------------------------------------------------------------

bool jg_is_env(const struct jg_moment *m, jg_value value)
{
    const struct jg_unit *u = m->unit;
    const struct jg_value_info *v = jg_moment_value(m, value);
    uint32_t param = jg_moment_parameter(m, value);
    if (param != JG_NONE)
        return u->types.data[u->vars.data[param].type].role == JG_ROLE_ENV;
    return v->kind == JG_V_MADE && jg_moment_is_env(m, value);
}

static const char *variable_name(const struct jg_moment *m, uint32_t var)
{
    return jg_unit_str(m->unit, m->unit->vars.data[var].name);
}

// A store to a variable of static storage, or to a JNIEnv pointer inside it.
static bool stores_to(const struct jg_unit *u, const struct jg_insn *in, uint32_t var)
{
    if (in->op != JG_OP_STORE || u->places.data[in->a].base_kind != JG_BASE_VAR ||
        u->places.data[in->a].base != var)
        return false;
    return !u->places.data[in->a].elem_count || u->types.data[in->type].role == JG_ROLE_ENV;
}

// Is there another store to the variable in this function? Then its paths decide.
static bool is_stored_again(const struct jg_moment *m, uint32_t var, uint32_t insn)
{
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++)
        if (i != insn && stores_to(m->unit, &m->unit->insns.data[i], var))
            return true;
    return false;
}

// Does only some other function of the unit set the variable back to NULL? Then there are two
// halves, one that sets it for the time of a call and one that ends that time.
static bool is_reset_elsewhere(const struct jg_moment *m, uint32_t var, uint32_t insn)
{
    const struct jg_unit *u = m->unit;
    if (is_stored_again(m, var, insn))
        return false;
    for (uint32_t i = 0; i < u->insns.count; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (!stores_to(u, in, var))
            continue;
        for (uint32_t k = i; k-- > 0 && i - k < 16;)
            if (u->insns.data[k].dst == in->b && u->insns.data[k].op == JG_OP_NULL)
                return true;
    }
    return false;
}

// Does another function of the unit set the same field? Then it is set anew before every use.
static bool is_refreshed(const struct jg_moment *m, uint32_t insn)
{
    const struct jg_unit *u = m->unit;
    const struct jg_insn *kept = &u->insns.data[insn];
    if (kept->op != JG_OP_STORE || !u->places.data[kept->a].elem_count)
        return false;
    const struct jg_place *p = &u->places.data[kept->a];
    struct jg_elem field = u->elems.data[p->first_elem + p->elem_count - 1];
    const struct jg_function *f = &u->functions.data[m->function];
    const struct jg_block *first = &u->blocks.data[f->first_block];
    const struct jg_block *last = &u->blocks.data[f->first_block + f->block_count - 1];
    for (uint32_t i = 0; i < u->insns.count && field.kind == JG_ELEM_FIELD; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (in->op != JG_OP_STORE ||
            (i >= first->first_insn && i < last->first_insn + last->insn_count))
            continue;
        p = &u->places.data[in->a];
        if (!p->elem_count)
            continue;
        const struct jg_elem *e = &u->elems.data[p->first_elem + p->elem_count - 1];
        if (e->kind == JG_ELEM_FIELD && e->value == field.value)
            return true;
    }
    return false;
}

static void report_kept(const struct jg_moment *m, const char *place, bool heap, uint32_t insn)
{
    struct jg_violation v = jg_violation_of(JG_RULE_ENV_CACHED);
    v.place = place;
    v.all = !heap;
    v.inferred = heap && is_refreshed(m, insn);
    v.cause = insn;
    const struct jg_insn *in = &m->unit->insns.data[insn];
    if (in->op == JG_OP_CALL)
        v.detail = jg_invoke_function(in->a)->name;
    jg_moment_report(m, v, insn);
}

static void see_kept(void *context, jg_region place, jg_value value, uint32_t insn)
{
    const struct jg_moment *m = context;
    struct jg_domain *d = jg_moment_domain(m);
    const struct jg_region_info *root = jg_region_info(d, jg_region_info(d, place)->root);
    const struct jg_insn *in = &m->unit->insns.data[insn];
    bool stored = in->op == JG_OP_STORE || in->op == JG_OP_COPY ||
                  (in->op == JG_OP_CALL && in->sub == JG_CALLEE_INVOKE);
    const struct jg_value_info *v = jg_moment_value(m, value);
    bool helper =
        v->kind == JG_V_MADE && m->unit->insns.data[v->a].sub != JG_CALLEE_INVOKE; // not seen
    if (!stored || helper || !jg_is_env(m, value))
        return;
    bool variable = root->kind == JG_R_VAR;
    if (variable && is_reset_elsewhere(m, root->a, insn))
        return;
    report_kept(m, jg_moment_place_name(m, place), !variable, insn);
}

void jg_watch_kept_env(const struct jg_moment *m)
{
    jg_moment_kept(m, see_kept, (void *)m);
}

// A parameter of type JNIEnv * that nothing is assigned to.
static bool is_env_parameter(const struct jg_moment *m, uint32_t temp)
{
    uint32_t var = jg_engine_loaded(m->engine, temp);
    return var != JG_NONE && m->unit->vars.data[var].kind == JG_VAR_PARAM &&
           m->unit->types.data[m->unit->vars.data[var].type].role == JG_ROLE_ENV;
}

// A static variable that gets the environment and nothing else: seen without regard to paths, since
// any function that is called afterwards could change it, and none does.
void jg_watch_kept_in_static(const struct jg_moment *m)
{
    const struct jg_unit *u = m->unit;
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (in->op != JG_OP_STORE || !is_env_parameter(m, in->b))
            continue;
        const struct jg_place *p = &u->places.data[in->a];
        if (p->base_kind != JG_BASE_VAR || p->elem_count ||
            u->vars.data[p->base].kind != JG_VAR_STATIC ||
            u->vars.data[p->base].thread_local_storage || is_stored_again(m, p->base, i) ||
            is_reset_elsewhere(m, p->base, i))
            continue;
        report_kept(m, variable_name(m, p->base), false, i);
    }
}

bool jg_describe_env_cached(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (jg_engine_marks(d->engine, v->cause) & JG_MARK_HANDED_OVER)
        return false; // env-cross-thread
    if (v->inferred)
        jg_lower_confidence(d, JG_LOW, "it is stored anew where it is used");
    jg_describe_at(
        d, v->cause,
        "the JNIEnv pointer %sis kept in '%s' when '%s' returns; it is valid on this thread "
        "only, and another thread that uses it corrupts the virtual machine: keep the JavaVM "
        "pointer (GetJavaVM) and call GetEnv where it is needed",
        v->detail ? jg_bump_format(d->arena, "from %s ", v->detail) : "",
        v->place ? v->place : "a place that outlives the call", d->function);
    jg_describe_path_past(d, 0, v->cause, "stored here");
    return true;
}

// ---- used without -------------------------------------------------------------------------------

enum { ENV_UNSET, ENV_NULL, ENV_FAILED, ENV_NOT_GIVEN };

// Has the call that stored the environment failed on this path, and nobody found it good?
static bool is_left_by_failure(const struct jg_moment *m, jg_value env, uint32_t *call)
{
    const struct jg_value_info v = *jg_moment_value(m, env);
    if (v.kind != JG_V_MADE || !v.b || v.older)
        return false;
    const struct jg_insn *in = &m->unit->insns.data[v.a];
    if (in->op != JG_OP_CALL || in->sub != JG_CALLEE_INVOKE)
        return false;
    *call = v.a;
    jg_value status = jg_value_make(jg_moment_domain(m), JG_V_MADE, v.a, 0);
    return jg_moment_truth(m, status) == 1 && jg_moment_truth(m, env) != 1;
}

// Below Java there always is one.
static bool runs_below_java(const struct jg_moment *m)
{
    return jg_moment_is_native(m) ||
           (jg_moment_contexts(m) & ~JG_CONTEXT_FETCHES) == JG_CONTEXT_NATIVE;
}

// The helper that had no environment to give, by the result or in memory; JG_NONE.
static uint32_t not_given_by(const struct jg_moment *m, jg_value env)
{
    const struct jg_value_info *v = jg_moment_value(m, env);
    bool helper = v->kind == JG_V_MADE && jg_moment_is_env(m, env) &&
                  m->unit->insns.data[v->a].sub != JG_CALLEE_INVOKE;
    return helper ? v->a : JG_NONE;
}

void jg_watch_env_used(const struct jg_moment *m)
{
    const struct jg_jni_function *fn = jg_moment_jni(m);
    if (!fn || m->call->arg_count == 0)
        return;
    struct jg_violation v = jg_violation_of(JG_RULE_ENV_UNCHECKED);
    uint32_t temp = m->unit->args.data[m->call->first_arg];
    uint32_t var = jg_engine_loaded(m->engine, temp);
    if (m->args[0] == JG_VALUE_UNSET)
        v.number = ENV_UNSET;
    else if (m->args[0] != JG_VALUE_UNKNOWN && jg_moment_truth(m, m->args[0]) == 0) {
        v.origin = not_given_by(m, m->args[0]);
        v.number = v.origin == JG_NONE ? ENV_NULL : ENV_NOT_GIVEN;
        if (v.number == ENV_NOT_GIVEN && runs_below_java(m))
            return;
    } else if (is_left_by_failure(m, m->args[0], &v.origin))
        v.number = ENV_FAILED;
    else
        return;
    v.name = var == JG_NONE ? NULL : variable_name(m, var);
    // One finding for a variable and what it was left by, not one for each call that follows.
    jg_moment_report(m, v, v.origin != JG_NONE ? v.origin : var == JG_NONE ? m->insn : ~var);
}

bool jg_describe_env_unchecked(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *it = v->name ? jg_bump_format(d->arena, "'%s'", v->name) : "the JNIEnv pointer";
    const char *called = jg_called(d, v->insn);
    if (jg_describe_may_exit(d))
        return false;
    if (v->number == ENV_UNSET) {
        jg_describe_at(d, v->insn,
                       "%s is called in '%s' through %s, which has no value on this path: get it "
                       "with GetEnv or AttachCurrentThread first",
                       called, d->function, it);
    } else if (v->number == ENV_NULL) {
        jg_describe_at(d, v->insn,
                       "%s is called in '%s' through %s, which is NULL on this path: return where "
                       "it is NULL, or get it with GetEnv or AttachCurrentThread",
                       called, d->function, it);
    } else if (v->number == ENV_NOT_GIVEN) {
        const char *from = jg_called(d, v->origin);
        jg_describe_at(d, v->insn,
                       "%s is called in '%s' through %s, which is NULL where %s has no environment "
                       "to give: return where it is NULL",
                       called, d->function, it, from);
        jg_describe_step(d, v->origin, "%s called here", from);
    } else {
        const char *made = jg_invoke_function(d->unit->insns.data[v->origin].a)->name;
        jg_describe_at(
            d, v->insn,
            "%s is called in '%s' through %s after the %s that should have stored it has "
            "failed: return where its status is not JNI_OK",
            called, d->function, it, made);
        jg_describe_step(d, v->origin, "%s called here", made);
    }
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "used here");
    return true;
}
