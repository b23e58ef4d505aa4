// SPDX-License-Identifier: Apache-2.0
//
// What becomes of local references that a function leaves behind; see lifetime.h.

#include "analyzer/engine/lifetime.h"

#include "analyzer/engine/watch.h"
#include "rules/jni.h"

#include <string.h>

// ---- who frees them -----------------------------------------------------------------------------

#define MAX_DEPTH 2 // of calls that are followed

// By its model, or by its name.
static bool says_detach(const struct jg_program *p, uint32_t unit, uint32_t insn)
{
    const struct jg_unit *u = jg_program_unit(p, unit);
    const struct jg_insn *in = &u->insns.data[insn];
    const struct jg_model *m = in->sub == JG_CALLEE_JNI ? NULL : jg_program_model(p, unit, insn);
    if (m && (m->does | m->does_not) & JG_DOES_DETACHES)
        return (m->does & JG_DOES_DETACHES) != 0;
    const char *name = in->sub == JG_CALLEE_FIELD ? jg_unit_str(u, u->fields.data[in->a].name)
                                                  : jg_insn_callee(u, in);
    return name && (strstr(name, "etach") || strstr(name, "DETACH"));
}

static bool leaves_frame(const struct jg_program *p, uint32_t id, int depth);

// Does the instruction end what local references live in: a frame, the attachment of the thread,
// the virtual machine?
static bool frees(const struct jg_program *p, uint32_t unit, uint32_t insn, int depth)
{
    const struct jg_unit *u = jg_program_unit(p, unit);
    const struct jg_insn *in = &u->insns.data[insn];
    if (in->op != JG_OP_CALL)
        return false;
    if (in->sub == JG_CALLEE_INVOKE)
        return in->a == JG_INVOKE_DetachCurrentThread || in->a == JG_INVOKE_DestroyJavaVM;
    if (jg_insn_calls(in, JG_JNI_PopLocalFrame) || says_detach(p, unit, insn))
        return true;
    bool complete;
    uint32_t count;
    const uint32_t *ids = jg_program_callees(p, unit, insn, &count, &complete);
    for (uint32_t i = 0; depth > 0 && i < count; i++)
        if (leaves_frame(p, ids[i], depth - 1))
            return true;
    return false;
}

// Does the function do that for its caller? One that pushes the frame itself does not.
static bool leaves_frame(const struct jg_program *p, uint32_t id, int depth)
{
    struct jg_function_ref f = jg_program_function(p, id);
    uint32_t first, end;
    bool found = false;
    jg_function_insns(f.unit, &f.unit->functions.data[f.index], &first, &end);
    for (uint32_t i = first; i < end; i++) {
        if (jg_insn_calls(&f.unit->insns.data[i], JG_JNI_PushLocalFrame))
            return false;
        found = found || frees(p, f.unit_index, i, depth);
    }
    return found;
}

bool jg_function_frees(const struct jg_program *p, uint32_t id)
{
    struct jg_function_ref f = jg_program_function(p, id);
    uint32_t first, end;
    jg_function_insns(f.unit, &f.unit->functions.data[f.index], &first, &end);
    for (uint32_t i = first; i < end; i++)
        if (frees(p, f.unit_index, i, MAX_DEPTH))
            return true;
    return false;
}

// ---- do they add up? ----------------------------------------------------------------------------

static uint32_t block_of(const struct jg_unit *u, const struct jg_function *f, uint32_t insn)
{
    for (uint32_t b = 0; b < f->block_count; b++) {
        const struct jg_block *block = &u->blocks.data[f->first_block + b];
        if (insn - block->first_insn < block->insn_count)
            return b;
    }
    return 0;
}

enum turn { NO_LOOP, KEEPS, FREES };

// Of the loop that an instruction of a function lies in: do its turns free local references?
static enum turn turns_of(const struct jg_program *p, uint32_t id, uint32_t insn)
{
    struct jg_function_ref ref = jg_program_function(p, id);
    const struct jg_unit *u = ref.unit;
    const struct jg_function *f = &u->functions.data[ref.index];
    uint32_t at = block_of(u, f, insn);
    const struct jg_block *from = &u->blocks.data[f->first_block + at];
    bool again = false;
    for (uint32_t i = 0; i < from->succ_count; i++)
        again |= jg_function_reaches(u, f, u->succs.data[from->first_succ + i], at);
    if (!again)
        return NO_LOOP;
    for (uint32_t b = 0; b < f->block_count; b++) {
        const struct jg_block *block = &u->blocks.data[f->first_block + b];
        for (uint32_t i = block->first_insn; i < block->first_insn + block->insn_count; i++)
            if (frees(p, ref.unit_index, i, MAX_DEPTH) && jg_function_reaches(u, f, at, b) &&
                jg_function_reaches(u, f, b, at))
                return FREES;
    }
    return KEEPS;
}

