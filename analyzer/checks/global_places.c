// SPDX-License-Identifier: Apache-2.0
//
// Places that hold global references: overwritten while they hold one, and never emptied at all.
//
// Overwritten: at NewGlobalRef, when the place that its result is stored in is known to hold a
// reference on this path, one that was neither deleted nor saved; or when a native method that can
// be called again (it sets or registers something) stores a reference to its argument without a
// look at the place. Not seen: a result that goes through a local variable first.
//
// Never deleted: a static variable that nothing in this unit reads to delete it, or to give it to
// somebody who may.

#include "analyzer/checks/describe.h"
#include "rules/jni.h"

#include <ctype.h>
#include <string.h>

static bool makes_global(const struct jg_insn *in)
{
    return jg_insn_calls(in, JG_JNI_NewGlobalRef) || jg_insn_calls(in, JG_JNI_NewWeakGlobalRef);
}

// The place that the result of a call is stored in, before its block ends; JG_NONE.
static uint32_t place_of(const struct jg_moment *m, uint32_t call)
{
    const struct jg_unit *u = m->unit;
    uint32_t temp = u->insns.data[call].dst, i, end;
    jg_engine_block(m->engine, jg_engine_block_of(m->engine, call), &i, &end);
    for (i = call + 1; temp != JG_NONE && i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (in->op == JG_OP_CAST && in->a == temp)
            temp = in->dst;
        if (in->op == JG_OP_STORE && in->b == temp)
            return in->a;
    }
    return JG_NONE;
}

// ---- who looks at it ----------------------------------------------------------------------------

// Do both name the same variable, or the same field of the same record?
static bool same_place(const struct jg_unit *u, uint32_t a, uint32_t b)
{
    const struct jg_place *x = &u->places.data[a], *y = &u->places.data[b];
    if (x->elem_count != y->elem_count || x->base_kind != y->base_kind ||
        (x->base_kind == JG_BASE_VAR && x->base != y->base))
        return false;
    for (uint32_t i = 0; i < x->elem_count; i++) {
        const struct jg_elem *e = &u->elems.data[x->first_elem + i];
        const struct jg_elem *f = &u->elems.data[y->first_elem + i];
        if (e->kind != f->kind || (e->kind != JG_ELEM_ANY && e->value != f->value))
            return false;
    }
    return true;
}

enum look {
    LOOK_NONE,
    LOOK_READ,    // tested, used, compared
    LOOK_DELETED, // given to DeleteGlobalRef or DeleteWeakGlobalRef
    LOOK_GIVEN    // stored elsewhere, or given to a function of the project
};

// What happens to a temporary in instructions [i, end).
static enum look use_of(const struct jg_unit *u, uint32_t temp, uint32_t i, uint32_t end)
{
    enum look most = LOOK_READ;
    for (; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        enum look look = LOOK_NONE;
        if ((in->op == JG_OP_STORE && in->b == temp) ||
            (in->op == JG_OP_CAST && in->a == temp && use_of(u, in->dst, i + 1, end) > LOOK_READ))
            look = LOOK_GIVEN;
        const struct jg_jni_function *fn = jg_insn_jni(in);
        for (uint32_t k = 0; in->op == JG_OP_CALL && k < in->arg_count; k++) {
            if (u->args.data[in->first_arg + k] != temp)
                continue;
            unsigned role = fn && k < fn->param_count ? fn->params[k].role : JG_PARAM_VARARGS;
            bool deletes = role == JG_PARAM_DELETE_GLOBAL || role == JG_PARAM_DELETE_WEAK;
            look = deletes ? LOOK_DELETED : fn ? LOOK_READ : LOOK_GIVEN;
        }
        most = look > most ? look : most;
    }
    return most;
}

// The most that instructions [first, end) of a function do with what a place holds. `whole`: also
// where another part of the same variable is named.
static enum look look_at(const struct jg_unit *u, uint32_t place, bool whole, uint32_t first,
                         uint32_t end)
{
    enum look most = LOOK_NONE;
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        bool reads = in->op == JG_OP_LOAD || in->op == JG_OP_ADDR || in->op == JG_OP_COPY;
        if (!reads)
            continue;
        uint32_t read = in->op == JG_OP_COPY ? in->b : in->a;
        const struct jg_place *p = &u->places.data[read], *q = &u->places.data[place];
        bool part = p->base_kind == JG_BASE_VAR && q->base_kind == JG_BASE_VAR &&
                    p->base == q->base && (whole || in->op != JG_OP_LOAD);
        if (!part && !same_place(u, read, place))
            continue;
        enum look look = in->op == JG_OP_LOAD ? use_of(u, in->dst, i + 1, end) : LOOK_GIVEN;
        most = look > most ? look : most;
    }
    return most;
}

