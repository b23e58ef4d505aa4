// SPDX-License-Identifier: Apache-2.0
//
// Places that global references are stored in; see global_places.h.

#include "analyzer/checks/global_places.h"

#include "rules/jni.h"

bool jg_makes_global(const struct jg_insn *in)
{
    return jg_insn_calls(in, JG_JNI_NewGlobalRef) || jg_insn_calls(in, JG_JNI_NewWeakGlobalRef);
}

uint32_t jg_place_of_result(const struct jg_moment *m, uint32_t call)
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

// What happens to a temporary in instructions [i, end).
static enum jg_look use_of(const struct jg_unit *u, uint32_t temp, uint32_t i, uint32_t end)
{
    enum jg_look most = JG_LOOK_READ;
    for (; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        enum jg_look look = JG_LOOK_NONE;
        if ((in->op == JG_OP_STORE && in->b == temp) ||
            (in->op == JG_OP_CAST && in->a == temp &&
             use_of(u, in->dst, i + 1, end) > JG_LOOK_READ))
            look = JG_LOOK_GIVEN;
        const struct jg_jni_function *fn = jg_insn_jni(in);
        for (uint32_t k = 0; in->op == JG_OP_CALL && k < in->arg_count; k++) {
            if (u->args.data[in->first_arg + k] != temp)
                continue;
            unsigned role = fn && k < fn->param_count ? fn->params[k].role : JG_PARAM_VARARGS;
            // By the wrong function, too: that is ref-delete-wrong-kind.
            bool deletes = role >= JG_PARAM_DELETE_LOCAL && role <= JG_PARAM_DELETE_WEAK;
            look = deletes ? JG_LOOK_DELETED : fn ? JG_LOOK_READ : JG_LOOK_GIVEN;
        }
        most = look > most ? look : most;
    }
    return most;
}

enum jg_look jg_look_at(const struct jg_unit *u, uint32_t place, bool whole, uint32_t first,
                        uint32_t end)
{
    enum jg_look most = JG_LOOK_NONE;
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
        enum jg_look look = in->op == JG_OP_LOAD ? use_of(u, in->dst, i + 1, end) : JG_LOOK_GIVEN;
        most = look > most ? look : most;
    }
    return most;
}

enum jg_look jg_look_in_unit(const struct jg_unit *u, uint32_t place)
{
    enum jg_look most = JG_LOOK_NONE;
    for (uint32_t k = 0; k < u->functions.count; k++) {
        uint32_t first, end;
        jg_function_insns(u, &u->functions.data[k], &first, &end);
        enum jg_look look = jg_look_at(u, place, true, first, end);
        most = look > most ? look : most;
    }
    return most;
}
