// SPDX-License-Identifier: Apache-2.0
//
// A struct is freed whose global references are deleted but for one: a field that another function
// stores global references in, and that this one does not even look at.
//
// That another field of the same struct is deleted here says that this function is the end of what
// the struct holds. Nothing is said where any function of the unit deletes the field or gives it
// away, or where it may hold what belongs to somebody else. Not seen: structs of which no field is
// deleted here, or that another function gets, which may delete the rest; whole arrays of
// references.

#include "analyzer/checks/freed_holders.h"

#include <string.h>

struct freed {
    const struct jg_moment *m;
    uint32_t first, end; // instructions of the function
    uint32_t var;        // that holds the pointer
    uint32_t deleted;    // a field that is deleted, JG_NONE
};

// The pointer variable whose memory the call frees; JG_NONE.
static uint32_t freed_by(const struct jg_moment *m, uint32_t call)
{
    const struct jg_insn *in = &m->unit->insns.data[call];
    const struct jg_model *model = in->op == JG_OP_CALL && in->sub == JG_CALLEE_SYMBOL
                                       ? jg_engine_model(m->engine, call)
                                       : NULL;
    for (uint32_t i = 0; model && model->fresh != JG_OBJECT_MEMORY && i < in->arg_count; i++)
        if (jg_model_param(model, i)->releases == JG_OBJECT_MEMORY)
            return jg_engine_loaded(m->engine, m->unit->args.data[in->first_arg + i]);
    return JG_NONE;
}

// The field of the struct behind the variable that the place is; JG_NONE: something else.
static uint32_t field_behind(const struct freed *f, const struct jg_place *p)
{
    const struct jg_unit *u = f->m->unit;
    if (p->base_kind != JG_BASE_DEREF || p->elem_count == 0 ||
        u->elems.data[p->first_elem].kind != JG_ELEM_FIELD ||
        jg_engine_loaded(f->m->engine, p->base) != f->var)
        return JG_NONE;
    return u->elems.data[p->first_elem].value;
}

static bool is_deletion(const struct jg_insn *in)
{
    return jg_insn_calls(in, JG_JNI_DeleteGlobalRef) ||
           jg_insn_calls(in, JG_JNI_DeleteWeakGlobalRef);
}

// Is the pointer given to a function that may do something with what the struct holds?
static bool is_given(const struct freed *f, uint32_t call)
{
    const struct jg_insn *in = &f->m->unit->insns.data[call];
    if (in->op != JG_OP_CALL || in->sub == JG_CALLEE_JNI || freed_by(f->m, call) == f->var)
        return false;
    for (uint32_t i = 0; i < in->arg_count; i++)
        if (jg_engine_loaded(f->m->engine, f->m->unit->args.data[in->first_arg + i]) == f->var)
            return true;
    return false;
}

// The value that is stored to the variable, casts skipped; NULL: something else is stored.
static const struct jg_insn *stored_value(const struct freed *f, const struct jg_insn *store)
{
    const struct jg_unit *u = f->m->unit;
    if (store->op != JG_OP_STORE || jg_place_variable(u, store->a) != f->var)
        return NULL;
    const struct jg_insn *def = jg_engine_definition(f->m->engine, store->b);
    while (def && def->op == JG_OP_CAST)
        def = jg_engine_definition(f->m->engine, def->a);
    return def;
}

// Does the struct come from a call? Then it may be new and hold only what is stored here.
static bool may_be_new(const struct freed *f, const struct jg_insn *store)
{
    const struct jg_insn *def = stored_value(f, store);
    return def && def->op == JG_OP_CALL && def->sub != JG_CALLEE_JNI;
}

// Is the handle that the pointer is made of given to another function?
static bool gives_handle(const struct freed *f, const struct jg_insn *store)
{
    const struct jg_unit *u = f->m->unit;
    const struct jg_insn *def = stored_value(f, store);
    uint32_t handle = def && def->op == JG_OP_LOAD ? jg_place_variable(u, def->a) : JG_NONE;
    for (uint32_t i = f->first; i < f->end && handle != JG_NONE; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        for (uint32_t k = 0; in->op == JG_OP_CALL && in->sub != JG_CALLEE_JNI && k < in->arg_count;
             k++)
            if (jg_engine_loaded(f->m->engine, u->args.data[in->first_arg + k]) == handle)
                return true;
    }
    return false;
}

// Does some function of this unit delete what the field holds, or give it away?
static bool ends_elsewhere(const struct jg_unit *u, uint32_t field)
{
    for (uint32_t i = 0; i < u->insns.count; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        const struct jg_place *p =
            in->op == JG_OP_LOAD || in->op == JG_OP_ADDR ? &u->places.data[in->a] : NULL;
        const struct jg_elem *last =
            p && p->elem_count ? &u->elems.data[p->first_elem + p->elem_count - 1] : NULL;
        if (!last || last->kind != JG_ELEM_FIELD || last->value != field)
            continue;
        for (uint32_t k = i + 1; k < u->insns.count && k < i + 8; k++) {
            const struct jg_insn *call = &u->insns.data[k];
            bool calls =
                call->op == JG_OP_CALL && (call->sub != JG_CALLEE_JNI || is_deletion(call));
            for (uint32_t n = 0; calls && n < call->arg_count; n++)
                if (u->args.data[call->first_arg + n] == in->dst)
                    return true;
        }
        if (in->op == JG_OP_ADDR)
            return true;
    }
    return false;
}

