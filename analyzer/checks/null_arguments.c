// SPDX-License-Identifier: Apache-2.0
//
// NULL where JNI requires an object, a class, a string, a name or an ID.
//
// Seen: the literal, a value that the path's own test has found to be NULL, a variable that is NULL
// on every path to the call, and one that was tested where the branch for NULL leads back to the
// call, with nothing that decides in between. The last is found in the control flow: the paths have
// been merged by then. Which parameters must not be NULL is in rules/jni_functions.def.
//
// Not seen here: parameters that nobody tests (whether they may be NULL is the project's affair),
// what release functions are given, and calls made while the exception that left the NULL is
// pending: those belong to exception-pending-call and exception-unchecked-null.

#include "analyzer/checks/describe.h"

#include <string.h>

static bool needs_something(const struct jg_jni_param *p)
{
    switch (p->role) {
    case JG_PARAM_REF:
    case JG_PARAM_ACQUIRE:
    case JG_PARAM_MONITOR_ENTER:
    case JG_PARAM_MONITOR_EXIT:
    case JG_PARAM_FIELD_ID:
    case JG_PARAM_METHOD_ID:
    case JG_PARAM_NAME:
    case JG_PARAM_DESCRIPTOR:
        return p->null == JG_NOT_NULL;
    default:
        return false;
    }
}

// NULL because of an exception that may still be pending: the call is wrong for that reason.
static bool failed_with_exception(const struct jg_moment *m, jg_value v)
{
    const struct jg_jni_function *maker = jg_moment_maker(m, v);
    return maker && maker->null_class == JG_NULL_THROWS &&
           jg_moment_exception(m, NULL) != JG_STATE_CLEAN;
}

// A variable that somebody has set to NULL; the value says no more than that.
static bool is_plain_null(const struct jg_moment *m, jg_value v)
{
    return jg_moment_value(m, v)->kind == JG_V_CONST;
}

// Does the function run Java code, class initialisers included, before the call? A native method
// called from there may fill the statics that were found empty.
static bool may_have_been_filled(const struct jg_moment *m, jg_value v)
{
    if (jg_moment_value(m, v)->kind != JG_V_INIT || jg_moment_parameter(m, v) != JG_NONE)
        return false;
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &m->unit->insns.data[i];
        const struct jg_jni_function *fn = jg_insn_jni(in);
        if (i == m->insn || !fn)
            continue;
        bool looks_up = fn->result == JG_RESULT_METHOD_ID || fn->result == JG_RESULT_FIELD_ID;
        if (fn->flags & JG_JNI_CALLS_JAVA || in->a == JG_JNI_FindClass || looks_up ||
            strncmp(fn->name, "NewObject", 9) == 0)
            return true;
    }
    return false;
}

void jg_watch_null_argument(const struct jg_moment *m)
{
    const struct jg_jni_function *fn = jg_moment_jni(m);
    enum jg_state state = fn ? jg_moment_exception(m, NULL) : JG_STATE_UNKNOWN;
    if (!fn || state == JG_STATE_AFTER_CALL ||
        (state == JG_STATE_PENDING && !(fn->flags & JG_JNI_PENDING_OK)))
        return;
    for (uint32_t i = 1; i < fn->param_count && i < m->call->arg_count; i++) {
        uint32_t temp = m->unit->args.data[m->call->first_arg + i];
        if (!needs_something(&fn->params[i]))
            continue;
        int truth = jg_moment_truth(m, m->args[i]);
        if (truth != 0) {
            uint64_t given = JG_MARK_GIVEN(i), maybe = truth < 0 ? JG_MARK_MAYBE(i) : 0;
            if (jg_engine_loaded(m->engine, temp) != JG_NONE)
                jg_engine_mark(m->engine, m->insn, given | maybe);
            continue;
        }
        if (failed_with_exception(m, m->args[i]) || may_have_been_filled(m, m->args[i]))
            continue;
        struct jg_violation v = jg_violation_of(JG_RULE_REF_NULL_ARGUMENT);
        v.origin = jg_moment_made(m, m->args[i]);
        v.name = jg_engine_expression(m->engine, temp);
        v.parameter = jg_moment_parameter(m, m->args[i]) != JG_NONE;
        v.inferred = is_plain_null(m, m->args[i]);
        v.number = i;
        jg_moment_report(m, v, m->insn);
        return;
    }
}

// Does a call with that name end the program, or throw?
static bool sounds_final(const char *name)
{
    return name && jg_name_hints(name, JG_HINT_FAIL);
}

// ---- tested, and used all the same --------------------------------------------------------------

