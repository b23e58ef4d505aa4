// SPDX-License-Identifier: Apache-2.0
//
// References treated as what they are not, addresses or numbers: dereferenced, cast to an integer
// that is too small, used in arithmetic, and local ones carried past the call as a jlong or
// `void *`. A global or weak one may be carried so.
//
// The last is local-ref-escape as well; the engine tells them apart by the type of the place.
//
// Not seen here: a handle that other functions of the project turn into an address; handles in
// `void *` that came from elsewhere. A narrowed handle that is only printed does no harm.

#include "analyzer/checks/describe.h"

#include <string.h>

enum misuse { DEREFERENCED, NARROWED, CALCULATED, RETURNED, GIVEN };

static bool is_reference(const struct jg_unit *u, uint32_t type)
{
    return type != JG_NONE && jg_role_is_ref(u->types.data[type].role);
}

static uint32_t definition_of(const struct jg_moment *m, uint32_t temp)
{
    const struct jg_insn *def = jg_engine_definition(m->engine, temp);
    return def && is_reference(m->unit, def->type) ? jg_insn_index(m->unit, def) : JG_NONE;
}

static void report(const struct jg_moment *m, enum misuse how, const char *name, uint32_t key)
{
    struct jg_violation v = jg_violation_of(JG_RULE_REF_AS_POINTER);
    v.number = how;
    v.name = name;
    v.insn = m->insn;
    v.block = m->block;
    jg_moment_report(m, v, key);
}

// ---- dereferenced -------------------------------------------------------------------------------

// Is the pointer a handle by its origin: a result of JNI, or a parameter declared as one?
static bool is_handle(const struct jg_moment *m, jg_value v)
{
    const struct jg_jni_function *maker = jg_moment_maker(m, v);
    uint32_t parameter = jg_moment_parameter(m, v);
    return maker
               ? jg_result_is_ref(maker->result)
               : parameter != JG_NONE && is_reference(m->unit, m->unit->vars.data[parameter].type);
}

void jg_watch_dereference(const struct jg_moment *m)
{
    uint32_t base = m->unit->places.data[m->place].base;
    jg_value root = jg_moment_base(m, m->pointer, NULL);
    if (definition_of(m, base) == JG_NONE && !is_handle(m, root))
        return;
    const struct jg_value_info *v = jg_moment_value(m, root);
    uint32_t key = v->kind == JG_V_INIT   ? jg_key_of_region(v->a)
                   : v->kind == JG_V_MADE ? v->a
                                          : m->insn;
    const char *name = jg_moment_name(m, root);
    report(m, DEREFERENCED, name ? name : jg_engine_expression(m->engine, base), key);
}

// ---- narrowed, calculated with ------------------------------------------------------------------

static bool is_printed_only(const struct jg_moment *m, uint32_t temp)
{
    const struct jg_unit *u = m->unit;
    uint32_t printed = 0;
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (in->op != JG_OP_CALL || in->sub != JG_CALLEE_SYMBOL ||
            !(u->symbols.data[in->a].flags & JG_SYM_VARIADIC))
            continue;
        for (uint32_t k = 0; k < in->arg_count; k++)
            printed += u->args.data[in->first_arg + k] == temp;
    }
    return printed && printed == jg_engine_reads(m->engine, temp);
}

static bool is_narrowed(const struct jg_moment *m, const struct jg_insn *in)
{
    uint32_t def = in->op == JG_OP_CAST ? definition_of(m, in->a) : JG_NONE;
    if (def == JG_NONE)
        return false;
    const struct jg_type *to = &m->unit->types.data[in->type];
    const struct jg_type *from = &m->unit->types.data[m->unit->insns.data[def].type];
    // A jboolean made of a pointer is jboolean-truncation.
    return to->kind == JG_TYPE_INT && to->role != JG_ROLE_JBOOLEAN && to->size < from->size &&
           !is_printed_only(m, in->dst);
}

static uint32_t calculated_with(const struct jg_moment *m, const struct jg_insn *in)
{
    if (in->op != JG_OP_BIN || in->sub >= JG_BIN_EQ)
        return JG_NONE;
    uint32_t a = definition_of(m, in->a);
    return a != JG_NONE ? a : definition_of(m, in->b);
}

void jg_watch_handle_numbers(const struct jg_moment *m)
{
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &m->unit->insns.data[i];
        uint32_t calculated = calculated_with(m, in);
        bool narrowed = is_narrowed(m, in);
        if (!narrowed && calculated == JG_NONE)
            continue;
        struct jg_moment at = *m;
        at.insn = i;
        at.block = jg_engine_block_of(m->engine, i);
        uint32_t def = narrowed ? definition_of(m, in->a) : calculated;
        report(&at, narrowed ? NARROWED : CALCULATED,
               jg_engine_expression(m->engine, m->unit->insns.data[def].dst), def);
    }
}

