// SPDX-License-Identifier: Apache-2.0
//
// Local frames: every PushLocalFrame that succeeded needs a PopLocalFrame on every way out.
//
// Not reported: helpers that only push or only pop (the other half lies in their twin).

#include "analyzer/checks/describe.h"

bool jg_describe_frame(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (v->event == JG_EVENT_POP) {
        jg_describe_at(d, v->insn,
                       "PopLocalFrame is called in '%s' on a path without PushLocalFrame; it pops "
                       "the frame of the caller and makes its references invalid: pop only after "
                       "a push that succeeded",
                       d->function);
        jg_describe_path(d, 1);
        jg_describe_step(d, v->insn, "nothing left to pop here");
        return true;
    }
    jg_describe_at(d, v->origin,
                   "PushLocalFrame is not followed by PopLocalFrame on a path that leaves '%s'; "
                   "the frame and its references stay: call PopLocalFrame before every return",
                   d->function);
    jg_describe_step(d, v->origin, "frame pushed here");
    jg_describe_path(d, 1);
    jg_describe_step(d, JG_NONE, "'%s' returns here without popping it", d->function);
    jg_describe_exits(d, "not popped here either");
    return true;
}