static enum look look_in_unit(const struct jg_unit *u, uint32_t place, uint32_t except)
{
    enum look most = LOOK_NONE;
    for (uint32_t k = 0; k < u->functions.count; k++) {
        uint32_t first, end;
        jg_function_insns(u, &u->functions.data[k], &first, &end);
        enum look look = k == except ? LOOK_NONE : look_at(u, place, true, first, end);
        most = look > most ? look : most;
    }
    return most;
}

// ---- overwritten --------------------------------------------------------------------------------

// Does a name say that the function can be called again and again: "setListener", "native_set_cb"?
static bool is_setter(const char *name)
{
    static const char *const words[] = {"set", "update", "replace", "change", NULL};
    if (strncmp(name, "Java_", 5) == 0) { // the name of the method, without class and signature
        const char *signature = strstr(name, "__");
        const char *end = signature ? signature : name + strlen(name);
        while (end > name && (end[-1] != '_' || *end == '1')) // "_1" is an underscore in the name
            end--;
        name = end;
    }
    for (const char *p = name; *p; p++)
        for (const char *const *w = words; *w; w++) {
            size_t n = strlen(*w);
            bool begins = p == name || p[-1] == '_' || isupper((unsigned char)*p);
            bool ends = strlen(p) >= n && !islower((unsigned char)p[n]);
            if (begins && ends && tolower((unsigned char)*p) == **w &&
                strncmp(p + 1, *w + 1, n - 1) == 0)
                return true;
        }
    return false;
}

// A native method that is given another object each time, and keeps it.
static bool keeps_argument(const struct jg_moment *m, uint32_t place, jg_value object)
{
    const struct jg_function *f = &m->unit->functions.data[m->function];
    uint32_t first, end, param = jg_moment_parameter(m, object);
    jg_function_insns(m->unit, f, &first, &end);
    return jg_moment_is_native(m) && param != JG_NONE && param > f->first_var + 1 &&
           is_setter(jg_function_name(m->unit, f)) &&
           look_at(m->unit, place, true, first, end) == LOOK_NONE;
}

// Memory that was allocated in this function holds nothing of value yet.
static bool is_new_memory(const struct jg_moment *m, jg_region at)
{
    const struct jg_region_info root =
        *jg_region_info(jg_moment_domain(m), jg_region_info(jg_moment_domain(m), at)->root);
    return root.kind != JG_R_VAR &&
           !(root.kind == JG_R_DEREF && jg_moment_value(m, root.a)->kind == JG_V_INIT);
}

static bool is_lost(const struct jg_moment *m, uint32_t place, jg_region at, jg_value old)
{
    struct jg_seen seen;
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    bool object = jg_moment_object(m, old, &seen);
    return object && (seen.kind == JG_KIND_GLOBAL || seen.kind == JG_KIND_WEAK) &&
           seen.states == JG_STATE_LIVE && !seen.escaped && !jg_moment_is_held(m, old, at) &&
           look_at(m->unit, place, false, first, end) < LOOK_GIVEN;
}

// A place is tested for NULL: the paths on which it holds a reference stay apart from the others.
void jg_watch_place_tested(const struct jg_moment *m)
{
    jg_value place = m->args[0] == JG_VALUE_ZERO ? m->args[1] : m->args[0];
    const struct jg_value_info *v = jg_moment_value(m, place);
    if ((m->args[0] != JG_VALUE_ZERO && m->args[1] != JG_VALUE_ZERO) || v->kind != JG_V_INIT ||
        !jg_region_info(jg_moment_domain(m), v->a)->outlives)
        return;
    if (jg_engine_calls(m->engine, JG_JNI_NewGlobalRef) ||
        jg_engine_calls(m->engine, JG_JNI_NewWeakGlobalRef))
        jg_moment_remember(m, jg_key_of_region(v->a), m->insn, place);
}

