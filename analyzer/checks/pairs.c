// SPDX-License-Identifier: Apache-2.0
//
// Pairs of functions that models declare: what the one acquires, the other gives back on every way
// out, once.
//
// Not reported: paths on which another variable that the call has filled says that there is
// nothing to give back: a boolean ("is it a copy?") that is false, an error that is not 0.
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

// The variable whose address the call gets as parameter `i`; JG_NONE.
static uint32_t filled_variable(struct jg_describe *d, const struct jg_insn *call, uint32_t i)
{
    const struct jg_insn *given =
        jg_engine_definition(d->engine, d->unit->args.data[call->first_arg + i]);
    return given && given->op == JG_OP_ADDR ? jg_place_variable(d->unit, given->a) : JG_NONE;
}

static bool assumes(struct jg_describe *d, const char *name, const char *const *what)
{
    for (; *what; what++)
        if (jg_describe_assumed(d, jg_bump_format(d->arena, "'%s%s", name, *what)))
            return true;
    return false;
}

static bool is_said_to_hold_nothing(struct jg_describe *d, const struct jg_model_pair *pair)
{
    static const char *const no[] = {"' is false", " == 0'", " != 1'", NULL};
    static const char *const error[] = {"' is true", " != 0'", " < 0'", " > 0'", NULL};
    const struct jg_unit *u = d->unit;
    const struct jg_insn *call = &u->insns.data[d->violation->origin];
    for (uint32_t i = 0; i < call->arg_count; i++) {
        uint32_t var = filled_variable(d, call, i);
        if (var == JG_NONE || (int)i == pair->object)
            continue;
        const struct jg_type *t = &u->types.data[u->vars.data[var].type];
        bool boolean = t->kind == JG_TYPE_BOOL || t->role == JG_ROLE_JBOOLEAN;
        if (assumes(d, jg_unit_str(u, u->vars.data[var].name), boolean ? no : error))
            return true;
    }
    return false;
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

bool jg_describe_pair(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const struct jg_model_pair *pair = jg_models_pair(jg_models_current(), v->pair);
    if (v->unknown_callee)
        jg_doubt_callee(d);
    if (v->event == JG_EVENT_RELEASE) {
        describe_again(d, pair);
        return true;
    }
    if (is_said_to_hold_nothing(d, pair))
        return false;
    const char *what = object(d, pair);
    if (v->name)
        what = jg_bump_format(d->arena, "%s from %s", what, jg_called(d, v->origin));
    jg_describe_owed(d, what, "", jg_bump_format(d->arena, "'%s'", pair->release[0]));
    return true;
}
