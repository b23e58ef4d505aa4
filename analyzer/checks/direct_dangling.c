// SPDX-License-Identifier: Apache-2.0
//
// Direct buffers that Java code has longer than there is memory behind them: NewDirectByteBuffer
// over the stack, or over what is freed.
//
// Java code has the buffer when it is returned, or stored in a field or an array, also through an
// object that is made with it. Memory that is lent for the time of a call may be right: nobody here
// sees whether the other side keeps the buffer. Not seen: memory that other functions free, and
// buffers that they hand out.

#include "analyzer/checks/describe.h"
#include "rules/jni.h"

#include <string.h>

enum { OVER_STACK, OVER_FREED };

static bool is_buffer(const struct jg_moment *m, uint32_t insn)
{
    return jg_insn_calls(&m->unit->insns.data[insn], JG_JNI_NewDirectByteBuffer);
}

static bool is_new_object(const struct jg_moment *m, uint32_t insn)
{
    const struct jg_jni_function *fn = jg_insn_jni(&m->unit->insns.data[insn]);
    return fn && strncmp(fn->name, "NewObject", 9) == 0;
}

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

static bool frees(const struct jg_moment *m, uint32_t insn)
{
    bool calls = m->unit->insns.data[insn].op == JG_OP_CALL;
    const struct jg_model *model = calls ? jg_engine_model(m->engine, insn) : NULL;
    return model && jg_model_param(model, 0)->releases == JG_OBJECT_MEMORY;
}

// Does the function free anything? Else there is nothing to remember of memory on the heap.
static bool frees_anything(const struct jg_moment *m)
{
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++)
        if (frees(m, i))
            return true;
    return false;
}

static void made(const struct jg_moment *m)
{
    jg_value address = jg_moment_base(m, m->args[1], NULL);
    bool symbol = jg_value_is_symbol(jg_moment_domain(m), address);
    int64_t capacity;
    if (jg_moment_constant(m, m->args[2], &capacity) && capacity == 0)
        return; // there is no memory behind it
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
    if (how == OVER_FREED && frees(m, buffer->insn))
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
    if (origin == JG_NONE || !is_buffer(m, origin) || !jg_moment_recall(m, origin, &buffer))
        return;
    if (is_stack(m, buffer.value)) {
        if (h->keeps)
            report(m, &buffer, OVER_STACK, m->insn, true);
        else if (is_new_object(m, m->insn)) // see whether the object is returned
            jg_moment_remember(m, m->insn, m->insn, h->buffer);
    } else if (frees(m, buffer.insn)) {
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
    if (buffer->value != f->memory || buffer->topic >= JG_TOPIC_LAST ||
        !is_buffer(f->m, buffer->topic))
        return;
    if (jg_moment_truth(f->m, jg_value_make(jg_moment_domain(f->m), JG_V_MADE, buffer->topic, 0)) ==
        0)
        return; // there is no buffer
    bool stored = buffer->insn != buffer->topic && !frees(f->m, buffer->insn);
    if (stored)
        report(f->m, buffer, OVER_FREED, buffer->insn, true);
    else
        jg_moment_remember(f->m, buffer->topic, f->m->insn, buffer->value);
}

void jg_watch_direct_memory(const struct jg_moment *m)
{
    const struct jg_jni_function *fn = jg_moment_jni(m);
    if (fn && m->call->a == JG_JNI_NewDirectByteBuffer) {
        made(m);
    } else if (fn) {
        jg_value deleted;
        uint32_t gone = JG_NONE;
        if (jg_moment_argument(m, JG_PARAM_DELETE_LOCAL, &deleted, NULL))
            gone = jg_moment_made(m, deleted);
        if (gone != JG_NONE && is_buffer(m, gone)) {
            struct jg_recalled buffer; // one that is stored lives on
            if (jg_moment_recall(m, gone, &buffer) && buffer.insn == gone)
                jg_moment_forget(m, gone);
        } else {
            arguments(m, fn);
        }
    } else if (m->call->arg_count && frees(m, m->insn)) {
        struct freeing f = {.m = m, .memory = jg_moment_base(m, m->args[0], NULL)};
        jg_moment_recall_all(m, see_freed, &f);
    }
}

void jg_watch_direct_return(const struct jg_moment *m)
{
    struct jg_recalled buffer;
    uint32_t origin = jg_moment_made(m, m->value), by = JG_NONE;
    if (origin == JG_NONE || jg_moment_truth(m, m->value) == 0 ||
        !jg_moment_recall(m, origin, &buffer))
        return;
    if (is_new_object(m, origin)) { // made with the buffer
        by = origin;
        origin = jg_moment_made(m, buffer.value);
        if (origin == JG_NONE || !jg_moment_recall(m, origin, &buffer))
            return;
    }
    if (!is_buffer(m, origin))
        return;
    if (is_stack(m, buffer.value))
        report(m, &buffer, OVER_STACK, by, by == JG_NONE);
    else if (frees(m, buffer.insn))
        report(m, &buffer, OVER_FREED, by, true);
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
        jg_describe_step(d, v->insn, "%s here", v->insn == JG_NONE ? "returned" : given);
    return true;
}
