// SPDX-License-Identifier: Apache-2.0
//
// What becomes of changes to array elements: thrown away by JNI_ABORT though something was written,
// or copied back with mode 0 though nothing was.
//
// Lost: a store was seen, or a call of a C function that is known to write, or of a function of
// this file that stores through the parameter (medium confidence), and every release that follows
// is JNI_ABORT. Aborting on an error path is what the mode is for, so nothing is said when some
// other release copies back, while an exception is pending, or where every path throws before or
// after the release; nor when only zeros are written, which wipes a secret, nor where the function
// asks whether it has got a copy, and may then scribble on it. Needless: neither
// stored to nor given to anybody who may store.
//
// Not seen: writes in functions whose body or meaning is not known (for them, both rules are
// silent), and needless copying by a helper that releases for several callers.

#include "analyzer/checks/describe.h"

#include <string.h>

#define ABORT 2 // JNI_ABORT

// The array elements that a value points into; false when it points to none.
static bool elements(const struct jg_moment *m, jg_value v, struct jg_seen *o)
{
    return jg_moment_object(m, v, o) && o->origin != JG_NONE &&
           (o->kind == JG_KIND_ELEMENTS || o->kind == JG_KIND_CRITICAL);
}

static void unsure(void *context, jg_value symbol, const struct jg_seen *o)
{
    (void)symbol;
    if (o->origin != JG_NONE)
        jg_engine_mark(context, o->origin, JG_MARK_UNSURE);
}

void jg_watch_element_store(const struct jg_moment *m)
{
    struct jg_seen o;
    if (elements(m, m->pointer, &o)) {
        bool zero = m->value == JG_VALUE_ZERO && jg_engine_in_loop(m->engine, m->insn);
        jg_engine_mark(m->engine, o.origin,
                       zero ? JG_MARK_LOOKED_AT : JG_MARK_DATA | JG_MARK_LOOKED_AT);
        return;
    }
    const struct jg_value_info *root =
        jg_moment_value(m, jg_value_root(jg_moment_domain(m), m->pointer));
    bool called = root->kind == JG_V_MADE && m->unit->insns.data[root->a].op == JG_OP_CALL;
    if (root->kind != JG_V_ADDR && root->kind != JG_V_INIT && (!called || root->older))
        jg_moment_held(m, unsure, m->engine);
}

void jg_watch_element_load(const struct jg_moment *m)
{
    struct jg_seen o;
    if (elements(m, m->pointer, &o))
        jg_engine_mark(m->engine, o.origin, JG_MARK_LOOKED_AT);
}

// Is the argument memory that the callee is known to write, with more than zeros?
static bool is_filled(const struct jg_moment *m, uint32_t index, unsigned role)
{
    const struct jg_model *model = jg_moment_model(m);
    if (!model)
        return role == JG_PARAM_REGION_OUT;
    bool wipes =
        (strcmp(model->name, "memset") == 0 || strcmp(model->name, "__builtin_memset") == 0) &&
        m->call->arg_count == 3 && m->args[1] == JG_VALUE_ZERO;
    return jg_model_param(model, index)->uses & JG_USE_OUT && !wipes;
}

void jg_watch_element_lend(const struct jg_moment *m)
{
    const struct jg_jni_function *fn = jg_moment_jni(m);
    for (uint32_t i = fn ? 1 : 0; i < m->call->arg_count; i++) {
        struct jg_seen o;
        unsigned role = fn && i < fn->param_count ? fn->params[i].role : JG_PARAM_VALUE;
        if (role == JG_PARAM_RELEASE || !elements(m, m->args[i], &o))
            continue;
        uint64_t bits = JG_MARK_LOOKED_AT | (is_filled(m, i, role) ? JG_MARK_DATA : 0);
        bits |= jg_moment_stores_through(m, i) ? JG_MARK_DATA | JG_MARK_BY_CALLEE : 0;
        jg_engine_mark(m->engine, o.origin,
                       bits | (role == JG_PARAM_REGION_IN ? JG_MARK_COPIED_BACK : 0));
    }
}

