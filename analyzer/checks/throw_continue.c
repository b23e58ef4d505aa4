// SPDX-License-Identifier: Apache-2.0
//
// Code that throws a Java exception and does not leave: Throw and ThrowNew only mark the exception
// as pending, and control runs on into the work that the exception was to prevent.
//
// Reported is work that uses what has just been found bad (a NULL pointer, a negative number, a
// variable of the condition), and, with less confidence, any other work that comes right behind
// `if (bad) { throw; }` and is done on good paths, too. Cleaning up, reporting and jumping to a
// label of one's own are right after a throw. JNI calls are exception-pending-call's.
//
// A function of the project that always throws is a throw as well. Not seen here: branches that do
// more after the throw than to go on.

#include "analyzer/checks/describe.h"
#include "rules/jni.h"

#include <string.h>

enum { USES_NULL, USES_NEGATIVE, USES_TESTED, IS_WORK };

static bool gets_env(const struct jg_moment *m)
{
    for (uint32_t i = 0; i < m->call->arg_count; i++) {
        uint32_t temp = m->unit->args.data[m->call->first_arg + i];
        const struct jg_insn *in = jg_engine_definition(m->engine, temp);
        uint32_t type = in ? in->type : JG_NONE;
        enum jg_type_role role =
            type == JG_NONE ? JG_ROLE_NONE : (enum jg_type_role)m->unit->types.data[type].role;
        if (role == JG_ROLE_ENV || role == JG_ROLE_VM)
            return true;
    }
    return false;
}

// ---- the branch that throws ---------------------------------------------------------------------

struct shape {
    uint32_t tests[4]; // blocks whose condition decides whether it throws
    uint32_t count;
    uint32_t join; // where control goes on; JG_NONE: not `if (bad) { throw; }`
};

static const struct jg_block *block_at(const struct jg_moment *m, uint32_t b)
{
    return &m->unit->blocks.data[m->unit->functions.data[m->function].first_block + b];
}

static bool loads(const struct jg_moment *m, uint32_t temp, uint32_t var, int depth)
{
    const struct jg_insn *in = jg_engine_definition(m->engine, temp);
    if (!in || depth > 4)
        return false;
    if (in->op == JG_OP_LOAD)
        return jg_engine_loaded(m->engine, temp) == var;
    if (in->op == JG_OP_BIN)
        return loads(m, in->a, var, depth + 1) || loads(m, in->b, var, depth + 1);
    return in->op == JG_OP_UN && loads(m, in->a, var, depth + 1);
}

// The branches whose one side is `block` and whose other side is `join`.
static void find_tests(const struct jg_moment *m, uint32_t block, uint32_t join, struct shape *s)
{
    const struct jg_function *f = &m->unit->functions.data[m->function];
    for (uint32_t b = 0; b < f->block_count; b++) {
        const struct jg_block *test = block_at(m, b);
        if (test->term != JG_TERM_BRANCH || s->count == 4)
            continue;
        const uint32_t *to = &m->unit->succs.data[test->first_succ];
        if (to[0] != block && to[1] != block)
            continue;
        s->tests[s->count++] = b;
        if (to[0] == join || to[1] == join)
            s->join = join;
    }
}

static struct shape shape_of(const struct jg_moment *m, uint32_t origin)
{
    struct shape s = {.join = JG_NONE};
    const struct jg_insn *in = &m->unit->insns.data[origin];
    uint32_t b = jg_engine_block_of(m->engine, origin);
    if (block_at(m, b)->term != JG_TERM_JUMP)
        return s;
    uint32_t join = m->unit->succs.data[block_at(m, b)->first_succ];
    find_tests(m, b, join, &s);
    // `if (cls != NULL) ThrowNew(env, cls, ...)`: what is tested lies further out.
    uint32_t cls = jg_insn_jni(in)
                       ? jg_engine_loaded(m->engine, m->unit->args.data[in->first_arg + 1])
                       : JG_NONE;
    if (s.count == 1 && cls != JG_NONE && loads(m, block_at(m, s.tests[0])->cond, cls, 0)) {
        uint32_t inner = s.tests[0];
        s = (struct shape){.join = JG_NONE};
        find_tests(m, inner, join, &s);
    }
    return s;
}

// Does an operand come from a variable that the condition has tested?
static bool is_tested(const struct jg_moment *m, const struct shape *s, uint32_t temp)
{
    const struct jg_insn *in = jg_engine_definition(m->engine, temp);
    if (!in)
        return false;
    if (in->op == JG_OP_BIN)
        return is_tested(m, s, in->a) || is_tested(m, s, in->b);
    uint32_t var = jg_engine_loaded(m->engine, temp);
    for (uint32_t i = 0; var != JG_NONE && i < s->count; i++)
        if (loads(m, block_at(m, s->tests[i])->cond, var, 0))
            return true;
    return false;
}

// ---- moments ------------------------------------------------------------------------------------

// Is an exception pending that this function has thrown by itself? Then its origin.
static bool has_thrown(const struct jg_moment *m, uint32_t *origin)
{
    if (jg_moment_exception(m, origin) != JG_STATE_PENDING || *origin == JG_NONE)
        return false;
    const struct jg_insn *in = &m->unit->insns.data[*origin];
    return jg_insn_calls(in, JG_JNI_Throw) || jg_insn_calls(in, JG_JNI_ThrowNew) ||
           jg_engine_always_throws(m->engine, *origin);
}

