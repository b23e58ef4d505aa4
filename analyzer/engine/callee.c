// SPDX-License-Identifier: Apache-2.0
//
// What the summary of a callee says of a call before it is applied: what the result is, whether
// something is owed for it, whether it throws. See summary.h; apply.c applies it.

#include "analyzer/engine/internal.h"
#include "rules/jni.h"

const struct jg_summary *jg_callee_summary(const struct jg_engine *e, uint32_t insn)
{
    const struct jg_insn *in = &e->unit->insns.data[insn];
    bool other = in->op == JG_OP_CALL && in->sub != JG_CALLEE_JNI && in->sub != JG_CALLEE_INVOKE;
    return other ? jg_analysis_call_summary(e->analysis, e->unit_index, insn) : NULL;
}

uint32_t jg_field_id(const struct jg_engine *e, uint32_t field)
{
    return jg_unit_field(e->unit, field)
               ? jg_program_field(e->analysis->program, e->unit_index, field)
               : field & ~JG_FIELD_OF_PROGRAM;
}

uint32_t jg_field_of(const struct jg_engine *e, uint32_t id)
{
    for (uint32_t i = 0; i < e->unit->fields.count; i++)
        if (jg_field_id(e, i) == id)
            return i;
    return id | JG_FIELD_OF_PROGRAM;
}

// What every case that makes a result makes of it.
bool jg_kind_made_by(const struct jg_engine *e, uint32_t insn, enum jg_kind *kind)
{
    const struct jg_insn *in = &e->unit->insns.data[insn];
    if (in->op != JG_OP_CALL)
        return false;
    if (in->sub == JG_CALLEE_JNI)
        return jg_kind_of_result(jg_jni_function(in->a)->result, kind);
    const struct jg_summary *s = jg_callee_summary(e, insn);
    bool found = false;
    for (uint32_t i = 0; s && i < s->case_count; i++) {
        const struct jg_summary_case *c = &s->cases[i];
        bool made = false;
        for (uint32_t k = 0; k < c->made_count; k++) {
            if (!c->made[k].result || (found && *kind != c->made[k].kind))
                continue;
            *kind = (enum jg_kind)c->made[k].kind;
            found = made = true;
        }
        if (!made && !(c->low == 0 && c->high == 0)) // also returns something that exists already
            return false;
    }
    return found;
}

enum jg_borrowed jg_engine_borrows(const struct jg_engine *e, uint32_t insn)
{
    const struct jg_summary *s = jg_callee_summary(e, insn);
    enum jg_borrowed found = JG_BORROWED_NOT;
    for (uint32_t i = 0; s && i < s->case_count; i++) {
        const struct jg_summary_case *c = &s->cases[i];
        if (c->low == 0 && c->high == 0)
            continue;
        if (c->borrowed == JG_BORROWED_NOT || (found && found != c->borrowed))
            return JG_BORROWED_NOT;
        found = (enum jg_borrowed)c->borrowed;
    }
    return found;
}

bool jg_makes_owed(const struct jg_engine *e, uint32_t insn)
{
    const struct jg_summary *s = jg_callee_summary(e, insn);
    if (jg_acquires_pair(e, insn) || jg_call_enters(e, insn))
        return true;
    for (uint32_t i = 0; s && i < s->case_count; i++)
        for (uint32_t k = 0; k < s->cases[i].made_count; k++)
            if (s->cases[i].made[k].kind != JG_KIND_LOCAL)
                return true;
    return false;
}

jg_value jg_mode_of_deed(struct jg_engine *e, const struct jg_insn *in, const jg_value *args,
                         const struct jg_deed *deed)
{
    if (deed->mode == JG_MODE_PARAM)
        return deed->mode_param < in->arg_count ? args[deed->mode_param] : JG_VALUE_UNKNOWN;
    return deed->mode == JG_MODE_UNKNOWN ? JG_VALUE_UNKNOWN
                                         : jg_value_const(&e->domain, deed->mode);
}

bool jg_engine_always_throws(const struct jg_engine *e, uint32_t insn)
{
    const struct jg_summary *s = jg_callee_summary(e, insn);
    for (uint32_t i = 0; s && i < s->case_count; i++)
        if (s->cases[i].exit != JG_EXIT_PENDING)
            return false;
    return s && s->case_count != 0;
}

