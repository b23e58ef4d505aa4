// SPDX-License-Identifier: Apache-2.0
//
// Direct buffers and how long the memory behind them lives, both ways round: a buffer that Java
// code has longer than the memory (NewDirectByteBuffer over the stack, or over what is freed), and
// an address that native code keeps longer than the buffer (GetDirectBufferAddress).
//
// Java code has the buffer when it is returned, stored in a field or an array, or passed to Java
// code. Memory on the stack that is lent for the time of a call may be right, memory that is freed
// after a call as well: nobody here sees whether the other side keeps the buffer. Not seen: memory
// that other functions free, and buffers that they hand out.

#include "analyzer/checks/describe.h"
#include "rules/jni.h"

#include <string.h>

enum { OVER_STACK, OVER_FREED };

// ---- a buffer without memory --------------------------------------------------------------------

// Memory that is gone when the function returns: a local variable, or what alloca returned.
static bool is_stack(const struct jg_moment *m, jg_value address)
{
    struct jg_domain *d = jg_moment_domain(m);
    const struct jg_value_info *v = jg_value_info(d, address);
    if (v->kind == JG_V_ADDR) {
        const struct jg_region_info *root = jg_region_info(d, jg_region_info(d, v->a)->root);
        return root->kind == JG_R_VAR && m->unit->vars.data[root->a].kind != JG_VAR_STATIC;
    }
    uint32_t made = jg_moment_made(m, address);
    const char *by = made == JG_NONE ? NULL : jg_insn_callee(m->unit, &m->unit->insns.data[made]);
    return by && (strcmp(by, "alloca") == 0 || strcmp(by, "__builtin_alloca") == 0);
}

static bool frees(const struct jg_unit *u, uint32_t insn)
{
    const char *name = jg_insn_callee(u, &u->insns.data[insn]);
    const struct jg_c_function *fn = name ? jg_c_find(name) : NULL;
    return fn && fn->flags & JG_C_FREES;
}

// Does the function free anything? Else there is nothing to remember of memory on the heap.
static bool frees_anything(const struct jg_moment *m)
{
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++)
        if (frees(m->unit, i))
            return true;
    return false;
}

static void made(const struct jg_moment *m)
{
    jg_value address = jg_moment_base(m, m->args[1], NULL);
    bool symbol = jg_value_is_symbol(jg_moment_domain(m), address);
    if (is_stack(m, address) || (symbol && frees_anything(m)))
        jg_moment_remember(m, m->insn, m->insn, address);
    else
        jg_moment_forget(m, m->insn);
}

// `buffer`: what is remembered of it; `insn`: where the other side gets it, JG_NONE: it is
// returned.
static void report(const struct jg_moment *m, const struct jg_recalled *buffer, int how,
                   uint32_t given, bool sure)
{
    struct jg_violation v = jg_violation_of(JG_RULE_DIRECT_BUFFER_DANGLING);
    v.origin = buffer->topic;
    v.number = how;
    v.all = sure;
    v.cause = how == OVER_FREED && given != m->insn ? m->insn : buffer->insn;
    if (how == OVER_FREED && frees(m->unit, buffer->insn))
        v.cause = buffer->insn;
    jg_value symbol = jg_value_make(jg_moment_domain(m), JG_V_MADE, buffer->topic, 0);
    v.name = jg_moment_name(m, symbol);
    v.other = jg_moment_name(m, buffer->value);
    v.detail = given == JG_NONE ? NULL : jg_insn_jni(&m->unit->insns.data[given])->name;
    jg_moment_report(m, v, buffer->topic);
}

struct handing {
    const struct jg_moment *m;
    jg_value buffer;
    bool keeps; // stored in a field or an array
};

// The other side gets a buffer at a JNI call: stored, or as an argument.
static void handed(const struct handing *h)
{
    const struct jg_moment *m = h->m;
    struct jg_recalled buffer;
    uint32_t origin = jg_moment_made(m, h->buffer);
    if (origin == JG_NONE || !jg_moment_recall(m, origin, &buffer))
        return;
    bool creates = strncmp(jg_moment_jni(m)->name, "NewObject", 9) == 0;
    if (is_stack(m, buffer.value)) {
        if (h->keeps || creates)
            report(m, &buffer, OVER_STACK, m->insn, h->keeps);
    } else if (frees(m->unit, buffer.insn)) {
        report(m, &buffer, OVER_FREED, m->insn, true);
    } else if (h->keeps) {
        jg_moment_remember(m, origin, m->insn, buffer.value);
    }
}