static void give_back(const struct jg_moment *m, struct jg_given_back back)
{
    struct jg_seen o;
    int64_t constant;
    if (!elements(m, back.pointer, &o) || !(o.states & (JG_STATE_HELD | JG_STATE_COMMITTED)))
        return;
    bool failing = jg_moment_exception(m, NULL) == JG_STATE_PENDING;
    bool known = jg_moment_constant(m, back.mode, &constant);
    if (!known || constant != ABORT) {
        // A failure that copies back does not excuse a success that does not.
        if (!known || (o.may_be_written && !failing))
            jg_engine_mark(m->engine, o.origin, JG_MARK_COPIED_BACK);
        if (!known || constant != 0 || o.may_be_written || o.escaped || o.kept || !jg_moment_jni(m))
            return; // a helper's mode is right for other callers of it
    } else {
        uint64_t stored = jg_engine_marks(m->engine, o.origin) & JG_MARK_BY_CALLEE;
        if (!(o.written || (stored && o.may_be_written)) || o.escaped || o.kept || failing)
            return;
    }
    struct jg_violation v = jg_violation_of(constant == ABORT ? JG_RULE_BUFFER_ABORT_LOST_WRITE
                                                              : JG_RULE_BUFFER_NEEDLESS_COPYBACK);
    v.kind = o.kind;
    v.origin = o.origin;
    v.cause = o.stored;
    v.inferred = !o.written;
    v.name = jg_moment_name(m, jg_moment_base(m, back.pointer, NULL));
    v.other = jg_moment_name(m, o.owner);
    // One for each acquisition and release: only when all paths are known is it clear which count.
    jg_moment_report(m, v, o.origin * 65599u + m->insn);
}

void jg_watch_element_release(const struct jg_moment *m)
{
    struct jg_given_back list[JG_MAX_GIVEN_BACK];
    unsigned count = jg_moment_gives_back(m, list);
    for (unsigned i = 0; i < count; i++)
        give_back(m, list[i]);
}

// ---- error paths, without regard to values ------------------------------------------------------

static bool throws(const struct jg_unit *u, const struct jg_insn *in)
{
    const struct jg_jni_function *fn = jg_insn_jni(in);
    const char *name = jg_insn_callee(u, in);
    return fn ? (fn->flags & JG_JNI_RAISES) != 0 : name && jg_name_hints(name, JG_HINT_THROW);
}

enum passage { BLOCKED, FREE, ARRIVED };

static enum passage pass(const struct jg_unit *u, uint32_t first, uint32_t end, uint32_t to)
{
    for (uint32_t i = first; i < end; i++) {
        if (i == to)
            return ARRIVED;
        if (throws(u, &u->insns.data[i]))
            return BLOCKED;
    }
    return FREE;
}

// Does some way lead from behind `from` to `to` (JG_NONE: to a return) without a throw?
static bool reaches_calmly(const struct jg_describe *d, uint32_t from, uint32_t to)
{
    const struct jg_unit *u = d->unit;
    const struct jg_function *f = &u->functions.data[d->violation->function];
    bool *seen = jg_bump_alloc(d->arena, f->block_count * sizeof *seen);
    uint32_t *todo = jg_bump_alloc(d->arena, f->block_count * sizeof *todo), count = 0;
    memset(seen, 0, f->block_count * sizeof *seen);
    uint32_t first, end, block = jg_engine_block_of(d->engine, from);
    jg_engine_block(d->engine, block, &first, &end);
    for (first = from + 1;;) {
        enum passage p = pass(u, first, end, to);
        const struct jg_block *b = &u->blocks.data[f->first_block + block];
        if (p == ARRIVED || (p == FREE && to == JG_NONE && b->term == JG_TERM_RETURN))
            return true;
        for (uint32_t i = 0; p == FREE && i < b->succ_count; i++) {
            uint32_t next = u->succs.data[b->first_succ + i];
            if (!seen[next])
                todo[count++] = next;
            seen[next] = true;
        }
        if (count == 0)
            return false;
        block = todo[--count];
        jg_engine_block(d->engine, block, &first, &end);
    }
}

// ---- texts --------------------------------------------------------------------------------------

