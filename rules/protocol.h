// SPDX-License-Identifier: Apache-2.0
//
// The protocols: small state machines, one row of `protocols.def` per (kind, state, event). The
// analyzer feeds them abstract events, the agent concrete ones; neither has an opinion of its own.
//
// A state is a bit, so that the analyzer can hold a set of states and the agent a singleton.
// Immutable static data, any thread.

#ifndef JG_RULES_PROTOCOL_H
#define JG_RULES_PROTOCOL_H

#include "rules/rule.h"

#include <stdint.h>

enum jg_kind {
#define JG_KIND(name, title) JG_KIND_##name,
#include "rules/protocols.def"
    JG_KIND_COUNT
};

enum jg_event {
#define JG_EVENT(name, title) JG_EVENT_##name,
#include "rules/protocols.def"
    JG_EVENT_COUNT
};

// States share one enumeration: a kind uses the ones its rows name.
enum jg_state_index {
#define JG_STATE(name, title) JG_STATE_INDEX_##name,
#include "rules/protocols.def"
    JG_STATE_COUNT
};

enum jg_state {
#define JG_STATE(name, title) JG_STATE_##name = 1u << JG_STATE_INDEX_##name,
#include "rules/protocols.def"
};

typedef uint16_t jg_state_set;

// The states in which something must still be given back.
#define JG_STATES_OWED (JG_STATE_LIVE | JG_STATE_HELD | JG_STATE_COMMITTED)

enum jg_certainty {
    JG_MUST, // report only when every possible state makes the event illegal
    JG_MAY,  // report also when only some states do, with lowered confidence
};

struct jg_transition {
    uint16_t next; // enum jg_state
    uint16_t rule; // enum jg_rule; JG_RULE_NONE when the event is legal in this state
    uint8_t certainty;
    uint8_t present; // 0: the event does not concern this kind in this state; state unchanged
};

// The row for one state. Never NULL: a missing row has present == 0 and next == state.
struct jg_transition jg_protocol_step(enum jg_kind kind, enum jg_state state, enum jg_event event);

// Outcome of an event on a set of states.
struct jg_outcome {
    jg_state_set next;
    uint16_t rule;      // JG_RULE_NONE: nothing to report
    bool all;           // every state of the set makes the event illegal
    enum jg_state from; // the first illegal state
};
struct jg_outcome jg_protocol_apply(enum jg_kind kind, jg_state_set states, enum jg_event event);

// Memory that must be given back by a Release function; that of a critical region; characters.
static inline bool jg_kind_is_buffer(unsigned kind)
{
    return kind >= JG_KIND_ELEMENTS && kind <= JG_KIND_STRING_CRITICAL;
}
static inline bool jg_kind_is_critical(unsigned kind)
{
    return kind == JG_KIND_CRITICAL || kind == JG_KIND_STRING_CRITICAL;
}
static inline bool jg_kind_is_chars(unsigned kind)
{
    return kind == JG_KIND_CHARS || kind == JG_KIND_UTF_CHARS || kind == JG_KIND_STRING_CRITICAL;
}

const char *jg_kind_title(enum jg_kind kind);    // "local reference"
const char *jg_event_title(enum jg_event event); // "deleted with DeleteLocalRef"
const char *jg_state_title(enum jg_state state); // "live"

#endif