// After a helper that throws only what cannot be meant is reported: the helper may be followed by
// bookkeeping of whatever name.
static void report(const struct jg_moment *m, uint32_t origin, int number, const char *name)
{
    if (number != USES_NULL && !jg_insn_jni(&m->unit->insns.data[origin]))
        return;
    struct jg_violation v = jg_violation_of(JG_RULE_EXCEPTION_THROW_THEN_CONTINUE);
    v.origin = origin;
    v.number = number;
    v.name = name;
    v.detail = m->call && m->call->op == JG_OP_CALL ? jg_moment_callee(m) : NULL;
    jg_moment_report(m, v, m->insn);
}

void jg_watch_call_after_throw(const struct jg_moment *m)
{
    uint32_t origin;
    const char *callee = jg_moment_callee(m);
    if (!callee || jg_name_hints(callee, JG_HINT_CLEANUP))
        return;
    if (!has_thrown(m, &origin)) {
        jg_engine_mark(m->engine, m->insn, JG_MARK_REACHED_WELL);
        return;
    }
    if (gets_env(m))
        return;
    struct shape s = shape_of(m, origin);
    for (uint32_t i = 0; i < m->call->arg_count; i++) {
        uint32_t temp = m->unit->args.data[m->call->first_arg + i];
        if (!jg_value_is_symbol(jg_moment_domain(m), m->args[i]) || !is_tested(m, &s, temp))
            continue;
        int64_t low, high;
        jg_moment_range(m, m->args[i], &low, &high);
        const struct jg_insn *in = jg_engine_definition(m->engine, temp);
        bool pointer =
            in && in->type != JG_NONE && m->unit->types.data[in->type].kind == JG_TYPE_POINTER;
        int number = pointer && jg_moment_truth(m, m->args[i]) == 0 ? USES_NULL
                     : !pointer && high < 0                         ? USES_NEGATIVE
                     : s.join != JG_NONE                            ? USES_TESTED
                                                                    : IS_WORK;
        if (number != IS_WORK) {
            report(m, origin, number, jg_moment_name(m, m->args[i]));
            return;
        }
    }
    if (s.join != JG_NONE)
        report(m, origin, IS_WORK, NULL);
}

void jg_watch_access_after_throw(const struct jg_moment *m)
{
    uint32_t origin;
    jg_value base = jg_moment_base(m, m->pointer, NULL);
    if (!has_thrown(m, &origin) || base == JG_VALUE_UNKNOWN)
        return;
    if (jg_value_is_symbol(jg_moment_domain(m), base) && jg_moment_truth(m, base) == 0) {
        report(m, origin, USES_NULL, jg_moment_name(m, base));
        return;
    }
    const struct jg_place *p = &m->unit->places.data[m->place];
    const struct jg_elem *e = &m->unit->elems.data[p->first_elem];
    if (!p->elem_count || e->kind != JG_ELEM_ANY || e->value == JG_NONE)
        return;
    struct shape s = shape_of(m, origin);
    if (s.join != JG_NONE && is_tested(m, &s, e->value)) {
        uint32_t var = jg_engine_loaded(m->engine, e->value);
        report(m, origin, USES_TESTED,
               var == JG_NONE ? NULL : jg_unit_str(m->unit, m->unit->vars.data[var].name));
    }
}

bool jg_describe_throw_continue(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    // One finding for a throw; and what only happens after it may be meant for it.
    if (jg_engine_marks(d->engine, v->origin) & JG_MARK_THROW_SAID ||
        (v->number == IS_WORK && !(jg_engine_marks(d->engine, v->insn) & JG_MARK_REACHED_WELL)))
        return false;
    jg_engine_mark(d->engine, v->origin, JG_MARK_THROW_SAID);
    if (v->number == IS_WORK || (v->number == USES_TESTED && v->detail))
        jg_lower_confidence(d, JG_MEDIUM, "what follows may be meant for after the exception");
    const char *name = v->name ? jg_bump_format(d->arena, "'%s'", v->name) : "the value";
    const char *called = v->detail ? jg_called(d, v->insn) : NULL;
    const char *what =
        v->number == IS_WORK
            ? jg_bump_format(d->arena, "%s is called as if nothing had happened", called)
        : v->detail ? jg_bump_format(d->arena, "%s is given %s, %s", called, name,
                                     v->number == USES_NULL       ? "which is NULL"
                                     : v->number == USES_NEGATIVE ? "which is negative"
                                                                  : "which the test has rejected")
                    : jg_bump_format(d->arena,
                                     v->number == USES_NULL ? "%s, which is NULL, is dereferenced"
                                                            : "%s, which the test has rejected, is "
                                                              "used as an index",
                                     name);
    const char *throws = jg_called(d, v->origin);
    jg_describe_at(d, v->origin,
                   "control runs on after %s in '%s' with the exception pending, to where %s: "
                   "return after the throw, or jump to the cleanup",
                   throws, d->function, what);
    jg_describe_path_past(d, 1, v->origin, "thrown here");
    jg_describe_step(d, v->insn, "the work goes on here");
    return true;
}