// Does the caller free what each of its calls leaves behind? Where it calls in a loop, turn by
// turn.
static bool caller_frees(const struct jg_program *p, uint32_t caller, uint32_t id)
{
    bool direct;
    uint32_t call = jg_program_call_site(p, caller, id, &direct);
    enum turn turn = call == JG_NONE ? NO_LOOP : turns_of(p, caller, call);
    return turn == NO_LOOP ? jg_function_frees(p, caller) : turn == FREES;
}

bool jg_callers_free(const struct jg_program *p, uint32_t id)
{
    uint32_t count;
    const uint32_t *callers = jg_program_callers(p, id, &count);
    for (uint32_t i = 0; i < count; i++)
        if (!caller_frees(p, callers[i], id))
            return false;
    return count > 0;
}

bool jg_is_thread_entry(const struct jg_context_reason *r)
{
    return strncmp(r->what, "AttachCurrentThread", strlen("AttachCurrentThread")) != 0;
}

// Follows the callers up to the loop in which the references add up. The entry of a thread runs
// once.
static bool adds_up_on_thread(const struct jg_program *p, uint32_t id)
{
    struct jg_context_reason r;
    while (!jg_function_frees(p, id) && jg_program_context_reason(p, id, JG_CONTEXT_THREAD, &r)) {
        if (r.caller == JG_NONE)
            return !jg_is_thread_entry(&r);
        bool direct;
        uint32_t call = jg_program_call_site(p, r.caller, id, &direct);
        enum turn turn = call == JG_NONE ? NO_LOOP : turns_of(p, r.caller, call);
        if (turn != NO_LOOP)
            return turn == KEEPS;
        id = r.caller;
    }
    return false;
}

static bool adds_up_in_callback(const struct jg_program *p, uint32_t id)
{
    struct jg_context_reason r;
    while (!jg_function_frees(p, id) && jg_program_context_reason(p, id, JG_CONTEXT_CALLBACK, &r)) {
        if (r.caller == JG_NONE)
            return true;
        id = r.caller;
    }
    return false;
}

enum jg_rule jg_leak_rule(const struct jg_program *p, uint32_t id)
{
    uint8_t contexts = jg_program_contexts(p, id);
    if (contexts & JG_CONTEXT_NATIVE)
        return JG_RULE_LOCAL_REF_LEAK_IN_HELPER;
    if (contexts & JG_CONTEXT_THREAD && adds_up_on_thread(p, id))
        return JG_RULE_LOCAL_REF_LEAK_ON_THREAD;
    if (contexts & JG_CONTEXT_CALLBACK && adds_up_in_callback(p, id))
        return JG_RULE_LOCAL_REF_LEAK_IN_CALLBACK;
    return JG_RULE_LOCAL_REF_LEAK_IN_HELPER;
}

bool jg_is_outermost(const struct jg_program *p, uint32_t id)
{
    struct jg_context_reason r;
    return (jg_program_context_reason(p, id, JG_CONTEXT_NATIVE, &r) && r.root == id) ||
           (jg_program_context_reason(p, id, JG_CONTEXT_THREAD, &r) && r.root == id &&
            jg_is_thread_entry(&r));
}

// ---- as a hash ----------------------------------------------------------------------------------

static void add_text(struct jg_hasher *h, const char *text)
{
    jg_hasher_add(h, text, strlen(text) + 1);
}

// What is said of the way there.
static void add_reason(struct jg_hasher *h, const struct jg_program *p, uint32_t id,
                       enum jg_context context)
{
    struct jg_context_reason r;
    if (!jg_program_context_reason(p, id, context, &r))
        return;
    add_text(h, jg_program_function_name(p, r.root));
    add_text(h, r.what);
    if (r.unit == JG_NONE || r.loc == JG_NONE)
        return;
    const struct jg_unit *u = jg_program_unit(p, r.unit);
    const struct jg_loc *loc = &u->locs.data[r.loc];
    add_text(h, jg_unit_str(u, u->files.data[loc->file].path));
    jg_hasher_add(h, loc, sizeof *loc);
}

void jg_add_lifetime(struct jg_hasher *h, const struct jg_program *p, uint32_t id)
{
    enum jg_rule rule = jg_leak_rule(p, id);
    uint8_t facts[] = {(uint8_t)rule, jg_is_outermost(p, id), jg_function_frees(p, id),
                       jg_callers_free(p, id)};
    jg_hasher_add(h, facts, sizeof facts);
    if (rule == JG_RULE_LOCAL_REF_LEAK_ON_THREAD)
        add_reason(h, p, id, JG_CONTEXT_THREAD);
    else if (rule == JG_RULE_LOCAL_REF_LEAK_IN_CALLBACK)
        add_reason(h, p, id, JG_CONTEXT_CALLBACK);
}
