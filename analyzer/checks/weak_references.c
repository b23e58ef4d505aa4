// SPDX-License-Identifier: Apache-2.0
//
// Weak global references used as if they kept their object alive: handed to a JNI function that
// works on the object, with or without a test against NULL before it.
//
// A reference is weak by what made it, by what the unit stores into its place, or by its declared
// type, jweak. One finding for each reference of a function; its further uses are notes.
//
// A place that is not declared jweak, and of which nothing else in the unit says that its object
// may be gone, mostly has an owner that keeps it: low confidence.
//
// Not a defect while the reference it was made of, made here too, is still there. Not seen here:
// weak references in places that hold other kinds as well and are declared jobject, and those that
// a native method returns.

#include "analyzer/checks/describe.h"

// The place whose initial contents a value is; 0.
static jg_region loaded_from(const struct jg_moment *m, jg_value v)
{
    const struct jg_value_info *i = jg_moment_value(m, v);
    return i->kind == JG_V_INIT ? i->a : 0;
}

static bool is_weak_type(const struct jg_unit *u, uint32_t type)
{
    return type != JG_NONE && u->types.data[type].role == JG_ROLE_WEAK;
}

// Does the declaration of the variable or field say jweak?
static bool is_declared_weak(const struct jg_moment *m, jg_value v, uint32_t temp)
{
    const struct jg_unit *u = m->unit;
    const struct jg_insn *def = jg_engine_definition(m->engine, temp);
    if (def && def->op == JG_OP_LOAD && is_weak_type(u, u->places.data[def->a].type))
        return true;
    const struct jg_region_info *r = jg_region_info(jg_moment_domain(m), loaded_from(m, v));
    return loaded_from(m, v) &&
           (r->kind == JG_R_VAR     ? is_weak_type(u, u->vars.data[r->a].type)
            : r->kind == JG_R_FIELD ? is_weak_type(u, jg_unit_field_type(u, r->a))
                                    : false);
}

static bool is_weak(const struct jg_moment *m, jg_value v, uint32_t temp, struct jg_seen *seen)
{
    *seen = (struct jg_seen){.kind = JG_KIND_WEAK, .origin = JG_NONE, .states = JG_STATE_LIVE};
    bool declared = is_declared_weak(m, v, temp);
    if (jg_moment_object(m, v, seen) && (seen->kind != JG_KIND_WEAK || !declared))
        return seen->kind == JG_KIND_WEAK && seen->states == JG_STATE_LIVE;
    seen->inferred = false;
    return declared && seen->states == JG_STATE_LIVE;
}

// The reference it was made of is there as well, and keeps the object alive.
static bool has_strong_twin(const struct jg_moment *m, const struct jg_seen *weak)
{
    struct jg_seen strong;
    return weak->owner && jg_moment_object(m, weak->owner, &strong) && !strong.parameter &&
           strong.kind != JG_KIND_WEAK && strong.states == JG_STATE_LIVE;
}

// Does the call work on the object behind the argument? A release does, but its acquisition has
// been reported.
static bool uses_object(const struct jg_jni_function *fn, uint32_t slot, uint32_t i)
{
    if (slot == JG_JNI_IsSameObject || slot == JG_JNI_GetObjectRefType)
        return false;
    if (fn->flags & JG_JNI_VARARGS && i + 1 >= fn->param_count)
        return true;
    switch (fn->params[i].role) {
    case JG_PARAM_REF:
    case JG_PARAM_STORED_REF:
    case JG_PARAM_ACQUIRE:
    case JG_PARAM_MONITOR_ENTER:
        return true;
    default:
        return false;
    }
}

// The variable or field that a temporary is loaded from, as `place` names it.
static bool loads(const struct jg_unit *u, const struct jg_insn *def,
                  const struct jg_region_info *r)
{
    if (!def || def->op != JG_OP_LOAD)
        return false;
    const struct jg_place *p = &u->places.data[def->a];
    if (p->elem_count == 0)
        return r->kind == JG_R_VAR && p->base_kind == JG_BASE_VAR && p->base == r->a;
    const struct jg_elem *last = &u->elems.data[p->first_elem + p->elem_count - 1];
    return r->kind == JG_R_FIELD && last->kind == JG_ELEM_FIELD && last->value == r->a;
}