static const char *array_text(const struct jg_describe *d)
{
    return d->violation->other ? jg_bump_format(d->arena, "'%s'", d->violation->other)
                               : "the array";
}

// A jboolean whose address the call gets.
static uint32_t asked_for_copy(const struct jg_describe *d, const struct jg_insn *call)
{
    const struct jg_unit *u = d->unit;
    for (uint32_t i = 1; i < call->arg_count; i++) {
        const struct jg_insn *in =
            jg_engine_definition(d->engine, u->args.data[call->first_arg + i]);
        uint32_t var = in && in->op == JG_OP_ADDR ? jg_place_variable(u, in->a) : JG_NONE;
        uint32_t type = var == JG_NONE ? JG_NONE : u->vars.data[var].type;
        if (type != JG_NONE && u->types.data[type].role == JG_ROLE_JBOOLEAN)
            return var;
    }
    return JG_NONE;
}

// Does the function look at what the acquisition, its own or a helper's, says of having made a
// copy?
static bool asks_for_copy(const struct jg_describe *d)
{
    const struct jg_unit *u = d->unit;
    uint32_t copied = asked_for_copy(d, &u->insns.data[d->violation->origin]);
    uint32_t first, end;
    jg_engine_insns(d->engine, &first, &end);
    for (uint32_t i = first; i < end && copied != JG_NONE; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (in->op == JG_OP_LOAD && jg_place_variable(u, in->a) == copied)
            return true;
    }
    return false;
}

bool jg_describe_lost_write(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    uint64_t marks = jg_engine_marks(d->engine, v->origin);
    if (asks_for_copy(d))
        return false;
    if (marks & (JG_MARK_COPIED_BACK | JG_MARK_LOST_SAID) || !(marks & JG_MARK_DATA) ||
        !reaches_calmly(d, v->origin, v->insn) || !reaches_calmly(d, v->insn, JG_NONE))
        return false;
    jg_engine_mark(d->engine, v->origin, JG_MARK_LOST_SAID); // one for each acquisition
    bool helper = !jg_insn_jni(&d->unit->insns.data[v->insn]);
    if (v->inferred)
        jg_lower_confidence(d, JG_MEDIUM, "whether it was written to is not certain");
    jg_describe_at(d, v->insn,
                   "%s from %s is written in '%s' but released with JNI_ABORT%s, which drops the "
                   "changes where the virtual machine made a copy: %s if %s is to receive "
                   "them, or change a copy of your own",
                   jg_object_text(d), jg_called(d, v->origin), d->function,
                   helper ? jg_bump_format(d->arena, " by %s", jg_called(d, v->insn)) : "",
                   helper ? "release it with mode 0"
                          : jg_bump_format(d->arena, "pass 0 to %s", jg_called(d, v->insn)),
                   array_text(d));
    jg_describe_step(d, v->origin, "acquired here");
    if (v->cause != JG_NONE)
        jg_describe_step(d, v->cause, "written here");
    jg_describe_step(d, v->insn, "released with JNI_ABORT here");
    return true;
}

bool jg_describe_needless_copyback(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    uint64_t marks = jg_engine_marks(d->engine, v->origin);
    uint64_t written =
        JG_MARK_WRITTEN | JG_MARK_MAY_BE_WRITTEN | JG_MARK_UNSURE | JG_MARK_LOST_SAID;
    const struct jg_function *f = &d->unit->functions.data[v->function];
    if (marks & written || !(marks & JG_MARK_LOOKED_AT) || f->flags & JG_FN_UNMODELLED)
        return false;
    jg_engine_mark(d->engine, v->origin, JG_MARK_LOST_SAID); // one for each acquisition
    jg_describe_at(d, v->insn,
                   "%s from %s is only read in '%s' but released with mode 0, which copies every "
                   "element back into %s where the virtual machine made a copy: pass JNI_ABORT "
                   "to %s",
                   jg_object_text(d), jg_called(d, v->origin), d->function, array_text(d),
                   jg_called(d, v->insn));
    jg_describe_step(d, v->origin, "acquired here");
    jg_describe_step(d, v->insn, "released with mode 0 here");
    return true;
}