// ---- local references that leave as numbers -----------------------------------------------------

// `v`, a jlong, leaves a native method: is it a local reference?
static void leave_as_number(const struct jg_moment *m, jg_value v, enum misuse how)
{
    struct jg_seen seen;
    const struct jg_value_info *i = jg_moment_value(m, v);
    if (!jg_moment_is_native(m) || (i->kind != JG_V_INIT && i->kind != JG_V_MADE) ||
        jg_moment_truth(m, v) == 0 || !jg_moment_object(m, v, &seen) ||
        seen.kind != JG_KIND_LOCAL || seen.states != JG_STATE_LIVE)
        return;
    struct jg_violation out = jg_violation_of(JG_RULE_REF_AS_POINTER);
    out.number = how;
    out.kind = JG_KIND_LOCAL;
    out.origin = seen.origin;
    out.parameter = seen.parameter;
    out.name = jg_moment_name(m, v);
    jg_moment_report(m, out, i->kind == JG_V_INIT ? jg_key_of_region(i->a) : i->a);
}

void jg_watch_returned_handle(const struct jg_moment *m)
{
    const struct jg_function *f = &m->unit->functions.data[m->function];
    uint32_t type = m->unit->symbols.data[f->symbol].return_type;
    // Anything smaller was narrowed, which is reported as that.
    if (type != JG_NONE && m->unit->types.data[type].kind == JG_TYPE_INT &&
        m->unit->types.data[type].size >= sizeof(void *))
        leave_as_number(m, m->value, RETURNED);
}

void jg_watch_stored_handle(const struct jg_moment *m)
{
    bool sets =
        jg_moment_calls(m, JG_JNI_SetLongField) || jg_moment_calls(m, JG_JNI_SetStaticLongField);
    if (sets && m->call->arg_count == 4)
        leave_as_number(m, m->args[3], GIVEN);
}

// ---- words --------------------------------------------------------------------------------------

static bool describe_kept(struct jg_describe *d, const char *where)
{
    const struct jg_violation *v = d->violation;
    jg_describe_at(d, v->insn,
                   "%s %s '%s'; it is invalid once the native method returns, whatever type it is "
                   "carried in: carry %s instead, and delete that in the end",
                   jg_subject(d), where, d->function,
                   v->name ? jg_bump_format(d->arena, "NewGlobalRef(env, %s)", v->name)
                           : "the result of NewGlobalRef");
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "local reference made by %s", jg_called(d, v->origin));
    jg_describe_path(d, 1);
    if (v->event == JG_EVENT_OUTLIVE)
        jg_describe_step(d, v->insn, "stored here");
    else
        jg_describe_step(d, v->insn,
                         v->number == RETURNED ? "returned here" : "given to Java here");
    return true;
}

bool jg_describe_handle(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *name = v->name ? jg_bump_format(d->arena, " '%s'", v->name) : "";
    const struct jg_insn *in = v->insn != JG_NONE ? &d->unit->insns.data[v->insn] : NULL;
    if (v->event == JG_EVENT_OUTLIVE) {
        if (!jg_engine_is_native(d->engine, v->function) || v->unknown_callee)
            jg_lower_confidence(
                d, JG_MEDIUM,
                "it may not outlive the native method, or a function may take it over");
        const char *place = v->place ? v->place : "a place";
        return describe_kept(d,
                             jg_bump_format(d->arena, "is kept in '%s' past the call of", place));
    }
    switch ((enum misuse)v->number) {
    case RETURNED:
        return describe_kept(d, "is returned to Java as a number by");
    case GIVEN:
        return describe_kept(d, "is stored in a Java field as a number in");
    case DEREFERENCED:
        jg_describe_at(
            d, v->insn,
            "reference%s is dereferenced in '%s'; it is an opaque handle and not the address of an "
            "object: use JNI functions for fields and elements, and carry native addresses in a "
            "jlong, not in a jobject",
            name, d->function);
        break;
    case NARROWED:
        jg_describe_at(d, v->insn,
                       "reference%s is cast to '%s' in '%s', which cuts off a part of the handle: "
                       "keep it in its own type, or carry a global reference in a jlong",
                       name, jg_unit_str(d->unit, d->unit->types.data[in->type].name), d->function);
        break;
    case CALCULATED:
        jg_describe_at(d, v->insn,
                       "reference%s is used in arithmetic in '%s'; it is an opaque handle that "
                       "says nothing about the object and differs from call to call: use "
                       "System.identityHashCode for a hash, JNI functions for fields and elements",
                       name, d->function);
        break;
    }
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn,
                     v->number == DEREFERENCED ? "dereferenced here"
                     : v->number == NARROWED   ? "cut off here"
                                               : "used in arithmetic here");
    jg_describe_exits(d, "here as well");
    return true;
}