static void see_jvalue(void *context, jg_region place, jg_value value, uint32_t insn)
{
    struct handing h = *(const struct handing *)context;
    (void)place;
    (void)insn;
    h.buffer = value;
    handed(&h);
}

static void arguments(const struct jg_moment *m, const struct jg_jni_function *fn)
{
    for (uint32_t i = 1; i < m->call->arg_count; i++) {
        unsigned role = i < fn->param_count ? fn->params[i].role : JG_PARAM_VARARGS;
        struct handing h = {.m = m, .buffer = m->args[i], .keeps = role == JG_PARAM_STORED_REF};
        if (h.keeps || role == JG_PARAM_VARARGS)
            handed(&h);
        else if (role == JG_PARAM_JVALUES)
            jg_moment_behind(m, m->args[i], see_jvalue, &h);
    }
}

struct freeing {
    const struct jg_moment *m;
    jg_value memory;
};

static void see_freed(void *context, const struct jg_recalled *buffer)
{
    const struct freeing *f = context;
    if (buffer->value != f->memory || buffer->topic >= JG_TOPIC_GET_ENV ||
        !jg_insn_calls(&f->m->unit->insns.data[buffer->topic], JG_JNI_NewDirectByteBuffer))
        return;
    if (jg_moment_truth(f->m, jg_value_make(jg_moment_domain(f->m), JG_V_MADE, buffer->topic, 0)) ==
        0)
        return; // there is no buffer
    bool stored = buffer->insn != buffer->topic && !frees(f->m->unit, buffer->insn);
    if (stored)
        report(f->m, buffer, OVER_FREED, buffer->insn, true);
    else
        jg_moment_remember(f->m, buffer->topic, f->m->insn, buffer->value);
}

void jg_watch_direct_memory(const struct jg_moment *m)
{
    const struct jg_jni_function *fn = jg_moment_jni(m);
    const struct jg_c_function *c = jg_moment_c_function(m);
    if (fn && m->call->a == JG_JNI_NewDirectByteBuffer) {
        made(m);
    } else if (fn) {
        jg_value deleted;
        uint32_t gone = JG_NONE;
        if (jg_moment_argument(m, JG_PARAM_DELETE_LOCAL, &deleted, NULL))
            gone = jg_moment_made(m, deleted);
        if (gone != JG_NONE && m->unit->insns.data[gone].op == JG_OP_CALL &&
            jg_insn_calls(&m->unit->insns.data[gone], JG_JNI_NewDirectByteBuffer)) {
            struct jg_recalled buffer; // one that is stored lives on
            if (jg_moment_recall(m, gone, &buffer) && buffer.insn == gone)
                jg_moment_forget(m, gone);
        } else {
            arguments(m, fn);
        }
    } else if (c && c->flags & JG_C_FREES && m->call->arg_count) {
        struct freeing f = {.m = m, .memory = jg_moment_base(m, m->args[0], NULL)};
        jg_moment_recall_all(m, see_freed, &f);
    }
}

void jg_watch_direct_return(const struct jg_moment *m)
{
    struct jg_recalled buffer;
    uint32_t origin = jg_moment_made(m, m->value);
    if (origin == JG_NONE || jg_moment_truth(m, m->value) == 0 ||
        !jg_moment_recall(m, origin, &buffer))
        return;
    if (is_stack(m, buffer.value))
        report(m, &buffer, OVER_STACK, JG_NONE, true);
    else if (frees(m->unit, buffer.insn))
        report(m, &buffer, OVER_FREED, JG_NONE, true);
}

static const char *memory(struct jg_describe *d)
{
    const char *name = d->violation->other;
    return name ? jg_bump_format(d->arena, "'%s'", name) : "the memory behind it";
}

