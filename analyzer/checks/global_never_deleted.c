// SPDX-License-Identifier: Apache-2.0
//
// A static variable that is given a global reference, and that nothing in this unit reads to delete
// that, or to give it to somebody who may.

#include "analyzer/checks/describe.h"
#include "analyzer/checks/global_places.h"
#include "rules/jni.h"

// The first in the unit to store a global reference into the variable.
static bool is_first(const struct jg_moment *m, uint32_t var, uint32_t call)
{
    const struct jg_unit *u = m->unit;
    for (uint32_t i = 0; i < call; i++) {
        uint32_t temp = jg_makes_global(&u->insns.data[i]) ? u->insns.data[i].dst : JG_NONE;
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
        if (!jg_makes_global(&u->insns.data[i]) ||
            jg_engine_marks(m->engine, i) & JG_MARK_OVERWRITES)
            continue;
        uint32_t place = jg_place_of_result(m, i);
        if (place == JG_NONE || u->places.data[place].base_kind != JG_BASE_VAR)
            continue;
        uint32_t var = u->places.data[place].base;
        if (u->vars.data[var].kind != JG_VAR_STATIC || u->vars.data[var].thread_local_storage ||
            !is_first(m, var, i) || jg_look_in_unit(u, place) > JG_LOOK_READ)
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
        jg_lower_confidence(d, JG_LOW,
                            "code outside of the program may delete it"); // another file may
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