// Fills in `deleted`. False: somebody else may end what the struct holds.
static bool look_around(struct freed *f)
{
    const struct jg_unit *u = f->m->unit;
    f->deleted = JG_NONE;
    for (uint32_t i = f->first; i < f->end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        bool taken = in->op == JG_OP_ADDR && jg_place_variable(u, in->a) == f->var;
        if (taken || is_given(f, i) || in->op == JG_OP_COPY || may_be_new(f, in) ||
            gives_handle(f, in))
            return false;
        if (!is_deletion(in))
            continue;
        const struct jg_insn *def =
            jg_engine_definition(f->m->engine, u->args.data[in->first_arg + 1]);
        const struct jg_place *p = def && def->op == JG_OP_LOAD ? &u->places.data[def->a] : NULL;
        uint32_t field = p ? field_behind(f, p) : JG_NONE;
        f->deleted = field != JG_NONE ? field : f->deleted;
        if (field == JG_NONE && !(p && p->base_kind == JG_BASE_VAR))
            return false; // who knows what that deletes
    }
    return f->deleted != JG_NONE;
}

// In any function: what makes the temporary, just before it is used; NULL.
static const struct jg_insn *defined_before(const struct jg_unit *u, uint32_t insn, uint32_t temp)
{
    for (uint32_t i = insn; i > 0 && insn - i < 8; i--)
        if (u->insns.data[i - 1].dst == temp)
            return &u->insns.data[i - 1];
    return NULL;
}

// Is the field given new references only, never a copy of one that belongs to somebody else?
static bool owns(const struct freed *f, uint32_t field)
{
    const struct jg_unit *u = f->m->unit;
    bool found = false;
    for (uint32_t i = 0; i < u->insns.count; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        const struct jg_place *p = in->op == JG_OP_STORE ? &u->places.data[in->a] : NULL;
        const struct jg_elem *last =
            p && p->elem_count ? &u->elems.data[p->first_elem + p->elem_count - 1] : NULL;
        if (!last || last->kind != JG_ELEM_FIELD || last->value != field)
            continue;
        const struct jg_insn *def = defined_before(u, i, in->b);
        while (def && def->op == JG_OP_CAST)
            def = defined_before(u, jg_insn_index(u, def), def->a);
        bool made = def && (jg_insn_calls(def, JG_JNI_NewGlobalRef) ||
                            jg_insn_calls(def, JG_JNI_NewWeakGlobalRef));
        if (!made && !(def && def->op == JG_OP_NULL))
            return false;
        found |= made;
    }
    return found;
}

static bool is_touched(const struct freed *f, uint32_t field)
{
    const struct jg_unit *u = f->m->unit;
    for (uint32_t i = f->first; i < f->end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        bool place = in->op == JG_OP_LOAD || in->op == JG_OP_STORE || in->op == JG_OP_ADDR;
        const struct jg_place *p = place ? &u->places.data[in->a] : NULL;
        for (uint32_t k = 0; p && k < p->elem_count; k++) {
            const struct jg_elem *e = &u->elems.data[p->first_elem + k];
            if (e->kind == JG_ELEM_FIELD && e->value == field)
                return true;
        }
    }
    return false;
}

// A reference of the same struct; an anonymous one has no name to go by.
static bool is_beside(const struct jg_unit *u, const struct jg_field *a, const struct jg_field *b)
{
    if (a->type == JG_NONE || !jg_role_is_ref((enum jg_type_role)u->types.data[a->type].role))
        return false;
    return *jg_unit_str(u, a->record) &&
           strcmp(jg_unit_str(u, a->record), jg_unit_str(u, b->record)) == 0;
}

static void report(const struct freed *f, uint32_t call, uint32_t field, enum jg_kind kind)
{
    const struct jg_unit *u = f->m->unit;
    struct jg_violation v = jg_violation_of(JG_RULE_GLOBAL_REF_LEAK);
    v.kind = kind;
    v.event = JG_EVENT_FREE;
    v.insn = call;
    v.block = jg_engine_block_of(f->m->engine, call);
    v.inferred = true;
    v.place = jg_unit_str(u, u->vars.data[f->var].name);
    v.name = jg_unit_str(u, u->fields.data[field].name);
    v.detail = jg_unit_str(u, u->fields.data[f->deleted].name);
    jg_moment_report(f->m, v, call);
}

void jg_watch_freed_holders(const struct jg_moment *m)
{
    const struct jg_unit *u = m->unit;
    struct freed f = {.m = m};
    jg_engine_insns(m->engine, &f.first, &f.end);
    for (uint32_t i = f.first; i < f.end; i++) {
        f.var = freed_by(m, i);
        if (f.var == JG_NONE || !look_around(&f))
            continue;
        for (uint32_t k = 0; k < u->fields.count; k++) {
            enum jg_kind kind;
            if (k == f.deleted || !is_beside(u, &u->fields.data[k], &u->fields.data[f.deleted]) ||
                !jg_engine_field_kind(m->engine, k, &kind) || is_touched(&f, k) ||
                ends_elsewhere(u, k) || !owns(&f, k))
                continue;
            report(&f, i, k, kind);
            break; // one finding for a call
        }
    }
}

bool jg_describe_freed_holder(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *release = v->kind == JG_KIND_WEAK ? "DeleteWeakGlobalRef" : "DeleteGlobalRef";
    jg_lower_confidence(d, JG_MEDIUM, "what the field holds is known from where it is stored to");
    jg_describe_at(d, v->insn,
                   "'%s' frees '%s' with %s and deletes '%s->%s' before, but not '%s->%s', which "
                   "holds a %s, too: nothing can delete that any more, so %s: call "
                   "%s(env, %s->%s) first",
                   d->function, v->place, jg_called(d, v->insn), v->place, v->detail, v->place,
                   v->name, jg_kind_title(v->kind),
                   v->kind == JG_KIND_WEAK ? "its entry in the table of weak references stays"
                                           : "its object can never be collected",
                   release, v->place, v->name);
    jg_describe_step(d, v->insn, "freed here");
    return true;
}