void jg_watch_overwritten(const struct jg_moment *m)
{
    if (!m->call || !makes_global(m->call))
        return;
    uint32_t place = place_of(m, m->insn);
    jg_region at = place == JG_NONE ? 0 : jg_moment_target(m, place);
    const struct jg_region_info *i = at ? jg_region_info(jg_moment_domain(m), at) : NULL;
    if (!i || !i->outlives || i->element || is_new_memory(m, at))
        return;
    jg_value old = jg_moment_holds(m, at);
    if (jg_moment_value(m, old)->kind != JG_V_INIT || jg_moment_value(m, old)->a != at)
        return;
    struct jg_violation v = jg_violation_of(JG_RULE_GLOBAL_REF_OVERWRITE);
    v.all = jg_moment_truth(m, old) == 1;
    v.place = jg_moment_place_name(m, at);
    if (v.all ? !is_lost(m, place, at, old)
              : jg_moment_truth(m, old) == 0 ||
                    !keeps_argument(m, place, jg_moment_base(m, m->args[1], NULL)))
        return;
    jg_engine_mark(m->engine, m->insn, JG_MARK_OVERWRITES);
    jg_moment_report(m, v, m->insn);
}

bool jg_describe_overwrite(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *made = jg_called(d, v->insn), *place = v->place ? v->place : "the place";
    const char *undo = jg_insn_calls(&d->unit->insns.data[v->insn], JG_JNI_NewGlobalRef)
                           ? "DeleteGlobalRef"
                           : "DeleteWeakGlobalRef";
    if (v->all)
        jg_describe_at(d, v->insn,
                       "the result of %s overwrites '%s' in '%s', which holds a global reference "
                       "on this path; nobody can delete that any more, and its object is never "
                       "collected: call %s on it first",
                       made, place, d->function, undo);
    else
        jg_describe_at(d, v->insn,
                       "the result of %s overwrites '%s' each time Java code calls '%s'; the "
                       "reference from the call before is lost, and its object is never "
                       "collected: call %s on it first",
                       made, place, d->function, undo);
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "overwritten here");
    return true;
}

// ---- never deleted ------------------------------------------------------------------------------

// The first in the unit to store a global reference into the variable.
static bool is_first(const struct jg_moment *m, uint32_t var, uint32_t call)
{
    const struct jg_unit *u = m->unit;
    for (uint32_t i = 0; i < call; i++) {
        uint32_t temp = makes_global(&u->insns.data[i]) ? u->insns.data[i].dst : JG_NONE;
        for (uint32_t k = i + 1; temp != JG_NONE && k < i + 4 && k < call; k++) {
            const struct jg_insn *in = &u->insns.data[k];
            if (in->op == JG_OP_STORE && in->b == temp &&
                u->places.data[in->a].base_kind == JG_BASE_VAR && u->places.data[in->a].base == var)
                return false;
        }
    }
    return true;
}

void jg_watch_never_deleted(const struct jg_moment *m)
{
    const struct jg_unit *u = m->unit;
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        if (!makes_global(&u->insns.data[i]) || jg_engine_marks(m->engine, i) & JG_MARK_OVERWRITES)
            continue;
        uint32_t place = place_of(m, i);
        if (place == JG_NONE || u->places.data[place].base_kind != JG_BASE_VAR)
            continue;
        uint32_t var = u->places.data[place].base;
        if (u->vars.data[var].kind != JG_VAR_STATIC || u->vars.data[var].thread_local_storage ||
            !is_first(m, var, i) || look_in_unit(u, place, JG_NONE) > LOOK_READ)
            continue;
        struct jg_violation v = jg_violation_of(JG_RULE_GLOBAL_REF_NEVER_DELETED);
        v.insn = v.origin = i;
        v.block = jg_engine_block_of(m->engine, i);
        v.inferred = u->vars.data[var].external;
        v.place = jg_unit_str(u, u->vars.data[var].name);
        jg_moment_report(m, v, ~var);
    }
}

bool jg_describe_never_deleted(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (v->inferred)
        jg_lower_confidence(d, JG_LOW); // another file may
    bool weak = jg_insn_calls(&d->unit->insns.data[v->insn], JG_JNI_NewWeakGlobalRef);
    jg_describe_at(d, v->insn,
                   "the %s that %s makes in '%s' is kept in '%s', and nothing in this file deletes "
                   "it; %s: delete it in JNI_OnUnload, or where it is needed no more",
                   weak ? "weak global reference" : "global reference", jg_called(d, v->insn),
                   d->function, v->place,
                   weak ? "the place that it takes in the virtual machine is never free again"
                        : "its object is never collected, and a class keeps its loader");
    return true;
}