struct tested {
    const struct jg_moment *m;
    uint32_t var;
    uint32_t condition; // the instruction that tests it
    bool cleared;       // an exception that may have left the NULL
};

// The variable that the temporary is the value of, or was stored to: `(x = f()) == NULL`.
static uint32_t variable_of(const struct jg_moment *m, uint32_t temp, uint32_t block)
{
    uint32_t var = jg_engine_loaded(m->engine, temp), first, end;
    jg_engine_block(m->engine, block, &first, &end);
    for (uint32_t i = first; i < end && var == JG_NONE; i++) {
        const struct jg_insn *in = &m->unit->insns.data[i];
        if (in->op == JG_OP_STORE && in->b == temp)
            var = jg_place_variable(m->unit, in->a);
    }
    return var;
}

// Which successor a test of a variable takes when that is NULL; -1: the branch is no such test.
static int null_side(struct tested *t, uint32_t b, const struct jg_block *block)
{
    const struct jg_unit *u = t->m->unit;
    uint32_t temp = block->cond;
    int side = 1;
    const struct jg_insn *def = jg_engine_definition(t->m->engine, temp);
    while (def && def->op == JG_OP_UN && def->sub == JG_UN_NOT) {
        side = !side;
        temp = def->a;
        def = jg_engine_definition(t->m->engine, temp);
    }
    if (def && def->op == JG_OP_BIN && (def->sub == JG_BIN_EQ || def->sub == JG_BIN_NE)) {
        const struct jg_insn *null = jg_engine_definition(t->m->engine, def->b);
        if (!null || null->op != JG_OP_NULL)
            return -1;
        side = def->sub == JG_BIN_EQ ? !side : side;
        temp = def->a;
        def = jg_engine_definition(t->m->engine, temp);
    }
    if (!def || def->type == JG_NONE || u->types.data[def->type].kind != JG_TYPE_POINTER)
        return -1;
    t->var = variable_of(t->m, temp, b);
    t->condition = jg_insn_index(u, def);
    return t->var != JG_NONE && !u->vars.data[t->var].address_taken ? side : -1;
}

// Is the variable NULL only when a function threw? Then it matters whether that was cleared.
static bool may_come_with_exception(const struct tested *t)
{
    const struct jg_unit *u = t->m->unit;
    uint32_t first, end;
    jg_engine_insns(t->m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (in->op != JG_OP_STORE || u->places.data[in->a].base_kind != JG_BASE_VAR ||
            u->places.data[in->a].base != t->var)
            continue;
        const struct jg_insn *def = jg_engine_definition(t->m->engine, in->b);
        if (def && def->op == JG_OP_CALL &&
            (def->sub != JG_CALLEE_JNI || jg_jni_function(def->a)->null_class == JG_NULL_THROWS))
            return true;
    }
    return false;
}

// Runs on from the branch for NULL; false where nothing more is known of the variable.
static bool still_null(struct tested *t, uint32_t block, uint32_t insn)
{
    const struct jg_unit *u = t->m->unit;
    const struct jg_insn *in = &u->insns.data[insn];
    if (jg_insn_writes(u, in, t->var))
        return false;
    if (in->op != JG_OP_CALL)
        return true;
    bool is_static = u->vars.data[t->var].kind == JG_VAR_STATIC;
    if (in->sub != JG_CALLEE_JNI)
        return in->sub == JG_CALLEE_SYMBOL && !is_static &&
               !sounds_final(jg_unit_str(u, u->symbols.data[in->a].name));
    const struct jg_jni_function *fn = jg_jni_function(in->a);
    for (uint32_t i = 1; i < fn->param_count && i < in->arg_count; i++) {
        uint32_t temp = u->args.data[in->first_arg + i];
        if (!needs_something(&fn->params[i]) || jg_engine_loaded(t->m->engine, temp) != t->var ||
            (!t->cleared && may_come_with_exception(t)))
            continue;
        struct jg_moment at = *t->m;
        at.insn = insn;
        struct jg_violation v = jg_violation_of(JG_RULE_REF_NULL_ARGUMENT);
        v.insn = insn;
        v.block = block;
        v.cause = t->condition;
        v.name = jg_engine_expression(t->m->engine, temp);
        v.number = i;
        jg_moment_report(&at, v, insn);
        return false;
    }
    t->cleared |= (fn->flags & JG_JNI_CLEARS) != 0;
    return !is_static && !(fn->flags & (JG_JNI_RAISES | JG_JNI_NORETURN));
}