bool jg_describe_direct_dangling(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    bool stack = v->number == OVER_STACK;
    const char *given =
        v->detail ? jg_bump_format(d->arena, "passed to %s", v->detail) : "returned";
    const char *buffer = v->name ? jg_bump_format(d->arena, "the direct buffer '%s'", v->name)
                                 : "the direct buffer from NewDirectByteBuffer";
    if (stack)
        jg_describe_at(d, v->origin,
                       "%s, which is %s, stands for %s on the stack of '%s'; once that has "
                       "returned, Java code reads and writes whatever lies there: allocate the "
                       "memory, and free it when the buffer is used no more",
                       buffer, given, memory(d), d->function);
    else
        jg_describe_at(d, v->origin,
                       "%s is %s in '%s' although %s, which it stands for, is freed there; Java "
                       "code then reads and writes freed memory: free it when the buffer is used "
                       "no more, from a Cleaner for one",
                       buffer, given, d->function, memory(d));
    jg_describe_step(d, v->origin, "buffer made here");
    if (stack)
        jg_describe_path(d, 1);
    else
        jg_describe_path_past(d, 1, v->cause, "memory freed here");
    if (v->insn != v->cause || stack)
        jg_describe_step(d, v->insn, "%s here", given);
    return true;
}

// ---- an address without buffer ------------------------------------------------------------------

// Does the function do anything with the buffer that may keep it: a global reference, a Java field,
// a function of the project?
static bool may_be_kept(const struct jg_moment *m, uint32_t var)
{
    const struct jg_unit *u = m->unit;
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (in->op == JG_OP_STORE && jg_engine_loaded(m->engine, in->b) == var)
            return true;
        const struct jg_jni_function *fn = jg_insn_jni(in);
        for (uint32_t k = 0; in->op == JG_OP_CALL && k < in->arg_count; k++) {
            unsigned role = fn && k < fn->param_count ? fn->params[k].role : JG_PARAM_VARARGS;
            if (role != JG_PARAM_REF &&
                jg_engine_loaded(m->engine, u->args.data[in->first_arg + k]) == var)
                return true;
        }
    }
    return false;
}

// The parameter whose address a call takes, if nothing is seen to keep it; JG_NONE.
static uint32_t unkept_buffer(const struct jg_moment *m, const struct jg_insn *call)
{
    const struct jg_unit *u = m->unit;
    uint32_t var = jg_engine_loaded(m->engine, u->args.data[call->first_arg + 1]);
    bool param = var != JG_NONE && u->vars.data[var].kind == JG_VAR_PARAM;
    return param && !may_be_kept(m, var) ? var : JG_NONE;
}

// The paths with an address stay apart from those without one: what is kept is seen at the return.
void jg_watch_address_taken(const struct jg_moment *m)
{
    if (jg_moment_is_native(m) && jg_moment_calls(m, JG_JNI_GetDirectBufferAddress) &&
        unkept_buffer(m, m->call) != JG_NONE)
        jg_moment_remember(m, m->insn, m->insn, JG_VALUE_UNKNOWN);
}

static void see_kept(void *context, jg_region place, jg_value value, uint32_t insn)
{
    const struct jg_moment *m = context;
    jg_value base = jg_moment_base(m, value, NULL);
    uint32_t origin = jg_moment_made(m, base);
    if (origin == JG_NONE ||
        !jg_insn_calls(&m->unit->insns.data[origin], JG_JNI_GetDirectBufferAddress) ||
        jg_moment_truth(m, base) == 0)
        return;
    uint32_t buffer = unkept_buffer(m, &m->unit->insns.data[origin]);
    if (buffer == JG_NONE)
        return;
    struct jg_violation v = jg_violation_of(JG_RULE_DIRECT_BUFFER_ADDRESS_ESCAPE);
    v.origin = origin;
    v.cause = insn;
    v.name = jg_unit_str(m->unit, m->unit->vars.data[buffer].name);
    v.place = jg_moment_place_name(m, place);
    jg_moment_report(m, v, insn);
}

void jg_watch_kept_address(const struct jg_moment *m)
{
    if (jg_moment_is_native(m))
        jg_moment_kept(m, see_kept, (void *)m);
}

bool jg_describe_address_escape(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    jg_lower_confidence(d, JG_MEDIUM); // Java code may hold the buffer for as long
    jg_describe_at(d, v->cause,
                   "the address of the direct buffer '%s' is kept in '%s' when '%s' returns, and "
                   "no reference to the buffer is; when the collector frees the buffer its memory "
                   "is gone, too: keep a global reference (NewGlobalRef) as long as the address",
                   v->name, v->place ? v->place : "a place that outlives the call", d->function);
    jg_describe_step(d, v->origin, "address taken here");
    jg_describe_path_past(d, 0, v->cause, "stored here");
    return true;
}
