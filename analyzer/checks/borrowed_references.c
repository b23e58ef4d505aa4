// SPDX-License-Identifier: Apache-2.0
//
// A function deletes the reference it was given, and its caller goes on using it: the caller is the
// owner. A function whose name says that it releases is meant to; what its caller does afterwards
// is then the caller's own defect.
//
// Not seen: references that the function reaches by more than JG_MAX_ACCESS steps, and deletions by
// functions whose body and model are not known.

#include "analyzer/checks/describe.h"

bool jg_describe_borrowed(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *name =
        v->cause == JG_NONE ? NULL : jg_insn_callee(d->unit, &d->unit->insns.data[v->cause]);
    if (!name || jg_name_hints(name, JG_HINT_RELEASE))
        return false;
    jg_describe_become(d, JG_RULE_REF_DELETE_BORROWED);
    jg_lower_confidence(d, JG_MEDIUM,
                        "that the function lends the reference is guessed from its name");
    const char *use = v->event == JG_EVENT_RETURN ? "returned"
                      : v->insn == v->cause
                          ? jg_bump_format(d->arena, "passed to '%s' again", name)
                          : jg_bump_format(d->arena, "used by %s", jg_called(d, v->insn));
    jg_describe_at(d, v->insn,
                   "%s is %s in '%s' after '%s' has deleted it; a reference belongs to the "
                   "function that made it, and is not valid any more: do not delete what '%s' is "
                   "given, or use it no more",
                   jg_subject(d), use, d->function, name, name);
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "made by %s", jg_called(d, v->origin));
    jg_describe_path_with(d, 1, jg_bump_format(d->arena, "'%s' deletes it here", name));
    jg_describe_step(d, v->insn, "%s here", use);
    return true;
}
