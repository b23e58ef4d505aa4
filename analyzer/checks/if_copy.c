// SPDX-License-Identifier: Apache-2.0
//
// A buffer that is released only when `isCopy` says that it is a copy. The loss itself is what the
// protocol finds; this file tells whether every release in the function hangs on the flag.
//
// Seen are flags that are variables of their own. A flag in a struct, or a copy of the flag, is
// not; then the loss is reported as any other.

#include "analyzer/checks/describe.h"

// The local variable that an acquisition tells whether it made a copy; JG_NONE.
static uint32_t flag_of(const struct jg_engine *e, const struct jg_unit *u, uint32_t origin)
{
    const struct jg_insn *in = &u->insns.data[origin];
    int at = jg_jni_param(jg_jni_function(in->a), JG_PARAM_ISCOPY);
    if (at < 0 || (uint32_t)at >= in->arg_count)
        return JG_NONE;
    const struct jg_insn *flag =
        jg_engine_definition(e, u->args.data[in->first_arg + (uint32_t)at]);
    if (!flag || flag->op != JG_OP_ADDR)
        return JG_NONE;
    return jg_place_variable(u, flag->a);
}

void jg_watch_release_if_copy(const struct jg_moment *m)
{
    jg_value pointer, mode;
    if (!jg_moment_argument(m, JG_PARAM_RELEASE, &pointer, NULL) ||
        (jg_moment_argument(m, JG_PARAM_MODE, &mode, NULL) && mode == JG_VALUE_ONE))
        return;
    jg_value base = jg_moment_base(m, pointer, NULL);
    const struct jg_jni_function *maker = jg_moment_maker(m, base);
    uint32_t origin = jg_moment_made(m, base);
    if (!maker || !jg_result_is_buffer(maker->result) || origin == JG_NONE)
        return;
    uint32_t flag = flag_of(m->engine, m->unit, origin);
    jg_region at = flag == JG_NONE ? 0 : jg_region_var(jg_moment_domain(m), flag);
    bool if_copy = at && jg_moment_truth(m, jg_moment_holds(m, at)) == 1;
    jg_engine_mark(m->engine, origin, if_copy ? JG_MARK_RELEASED_IF_COPY : JG_MARK_RELEASED_ANYHOW);
}

const char *jg_only_if_copy(const struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    uint64_t marks = v->origin == JG_NONE ? 0 : jg_engine_marks(d->engine, v->origin);
    if (!(marks & JG_MARK_RELEASED_IF_COPY) || marks & JG_MARK_RELEASED_ANYHOW)
        return NULL;
    uint32_t flag = flag_of(d->engine, d->unit, v->origin);
    return flag == JG_NONE ? NULL : jg_unit_str(d->unit, d->unit->vars.data[flag].name);
}

bool jg_describe_only_if_copy(struct jg_describe *d, const char *flag)
{
    const struct jg_violation *v = d->violation;
    const char *acquire = jg_called(d, v->origin);
    bool loop = v->event == JG_EVENT_NEXT_TURN;
    bool critical = jg_kind_is_critical(v->kind);
    jg_describe_become(d, JG_RULE_BUFFER_RELEASE_ONLY_IF_COPY);
    const char *what =
        v->name ? jg_bump_format(d->arena, "'%s' from %s", v->name, acquire) : jg_object_text(d);
    jg_describe_at(d, v->origin,
                   "%s is released in '%s' only when '%s' is true, but it must be released in "
                   "any case; when it is no copy, %s: call %s without that condition",
                   what, d->function, flag,
                   critical ? "the garbage collector may be blocked from then on"
                            : "the object may stay pinned",
                   jg_release_name(d));
    jg_describe_step(d, v->origin, "acquired here");
    jg_describe_path(d, 1);
    if (loop)
        jg_describe_step(d, v->insn, "acquired again with the previous one still held");
    else
        jg_describe_step(d, JG_NONE, "'%s' returns here without releasing it", d->function);
    return true;
}