void jg_watch_null_tests(const struct jg_moment *m)
{
    const struct jg_unit *u = m->unit;
    const struct jg_function *f = &u->functions.data[m->function];
    for (uint32_t b = 0; b < f->block_count; b++) {
        const struct jg_block *block = &u->blocks.data[f->first_block + b];
        struct tested t = {.m = m};
        int side = block->term == JG_TERM_BRANCH ? null_side(&t, b, block) : -1;
        if (side < 0)
            continue;
        uint32_t at = u->succs.data[block->first_succ + (uint32_t)side], from = b;
        for (bool goes_on = true; goes_on && at > from;) {
            uint32_t first, end;
            jg_engine_block(m->engine, at, &first, &end);
            for (uint32_t i = first; i < end && goes_on; i++)
                goes_on = still_null(&t, at, i);
            const struct jg_block *here = &u->blocks.data[f->first_block + at];
            goes_on &= here->term == JG_TERM_JUMP;
            from = at;
            at = goes_on ? u->succs.data[here->first_succ] : 0;
        }
    }
}

// ---- words --------------------------------------------------------------------------------------

static const char *what_is_needed(const struct jg_jni_param *p)
{
    static const struct {
        const char *type, *text;
    } known[] = {{"jclass", "a class"},         {"jstring", "a string"},
                 {"jthrowable", "a throwable"}, {"jmethodID", "a method ID"},
                 {"jfieldID", "a field ID"},    {"jobject", "an object"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(p->type, known[i].type) == 0)
            return known[i].text;
    return p->role == JG_PARAM_NAME         ? "a name"
           : p->role == JG_PARAM_DESCRIPTOR ? "a descriptor"
                                            : "an array";
}

// Is a function called anywhere here that may not come back?
static bool may_have_ended(const struct jg_describe *d)
{
    uint32_t first, end;
    jg_engine_insns(d->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &d->unit->insns.data[i];
        if (sounds_final(jg_insn_callee(d->unit, in)))
            return true;
    }
    return false;
}

bool jg_describe_null_argument(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const struct jg_insn *call = &d->unit->insns.data[v->insn];
    const struct jg_jni_param *p = &jg_jni_function(call->a)->params[v->number];
    const char *fn = jg_called(d, v->insn);
    uint32_t temp = d->unit->args.data[call->first_arg + (uint32_t)v->number];
    const struct jg_insn *def = jg_engine_definition(d->engine, temp);
    if (def && (def->op == JG_OP_NULL || def->op == JG_OP_CONST)) {
        jg_describe_at(
            d, v->insn,
            "%s needs %s as '%s' and is given NULL in '%s'; virtual machines do not test "
            "for that and mostly crash: pass %s, or do not call it",
            fn, what_is_needed(p), p->name, d->function, what_is_needed(p));
        jg_describe_step(d, v->insn, "NULL passed here");
        return true;
    }
    // The branch for NULL cannot be taken: another test came before.
    if (v->cause != JG_NONE &&
        !(jg_engine_marks(d->engine, v->insn) & JG_MARK_MAYBE((unsigned)v->number)))
        return false;
    // A variable set to NULL and to something else: the path that says so may be none.
    if (v->inferred && jg_engine_marks(d->engine, v->insn) & JG_MARK_GIVEN((unsigned)v->number))
        return false;
    if (v->unknown_callee && may_have_ended(d))
        return false;
    // A variable that is NULL is one defect, however often it is passed on.
    uint32_t var = jg_engine_loaded(d->engine, temp);
    if (var != JG_NONE) {
        uint32_t key = var | 0x80000000u; // no instruction
        if (jg_engine_marks(d->engine, key) & JG_MARK_NULL_SAID)
            return false;
        jg_engine_mark(d->engine, key, JG_MARK_NULL_SAID);
    }
    if (v->unknown_callee)
        jg_doubt_callee(d);
    const char *name = v->name ? jg_bump_format(d->arena, "'%s'", v->name) : "the argument";
    jg_describe_at(d, v->insn,
                   "%s is NULL on this path in '%s' and is passed to %s, which needs %s; virtual "
                   "machines do not test for that and mostly crash: return before, or call %s only "
                   "when %s is not NULL",
                   name, d->function, fn, what_is_needed(p), fn, name);
    if (v->cause != JG_NONE)
        jg_describe_step(d, v->cause, "tested here, and the branch for NULL goes on");
    if (v->origin != JG_NONE && *jg_called(d, v->origin))
        jg_describe_step(d, v->origin, "%s may return NULL", jg_called(d, v->origin));
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "NULL passed to %s here", fn);
    return true;
}