// Does the unit reckon with the object being gone: promotes the reference in that place, or asks
// whether it lives? Where it does not, something else may well keep the object.
static bool is_treated_as_weak(const struct jg_moment *m, jg_region place)
{
    const struct jg_unit *u = m->unit;
    const struct jg_region_info *r = jg_region_info(jg_moment_domain(m), place);
    const struct jg_insn *def = NULL; // of the argument: calls follow their loads
    for (uint32_t i = 0; place && i < u->insns.count; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (loads(u, in, r))
            def = in;
        bool asks = jg_insn_calls(in, JG_JNI_IsSameObject) ||
                    jg_insn_calls(in, JG_JNI_NewLocalRef) || jg_insn_calls(in, JG_JNI_NewGlobalRef);
        for (uint32_t k = 1; asks && def && k < in->arg_count; k++)
            if (u->args.data[in->first_arg + k] == def->dst)
                return true;
    }
    return false;
}

void jg_watch_weak_use(const struct jg_moment *m)
{
    const struct jg_jni_function *fn = jg_moment_jni(m);
    for (uint32_t i = 1; fn && i < m->call->arg_count; i++) {
        uint32_t temp = m->unit->args.data[m->call->first_arg + i];
        struct jg_seen seen;
        int truth = jg_moment_truth(m, m->args[i]);
        if (!uses_object(fn, m->call->a, i) || truth == 0 || !is_weak(m, m->args[i], temp, &seen) ||
            has_strong_twin(m, &seen))
            continue;
        jg_region place = loaded_from(m, m->args[i]);
        // `if (weak != NULL && !IsSameObject(env, weak, NULL))` asks the right question, too early.
        bool tested = place && truth == 1 && !jg_engine_calls(m->engine, JG_JNI_IsSameObject);
        struct jg_violation v =
            jg_violation_of(tested ? JG_RULE_WEAK_REF_NULL_COMPARE : JG_RULE_WEAK_REF_UNPROMOTED);
        v.kind = JG_KIND_WEAK;
        v.origin = seen.origin;
        v.inferred = seen.inferred && !is_treated_as_weak(m, place);
        v.name = jg_engine_expression(m->engine, temp);
        // All uses of one reference are one defect, repaired in one place.
        uint32_t key = place                    ? jg_key_of_region(place)
                       : seen.origin != JG_NONE ? seen.origin
                                                : m->insn;
        v.number = key;
        if (tested)
            jg_engine_mark(m->engine, key, JG_MARK_COMPARED);
        jg_moment_report(m, v, key);
    }
}

static void steps_of_use(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (v->inferred)
        jg_lower_confidence(d, JG_LOW, JG_DOUBT_KIND);
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "weak reference made here");
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "used as an object here");
    jg_describe_exits(d, "used here as well");
}

bool jg_describe_weak_compare(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *name = v->name ? v->name : "weak";
    jg_describe_at(
        d, v->insn,
        "weak global reference '%s' is passed to %s in '%s' after a test against NULL, but it is "
        "not NULL when its object is gone: make a local reference with NewLocalRef(env, %s), and "
        "test and use that",
        name, jg_called(d, v->insn), d->function, name);
    steps_of_use(d);
    return true;
}

bool jg_describe_weak_use(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (jg_engine_marks(d->engine, (uint32_t)v->number) & JG_MARK_COMPARED)
        return false; // weak-ref-null-compare says it
    const char *name = v->name ? v->name : "weak";
    jg_describe_at(
        d, v->insn,
        "weak global reference '%s' is passed to %s in '%s', but does not keep its object "
        "from being collected: make a local reference with NewLocalRef(env, %s), return "
        "when that is NULL, and use it instead",
        name, jg_called(d, v->insn), d->function, name);
    steps_of_use(d);
    return true;
}
