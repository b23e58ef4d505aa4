// SPDX-License-Identifier: Apache-2.0
//
// Arguments that no release, and no acquisition, may be given: a NULL pointer, array or string, a
// mode that does not exist, and a constant where `isCopy` points to a jboolean.
//
// NULL is what the function itself says on the path: a literal, an initialiser, its own test. A
// parameter that nobody tests is not taken for NULL. Not seen: JNI_TRUE as mode (it is JNI_COMMIT).

#include "analyzer/checks/describe.h"

#include <string.h>

// Is the argument NULL on this path?
static bool is_null(const struct jg_moment *m, enum jg_param_role role, jg_value *v, uint32_t *temp)
{
    return jg_moment_argument(m, role, v, temp) && jg_moment_truth(m, *v) == 0;
}

static bool is_written_as_constant(const struct jg_moment *m, uint32_t temp)
{
    const struct jg_insn *in = jg_engine_definition(m->engine, temp);
    return in && (in->op == JG_OP_NULL || in->op == JG_OP_CONST);
}

// What is held was acquired from something, so where the array or string is NULL, it is another one
// than that; or the path is none that can be taken, and a NULL of which only the engine knows is no
// proof: tables of strings and their characters, filled in step.
static bool is_null_owner(const struct jg_moment *m, jg_value *v, uint32_t *temp)
{
    jg_value pointer;
    struct jg_seen o;
    if (!is_null(m, JG_PARAM_RELEASE_OWNER, v, temp))
        return false;
    if (is_written_as_constant(m, *temp))
        return true;
    return jg_moment_argument(m, JG_PARAM_RELEASE, &pointer, NULL) &&
           jg_moment_object(m, pointer, &o) && o.states == JG_STATE_HELD &&
           o.owner != jg_moment_base(m, *v, NULL);
}

void jg_watch_release_null(const struct jg_moment *m)
{
    const struct jg_jni_function *fn = jg_moment_jni(m);
    jg_value v;
    uint32_t temp;
    if (!fn || jg_jni_param(fn, JG_PARAM_RELEASE) < 0)
        return;
    enum jg_param_role role = JG_PARAM_RELEASE;
    if (!is_null(m, role, &v, &temp)) {
        role = JG_PARAM_RELEASE_OWNER;
        if (!is_null_owner(m, &v, &temp))
            return;
    }
    // What is wrong with a critical release is one rule's, whatever it is.
    bool critical = (fn->flags & JG_JNI_CRITICAL_OK) != 0;
    struct jg_violation violation = jg_violation_of(critical ? JG_RULE_CRITICAL_MISMATCHED_RELEASE
                                                             : JG_RULE_BUFFER_RELEASE_NULL);
    if (!is_written_as_constant(m, temp))
        violation.name = jg_engine_expression(m->engine, temp);
    violation.detail = fn->params[jg_jni_param(fn, role)].name;
    violation.parameter = role == JG_PARAM_RELEASE_OWNER;
    violation.event = JG_EVENT_USE;
    violation.inferred = jg_moment_value(m, v)->kind != JG_V_CONST;
    jg_moment_report(m, violation, m->insn);
}

void jg_watch_release_mode(const struct jg_moment *m)
{
    jg_value v;
    int64_t mode;
    if (!jg_moment_argument(m, JG_PARAM_MODE, &v, NULL) || !jg_moment_constant(m, v, &mode) ||
        (mode >= 0 && mode <= 2))
        return;
    struct jg_violation violation = jg_violation_of(JG_RULE_BUFFER_RELEASE_BAD_MODE);
    violation.number = mode;
    jg_moment_report(m, violation, m->insn);
}

void jg_watch_iscopy(const struct jg_moment *m)
{
    jg_value v;
    int64_t constant;
    if (!jg_moment_argument(m, JG_PARAM_ISCOPY, &v, NULL) ||
        jg_moment_value(m, v)->kind != JG_V_CONST || !jg_moment_constant(m, v, &constant) ||
        constant == 0)
        return;
    struct jg_violation violation = jg_violation_of(JG_RULE_ISCOPY_BAD_ARGUMENT);
    violation.number = constant;
    jg_moment_report(m, violation, m->insn);
}

// ---- in words -----------------------------------------------------------------------------------

static const char *released_thing(const char *release)
{
    return strstr(release, "String") ? "a string" : "an array";
}

bool jg_describe_release_null(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *release = jg_called(d, v->insn), *thing = released_thing(release);
    // A check for exceptions may have found an older one.
    if (v->inferred && v->name &&
        !jg_describe_assumed(d, jg_bump_format(d->arena, "'%s' is NULL", v->name)))
        jg_lower_confidence(d, JG_MEDIUM,
                            "that it is NULL follows from something else than a test of it");
    const char *given =
        v->name ? jg_bump_format(d->arena, "'%s' is NULL where '%s' passes it to %s on this path",
                                 v->name, d->function, release)
                : jg_bump_format(d->arena, "%s is given NULL as '%s' in '%s'", release, v->detail,
                                 d->function);
    if (v->parameter)
        jg_describe_at(d, v->insn,
                       "%s; the memory goes back to %s, and some virtual machines crash without "
                       "it: pass the one that the memory was acquired from",
                       given, thing);
    else
        jg_describe_at(
            d, v->insn, "%s; there is nothing to release, and NULL is not allowed: %s", given,
            v->name ? jg_bump_format(d->arena, "release only when '%s' is not NULL", v->name)
                    : "pass the pointer that was acquired, or drop the call");
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "%s called with NULL", release);
    return true;
}

bool jg_describe_release_mode(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *release = jg_called(d, v->insn);
    bool both = v->number == 3; // JNI_COMMIT | JNI_ABORT
    jg_describe_at(d, v->insn,
                   "%s is given the mode %lld%s in '%s' and may neither copy back nor "
                   "release: pass 0 to copy back and release, JNI_COMMIT to copy back only, or "
                   "JNI_ABORT to release only",
                   release, (long long)v->number, both ? " (JNI_COMMIT and JNI_ABORT at once)" : "",
                   d->function);
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "mode %lld passed here", (long long)v->number);
    return true;
}

bool jg_describe_iscopy(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *acquire = jg_called(d, v->insn);
    jg_describe_at(d, v->insn,
                   "%s is given the constant %lld as 'isCopy' in '%s'; that is no request for a "
                   "copy but the address of a jboolean, which the call writes: pass NULL, or the "
                   "address of a variable to be told",
                   acquire, (long long)v->number, d->function);
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "%lld passed as an address here", (long long)v->number);
    return true;
}
