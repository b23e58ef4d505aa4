// SPDX-License-Identifier: Apache-2.0
//
// protocols.def -> a dense table, kind × state × event. A step is one load; the table has some
// kilobytes, so a sparser form would save nothing. Two rows for the same place are a compiler
// warning.

#include "rules/protocol.h"

_Static_assert(JG_STATE_COUNT <= 16, "jg_state_set has a bit for every state");
_Static_assert(JG_RULE_COUNT < UINT16_MAX, "struct jg_transition holds a rule in 16 bits");

static const struct jg_transition steps[JG_KIND_COUNT][JG_STATE_COUNT][JG_EVENT_COUNT] = {
#define JG_STEP(kind, state, event, next, rule, certainty)                                         \
    [JG_KIND_##kind][JG_STATE_INDEX_##state][JG_EVENT_##event] = {JG_STATE_##next, JG_RULE_##rule, \
                                                                  JG_##certainty, 1},
#include "rules/protocols.def"
};

static const char *const kind_titles[JG_KIND_COUNT] = {
#define JG_KIND(name, title) [JG_KIND_##name] = title,
#include "rules/protocols.def"
};

static const char *const event_titles[JG_EVENT_COUNT] = {
#define JG_EVENT(name, title) [JG_EVENT_##name] = title,
#include "rules/protocols.def"
};

static const char *const state_titles[JG_STATE_COUNT] = {
#define JG_STATE(name, title) [JG_STATE_INDEX_##name] = title,
#include "rules/protocols.def"
};

// Index of a state, of the lowest one of a set.
static unsigned lowest(unsigned states)
{
    return (unsigned)__builtin_ctz(states);
}

struct jg_transition jg_protocol_step(enum jg_kind kind, enum jg_state state, enum jg_event event)
{
    struct jg_transition step = steps[kind][lowest(state)][event];
    if (!step.present) {
        step.next = (uint16_t)state;
        step.rule = JG_RULE_NONE;
    }
    return step;
}

struct jg_outcome jg_protocol_apply(enum jg_kind kind, jg_state_set states, enum jg_event event)
{
    unsigned next = 0, illegal = 0, may = 0;

    for (unsigned rest = states; rest; rest &= rest - 1) {
        unsigned state = rest & -rest;
        struct jg_transition step = jg_protocol_step(kind, (enum jg_state)state, event);
        next |= step.next;
        if (step.rule != JG_RULE_NONE) {
            illegal |= state;
            may |= step.certainty == JG_MAY ? state : 0;
        }
    }

    bool all = states && illegal == states;
    unsigned reported = all ? illegal : may;
    unsigned first = reported ? reported : illegal;
    first &= -first;
    return (struct jg_outcome){
        .next = (jg_state_set)next,
        .rule = reported ? jg_protocol_step(kind, (enum jg_state)first, event).rule : JG_RULE_NONE,
        .all = all,
        .from = (enum jg_state)first,
    };
}

const char *jg_kind_title(enum jg_kind kind)
{
    return kind_titles[kind];
}

const char *jg_event_title(enum jg_event event)
{
    return event_titles[event];
}

const char *jg_state_title(enum jg_state state)
{
    return state_titles[lowest(state)];
}
