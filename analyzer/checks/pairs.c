// SPDX-License-Identifier: Apache-2.0
//
// Pairs of functions that models declare: what the one acquires, the other gives back on every way
// out, once.
//
// Not seen: what is given back by a function that the pair does not name and whose body is not
// known; whether the function that gives back is the one of the same pair.

#include "analyzer/checks/describe.h"

// "connection 'c'", or "the connection from 'open_connection'".
static const char *object(struct jg_describe *d, const struct jg_model_pair *pair)
{
    const struct jg_violation *v = d->violation;
    const char *made = jg_called(d, v->origin);
    return v->name ? jg_bump_format(d->arena, "%s '%s'%s", pair->what, v->name, jg_alias(d))
           : *made ? jg_bump_format(d->arena, "the %s from %s", pair->what, made)
                   : jg_bump_format(d->arena, "the %s", pair->what);
}

static void describe_again(struct jg_describe *d, const struct jg_model_pair *pair)
{
    const struct jg_violation *v = d->violation;
    jg_describe_at(d, v->insn,
                   "%s is released a second time by %s in '%s'; it may be gone by then, or belong "
                   "to somebody else: release it once, on each path",
                   object(d, pair), jg_called(d, v->insn), d->function);
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "acquired here");
    jg_describe_path_with(d, 1, "released here");
    jg_describe_step(d, v->insn, "released again here");
}

// `if (is_copy) release(...)`, where the function that acquires has filled in `is_copy`.
static bool says_otherwise(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const struct jg_insn *in = v->origin == JG_NONE ? NULL : &d->unit->insns.data[v->origin];
    for (uint32_t i = 0; in && i < in->arg_count; i++) {
        const char *text = jg_engine_expression(d->engine, d->unit->args.data[in->first_arg + i]);
        if (text && *text == '&' &&
            jg_describe_assumed(d, jg_bump_format(d->arena, "'%s' is false", text + 1)))
            return true;
    }
    return false;
}

bool jg_describe_pair(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const struct jg_model_pair *pair = jg_models_pair(jg_models_current(), v->pair);
    if (v->unknown_callee)
        jg_lower_confidence(d, JG_MEDIUM);
    if (v->event == JG_EVENT_RELEASE) {
        describe_again(d, pair);
        return true;
    }
    if (says_otherwise(d))
        return false;
    bool loop = v->event == JG_EVENT_NEXT_TURN;
    bool ends = jg_engine_ends_elsewhere(d->engine, v->origin);
    const char *what = object(d, pair);
    if (v->name)
        what = jg_bump_format(d->arena, "%s from %s", what, jg_called(d, v->origin));
    jg_describe_at(d, v->origin, "%s is %s '%s': call '%s'%s", what,
                   loop   ? "not released before the next iteration in"
                   : ends ? "not released on a path that leaves"
                          : "never released in",
                   d->function, pair->release[0],
                   loop   ? " before the iteration ends"
                   : ends ? " there too"
                          : "");
    jg_describe_step(d, v->origin, "acquired here");
    jg_describe_path(d, 1);
    if (loop)
        jg_describe_step(d, v->insn, "acquired again with the previous one still held");
    else
        jg_describe_step(d, JG_NONE, "'%s' returns here without releasing it", d->function);
    jg_describe_exits(d, "not released here either");
    return true;
}
