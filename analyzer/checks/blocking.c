// SPDX-License-Identifier: Apache-2.0
//
// Critical regions: a function that can block, wait or do input and output is called inside one.
//
// Known are the functions whose models say `blocks`, and functions of the project that come to call
// one. Not seen: functions of other libraries that block further down, calls through pointers,
// members of C++ classes such as std::mutex::lock, locks that are made of atomic operations, and
// functions that leave the region of their caller, by then or later.

#include "analyzer/checks/describe.h"

#include <string.h>

struct region {
    jg_value symbol; // 0: none
    struct jg_seen object;
};

static void find_region(void *context, jg_value symbol, const struct jg_seen *object)
{
    struct region *r = context;
    if (jg_kind_is_critical(object->kind) && !object->escaped && !r->symbol)
        *r = (struct region){.symbol = symbol, .object = *object};
}

void jg_watch_blocking_call(const struct jg_moment *m)
{
    const struct jg_model *model = jg_moment_model(m);
    bool blocks = model && model->does & JG_DOES_BLOCKS;
    if (!blocks &&
        (m->call->sub != JG_CALLEE_SYMBOL || !jg_engine_chain(m->engine, m->insn, JG_CHAIN_BLOCKS)))
        return;
    if (!blocks && jg_engine_leaves_critical(m->engine, m->insn))
        return; // perhaps before it blocks
    struct region r = {0};
    jg_moment_held(m, find_region, &r);
    if (!r.symbol)
        return;
    struct jg_violation v = jg_violation_of(JG_RULE_CRITICAL_BLOCKING_CALL);
    v.kind = r.object.kind;
    v.origin = r.object.origin;
    v.since = r.object.since;
    v.name = jg_moment_name(m, r.symbol);
    jg_moment_report(m, v, r.object.origin); // one finding for a region, however many calls
}

bool jg_describe_blocking_call(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *acquire = jg_called(d, v->origin), *call = jg_called(d, v->insn);
    const char *through = jg_called_through(d, v->insn, JG_CHAIN_BLOCKS);
    jg_describe_at(d, v->insn,
                   "%s can block and is called in '%s' inside the critical region of %s; a "
                   "garbage collection may wait for the region to end, and all Java threads with "
                   "it: call it before %s or after %s, or work on a copy",
                   through, d->function, jg_object_text(d), acquire, jg_release_name(d));
    jg_describe_step(d, v->origin, "critical region begins here");
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "%s called inside it", call);
    jg_describe_exits(d, "a call that can block here, too");
    return true;
}