bool jg_engine_checks(const struct jg_engine *e, uint32_t insn)
{
    const struct jg_summary *s = jg_callee_summary(e, insn);
    for (uint32_t i = 0; s && i < s->case_count; i++)
        if (s->cases[i].entry == JG_ENTRY_PENDING || s->cases[i].exit == JG_EXIT_CLEAN)
            return true;
    return false;
}

bool jg_engine_leaves_critical(const struct jg_engine *e, uint32_t insn)
{
    const struct jg_summary *s = jg_callee_summary(e, insn);
    for (uint32_t i = 0; s && i < s->case_count; i++)
        if (s->cases[i].leaves_critical)
            return true;
    return false;
}

bool jg_engine_deletes(const struct jg_engine *e, uint32_t insn, uint32_t arg)
{
    const struct jg_summary *s = jg_callee_summary(e, insn);
    for (uint32_t i = 0; s && i < s->case_count; i++)
        for (uint32_t k = 0; k < s->cases[i].deed_count; k++) {
            const struct jg_deed *deed = &s->cases[i].deeds[k];
            if (deed->event == JG_EVENT_DELETE_LOCAL && deed->at.param == arg && !deed->at.count)
                return true;
        }
    return false;
}

bool jg_engine_makes_room(const struct jg_engine *e, uint32_t insn)
{
    struct jg_effects effects;
    const struct jg_insn *in = &e->unit->insns.data[insn];
    if (in->op != JG_OP_CALL || in->sub == JG_CALLEE_JNI || in->sub == JG_CALLEE_INVOKE ||
        !jg_analysis_call_effects(e->analysis, e->unit_index, insn, &effects))
        return false;
    return effects.what & (JG_EFFECT_PUSHES | JG_EFFECT_POPS | JG_EFFECT_RESERVES);
}

// Of several none.
static void gather(uint16_t slot, uint16_t *found, bool *several)
{
    *several |= slot == JG_ANY_SLOT || (*found != JG_ANY_SLOT && *found != slot);
    *found = slot;
}

uint16_t jg_engine_acquirer(const struct jg_engine *e, uint32_t insn)
{
    const struct jg_insn *in = &e->unit->insns.data[insn];
    const struct jg_summary *s = jg_callee_summary(e, insn);
    uint16_t found = JG_ANY_SLOT;
    bool several = false;
    if (in->op == JG_OP_CALL && in->sub == JG_CALLEE_JNI)
        return (uint16_t)in->a;
    for (uint32_t i = 0; s && i < s->case_count; i++)
        for (uint32_t k = 0; k < s->cases[i].made_count; k++)
            if (jg_kind_is_buffer(s->cases[i].made[k].kind))
                gather(s->cases[i].made[k].slot, &found, &several);
    return several ? JG_ANY_SLOT : found;
}

uint16_t jg_engine_releaser(const struct jg_engine *e, uint32_t insn)
{
    const struct jg_insn *in = &e->unit->insns.data[insn];
    const struct jg_summary *s = jg_callee_summary(e, insn);
    uint16_t found = JG_ANY_SLOT;
    bool several = false;
    if (in->op == JG_OP_CALL && in->sub == JG_CALLEE_JNI)
        return (uint16_t)in->a;
    for (uint32_t i = 0; s && i < s->case_count; i++)
        for (uint32_t k = 0; k < s->cases[i].deed_count; k++)
            if (s->cases[i].deeds[k].event == JG_EVENT_RELEASE &&
                s->cases[i].deeds[k].slot != JG_ANY_SLOT) // else it is memory that is freed
                gather(s->cases[i].deeds[k].slot, &found, &several);
    return several ? JG_ANY_SLOT : found;
}

bool jg_engine_makes(const struct jg_engine *e, uint32_t insn, enum jg_kind *kind)
{
    return jg_kind_made_by(e, insn, kind);
}

bool jg_engine_knows(const struct jg_engine *e, uint32_t insn)
{
    struct jg_effects effects;
    const struct jg_insn *in = &e->unit->insns.data[insn];
    return in->op != JG_OP_CALL || in->sub == JG_CALLEE_JNI || in->sub == JG_CALLEE_INVOKE ||
           jg_engine_model(e, insn) ||
           jg_analysis_call_effects(e->analysis, e->unit_index, insn, &effects);
}
