// SPDX-License-Identifier: Apache-2.0
//
// Local frames: every PushLocalFrame that succeeded needs a PopLocalFrame on every way out.
//
// Not reported: helpers that only push or only pop; their callers need the other half.

#include "analyzer/checks/describe.h"

// "PopLocalFrame is called", or "'leaveFrame', which pops a local frame, is called".
static const char *popped(struct jg_describe *d)
{
    const char *name = jg_called(d, d->violation->insn);
    return jg_is_helper_call(d, d->violation->insn)
               ? jg_bump_format(d->arena, "%s, which pops a local frame,", name)
               : name;
}

bool jg_describe_frame(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (v->event == JG_EVENT_POP) {
        jg_describe_at(d, v->insn,
                       "%s is called in '%s' on a path without PushLocalFrame; it pops "
                       "the frame of the caller and makes its references invalid: pop only after "
                       "a push that succeeded",
                       popped(d), d->function);
        jg_describe_path(d, 1);
        jg_describe_step(d, v->insn, "nothing left to pop here");
        return true;
    }
    bool helper = jg_is_helper_call(d, v->origin);
    const char *pushed =
        helper ? jg_bump_format(d->arena, "the local frame that %s pushes", jg_called(d, v->origin))
               : "PushLocalFrame";
    jg_describe_at(d, v->origin,
                   "%s is not followed by PopLocalFrame on a path that leaves '%s'; "
                   "the frame and its references stay: %s before every return",
                   pushed, d->function, helper ? "pop it" : "call PopLocalFrame");
    jg_describe_step(d, v->origin, "frame pushed here");
    jg_describe_path(d, 1);
    jg_describe_step(d, JG_NONE, "'%s' returns here without popping it", d->function);
    jg_describe_exits(d, "not popped here either");
    return true;
}
